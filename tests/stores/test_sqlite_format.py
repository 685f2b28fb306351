"""The file: its numbered formats, what is compressed, and where folding begins."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from support.chats import OneChat
from support.shell import environment
from turnwise.core.state import Timer
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold_all
from turnwise.core.step.work import SNAPSHOT_EVERY
from turnwise.errors import StoreFailed
from turnwise.runner.outbox_port import DeliveryQuery
from turnwise.runner.search import ConversationQuery
from turnwise.runner.stored import StoredConversation
from turnwise.stores import encoded
from turnwise.stores.sqlite import SqliteStore, connect, schema
from turnwise.testing.store_support import Journal, holds, written

NEWER = """
    CREATE TABLE added (n INTEGER PRIMARY KEY);
    INSERT INTO added SELECT n FROM conversation;
"""


def asked(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql).fetchall()


async def kept(path: Path, journal: Journal) -> None:
    store = SqliteStore(path)
    await written(store, "a", [journal.begin(), journal.turn("b")])
    await store.close()


async def reopened(path: Path, journal: Journal) -> None:
    store = SqliteStore(path)
    await holds(store, "a", journal)
    await written(store, "a", [journal.turn("it goes on")])
    await holds(store, "a", journal)
    await store.close()


def test_a_new_file_has_the_newest_format(tmp_path: Path) -> None:
    asyncio.run(kept(tmp_path / "x.db", Journal()))
    path = tmp_path / "x.db"
    assert asked(path, "PRAGMA user_version") == [(len(schema.MIGRATIONS),)]
    assert asked(path, "PRAGMA application_id") == [(schema.APPLICATION_ID,)]
    assert asked(path, "PRAGMA page_size") == [(1024,)]
    assert asked(path, "PRAGMA journal_mode") == [("wal",)]
    assert asked(path, "PRAGMA integrity_check") == [("ok",)]


def test_an_older_file_is_brought_to_the_newest_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, journal = tmp_path / "x.db", Journal()
    asyncio.run(kept(path, journal))
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, NEWER))
    asyncio.run(reopened(path, journal))
    assert asked(path, "PRAGMA user_version") == [(len(schema.MIGRATIONS),)]
    assert asked(path, "SELECT n FROM added") == [(1,)]


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, journal = tmp_path / "x.db", Journal()
    asyncio.run(kept(path, journal))
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, NEWER + "; INSERT INTO nowhere VALUES (1)"))
        with pytest.raises(StoreFailed, match="no such table: nowhere"):
            SqliteStore(path)
    assert asked(path, "SELECT name FROM sqlite_master WHERE name = 'added'") == []
    asyncio.run(reopened(path, journal))


def test_a_newer_file_is_refused_by_its_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, journal = tmp_path / "x.db", Journal()
    asyncio.run(kept(path, journal))
    before = path.read_bytes()
    newest = len(schema.MIGRATIONS)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, NEWER))
        asyncio.run(reopened(path, journal))
        before = path.read_bytes()
    with pytest.raises(StoreFailed) as raised:
        SqliteStore(path)
    words = f"{path}: its format is {newest + 1}; this version of turnwise knows formats up to {newest}"
    assert str(raised.value) == words
    assert path.read_bytes() == before


def to_format_1(path: Path) -> None:
    """Make a file what version 0.1 wrote: without the columns and indexes for lists."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for index in ("conversation_by_time", "conversation_by_standing", "event_undone"):
            db.execute(f"DROP INDEX {index}")
        triggers = ("conversation_begun", "conversation_deleted", "deletion_counted", "uses_outdated", "uses_deleted")
        for table in (
            "owner",
            "deletion",
            "conversation_use",
            "use",
            "uncounted",
            "counted",
            "closing",
            "setting",
            "delivery",
            "version",
            "lease",
        ):
            db.execute(f"DROP TABLE {table}")
        for trigger in triggers:
            db.execute(f"DROP TRIGGER {trigger}")
        for column in ("node", "status", "waits"):
            db.execute(f"ALTER TABLE conversation DROP COLUMN {column}")
        db.execute("DROP INDEX timer_by_version")
        db.execute("ALTER TABLE timer DROP COLUMN version")
        db.execute("CREATE INDEX timer_by_due ON timer (due_ms)")
        db.execute("ALTER TABLE event DROP COLUMN frame")
        db.execute("PRAGMA user_version = 1")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def listed_of(path: Path, **more: Any) -> tuple[Any, Any]:
    store = SqliteStore(path, **more)
    found = await store.find(ConversationQuery(text="hello")), await store.counts("talk")
    assert (await store.setting("talk", "a"), await store.settings("talk")) == (None, ())
    assert await store.outbox.find(DeliveryQuery()) == ()
    assert [one.conversation for one in await store.due("talk", 9, 9)] == ["b"]
    assert (await store.next_due("talk"), await store.next_due("other")) == (9, None)
    await store.close()
    return found


