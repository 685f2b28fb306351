"""Work that blocks, in threads that a program may leave behind: it can end before they do."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any

MOST_IDLE = 16
"""How many threads without work are kept for later."""


async def beside_the_loop(work: Callable[[], Any]) -> Any:
    """What the work gives or raises. A wait that is given up leaves the thread behind, for nothing can end it: the
    threads are daemons, and however many of them hang, the next work finds one.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    context = copy_context()

    def settle(result: Any, error: BaseException | None) -> None:
        if not done.done():
            done.set_result((result, error))

    def job() -> Callable[[], object]:
        result, error = None, None
        try:
            result = context.run(work)
        except BaseException as raised:  # noqa: BLE001  it is raised where it is waited for
            error = raised
        return lambda: loop.call_soon_threadsafe(settle, result, error)

    _worker().jobs.put(job)
    result, error = await done
    if error is not None:
        raise error
    return result


class _Worker(threading.Thread):
    """A thread that does one piece of work after another; while it has none it is among the idle."""

    def __init__(self) -> None:
        super().__init__(name="turnwise-tool", daemon=True)
        self.jobs: SimpleQueue[Callable[[], Callable[[], object]]] = SimpleQueue()

    def run(self) -> None:
        """Work until there are enough others that have nothing to do."""
        is_kept = True
        while is_kept:
            tell = self.jobs.get()()
            is_kept = len(_idle) < MOST_IDLE
            if is_kept:
                _idle.append(self)
            with suppress(RuntimeError):  # the loop may have ended meanwhile
                tell()


_idle: deque[_Worker] = deque()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)  # a child process has the list, and none of the threads


def _worker() -> _Worker:
    """An idle thread, or a new one."""
    with suppress(IndexError):
        return _idle.pop()
    worker = _Worker()
    worker.start()
    return worker
