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
    """The lease of one replica. Threads may use it at once."""

    def __init__(self, lasts_s: float) -> None:
        self.lasts_s = lasts_s
        self.term = 0
        """How often the lease has lapsed."""
        self._until_s = _NEVER
        self._fences: dict[str, int] = {}
        """By conversation the fencing token of the run that has kept its turn during this term."""
        self._lock = threading.Lock()

    def record_heartbeat(self, sent_s: float, *, has_lapsed: bool) -> None:
        """Record a heartbeat that was sent at a time of `steady_s`, and whether the lease was over when it arrived."""
        if has_lapsed:
            self.record_lapse()
        with self._lock:
            self._until_s = max(self._until_s, sent_s + self.lasts_s)

    def record_lapse(self) -> None:
        """Note that the lease has ended: the fences of its turns no longer count, and the next one is another term."""
        with self._lock:
            self.term += 1
            self._fences.clear()

    def record_claim(self, conversation: str, fence: int, term: int) -> None:
        """Record that a run has the turn of a conversation, as the database answered to a question of this term."""
        with self._lock:
            if term == self.term:
                self._fences[conversation] = fence

    def forget_turn(self, conversation: str) -> None:
        """Forget a turn that has ended."""
        with self._lock:
            self._fences.pop(conversation, None)

    def covers(self, conversation: str, fence: int) -> bool:
        """Return whether a run certainly has its turn for at least half a lease from now."""
        with self._lock:
            return self._fences.get(conversation) == fence and steady_s() + self.lasts_s / 2 < self._until_s


def steady_s() -> float:
    """Return seconds of a clock that no one sets; where the system has one, it runs on while the machine sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
