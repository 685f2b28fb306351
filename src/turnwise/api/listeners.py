"""Listeners that are called with every turn of this process, such as coverage and the pytest plugin.

The module knows nothing about turns, so that loading it costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LISTENERS: list[Callable[[Any], object]] = []
"""Each is called with every turn, before the caller receives it."""


def notify(turn: Any) -> Any:
    """Call every listener with a turn (`Turn`), and return the turn."""
    for listener in LISTENERS:
        listener(turn)
    return turn
