"""The writer thread: owns the writing connection and batches waiting commits.

So many conversations share one sync to disk, and each loop is woken once for all of its items. The writer is woken once
too: items that are put in one run of the loop are handed over together. If one item fails, only that item fails. The
short end of a turn that waits alone is written by the loop itself while the disk is quick (`short_commits`).
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from turnwise.errors import StoreFailed, StoreUnavailable, TurnwiseError
from turnwise.stores import Patience
from turnwise.stores.sqlite.connect import CHECKPOINT_PAGES, TRANSIENT_ERRORS, OpenFiles, code_of, reason
from turnwise.stores.sqlite.process import Process
from turnwise.stores.sqlite.rows import Prepared
from turnwise.stores.sqlite.short_commits import ShortCommits
from turnwise.stores.write_queue import Item, Result, WriteQueue, one_by_one, refused

Work = Callable[[sqlite3.Connection], Any]
"""A function that the writer runs with its connection."""


class Writer(WriteQueue[Work]):
    """Does queued work in order in its own thread, with its own connection.
    It retries for `retry_s` while the file is locked.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, retry_s: float, process: Process) -> None:
        self.path = path
        self.retry_s = retry_s
        self.process = process
        self.files = OpenFiles(path)
        self._db = db
        self._short_commits = ShortCommits(CHECKPOINT_PAGES)
        super().__init__(path, lambda: process.is_forked)
        self._thread.start()

    # in the thread ---------------------------------------------------------------------------

    def run(self) -> None:
        """Write the queued items until the store is closed; runs in the writer's thread."""
        is_open = True
        while is_open:
            items, is_open = self.waiting(self.process.beat_s if self.process.wants_to_beat else None)
            if items:
                self.finish(self._written(items))
            elif is_open:
                self._beat()
        if self.process.n is not None:
            with suppress(sqlite3.Error, StoreFailed):
                self._together([], self.process.leave)
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._db.close()

    def _beat(self) -> None:
        """Write a beat: a turn is under way, and nothing is written. One that fails is repeated later."""
        with self._lock, suppress(sqlite3.Error, StoreFailed):
            self._together([], self.process.beat)

    def _written(self, items: Sequence[Item]) -> list[Result]:
        """Write all items in one transaction; if one raises an unexpected error, each in its own."""
        patience = Patience(self.retry_s)
        while True:
            try:
                return self._together(items)
            except sqlite3.Error as error:
                if code_of(error) not in TRANSIENT_ERRORS:
                    return one_by_one(items, StoreFailed(self.path, reason(error)), self._written)
                if not patience.waits():
                    return refused(items, StoreUnavailable(self.path, reason(error)))
            except StoreFailed as error:
                return refused(items, error)
            except Exception as error:  # noqa: BLE001  the thread must live on, whatever an item does
                return one_by_one(items, error, self._written)

    def _together(self, items: Sequence[Item], *more: Work, in_loop: bool = False) -> list[Result]:
        """Write one transaction. An item that raises `TurnwiseError` has written nothing, and fails alone."""
        db, begun_s = self._db, time.monotonic()
        self._short_commits.prepare(db, in_loop=in_loop)
        try:
            db.execute("BEGIN IMMEDIATE")
            results = [_run(item, db) for item in items]
            for work in more:
                work(db)
            if self.process.wants_to_beat:  # also while other work follows so closely that no time for a beat is left
                self.process.beat(db)
            self.files.check()
            db.execute("COMMIT")
        except BaseException:
            self.process.note_rollback()
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            raise
        self.process.note_commit()
        self._short_commits.note(time.monotonic() - begun_s, len(items), in_loop=in_loop)
        return results

    # in the event loop -----------------------------------------------------------------------

    def write_here(self, item: Item) -> Result | None:
        """Write the short end of a turn in the event loop where that is quick; return `None` if the thread must do it.
        Any failure is left to the thread, which tries again; so is a claim, for the thread then writes the beats.
        """
        work = item.work
        if not (self._short_commits.are_quick and isinstance(work, Prepared) and work.ends_turn and work.is_short):
            return None
        try:
            (result,) = self._together([item], in_loop=True)
        except Exception:  # noqa: BLE001  the thread finds it again, and reports it
            self._short_commits.note_failure()
            return None
        return result


class NoWriter:
    """Replaces the writer for a file that can only be read: it refuses all work."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def put(self, work: Work) -> asyncio.Future[Any]:  # noqa: ARG002  as the writer's
        """Raises `StoreFailed`."""
        raise StoreFailed(self.path, "this store is read-only: it can be asked, and not written")

    def close(self) -> None:
        """Do nothing: no item waits."""

    end = close


def _run(item: Item, db: sqlite3.Connection) -> Result:
    try:
        return Result(item, item.work(db), None)
    except TurnwiseError as error:
        return Result(item, None, error)
