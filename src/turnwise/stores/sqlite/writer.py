"""The writer: one thread that owns the writing connection and takes all that waits into one transaction.

So many conversations share one sync to disk, and the loop is woken once for all of them. The failure
of one item is that item's alone.
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

from turnwise.errors import StoreFailed, StoreUnavailable, TurnwiseError
from turnwise.stores.sqlite.commit import Prepared
from turnwise.stores.sqlite.connect import PASSING, Patience, code_of, reason
from turnwise.stores.sqlite.process import Process

MOST_AT_ONCE = 512
"""How many items go into one transaction."""

_log = logging.getLogger("turnwise.stores.sqlite")

Work = Callable[[sqlite3.Connection], Any]


class _Future(asyncio.Future[Any]):
    """Waits for a piece of work. Who is cancelled meanwhile still hears first what became of it."""

    def cancel(self, msg: Any | None = None) -> bool:  # noqa: ARG002  as in the class above
        """What is queued will be written, and cannot be called back."""
        return False


class _Item(NamedTuple):
    """Something to write, and the future that waits for it."""

    work: Work
    future: _Future


class Result(NamedTuple):
    """What became of an item."""

    item: _Item
    value: Any
    error: Exception | None


class Writer:
    """Takes work in order. `db` is its own from now on. `retry_s`: how long a store that is locked, full or
    away is tried again.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, retry_s: float, process: Process) -> None:
        self.path = path
        self.retry_s = retry_s
        self.process = process
        self._queue: SimpleQueue[_Item | None] = SimpleQueue()
        self._db = db
        self._is_closed = False
        self._closing = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="turnwise-writer", daemon=True)
        self._thread.start()

    def put(self, work: Work) -> asyncio.Future[Any]:
        """Queue a piece of work; the future has what it gave, once it is durable."""
        future = _Future(loop=asyncio.get_running_loop())
        with self._closing:
            if self._is_closed:
                raise StoreFailed(self.path, "the store is closed")
            self._queue.put(_Item(work, future))
        return future

    def close(self) -> None:
        """Write what waits, and end."""
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join()

    # in the thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        is_open = True
        while is_open:
            items, is_open = self._waiting()
            if items:
                _tell(self._written(items))
            elif is_open:
                self._show_life()
        if self.process.n is not None:
            with suppress(sqlite3.Error):
                self._together([], self.process.leave)
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._db.close()

    def _waiting(self) -> tuple[list[_Item], bool]:
        """All that waits, in order, and whether more may come; nothing where it is time to show life."""
        items: list[_Item] = []
        try:
            item = self._queue.get(timeout=self.process.beat_s if self.process.wants_to_beat else None)
            while item is not None:
                items.append(item)
                if len(items) == MOST_AT_ONCE or self._queue.empty():
                    return items, True
                item = self._queue.get()
        except Empty:
            return items, True
        return items, False

    def _show_life(self) -> None:
        """A turn is under way and nothing is written: one beat that is tried in vain is tried again later."""
        with suppress(sqlite3.Error):
            self._together([], self.process.beat)

    def _written(self, items: Sequence[_Item]) -> list[Result]:
        """All items in one transaction; where one fails in an unforeseen way, each in its own."""
        patience = Patience(self.retry_s)
        while True:
            try:
                return self._together(items)
            except sqlite3.Error as error:
                if code_of(error) not in PASSING:
                    return self._one_by_one(items, StoreFailed(self.path, reason(error)))
                if not patience.waits():
                    return _refused(items, StoreUnavailable(self.path, reason(error)))
            except Exception as error:  # noqa: BLE001  the thread must live on, whatever an item does
                return self._one_by_one(items, error)

    def _one_by_one(self, items: Sequence[_Item], error: Exception) -> list[Result]:
        if len(items) > 1:
            return [result for item in items for result in self._written([item])]
        return _refused(items, error)

    def _together(self, items: Sequence[_Item], *more: Work) -> list[Result]:
        """One transaction. What our own code refuses has written nothing, and refuses its item only."""
        db = self._db
        results: list[Result] = []
        try:
            db.execute("BEGIN IMMEDIATE")
            for group in joined(items):
                results += group.done(db)
            for work in more:
                work(db)
            db.execute("COMMIT")
        except BaseException:
            self.process.undone()
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            raise
        self.process.kept()
        return results


class _Group:
    """A piece of work, and the items that wait for it."""

    __slots__ = ("items", "work")

    def __init__(self, item: _Item) -> None:
        self.work = item.work
        self.items = [item]

    def done(self, db: sqlite3.Connection) -> list[Result]:
        """What became of the items. What our own code refuses has written nothing: then each hears its own reason."""
        try:
            value = self.work(db)
        except TurnwiseError as error:
            if len(self.items) == 1:
                return [Result(self.items[0], None, error)]
            return [result for item in self.items for result in _Group(item).done(db)]
        return [Result(item, value, None) for item in self.items]


def joined(items: Sequence[_Item]) -> list[_Group]:
    """What is to be done: the commits of a turn that wait together are written as one. Nothing of a conversation comes
    before what was queued before it.
    """
    found: list[_Group] = []
    turns: dict[str, _Group] = {}
    for item in items:
        work, group = item.work, _Group(item)
        if not isinstance(work, Prepared):
            turns.clear()
            found.append(group)
            continue
        known = turns.get(work.conversation)
        if known is not None and isinstance(known.work, Prepared) and known.work.is_followed_by(work):
            known.work = known.work.joined(work)
            known.items.append(item)
            continue
        turns[work.conversation] = group
        found.append(group)
    return found


class NoWriter:
    """In the place of the writer of a file that can only be read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def put(self, work: Work) -> asyncio.Future[Any]:  # noqa: ARG002  as the writer's
        """Raises `StoreFailed`."""
        raise StoreFailed(self.path, "this store is read-only: it can be asked, and not written")

    def close(self) -> None:
        """Nothing waits here."""


def _refused(items: Sequence[_Item], error: Exception) -> list[Result]:
    """Nothing of these was written, and it is logged."""
    _log.error("%s; not written: %d", error, len(items))
    return [Result(item, None, error) for item in items]


def _tell(results: Sequence[Result]) -> None:
    """Wake each loop once for all of its items."""
    loops: dict[asyncio.AbstractEventLoop, list[Result]] = {}
    for result in results:
        loops.setdefault(result.item.future.get_loop(), []).append(result)
    for loop, mine in loops.items():
        with suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, mine)


def _settle(results: Sequence[Result]) -> None:
    for item, value, error in results:
        if not item.future.done():
            if error is not None:
                item.future.set_exception(error)
            else:
                item.future.set_result(value)
