"""Clocks: the system's, and one that stands still until it is moved."""

from __future__ import annotations

import time


class SystemClock:
    """The time of the machine."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return time.time_ns() // 1_000_000


class ManualClock:
    """A clock for tests and scenarios: it moves when it is told to."""

    def __init__(self, now_ms: int = 0) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return self._now_ms

    def move_s(self, seconds: float) -> None:
        """Go forward."""
        self._now_ms += round(seconds * 1000)

    def set_ms(self, now_ms: int) -> None:
        """Go to a time."""
        self._now_ms = now_ms
