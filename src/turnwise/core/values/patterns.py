"""Regular expressions of authors, compiled by RE2: linear in time, with a limited length."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

PATTERN_CHARS = 500
"""The longest pattern, in characters: one of this length takes less than a second on the longest message."""


@lru_cache(maxsize=1024)
def regex(pattern: str) -> Any:
    """Compile a pattern with RE2, which matches in time linear in the text and in the pattern. Raises `re2.error`, and
    `ValueError` if the pattern is too long.
    """
    if len(pattern) > PATTERN_CHARS:
        raise ValueError(f"it is {len(pattern):,} characters long, and {PATTERN_CHARS} are allowed")
    import re2  # pyright: ignore[reportMissingTypeStubs]

    options = re2.Options()
    options.max_mem = 1 << 20
    options.log_errors = False
    return re2.compile(pattern, options)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def regex_fault(error: Exception) -> str:
    """Return the error text of a pattern that was refused."""
    told: object = error.args[0] if error.args else ""
    return told.decode("utf-8", "replace") if isinstance(told, bytes) else str(error)
