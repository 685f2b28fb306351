"""An event loop for code without one: each piece of work is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from turnwise.errors import CannotBlock

Result = TypeVar("Result")
_IN_LOOP = "an event loop is running here (a notebook, an async server): use `await chat.say(…)`, not `chat.blocking`"
_CLOSED = "this blocking chat was closed; take a new one from `chat.blocking`"


class OwnLoop:
    """A loop that runs while it is waited for, and is kept until it is closed."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self.is_closed = False

    def wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of work. Raises `CannotBlock` where a loop is running, or after closing."""
        if self.is_closed or _is_in_loop():
            work.close()
            raise CannotBlock(_CLOSED if self.is_closed else _IN_LOOP)
        return self._runner.run(work)

    def close(self) -> None:
        """Give the loop back."""
        self.is_closed = True
        self._runner.close()


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
