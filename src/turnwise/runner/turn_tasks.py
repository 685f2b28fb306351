"""Runs each turn in a task of its own, so that its caller may leave while the turn goes on."""

from __future__ import annotations

import asyncio
import logging
from asyncio.tasks import _enter_task, _leave_task  # the documented hooks for task implementations
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import Any, TypeVar, cast

Result = TypeVar("Result")
_log = logging.getLogger("turnwise.runner")


class Caller:
    """Whoever waits for a turn. Cancelling a caller does not cancel the turn."""

    __slots__ = ("_waiter",)

    def __init__(self) -> None:
        self._waiter: asyncio.Future[Any] | None = None

    @property
    def has_left(self) -> bool:
        """True if the caller was cancelled before the work ended."""
        return self._waiter is not None and self._waiter.cancelled()

    @property
    def missed(self) -> Any:
        """The result of the work, if the caller was cancelled between its end and its delivery; else `None`."""
        waiter = self._waiter
        if waiter is None or not waiter.done() or waiter.cancelled() or waiter.exception() is not None:
            return None
        return waiter.result()

    async def wait(self, loop: asyncio.AbstractEventLoop) -> Any:
        """Wait for the work, which another task does."""
        self._waiter = waiter = loop.create_future()
        try:
            return await waiter
        except asyncio.CancelledError:
            if not waiter.cancelled() and waiter.exception() is not None:
                _log_unheard(cast("BaseException", waiter.exception()))
            raise

    def deliver(self, value: Any, error: BaseException | None) -> None:
        """Hand over the result, or the error; an error that no caller receives is logged."""
        waiter = self._waiter
        assert waiter is not None
        if waiter.done():
            if error is not None:
                _log_unheard(error)
        elif error is None:
            waiter.set_result(value)
        elif isinstance(error, asyncio.CancelledError):
            waiter.cancel()
        else:
            waiter.set_exception(error)


def _log_unheard(error: BaseException) -> None:
    if not isinstance(error, asyncio.CancelledError):
        _log.error("a turn whose caller has left failed: %s", error, exc_info=error)


class TurnTasks:
    """Starts work and holds it strongly until it ends.

    Work runs at once, before its task gets a turn in the loop: what never waits is over when `run` gets it back, and
    then the task has nothing left to do. From the start it is the current task of the work, as time limits and cancel
    scopes require. That costs a third of a task that the loop has to start, and of a shield around it.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(
        self, work: Coroutine[Any, Any, Result], caller: Caller, at_end: Callable[[], object] = lambda: None
    ) -> Result:
        """The result of the work. A caller who is cancelled leaves; the work goes on to its end, and then `at_end` is
        called, after the result was handed over. Without a running loop the work must not wait.
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
            at_end()
            if begun.error is not None:
                raise begun.error
            return begun.value
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return await caller.wait(loop)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the caller has it


class _Begun(Coroutine[Any, Any, None]):
    """Work that was begun by `begin`. As the coroutine of a task it goes on where it waits, and delivers its end."""

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
        """Run until the work waits for something, or is over."""
        try:
            self._first = self._work.send(None)
        except StopIteration as end:
            self.is_over, self.value = True, end.value
        except BaseException as error:  # noqa: BLE001  it is raised where the work was begun
            self.is_over, self.error = True, error

    def send(self, value: None, /) -> Any:
        """Go on; the first time give what the work waits for since `begin`."""
        if self.is_over:
            raise StopIteration
        if self._is_first:
            self._is_first = False
            return self._first
        return self._go_on(self._work.send, value)

    def throw(self, *error: Any) -> Any:
        """Let the work see an error: the loop ends, or what the work waits for failed."""
        if self.is_over:
            raise StopIteration
        self._is_first = False
        return self._go_on(self._work.throw, *error)

    def _go_on(self, go_on: Callable[..., Any], *given: Any) -> Any:
        try:
            return go_on(*given)
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
        """Give the work up: its loop is gone."""
        self._work.close()

    def __await__(self) -> Any:
        raise NotImplementedError("it is the coroutine of a task")
