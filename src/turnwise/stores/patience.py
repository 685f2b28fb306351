"""Growing pauses between the retries of a store."""

from __future__ import annotations

import time

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.002, 0.25


class Patience:
    """Growing pauses between retries."""

    def __init__(self, for_s: float) -> None:
        self._until = time.monotonic() + for_s
        self._pause_s = _FIRST_PAUSE_S

    def waits(self) -> bool:
        """Pause and return true; return false if the time for retries is over."""
        if time.monotonic() + self._pause_s > self._until:
            return False
        time.sleep(self._pause_s)
        self._pause_s = min(2 * self._pause_s, _LONGEST_PAUSE_S)
        return True
