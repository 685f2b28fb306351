"""One lock per conversation: events are processed one after another, in order of arrival (law 3.10).

Apps of one process that share a store object share the locks. The work on a conversation runs in a task of its own, so
that its caller may leave while it continues.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio.tasks import _enter_task, _leave_task  # the documented hooks for task implementations
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from turnwise.errors import UnknownConversation
from turnwise.runner.ports import Store

Result = TypeVar("Result")
"""The type of the result of the work under a lock."""
CANCELLED_S = 0.5
"""How many seconds cancelled work may take to end; a tool of a user may ignore the cancellation."""
LONGEST_PAUSE_S = 0.02
"""The longest time, in seconds, between two looks at a conversation that another app over the same store object works
on."""

_log = logging.getLogger("turnwise.runner")
_OWNERS: WeakKeyDictionary[Store, dict[str, object]] = WeakKeyDictionary()
"""For each store object the conversations that are worked on, and by whom. Apps in several threads may ask at once."""


class Busy(Exception):
    """The conversation is processing another event, and the caller does not wait."""


class Caller:
    """The caller of some work, who waits for its result. Cancelling the caller does not cancel the work."""

    _waiter: asyncio.Future[Any] | None = None
    _is_gone = False
    is_served = False
    """Whether the work has ended."""

    @property
    def has_withdrawn(self) -> bool:
        """Whether the caller was cancelled before the work ended."""
        return self._waiter is not None and self._waiter.cancelled()

    @property
    def has_left(self) -> bool:
        """Whether the result reaches no caller: the caller was cancelled, or its client left, before the work ended."""
        return self._is_gone or (self._waiter is not None and self._waiter.cancelled())

    def leave(self) -> None:
        """Record that the client of the caller has left; after the work has ended this does nothing."""
        self._is_gone = self._is_gone or not self.is_served

    @property
    def missed_result(self) -> Any:
        """The result of the work, if the caller was cancelled between its end and its delivery; else `None`."""
        waiter = self._waiter
        if waiter is None or not waiter.done() or waiter.cancelled() or waiter.exception() is not None:
            return None
        return waiter.result()

    async def wait(self, loop: asyncio.AbstractEventLoop) -> Any:
        """Wait for the result of the work, which another task of the event `loop` does."""
        self._waiter = waiter = loop.create_future()
        try:
            return await waiter
        except asyncio.CancelledError:
            error = None if waiter.cancelled() else waiter.exception()
            if error is not None:
                _log_missed(error)
            raise

    def deliver(self, value: Any, error: BaseException | None) -> None:
        """Deliver the result or error to the caller; log an error that no caller receives."""
        waiter, self.is_served = self._waiter, True
        assert waiter is not None
        if waiter.done():
            if error is not None:
                _log_missed(error)
        elif error is None:
            waiter.set_result(value)
        elif isinstance(error, asyncio.CancelledError):
            waiter.cancel()
        else:
            waiter.set_exception(error)


def _log_missed(error: BaseException) -> None:
    if not isinstance(error, asyncio.CancelledError):
        _log.error("a turn whose caller has left failed: %s", error, exc_info=error)


class _Lock(asyncio.Lock):
    """The lock of one conversation, with the number of tasks that hold or await it, and how often it was deleted."""

    users = 0
    deletions = 0


class ConversationLocks:
    """The locks of the conversations that an app is processing, one for each; an idle conversation has none."""

    def __init__(self, store: Store) -> None:
        try:
            self._owners = _OWNERS.setdefault(store, {})
        except TypeError:  # a store without weak references belongs to one app
            self._owners = {}
        self._locks: dict[str, _Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._background: set[asyncio.Task[None]] = set()

    async def run_locked(
        self,
        conversation: str,
        work: Callable[[], Coroutine[Any, Any, Result]],
        *,
        waits: bool = True,
        caller: Caller | None = None,
    ) -> Result:
        """Run `work` while holding the lock of a conversation. Raises `Busy` if it is taken and `waits` is false.
        Raises `UnknownConversation` for a caller who waited while the conversation was deleted.

        A caller who is cancelled while waiting leaves the queue, and nothing is done. One who is cancelled later leaves
        the work running: it keeps the lock to its end.
        """
        lock = self._locks.get(conversation)
        if lock is None:
            lock = self._locks[conversation] = _Lock()
        elif not waits:
            raise Busy
        lock.users, deletions = lock.users + 1, lock.deletions
        try:
            await lock.acquire()
            try:
                if caller is not None and lock.deletions > deletions:
                    raise UnknownConversation(conversation)
                if self._owners.setdefault(conversation, self) is not self:
                    await self._own(conversation, waits=waits)
            except BaseException:
                lock.release()
                raise
        except BaseException:
            self._leave(conversation, lock)
            raise

        def release() -> None:
            self._owners.pop(conversation, None)
            lock.release()
            self._leave(conversation, lock)

        return await self._run_in_task(work(), caller or Caller(), release)

    async def _own(self, conversation: str, *, waits: bool) -> None:
        """Wait until no other app over the same store object processes the conversation, and reserve it."""
        pause_s = 0.001
        while self._owners.setdefault(conversation, self) is not self:
            if not waits:
                raise Busy
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def refuse_waiting(self, conversation: str) -> None:
        """Refuse the callers who wait for the lock: the one who holds it has deleted the conversation."""
        self._locks[conversation].deletions += 1

    def _leave(self, conversation: str, lock: _Lock) -> None:
        lock.users -= 1
        if not lock.users and self._locks.get(conversation) is lock:
            del self._locks[conversation]

    async def _run_in_task(
        self, work: Coroutine[Any, Any, Result], caller: Caller, at_end: Callable[[], object]
    ) -> Result:
        """Run work in a separate task, which is referenced strongly, return its result, and call `at_end`.

        The work runs at once, before the loop gives its task a turn: where it never waits it is over before the task
        starts. Still that is its current task, as time limits and cancel scopes require. This takes a third of the time
        of a task that the loop starts, with a shield around it. Without a running loop the work must not wait.
        """
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            try:
                return await work
            finally:
                at_end()
        begun = _Begun(work, caller, at_end)
        context = copy_context()
        task = asyncio.Task(begun, loop=loop, context=context)
        current = asyncio.current_task(loop)
        if current is not None:
            _leave_task(loop, current)
        _enter_task(loop, task)
        try:
            context.run(begun.begin)
        finally:
            _leave_task(loop, task)
            if current is not None:
                _enter_task(loop, current)
        if begun.is_over:
            caller.is_served = True
            at_end()
            return begun.result()
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return await caller.wait(loop)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not log it: the caller has it

    def busy(self) -> frozenset[str]:
        """Return the ids of the conversations that this app is processing."""
        return frozenset(self._locks)

    def is_owned(self, conversation: str) -> bool:
        """Return whether this app, or another one over the same store object, is processing a conversation."""
        return conversation in self._owners

    def run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Start work without a caller; only `drain` waits for it."""
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def reset(self) -> None:
        """Drop all locks, after the event loop of their work was closed."""
        for conversation in self._locks:
            self._owners.pop(conversation, None)
        self._locks.clear()
        self._background.clear()

    async def drain(self) -> None:
        """Wait until no task holds or awaits a lock, then for the background work."""
        for lock in list(self._locks.values()):
            async with lock:
                pass
        while self._background:
            await asyncio.wait(self._background)

    async def cancel(self) -> None:
        """Cancel all work that is under way."""
        tasks = (*self._tasks, *self._background)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CANCELLED_S)