def test_lists_show_the_conversations_of_older_files(tmp_path: Path) -> None:
    async def two() -> None:
        store, waiting = SqliteStore(path), Journal()
        await written(store, "a", [waiting.begin("hello"), waiting.turn("word " * 2_000)])
        await written(store, "b", [Journal().begin("hello you", timers=[Timer("soon", "home", 1, 9)])])
        await store.commit("c", Journal().open("hello"))
        await store.close()

    path = tmp_path / "x.db"
    asyncio.run(two())
    expected = asyncio.run(listed_of(path))
    assert [row.conversation for row in expected[0].rows] == ["c", "b", "a"]
    assert [(one.node, one.count) for one in expected[1]] == [("", 1), ("home", 2)]
    to_format_1(path)
    copy = tmp_path / "read_only.db"
    copy.write_bytes(path.read_bytes())
    copy.chmod(0o444)
    with pytest.MonkeyPatch.context() as patch:  # root may write every file
        patch.setattr(connect.os, "access", lambda *_: False)
        assert asyncio.run(listed_of(copy, may_only_read=True)) == expected
    assert asyncio.run(listed_of(path)) == expected
    assert asked(path, "PRAGMA user_version") == [(len(schema.MIGRATIONS),)]
    assert asked(path, "SELECT id, node, status, waits FROM conversation WHERE id = 'a'") == [
        ("a", "home", "waiting", "message")
    ]
    assert asked(path, "PRAGMA integrity_check") == [("ok",)]


def test_conversations_of_owners_in_older_files_are_counted(tmp_path: Path) -> None:
    async def begin(store: SqliteStore, *names: str) -> None:
        for name in names:
            await written(store, name, [Journal().begin("hello")])

    async def fill() -> None:
        store = SqliteStore(path)
        await begin(store, "ada:1", "ada:2", "adam:1", "ada")
        await store.close()

    async def owned(file: Path, **more: Any) -> list[int]:
        store = SqliteStore(file, **more)
        found = [await store.owned(owner) for owner in ("ada", "adam", "bob")]
        await store.close()
        return found

    path = tmp_path / "x.db"
    asyncio.run(fill())
    to_format_1(path)
    copy = tmp_path / "read_only.db"
    copy.write_bytes(path.read_bytes())
    copy.chmod(0o444)
    with pytest.MonkeyPatch.context() as patch:  # root may write every file
        patch.setattr(connect.os, "access", lambda *_: False)
        assert asyncio.run(owned(copy, may_only_read=True)) == [2, 1, 0]
    assert asyncio.run(owned(path)) == [2, 1, 0]
    with closing(sqlite3.connect(path)) as db:  # as a process of an earlier version that has the file open
        db.execute("DELETE FROM conversation WHERE id IN ('ada:1', 'adam:1')")
        columns = "(id, flow, fingerprint, began_ms, at_ms, seq)"
        db.execute(f"INSERT INTO conversation {columns} VALUES ('bob:1', 'talk', 'f', 0, 0, 0)")
        db.commit()
    assert asyncio.run(owned(path)) == [1, 0, 1]
    assert asked(path, "SELECT name FROM owner ORDER BY name") == [("ada",), ("bob",)]


OPENING = """
import asyncio, sys
from pathlib import Path
from turnwise.stores.sqlite import SqliteStore
from turnwise.testing.store_support import Journal

async def main():
    sys.stdin.readline()
    store = SqliteStore(Path(sys.argv[1]))
    await store.commit(sys.argv[2], Journal().begin())
    await store.close()

print("ready", flush=True)
asyncio.run(main())
"""


def test_several_processes_make_a_new_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    started = [
        subprocess.Popen([sys.executable, "-c", OPENING, path, f"c{n}"], env=environment(), text=True, **pipes)
        for n in range(4)
    ]
    for one in started:
        assert one.stdout.readline() == "ready\n"
    for one in started:
        one.stdin.write("go\n")
        one.stdin.flush()
    assert [one.communicate(timeout=60)[1] for one in started] == [""] * 4
    assert {name for (name,) in asked(path, "SELECT id FROM conversation")} == {"c0", "c1", "c2", "c3"}
    assert asked(path, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize("length", [0, 1, encoded.COMPRESSED_FROM_BYTES, encoded.COMPRESSED_FROM_BYTES + 1, 100_000])
def test_what_is_long_is_compressed(length: int) -> None:
    data = b'"' + b"a" * length + b'"'
    packed = encoded.pack(data)
    assert encoded.unpack(packed) == data
    assert (len(packed) < len(data)) is (len(data) > encoded.COMPRESSED_FROM_BYTES)


def test_a_long_message_takes_little_room(tmp_path: Path) -> None:
    async def whole() -> None:
        store, journal = SqliteStore(tmp_path / "x.db"), Journal()
        await written(store, "a", [journal.begin("word " * 20_000)])
        await holds(store, "a", journal)
        (info,) = [await store.info()]
        assert info.bytes["events"] < 20_000
        await store.close()

    asyncio.run(whole())


def test_folding_begins_at_the_newest_snapshot(tmp_path: Path) -> None:
    """Each state of a long conversation is that of a fold from the start, and reads at most what follows one."""
    from support.chats import INTAKE

    async def whole() -> None:
        store = SqliteStore(tmp_path / "x.db")
        reads: list[int] = []
        chat = OneChat(INTAKE, store=store, understand=lambda _m, _e: ())
        for number in range(80):
            await chat.say(f"message {number}")
        entries = await chat.journal()
        found = [one.seq for one in entries if isinstance(one.event, e.Snapshot)]
        assert len(found) >= 2
        spans = [after - before for before, after in zip([0, *found], found, strict=False)]
        assert all(SNAPSHOT_EVERY < span <= SNAPSHOT_EVERY + 20 for span in spans)
        asked_for = store.entries

        async def entries_of(name: str, after: int = 0, until: int | None = None) -> Any:
            got = await asked_for(name, after, until)
            reads.append(len(got))
            return got

        store.entries = entries_of  # type: ignore[method-assign]
        for seq in range(1, len(entries) + 1, 7):
            assert await StoredConversation(store, "main").state_at(seq) == fold_all(entries[:seq])
        assert max(reads) <= SNAPSHOT_EVERY + 20
        await chat.close()

    asyncio.run(whole())
