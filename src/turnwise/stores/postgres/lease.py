"""What a replica knows of its lease without asking: until when it lasts at least, and which turns it has kept.

A replica that was suspended does not know it. So the lease is compared with a clock that no one sets, from the moment
before a heartbeat was sent: the database counts it from a later one. A lease that had lapsed before it was renewed
begins a new term: another replica may have taken over any turn meanwhile, so what was known of the turns is forgotten.
"""

from __future__ import annotations

import threading
import time

_NEVER = float("-inf")


class Lease:
    """The lease by which one replica keeps its turns. Threads may use it at once."""

    def __init__(self, lasts_s: float) -> None:
        self.lasts_s = lasts_s
        self.term = 0
        """How often the lease has lapsed."""
        self._until_s = _NEVER
        self._fences: dict[str, int] = {}
        """By conversation the fencing token of the run that has kept its turn during this term."""
        self._lock = threading.Lock()

    def record_heartbeat(self, sent_s: float, *, has_lapsed: bool) -> None:
        """Record a heartbeat sent at `sent_s` (of `steady_s`), and whether the lease had lapsed when it arrived."""
        if has_lapsed:
            self.record_lapse()
        with self._lock:
            self._until_s = max(self._until_s, sent_s + self.lasts_s)

    def record_lapse(self) -> None:
        """Record that the lease has lapsed: its turns' fencing tokens no longer count, and another term begins."""
        with self._lock:
            self.term += 1
            self._fences.clear()

    def record_claim(self, conversation: str, fence: int, term: int) -> None:
        """Record that the run with token `fence` has a conversation's turn, as the database answered in this `term`; an
        answer of an earlier term (before the lease lapsed) is ignored.
        """
        with self._lock:
            if term == self.term:
                self._fences[conversation] = fence

    def forget_turn(self, conversation: str) -> None:
        """Remove a turn of a conversation that has ended."""
        with self._lock:
            self._fences.pop(conversation, None)

    def covers(self, conversation: str, fence: int) -> bool:
        """Return whether the run with token `fence` certainly keeps its turn for at least half a lease from now."""
        with self._lock:
            return self._fences.get(conversation) == fence and steady_s() + self.lasts_s / 2 < self._until_s


def steady_s() -> float:
    """Return the seconds of a clock that is never set; where the system has one, it runs on during sleep."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
