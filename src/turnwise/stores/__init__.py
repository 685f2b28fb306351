"""Stores of journals, states and receipts, behind one protocol."""

from __future__ import annotations

import time
from math import isfinite
from typing import Any

from turnwise.errors import WrongArgument

RETRY_S = 5.0
"""For how long a store that is locked, full or unreachable is retried before a turn is refused, in seconds."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.002, 0.25


class Patience:
    """Growing pauses between the retries of one write or query."""

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


def check_seconds(name: str, given: Any, *, is_above_zero: bool = False) -> None:
    """Raise `WrongArgument` unless the argument `name` is a number of seconds, above 0 if `is_above_zero`."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool) and isfinite(given)
    if not is_number or given < 0 or (is_above_zero and not given):
        least = "more than 0" if is_above_zero else "0 or more"
        raise WrongArgument(name, given, f"a number of seconds, {least}")


def shown_address(address: str) -> str:
    """Return a database address without its password, for people and logs."""
    place, mark, query = address.partition("?")
    scheme, slashes, rest = place.partition("://")
    host, slash, path = rest.partition("/")
    user, at, name = host.rpartition("@")
    pairs = [pair for pair in query.split("&") if not pair.startswith("password=")]
    shown = f"{scheme}{slashes}{user.partition(':')[0]}{at}{name}{slash}{path}"
    return f"{shown}{mark}{'&'.join(pairs)}" if any(pairs) else shown
