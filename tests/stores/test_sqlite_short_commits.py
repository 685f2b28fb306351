"""A short commit that waits alone is written by the event loop while the disk is quick, any other by the thread."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from turnwise.errors import Conflict, StoreFailed
from turnwise.runner.ports import Commit
from turnwise.stores.sqlite import SqliteStore, short_commits
from turnwise.stores.sqlite.short_commits import MOST_BYTES, MOST_IN_ROW, QUICK_BEFORE
from turnwise.testing.store_support import Journal


@pytest.fixture(autouse=True)
def always_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any disk is quick, however busy the machine is."""
    monkeypatch.setattr(short_commits, "QUICK_S", 60.0)


class Story:
    """One conversation in a store, and which thread wrote each of its turns."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.journal = Journal()
        self.of_loop: list[bool] = []
        beat = store.process.beat

        def noted(db: sqlite3.Connection) -> None:
            self.of_loop.append(threading.current_thread() is threading.main_thread())
            beat(db)

        store.process.beat = noted

    async def commit(self, commit: Commit) -> bool:
        """Write a commit; return whether the loop did it."""
        await self.store.commit("a", commit)
        return self.of_loop[-1]

    async def turns(self, count: int) -> list[bool]:
        """Begin if needed, and write so many turns."""
        journal = self.journal
        return [await self.commit(journal.turn(f"{n}") if journal.seq else journal.begin()) for n in range(count)]

    async def quick(self) -> None:
        """Write turns until the loop does it."""
        assert await self.turns(QUICK_BEFORE + 1) == [False] * QUICK_BEFORE + [True]


def run(test: Callable[[Story], Any], place: Path) -> None:
    """Run a test with a new file, and compare what is stored with what was written."""

    async def whole() -> None:
        store = SqliteStore(place / "x.db", retry_s=5)
        story = Story(store)
        try:
            await test(story)
            assert await store.entries("a") == story.journal.entries
            assert await store.load("a") == story.journal.state
        finally:
            await store.close()

    asyncio.run(whole())


def test_the_loop_writes_after_some_quick_transactions(tmp_path: Path) -> None:
    async def test(story: Story) -> None:
        await story.quick()
        assert await story.turns(5) == [True] * 5

    run(test, tmp_path)


def test_a_commit_lets_others_run_first(tmp_path: Path) -> None:
    async def test(story: Story) -> None:
        await story.quick()
        written = asyncio.ensure_future(story.turns(3))
        ticks = 0
        while not written.done():
            ticks += 1
            await asyncio.sleep(0)
        assert await written == [True] * 3
        assert ticks >= 6, "each commit gives the loop up"

    run(test, tmp_path)


def test_slow_transactions_are_the_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(story: Story) -> None:
        await story.quick()
        monkeypatch.setattr(short_commits, "QUICK_S", 0.0)
        assert await story.turns(2 * QUICK_BEFORE) == [True] + [False] * (2 * QUICK_BEFORE - 1)
        monkeypatch.setattr(short_commits, "QUICK_S", 60.0)
        assert await story.turns(QUICK_BEFORE + 1) == [False] * QUICK_BEFORE + [True]

    run(test, tmp_path)


def test_the_thread_copies_the_log_now_and_then(tmp_path: Path) -> None:
    async def test(story: Story) -> None:
        await story.quick()
        written = await story.turns(4 * MOST_IN_ROW)
        first = written.index(False)
        assert first == MOST_IN_ROW - 1
        assert written[first : first + 2] == [False, True], "one is enough, where it was quick"

        def settings(db: sqlite3.Connection) -> tuple[Any, ...]:
            return tuple(db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("busy_timeout", "wal_autocheckpoint"))

        assert await story.store.write(settings) == (short_commits.LOCK_WAIT_MS, 4096)

    run(test, tmp_path)


def test_several_at_once_are_written_together_by_the_thread(tmp_path: Path) -> None:
    async def test(story: Story) -> None:
        await story.quick()
        await asyncio.gather(*[story.store.commit(f"b{n}", Journal().begin()) for n in range(20)])
        assert story.of_loop[-20:] == [False] * 20
        assert await story.turns(1) == [False], "after a load the thread writes for a while"

    run(test, tmp_path)


def test_a_long_commit_is_the_threads(tmp_path: Path) -> None:
    async def test(story: Story) -> None:
        await story.quick()
        assert not await story.commit(story.journal.turn("long " * (MOST_BYTES // 5)))
        assert await story.turns(1) == [True]

    run(test, tmp_path)


def test_other_work_is_the_threads(tmp_path: Path) -> None:
    async def test(story: Story) -> None:
        await story.quick()
        assert await story.store.write(lambda _db: threading.current_thread().name) == "turnwise-writer"

    run(test, tmp_path)


def test_the_loop_never_waits_for_a_lock(tmp_path: Path) -> None:
    async def test(story: Story) -> None:
        await story.quick()
        locker = sqlite3.connect(story.store.path, isolation_level=None)
        locker.execute("BEGIN IMMEDIATE")
        held_up_s = 0.0
        written = asyncio.ensure_future(story.commit(story.journal.turn("late")))
        for _ in range(20):
            begun_s = time.thread_time()
            await asyncio.sleep(0.005)
            held_up_s = max(held_up_s, time.thread_time() - begun_s)
            assert not written.done()
        locker.execute("COMMIT")
        locker.close()
        assert not await written
        assert held_up_s < 0.05
        assert await story.turns(1) == [False]

    run(test, tmp_path)


def test_what_waits_is_never_overtaken(tmp_path: Path) -> None:
    async def test(story: Story) -> None:
        await story.quick()
        entered, gate = threading.Event(), threading.Event()

        def hold(_db: sqlite3.Connection) -> None:
            entered.set()
            assert gate.wait(60)

        holding = asyncio.ensure_future(story.store.write(hold))
        await asyncio.to_thread(entered.wait, 60)
        queued = asyncio.ensure_future(story.turns(1))
        await asyncio.sleep(0.01)
        assert not queued.done()
        gate.set()
        await holding
        assert await queued == [False]

    run(test, tmp_path)


def test_a_refused_commit_is_refused_once_and_is_no_failure_of_the_disk(tmp_path: Path) -> None:
    async def test(story: Story) -> None:
        await story.quick()
        with pytest.raises(Conflict):
            await story.store.commit("a", Journal().begin())
        assert await story.turns(1) == [True]

    run(test, tmp_path)


def test_a_turn_that_goes_on_is_the_threads(tmp_path: Path) -> None:
    """What claims a turn has no caller who waits, and the thread has to write the beats from then on."""

    async def test(story: Story) -> None:
        await story.quick()
        journal = story.journal
        assert [await story.commit(one) for one in (journal.open("wait"), journal.go_on("more"))] == [False, False]
        assert await story.commit(journal.end())

    run(test, tmp_path)


def test_an_error_in_the_loop_is_found_again_by_the_thread(tmp_path: Path) -> None:
    async def whole() -> None:
        store = SqliteStore(tmp_path / "x.db")
        story = Story(store)
        await story.quick()
        kept = story.journal.entries
        moved = store.path.rename(tmp_path / "elsewhere.db")
        with pytest.raises(StoreFailed, match="was removed or renamed"):
            await store.commit("a", story.journal.turn("lost"))
        moved.rename(store.path)
        assert await store.entries("a") == kept
        await store.close()

    asyncio.run(whole())
