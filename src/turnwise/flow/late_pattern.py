"""Regular expressions that are compiled when they are first used.

Compiling one takes 0.1 to 1 ms, and a process that says one sentence uses few of those that are defined.
"""

from __future__ import annotations

import re
from typing import Any, cast


def late_pattern(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return a regular expression that is compiled when it is first used; later uses cost nothing more."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))


class _LatePattern:
    """Stands for a compiled pattern: the first use of a method keeps it as an attribute, where it is found directly."""

    def __init__(self, pattern: str, flags: re.RegexFlag) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found
