"""The writer thread: owns the writing connection and batches waiting commits.

So many conversations share one sync to disk, and each loop is woken once for all of its items. The writer is woken once
too: items that are put in one run of the loop are handed over together. If one item fails, only that item fails.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple

from turnwise.errors import ForkedProcess, StoreFailed, StoreUnavailable, TurnwiseError
from turnwise.stores.sqlite.connect import PASSING, OpenFiles, Patience, code_of, reason
from turnwise.stores.sqlite.process import Process

MOST_AT_ONCE = 512
"""A transaction with so many items or more takes no further ones."""

_log = logging.getLogger("turnwise.stores.sqlite")

Work = Callable[[sqlite3.Connection], Any]


class _Future(asyncio.Future[Any]):
    """The result of an item. It cannot be cancelled: what is queued is written, and its caller learns the result."""

    def cancel(self, msg: Any | None = None) -> bool:  # noqa: ARG002  as in the class above
        """Do nothing."""
        return False


class _Item(NamedTuple):
    """Something to write, and the future that waits for it."""

    work: Work
    future: _Future


class Result(NamedTuple):
    """The result of an item, or its error."""

    item: _Item
    value: Any
    error: Exception | None


class Writer:
    """Does work in order, with a connection that it owns. It retries for `retry_s` while the file is locked."""

    def __init__(self, path: Path, db: sqlite3.Connection, retry_s: float, process: Process) -> None:
        self.path = path
        self.retry_s = retry_s
        self.process = process
        self.files = OpenFiles(path)
        self._queue: SimpleQueue[list[_Item] | None] = SimpleQueue()
        self._gathered: dict[asyncio.AbstractEventLoop, list[_Item]] = {}
        self._db = db
        self._is_closed = False
        self._closing = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="turnwise-writer", daemon=True)
        self._thread.start()

    def put(self, work: Work) -> asyncio.Future[Any]:
        """Queue work; the future has its result as soon as it is durable."""
        if self.process.is_forked:
            raise ForkedProcess("store")
        loop = asyncio.get_running_loop()
        item = _Item(work, _Future(loop=loop))
        with self._closing:
            if self._is_closed:
                raise StoreFailed(self.path, "the store is closed")
            if loop not in self._gathered:
                self._gathered[loop] = []
                loop.call_soon(self._hand_over, loop)
            gathered = self._gathered[loop]
            gathered.append(item)
            if len(gathered) >= MOST_AT_ONCE:
                self._queue.put(gathered)
                self._gathered[loop] = []
        return item.future

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Queue the items that were put in one run of the loop."""
        with self._closing:
            gathered = self._gathered.pop(loop, None)
            if gathered:
                self._queue.put(gathered)

    def close(self) -> None:
        """Write what waits, and end. In a forked child do nothing: the thread and the connection are the parent's."""
        if self.process.is_forked:
            return
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                for gathered in self._gathered.values():
                    self._queue.put(gathered)
                self._gathered.clear()
                self._queue.put(None)
        self._thread.join()

    # in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        is_open = True
        while is_open:
            items, is_open = self._waiting()
            if items:
                _deliver(self._written(items))
            elif is_open:  # a turn is under way and nothing is written; a beat that fails is repeated later
                with suppress(sqlite3.Error, StoreFailed):
                    self._together([], self.process.beat)
        if self.process.n is not None:
            with suppress(sqlite3.Error, StoreFailed):
                self._together([], self.process.leave)
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._db.close()

    def _waiting(self) -> tuple[list[_Item], bool]:
        """Return all items that wait, in order, and whether more may come; no items when it is time for a beat."""
        items: list[_Item] = []
        try:
            handed = self._queue.get(timeout=self.process.beat_s if self.process.wants_to_beat else None)
            while handed is not None:
                items += handed
                if len(items) >= MOST_AT_ONCE or self._queue.empty():
                    return items, True
                handed = self._queue.get()
        except Empty:
            return items, True
        return items, False

    def _written(self, items: Sequence[_Item]) -> list[Result]:
        """Write all items in one transaction; if one raises an unexpected error, each in its own."""
        patience = Patience(self.retry_s)
        while True:
            try:
                return self._together(items)
            except sqlite3.Error as error:
                if code_of(error) not in PASSING:
                    return self._one_by_one(items, StoreFailed(self.path, reason(error)))
                if not patience.waits():
                    return _refused(items, StoreUnavailable(self.path, reason(error)))
            except StoreFailed as error:
                return _refused(items, error)
            except Exception as error:  # noqa: BLE001  the thread must live on, whatever an item does
                return self._one_by_one(items, error)

    def _one_by_one(self, items: Sequence[_Item], error: Exception) -> list[Result]:
        if len(items) > 1:
            return [result for item in items for result in self._written([item])]
        return _refused(items, error)

    def _together(self, items: Sequence[_Item], *more: Work) -> list[Result]:
        """Write one transaction. An item that raises `TurnwiseError` has written nothing, and fails alone."""
        db = self._db
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
            self.process.undone()
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            raise
        self.process.kept()
        return results


class NoWriter:
    """Takes the place of the writer for a file that can only be read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def put(self, work: Work) -> asyncio.Future[Any]:  # noqa: ARG002  as the writer's
        """Raises `StoreFailed`."""
        raise StoreFailed(self.path, "this store is read-only: it can be asked, and not written")

    def close(self) -> None:
        """Do nothing: no item waits."""


def _run(item: _Item, db: sqlite3.Connection) -> Result:
    try:
        return Result(item, item.work(db), None)
    except TurnwiseError as error:
        return Result(item, None, error)


def _refused(items: Sequence[_Item], error: Exception) -> list[Result]:
    """Log that none of these items was written, and return their results."""
    _log.error("%s; not written: %d", error, len(items))
    return [Result(item, None, error) for item in items]


def _deliver(results: Sequence[Result]) -> None:
    """Wake each loop once for all of its items."""
    loops: dict[asyncio.AbstractEventLoop, list[Result]] = {}
    for result in results:
        loops.setdefault(result.item.future.get_loop(), []).append(result)
    for loop, mine in loops.items():
        with suppress(RuntimeError):  # the loop was closed, and with it the callers
            loop.call_soon_threadsafe(_resolve, mine)


def _resolve(results: Sequence[Result]) -> None:
    for item, value, error in results:
        if not item.future.done():
            if error is not None:
                item.future.set_exception(error)
            else:
                item.future.set_result(value)
