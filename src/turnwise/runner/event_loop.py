"""Runs an event loop in a thread, for synchronous code."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

from turnwise.errors import CannotBlock, ForkedProcess

Result = TypeVar("Result")
"""The type of the result of a coroutine."""
_IN_LOOP = (
    "an event loop is running here (a notebook, an async server): "
    "use tw.open(…) and `await chat.say(…)`, not tw.open_sync(…)"
)
_CLOSED = "this app is closed; open another one with tw.open_sync"


class OwnLoop:
    """An event loop in a thread of its own, started by the first work and stopped by `close`.
    Work of several threads runs concurrently.
    """

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._is_last = False
        """Whether the last work was begun: the thread then frees the loop at its end."""
        self.is_closed = False

    @property
    def is_forked(self) -> bool:
        """Whether this is a forked child process, which does not have the loop's thread."""
        return os.getpid() != self._pid

    def begin(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Start work in the loop. Raises `ForkedProcess`, and `CannotBlock` in a running loop and after closing."""
        if self.is_forked:
            work.close()
            raise ForkedProcess("app")
        with self._lock:
            if self.is_closed or _is_in_loop():
                work.close()
                raise CannotBlock(_CLOSED if self.is_closed else _IN_LOOP)
            return asyncio.run_coroutine_threadsafe(work, self._started())

    def _started(self) -> asyncio.AbstractEventLoop:
        """Return the loop, which runs. The lock is held: two threads that ask for it first would make two."""
        loop = self._runner.get_loop()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, args=(loop,), name="turnwise-loop", daemon=True)
            self._thread.start()
        return loop

    def end_after(self, work: Coroutine[Any, Any, object]) -> None:
        """Run the last work and then stop the loop and its thread, without waiting for them. For a loop that nothing
        else refers to: the garbage collector may call this in any thread, also in that of the loop.
        """
        if self.is_forked or self.is_closed:
            work.close()
            return
        self._is_last = True
        asyncio.run_coroutine_threadsafe(work, self._started()).add_done_callback(self._stop)

    def _stop(self, _: object) -> None:
        self.is_closed, loop = True, self._runner.get_loop()
        loop.call_soon_threadsafe(loop.stop)

    def wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run work in the loop; return its result. Raises `CannotBlock` where a loop is running, or after closing."""
        running = self.begin(work)
        try:
            return running.result()
        except BaseException:
            running.cancel()  # the caller was interrupted, as by Ctrl-C; no effect if the work itself has failed
            raise

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        while not self.is_closed:
            with suppress(SystemExit, KeyboardInterrupt):  # of the user's code: the waiting thread gets it
                loop.run_forever()
        if self._is_last:
            self._runner.close()

    def close(self) -> None:
        """Stop the loop and its thread."""
        if self.is_forked:
            self.is_closed = True
            return
        with self._lock:
            self.is_closed = True
            if self._thread is not None:
                self._runner.get_loop().call_soon_threadsafe(self._runner.get_loop().stop)
                self._thread.join()
            self._runner.close()


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
