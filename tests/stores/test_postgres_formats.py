"""The formats of a database: rows that replicas of an earlier version cannot read are written only where none can start."""

from __future__ import annotations

import pytest

from support.durable.running import run
from support.postgres import server
from turnwise.errors import StoreFailed
from turnwise.stores.postgres import PostgresStore, schema
from turnwise.stores.postgres.address import read_address
from turnwise.stores.postgres.connect import Connection, connect
from turnwise.stores.preset_dictionary import MARK
from turnwise.testing.store_support import Journal, written

BEFORE = schema.TIGHT - 1
"""The last format whose programs cannot read what is compressed with the dictionary."""


@pytest.fixture
def earlier() -> str:
    """A database as the version before made it, which recorded no migrations."""
    address = server().empty()
    with opened(address) as db:
        for migration in schema.MIGRATIONS[:BEFORE]:
            db.execute(migration)
        db.execute("CREATE TABLE turnwise (format integer NOT NULL)")
        db.execute("INSERT INTO turnwise VALUES (%s)", (BEFORE,))
    return address


def opened(address: str) -> Connection:
    return connect(read_address(address))


def recorded(address: str) -> tuple[int, int]:
    """Which format a program must know to open a database, and how many migrations were applied."""
    with opened(address) as db:
        ((least, migrations),) = db.execute("SELECT format, migrations FROM turnwise").fetchall()
    return least, migrations


def compressed(address: str) -> set[bool]:
    """Whether entries and states were compressed with the dictionary."""
    with opened(address) as db:
        rows = db.execute("SELECT body FROM event UNION ALL SELECT state FROM conversation").fetchall()
    return {row[0][:1] == MARK for row in rows}


def write(address: str) -> None:
    """Write two turns of a conversation, which another replica reads."""

    async def play() -> None:
        writer, other, journal = PostgresStore(address), PostgresStore(address), Journal()
        name = f"conversation {len(await writer.conversations())}"
        await written(writer, name, [journal.begin("hello"), journal.turn("again")])
        assert await other.entries(name) == journal.entries
        assert await other.load(name) == journal.state
        await writer.close()
        await other.close()

    run(play())


def test_a_new_database_is_compressed_and_no_earlier_version_opens_it(monkeypatch: pytest.MonkeyPatch) -> None:
    address = server().fresh()
    write(address)
    assert compressed(address) == {True}
    monkeypatch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:BEFORE])
    with pytest.raises(StoreFailed, match=f"its format is {schema.TIGHT}; .* knows formats up to {BEFORE}"):
        PostgresStore(address)


def test_what_an_earlier_version_reads_is_written_to_a_database_that_it_made(earlier: str) -> None:
    write(earlier)
    assert compressed(earlier) == {False}
    assert recorded(earlier) == (schema.LEAST, len(schema.MIGRATIONS))


def test_a_later_version_compresses_a_database_and_reads_what_was_not(
    earlier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(earlier)
    monkeypatch.setattr(schema, "LEAST", schema.TIGHT)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE added_later (n integer)"))
    write(earlier)
    assert compressed(earlier) == {False, True}
    assert recorded(earlier) == (schema.TIGHT, len(schema.MIGRATIONS))


def test_an_upgrade_keeps_the_format_of_a_database_that_is_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    address = server().fresh()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE added_later (n integer)"))
    write(address)
    assert compressed(address) == {True}
    assert recorded(address) == (schema.TIGHT, len(schema.MIGRATIONS))
