"""Which tools the policy of a node lets be used (law 4.1). Whose turn it is in a sequence is not known here."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from turnwise.flow.model import ToolPolicy

Tools = frozenset[str]
_WILD = frozenset("*?[")


def usable(policy: ToolPolicy | None, declared: Tools, generated: Tools = frozenset()) -> Tools:
    """Those of some tools that may be used: `allow` governs the declared ones, `deny` also those that are
    generated. Without a policy no declared one may.
    """
    if policy is None:
        return generated
    found = generated | (matching(policy.allow, declared) if policy.allow else declared)
    return found - matching(policy.deny, found) if policy.deny else found


def is_wild(pattern: str) -> bool:
    """True if a name stands for all that look like it."""
    return not _WILD.isdisjoint(pattern)


def matching(patterns: Iterable[str], tools: Tools) -> Tools:
    """Those of some tools that are named, by themselves or with wildcards."""
    found = tools & {*patterns}
    for pattern in patterns:
        if is_wild(pattern):
            found |= {tool for tool in tools if fnmatchcase(tool, pattern)}
    return found
