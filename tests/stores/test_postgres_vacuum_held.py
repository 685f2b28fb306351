"""A session that leaves a transaction open keeps PostgreSQL from using the room of old rows again: it is named."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import psycopg
import pytest

from server.test_metrics import opened, scraped, value
from support.durable.running import run
from support.postgres import server
from support.served import served
from turnwise.cli import store as store_commands
from turnwise.stores.postgres import PostgresStore
from turnwise.stores.postgres.address import read_address
from turnwise.testing.store_support import Journal, holds


@pytest.fixture
def address() -> str:
    return server().fresh()


@pytest.fixture
def forgotten(address: str) -> Iterator[psycopg.Connection]:
    """A session with a snapshot, which is idle in its transaction."""
    conninfo = f"{read_address(address).conninfo}&application_name=a%20forgotten%20psql"
    with psycopg.connect(conninfo) as session:
        session.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        session.execute("SELECT count(*) FROM conversation")
        yield session


def test_a_session_that_holds_back_vacuum_is_named_and_turns_go_on(address: str, forgotten: psycopg.Connection) -> None:
    async def play() -> None:
        store, journal = PostgresStore(address), Journal()
        await store.commit("a", journal.begin())
        await asyncio.sleep(0.1)
        for _ in range(5):
            await store.commit("a", journal.turn("b"))
        await holds(store, "a", journal)
        found = await store.oldest_transaction()
        assert found is not None
        assert found.session == forgotten.info.backend_pid
        assert (found.role, found.application) == ("turnwise", "a forgotten psql")
        assert found.state == "idle in transaction"
        assert 0.1 <= found.seconds < 60
        assert (await store.info()).oldest_transaction is not None
        forgotten.rollback()
        assert await store.oldest_transaction() is None
        await store.close()

    run(play())


def test_a_session_without_a_snapshot_is_idle_in_its_transaction_and_holds_nothing(address: str) -> None:
    with psycopg.connect(read_address(address).conninfo) as session:
        session.execute("SELECT 1")

        async def play() -> None:
            store = PostgresStore(address)
            assert await store.oldest_transaction() is None
            session.execute("INSERT INTO uncounted VALUES (1)")
            found = await store.oldest_transaction()
            assert found is not None
            assert found.session == session.info.backend_pid
            await store.close()

        run(play())
        session.rollback()


def test_the_terminal_says_which_session_it_is_and_how_to_end_it(
    address: str, forgotten: psycopg.Connection, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = forgotten.info.backend_pid
    assert store_commands.run_info(address, as_json=False) == 0
    assert "session" not in capsys.readouterr().out, "a transaction that is short is not worth a line"
    monkeypatch.setattr(store_commands, "LONG_S", 0.0)
    assert store_commands.run_info(address, as_json=False) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert f"session {session} of role turnwise (a forgotten psql) has had a transaction open for" in printed
    assert f"SELECT pg_terminate_backend({session}) ends it" in printed


def test_a_metric_says_for_how_long_a_transaction_has_been_open(address: str, forgotten: psycopg.Connection) -> None:
    async def play() -> None:
        async with served(opened(PostgresStore(address))) as client:
            await asyncio.sleep(0.2)
            assert (value(await scraped(client), "store_oldest_transaction_seconds") or 0) >= 0.2
            forgotten.rollback()
            assert value(await scraped(client), "store_oldest_transaction_seconds") == 0

    run(play())
