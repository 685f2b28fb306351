"""Guards as logic: what must be so of their conditions for the whole to hold. It knows no values.

A guard is three-valued (law 2.10), what is asked here is not: whether it holds. So a condition is asked
for in four ways: that it is held, that it is false, and the contrary of each, which unknown also is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Is:
    """A condition, by its number, has a verdict; `denied`: it has any other."""

    condition: int
    verdict: bool
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Every:
    """All of some formulas hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of some formulas holds."""

    parts: tuple[Formula, ...]


Formula = Is | Every | Some
Verdicts = Mapping[int, bool | None]
"""The verdicts of conditions by their numbers; `None` is unknown, a condition that is not there is open."""


def denied(formula: Formula) -> Formula:
    """The formula that holds where this one does not."""
    match formula:
        case Is():
            return replace(formula, denied=not formula.denied)
        case Every(parts):
            return Some(tuple(map(denied, parts)))
        case Some(parts):
            return Every(tuple(map(denied, parts)))


def conditions_of(formula: Formula) -> dict[int, None]:
    """The numbers of its conditions, each once, in order."""
    match formula:
        case Is(condition):
            return {condition: None}
        case Every(parts) | Some(parts):
            found: dict[int, None] = {}
            for part in parts:
                found |= conditions_of(part)
            return found


def holds(formula: Formula, verdicts: Verdicts) -> bool | None:
    """Whether a formula holds; `None` while open conditions decide it."""
    match formula:
        case Is(condition, verdict, is_denied):
            return (verdicts[condition] is verdict) is not is_denied if condition in verdicts else None
        case Every(parts):
            return _all(parts, verdicts, decisive=False)
        case Some(parts):
            return _all(parts, verdicts, decisive=True)


def _all(parts: tuple[Formula, ...], verdicts: Verdicts, *, decisive: bool) -> bool | None:
    """The verdict that any one part brings about, else the other one, else `None`."""
    is_open = False
    for part in parts:
        found = holds(part, verdicts)
        if found is decisive:
            return decisive
        is_open = is_open or found is None
    return None if is_open else not decisive
