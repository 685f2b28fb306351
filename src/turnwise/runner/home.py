"""The process and the event loop in which an app is used."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

from turnwise.errors import ForkedProcess, WrongEventLoop


class Home:
    """Keeps an app to one process and one event loop. After a loop was closed the next one may use the app; then each
    of `resets` is called.
    """

    __slots__ = ("_loop", "_pid", "_resets")

    def __init__(self, *resets: Callable[[], object]) -> None:
        self._resets = resets
        self._pid = os.getpid()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def is_forked(self) -> bool:
        """True in a forked child of the process that opened the app."""
        return os.getpid() != self._pid

    def check(self) -> None:
        """Raises `ForkedProcess` and `WrongEventLoop`."""
        if os.getpid() != self._pid:
            raise ForkedProcess("app")
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        if loop is self._loop:
            return
        if self._loop is not None:
            if not self._loop.is_closed():
                raise WrongEventLoop
            for reset in self._resets:
                reset()
        self._loop = loop
