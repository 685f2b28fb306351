"""The thread of a store that writes: it takes the work of all event loops in order, and wakes each loop once for all of
its results. The thread is woken once too: items that are put in one run of a loop are handed over together.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, NamedTuple, TypeVar

from turnwise.errors import ForkedProcess, StoreFailed

MOST_AT_ONCE = 512
"""How many items a transaction may have before it takes no further ones."""

_log = logging.getLogger("turnwise.stores")

Work = TypeVar("Work")
"""What is written: a function of the connection of the thread, or the data of a commit."""


class Future(asyncio.Future[Any]):
    """The result of queued work. It cannot be cancelled: what is queued is written, and its caller gets the result."""

    def cancel(self, msg: Any | None = None) -> bool:  # noqa: ARG002  as in the class above
        """Do nothing, and return false: queued work cannot be cancelled."""
        return False


class Item(NamedTuple):
    """Queued work to write, and the future that waits for its result."""

    work: Any
    """The work that is written, such as a commit."""
    future: Future
    """The future that is resolved when the work is written."""


class Result(NamedTuple):
    """The outcome of writing an item: a value or an error."""

    item: Item
    """The item that was written or not."""
    value: Any
    """The value that writing the item returned."""
    error: Exception | None
    """Why the item was not written; `None` if it was."""


class WriteQueue(Generic[Work]):
    """Takes items from any event loop, which one thread writes in order. A subclass writes them, in `run`.
    It ends after `waiting` has returned that no more may come.
    """

    def __init__(self, name: object, is_forked: Callable[[], bool]) -> None:
        self.name = name
        self._is_forked = is_forked
        self._queue: SimpleQueue[list[Item] | None] = SimpleQueue()
        self._gathered: dict[asyncio.AbstractEventLoop, list[Item]] = {}
        self._is_closed = False
        self._is_idle = True
        """Whether the thread has nothing to write, and what is handed over could be written at once."""
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.run, name="turnwise-writer", daemon=True)

    def run(self) -> None:
        """Write the queued items until the store is closed; runs in the writer's thread."""
        raise NotImplementedError

    def put(self, work: Work) -> asyncio.Future[Any]:
        """Queue work, and return a future that has its result as soon as it is durable."""
        if self._is_forked():
            raise ForkedProcess("store")
        loop = asyncio.get_running_loop()
        item = Item(work, Future(loop=loop))
        with self._lock:
            if self._is_closed:
                raise StoreFailed(self.name, "the store is closed")
            if loop not in self._gathered:
                self._gathered[loop] = []
                loop.call_soon(self._hand_over, loop)
            gathered = self._gathered[loop]
            gathered.append(item)
            if len(gathered) >= MOST_AT_ONCE:
                self._enqueue(gathered)
                self._gathered[loop] = []
        return item.future

    def _hand_over(self, loop: asyncio.AbstractEventLoop) -> None:
        """Queue the items that were put in one run of the loop, or write the only one where that is quicker."""
        with self._lock:
            gathered = self._gathered.pop(loop, None)
            if not gathered:
                return
            result = self.write_here(gathered[0]) if self._is_idle and len(gathered) == 1 else None
            if result is None:
                self._enqueue(gathered)
        if result is not None:
            _resolve([result])

    def _enqueue(self, items: list[Item]) -> None:
        self._is_idle = False
        self._queue.put(items)

    def write_here(self, item: Item) -> Result | None:  # noqa: ARG002  for subclasses
        """Write an item at once, in the event loop, and return its result; `None` if nothing was written: the
        caller queues the item for the thread then. A subclass that can write here overrides this.
        """
        return None

    def close(self) -> None:
        """Write all queued items, and stop. In a forked child do nothing: thread and connection are the parent's."""
        if self._is_forked():
            return
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                for gathered in self._gathered.values():
                    self._enqueue(gathered)
                self._gathered.clear()
                self._queue.put(None)
        self._thread.join()

    def end(self) -> None:
        """Stop after what is queued, without waiting; without a lock, too, for the garbage collector may call this."""
        self._is_closed = True
        self._queue.put(None)

    def finish(self, results: Sequence[Result]) -> None:
        """Deliver the results of written items to the event loops that wait for them."""
        with self._lock:
            self._is_idle = self._queue.empty()
        _deliver(results)

    def waiting(self, timeout_s: float | None) -> tuple[list[Item], bool]:
        """Return all queued items, in order, and whether more may come; no items if none comes for `timeout_s`."""
        items: list[Item] = []
        try:
            handed = self._queue.get(timeout=timeout_s)
            while handed is not None:
                items += handed
                if len(items) >= MOST_AT_ONCE or self._queue.empty():
                    return items, True
                handed = self._queue.get()
        except Empty:
            return items, True
        return items, False


def one_by_one(
    items: Sequence[Item], error: Exception, write: Callable[[Sequence[Item]], list[Result]]
) -> list[Result]:
    """Write each item alone with `write` after their common transaction failed with `error`, so that only the faulty
    one fails.
    """
    if len(items) > 1:
        return [result for item in items for result in write([item])]
    return refused(items, error)


def refused(items: Sequence[Item], error: Exception) -> list[Result]:
    """Log that none of these items was written, and return a result with this error for each."""
    _log.error("%s; not written: %d", error, len(items))
    return [Result(item, None, error) for item in items]


def _deliver(results: Sequence[Result]) -> None:
    """Resolve the futures of results, waking each event loop once for all of its items."""
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
