"""Who is told of every turn that a chat of this process takes: tests that count or explain them.

It knows nothing about turns, so that it costs nothing to load.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

WATCHERS: list[Callable[[Any], object]] = []
"""Each is called with every turn, before the one who asked for it gets it."""


def seen(turn: Any) -> Any:
    """A turn, once all watchers were told of it."""
    for watch in WATCHERS:
        watch(turn)
    return turn
