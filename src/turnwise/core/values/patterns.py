"""Regular expressions of authors, compiled by RE2: linear in time, with a limited length."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

PATTERN_CHARS = 500
"""The longest pattern, in characters: one of this length takes less than a second on the longest message."""


@lru_cache(maxsize=1024)
def regex(pattern: str) -> Any:
    """Return a compiled RE2 pattern, which matches in linear time. Raises `re2.error`, or `ValueError` if too long."""
    if len(pattern) > PATTERN_CHARS:
        raise ValueError(f"it is {len(pattern):,} characters long, and {PATTERN_CHARS} are allowed")
    import re2  # pyright: ignore[reportMissingTypeStubs]

    options = re2.Options()
    options.max_mem = 1 << 20
    options.log_errors = False
    return re2.compile(pattern, options)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def regex_fault(error: Exception) -> str:
    """Return the error text for a pattern that could not be compiled."""
    told: object = error.args[0] if error.args else ""
    return told.decode("utf-8", "replace") if isinstance(told, bytes) else str(error)


_OF_ALL_SCRIPTS = {"w": r"\p{L}\p{M}\p{N}_\x{200c}\x{200d}", "d": r"\p{Nd}"}
_NONE = {"W": _OF_ALL_SCRIPTS["w"], "D": _OF_ALL_SCRIPTS["d"]}


@lru_cache(maxsize=1024)
def field_regex(pattern: str) -> Any:
    r"""Return the compiled pattern of a field, in which `\w` and `\d` match every script, as in Python.
    Raises what `regex` raises; a pattern that would be too large so is compiled as it is written.
    """
    wide = of_all_scripts(pattern)
    if wide == pattern:
        return regex(pattern)
    regex(pattern)  # reports what is wrong with it as it is written
    import re2  # pyright: ignore[reportMissingTypeStubs]

    options = re2.Options()
    options.max_mem = 1 << 23
    options.log_errors = False
    try:
        return re2.compile(wide, options)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    except re2.error:  # pyright: ignore[reportUnknownMemberType]
        return regex(pattern)


def of_all_scripts(pattern: str) -> str:
    r"""Return a pattern with `\w`, `\d`, `\W` and `\D` written as Unicode classes; `\W` inside a class stays."""
    found: list[str] = []
    at, in_class = 0, False
    while at < len(pattern):
        char, after = pattern[at], pattern[at + 1 : at + 2]
        size = 1
        if char == "\\" and after == "Q" and not in_class:
            end = pattern.find("\\E", at)
            size = (len(pattern) if end < 0 else end + 2) - at
        elif char == "\\" and after:
            size = 2
            wide = _OF_ALL_SCRIPTS.get(after) or ("" if in_class else _NONE.get(after, ""))
            if wide:
                found.append(wide if in_class else f"[{'^' if after in _NONE else ''}{wide}]")
                at += size
                continue
        elif in_class and pattern.startswith("[:", at):
            size = max(pattern.find(":]", at) + 2 - at, 1)
        elif char == "[" and not in_class:
            in_class = True
            size += pattern.startswith("^", at + 1)
            size += pattern.startswith("]", at + size)
        elif char == "]":
            in_class = False
        found.append(pattern[at : at + size])
        at += size
    return "".join(found)
