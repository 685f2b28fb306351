"""The writer: what waits shares a transaction, one failure is one item's alone, and closing loses nothing."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from turnwise.errors import Conflict, StoreFailed, StoreUnavailable, Superseded, TurnwiseError
from turnwise.stores.sqlite import SqliteStore
from turnwise.stores.write_queue import MOST_AT_ONCE
from turnwise.testing.store_support import Journal, written


class Held:
    """Holds the writer at one item, so that what is queued meanwhile waits together; notes its statements."""

    def __init__(self, store: SqliteStore) -> None:
        self.gate, self.entered = threading.Event(), threading.Event()
        self.statements: list[str] = []
        self.holding = asyncio.ensure_future(store.write(self._hold))

    def _hold(self, db: sqlite3.Connection) -> None:
        db.set_trace_callback(self.statements.append)
        self.entered.set()
        assert self.gate.wait(60)

    async def release(self) -> None:
        """Let the writer go on with what has been queued."""
        self.gate.set()
        await self.holding

    def transactions(self) -> int:
        """How many transactions began after the held one."""
        return self.statements.count("BEGIN IMMEDIATE")


async def held_at(store: SqliteStore) -> Held:
    """The writer, held."""
    held = Held(store)
    assert await asyncio.to_thread(held.entered.wait, 60)
    return held


def note(value: Any) -> Callable[[sqlite3.Connection], Any]:
    """Work that writes a row and gives its value."""

    def work(db: sqlite3.Connection) -> Any:
        db.execute("INSERT INTO flow VALUES (?, ?)", (str(value), b"{}"))
        return value

    return work


def raising(error: BaseException) -> Callable[[sqlite3.Connection], Any]:
    """Work that writes a row and then fails."""

    def work(db: sqlite3.Connection) -> Any:
        db.execute("INSERT INTO flow VALUES ('half', x'')")
        raise error

    return work


def refusing(db: sqlite3.Connection) -> Any:
    """Work that is refused by our own code, before it writes."""
    raise Conflict("refused")


def kept(store: SqliteStore) -> list[str]:
    """The rows that were written, in their order."""
    return [name for (name,) in store.reader.all("SELECT fingerprint FROM flow ORDER BY rowid")]


async def results(*queued: Any) -> list[Any]:
    return await asyncio.gather(*queued, return_exceptions=True)


def run(test: Callable[[SqliteStore], Any], place: Path) -> None:
    async def whole() -> None:
        store = SqliteStore(place / "x.db", retry_s=0.2)
        try:
            await test(store)
        finally:
            await store.close()

    asyncio.run(whole())


def test_what_waits_shares_one_transaction(tmp_path: Path) -> None:
    async def test(store: SqliteStore) -> None:
        held = await held_at(store)
        queued = [asyncio.ensure_future(store.write(note(n))) for n in range(100)]
        await asyncio.sleep(0)
        await held.release()
        assert await results(*queued) == list(range(100))
        assert held.transactions() == 1
        assert kept(store) == [str(n) for n in range(100)]

    run(test, tmp_path)


def test_a_transaction_has_a_bound(tmp_path: Path) -> None:
    async def test(store: SqliteStore) -> None:
        held = await held_at(store)
        queued = [asyncio.ensure_future(store.write(note(n))) for n in range(MOST_AT_ONCE + 1)]
        await asyncio.sleep(0)
        await held.release()
        await results(*queued)
        assert held.transactions() == 2

    run(test, tmp_path)


def test_many_conversations_share_a_transaction(tmp_path: Path) -> None:
    async def test(store: SqliteStore) -> None:
        held = await held_at(store)
        queued = [store.commit(f"c{n}", Journal().begin()) for n in range(50)]
        await held.release()
        await asyncio.gather(*queued)
        assert held.transactions() == 1

    run(test, tmp_path)


def test_what_is_put_in_one_pass_of_the_loop_is_handed_over_at_once(tmp_path: Path) -> None:
    async def test(store: SqliteStore) -> None:
        held = await held_at(store)
        held.gate.set()
        queued = [asyncio.ensure_future(store.write(note(n))) for n in range(5)]
        await results(*queued)
        assert kept(store) == ["0", "1", "2", "3", "4"]
        assert held.transactions() == 1, "the writer waits for nothing, and yet is woken once"

    run(test, tmp_path)


def test_what_was_put_just_before_closing_is_written(tmp_path: Path) -> None:
    async def whole() -> None:
        store = SqliteStore(tmp_path / "x.db")
        journal = Journal()
        queued = store.commit("a", journal.begin())
        store._writer.close()  # pyright: ignore[reportPrivateUsage]  before the loop goes on
        await asyncio.sleep(0)
        assert await results(queued) == [None]
        await store.close()

    asyncio.run(whole())


def test_what_is_queued_between_two_commits_stays_between_them(tmp_path: Path) -> None:
    async def test(store: SqliteStore) -> None:
        journal = Journal()
        await store.commit("a", journal.begin())
        held = await held_at(store)
        opened, rest = store.commit("a", journal.open("b")), [journal.go_on("c"), journal.end()]
        forgotten = asyncio.ensure_future(store.forget("a"))
        await asyncio.sleep(0)
        queued = [store.commit("a", commit) for commit in rest]
        await held.release()
        await opened
        assert await forgotten
        assert [type(one) for one in await results(*queued)] == [Superseded, Superseded]

    run(test, tmp_path)


FAILURES = {
    "an integrity error": (lambda db: db.execute("INSERT INTO flow VALUES ('0', x'')"), StoreFailed),
    "a bug": (raising(ValueError("a bug")), ValueError),
    "a mistake in SQL": (lambda db: db.execute("SELECT nothing FROM nowhere"), StoreFailed),
    "a refusal": (refusing, Conflict),
}


@pytest.mark.parametrize("name", FAILURES)
def test_one_failure_is_that_items_alone(tmp_path: Path, name: str) -> None:
    work, kind = FAILURES[name]

    async def test(store: SqliteStore) -> None:
        held = await held_at(store)
        queued = [asyncio.ensure_future(store.write(one)) for one in (note(0), work, note(1), work, note(2))]
        await asyncio.sleep(0)
        await held.release()
        first, failed, second, again, third = await results(*queued)
        assert (first, second, third) == (0, 1, 2)
        assert (type(failed), type(again)) == (kind, kind)
        assert kept(store) == ["0", "1", "2"], "nothing of what failed is kept"
        assert await store.write(note("later")) == "later", "the thread lives on"

    run(test, tmp_path)


def test_an_error_of_the_store_is_told_in_its_words(tmp_path: Path) -> None:
    async def test(store: SqliteStore) -> None:
        await store.write(note(0))
        with pytest.raises(StoreFailed, match=r"x\.db: UNIQUE constraint failed: flow\.fingerprint"):
            await store.write(note(0))

    run(test, tmp_path)


def test_a_commit_that_is_queued_twice_is_written_once(tmp_path: Path) -> None:
    async def test(store: SqliteStore) -> None:
        commit = Journal().begin()
        held = await held_at(store)
        queued = store.commit("a", commit), store.commit("a", commit)
        await held.release()
        assert [type(one) for one in await results(*queued)] == [type(None), Conflict]
        assert await store.entries("a") == commit.entries

    run(test, tmp_path)


def test_closing_writes_what_waits(tmp_path: Path) -> None:
    async def whole() -> None:
        store = SqliteStore(tmp_path / "x.db")
        held = await held_at(store)
        journal = Journal()
        await asyncio.sleep(0)
        queued = [store.commit("a", commit) for commit in (journal.begin(), journal.turn("b"), journal.turn("c"))]
        closing = asyncio.ensure_future(store.close())
        await asyncio.sleep(0)
        held.gate.set()
        await closing
        assert await results(*queued) == [None, None, None]
        with pytest.raises(StoreFailed, match="the store is closed"):
            await store.commit("a", journal.turn("d"))
        await store.close()
        again = SqliteStore(tmp_path / "x.db")
        assert await again.entries("a") == journal.entries[:-4]
        await again.close()

    asyncio.run(whole())


def test_a_loop_that_ended_is_no_harm_to_the_next(tmp_path: Path) -> None:
    """What was queued is written, though nobody waits for it any more."""
    store, journal = SqliteStore(tmp_path / "x.db"), Journal()
    gate = threading.Event()

    async def begin() -> None:
        store._writer.put(lambda db: gate.wait(60))
        store.commit("a", journal.begin())

    loop = asyncio.new_event_loop()
    loop.run_until_complete(begin())
    loop.close()
    gate.set()

    async def go_on() -> None:
        await written(store, "a", [journal.turn("b")])
        assert await store.entries("a") == journal.entries
        await store.close()

    asyncio.run(go_on())


def test_a_lock_that_passes_is_waited_for(tmp_path: Path) -> None:
    async def test(store: SqliteStore) -> None:
        locker = sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)
        locker.execute("BEGIN IMMEDIATE")
        queued = asyncio.ensure_future(store.write(note("late")))
        asyncio.get_running_loop().call_later(0.05, locker.execute, "COMMIT")
        assert await queued == "late"
        locker.close()

    run(test, tmp_path)


def test_a_lock_that_stays_fails_all_that_waits_and_later_ones_go_on(tmp_path: Path) -> None:
    async def test(store: SqliteStore) -> None:
        locker = sqlite3.connect(store.path, isolation_level=None)
        locker.execute("BEGIN IMMEDIATE")
        failed = await results(store.write(note(1)), store.write(note(2)))
        assert [type(one) for one in failed] == [StoreUnavailable, StoreUnavailable]
        assert "the database is locked by another process" in str(failed[0])
        locker.execute("ROLLBACK")
        locker.close()
        assert await store.write(note(3)) == 3
        assert kept(store) == ["3"]

    run(test, tmp_path)


def test_an_error_of_ours_is_no_error_of_the_store(tmp_path: Path) -> None:
    async def test(store: SqliteStore) -> None:
        with pytest.raises(TurnwiseError, match="refused") as raised:
            await store.write(refusing)
        assert not isinstance(raised.value, StoreFailed)

    run(test, tmp_path)
