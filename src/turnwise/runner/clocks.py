"""The system clock, and a manual clock for tests."""

from __future__ import annotations

import time
from typing import Any

from turnwise.errors import WrongArgument
from turnwise.runner.ports import Clock

LATEST_MS = 253_402_300_799_999
"""The last millisecond of the year 9999: no calendar has a later one."""


class SystemClock:
    """The clock of the operating system."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return time.time_ns() // 1_000_000


class ManualClock:
    """A clock for tests and scenarios that moves only by `move_s` and `set_ms`.
    After a move, `app.tick()` fires the timers that are due; an app in `async with` looks for them at least once a
    second.
    """

    def __init__(self, now_ms: int = 0) -> None:
        self._now_ms = _checked("now_ms", now_ms)

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return self._now_ms

    def move_s(self, seconds: float) -> None:
        """Move the clock forward by so many seconds."""
        self._now_ms += round(seconds * 1000)

    def set_ms(self, now_ms: int) -> None:
        """Set the clock to a time in milliseconds since 1970."""
        self._now_ms = _checked("now_ms", now_ms)


class ForwardClock:
    """The clock of the operating system that `move_s` moves forward, for demonstrations that cannot wait for timers."""

    def __init__(self) -> None:
        self.ahead_ms = 0

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return time.time_ns() // 1_000_000 + self.ahead_ms

    def move_s(self, seconds: float) -> None:
        """Move the clock forward by so many seconds."""
        self.ahead_ms += round(seconds * 1000)


class CheckedClock:
    """Wraps a user's clock; raises `WrongArgument` unless it returns whole milliseconds, as times are stored."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return _checked("clock.now_ms()", self.clock.now_ms())


def checked_clock(clock: Clock) -> Clock:
    """Return a clock whose times are checked; turnwise's own clocks are returned unchanged."""
    return clock if isinstance(clock, SystemClock | ManualClock | ForwardClock) else CheckedClock(clock)


def _checked(name: str, now_ms: Any) -> int:
    if isinstance(now_ms, bool) or not isinstance(now_ms, int) or abs(now_ms) > LATEST_MS:
        raise WrongArgument(name, now_ms, "whole milliseconds since 1970, up to the year 9999")
    return now_ms
