"""Measures how late hints are: from the commit of a transaction of this replica until its hint comes back to it.

NOTIFY reaches every session that listens, also that of the replica that sent it. So a hint needs no time of its own,
and no two clocks are compared. Where a pooler stands before the connection that listens, or the queue of NOTIFY is
full, hints do not come back, and the lag grows.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable

MOST_WAITING = 10_000
"""How many hints are awaited at most."""
LONGEST_S = 60.0
"""How many seconds a hint is waited for: one that was lost makes the lag this long at most."""


class HintLag:
    """Measures how late hints arrive at one replica, while the replica listens. Threads may use it at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_measured = False
        self._since_s: dict[int, float] = {}
        """By number of a transaction whose hint has not come back, when it was committed."""
        self._last_s = 0.0

    def measure(self, *, is_on: bool) -> None:
        """Begin to measure the lag of hints, or stop with `is_on` false."""
        with self._lock:
            self._is_measured, self._last_s = is_on, 0.0
            self._since_s.clear()

    def committed(self, number: int) -> None:
        """Record that the transaction with this number was committed, so that its hint is awaited."""
        with self._lock:
            if self._is_measured and len(self._since_s) < MOST_WAITING:
                self._since_s[number] = time.monotonic()

    def note_hints(self, numbers: Iterable[int]) -> None:
        """Record that the hints of the transactions with these numbers have arrived."""
        with self._lock:
            for number in numbers:
                since_s = self._since_s.pop(number, None)
                if since_s is not None:
                    self._last_s = time.monotonic() - since_s

    @property
    def seconds(self) -> float:
        """For how many seconds the oldest missing hint is awaited; if none is, how long the last one took."""
        with self._lock:
            now_s = time.monotonic()
            for number in [one for one, since_s in self._since_s.items() if now_s - since_s > LONGEST_S]:
                del self._since_s[number]
            return now_s - next(iter(self._since_s.values())) if self._since_s else self._last_s