class _Begun(Coroutine[Any, Any, None]):
    """Work that `begin` has started. As the coroutine of a task it resumes where the work waits, and delivers its
    result to the caller.
    """

    __slots__ = ("_at_end", "_caller", "_first", "_is_first", "_work", "error", "is_over", "value")

    def __init__(self, work: Coroutine[Any, Any, Any], caller: Caller, at_end: Callable[[], object]) -> None:
        self._work = work
        self._caller = caller
        self._at_end = at_end
        self._first: Any = None
        self._is_first = True
        self.is_over = False
        self.value: Any = None
        self.error: BaseException | None = None

    def begin(self) -> None:
        """Run the work until it first waits or ends."""
        try:
            self._first = self._work.send(None)
        except StopIteration as end:
            self.is_over, self.value = True, end.value
        except BaseException as error:  # noqa: BLE001  `_run_in_task` raises it
            self.is_over, self.error = True, error

    def result(self) -> Any:
        """Return the result of work that is over, or raise its error. It is not kept: the loop holds the task, and this
        with it, until its next round.
        """
        value, error = self.value, self.error
        del self.value, self.error, self._work, self._caller, self._at_end
        if error is not None:
            raise error
        return value

    def send(self, value: None, /) -> Any:
        """Resume the work; the first time return the future that it has awaited since `begin`."""
        if self.is_over:
            raise StopIteration
        if self._is_first:
            self._is_first = False
            return self._first
        return self._continue(self._work.send, value)

    def throw(self, *error: Any) -> Any:
        """Raise an error inside the work: the loop cancels it, or what it awaits failed."""
        if self.is_over:
            raise StopIteration
        self._is_first = False
        return self._continue(self._work.throw, *error)

    def _continue(self, resume: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return resume(*arguments)
        except StopIteration as end:
            self._end(end.value, None)
            raise StopIteration from None
        except BaseException as error:
            self._end(None, error)
            if isinstance(error, Exception):
                raise StopIteration from None
            raise

    def _end(self, value: Any, error: BaseException | None) -> None:
        self.is_over = True
        self._caller.deliver(value, error)
        self._at_end()

    def close(self) -> None:
        """Stop the work after its loop was closed."""
        if not self.is_over:
            self._work.close()

    def __await__(self) -> Any:
        raise NotImplementedError("it is the coroutine of a task")
