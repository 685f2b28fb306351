"""Stores of journals, states and receipts, behind one protocol."""

from __future__ import annotations

from math import isfinite
from typing import Any

from turnwise.errors import WrongArgument

RETRY_S = 5.0
"""For how long a store that is locked, full or unreachable is retried before a turn is refused, in seconds."""


def check_seconds(name: str, given: Any, *, is_above_zero: bool = False) -> None:
    """Raise `WrongArgument` unless the value is a number of seconds."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool) and isfinite(given)
    if not is_number or given < 0 or (is_above_zero and not given):
        least = "more than 0" if is_above_zero else "0 or more"
        raise WrongArgument(name, given, f"a number of seconds, {least}")
