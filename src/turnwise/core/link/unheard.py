"""Roots that have a few values, compared with one that is none of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from turnwise.core.state import FAULT_KINDS, FormStatus
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import Expression, GuardError
from turnwise.flow.guard import syntax as s

ROOT_VALUES: dict[str, tuple[str, ...]] = {"form.status": get_args(FormStatus), "error.kind": FAULT_KINDS}
"""The values of roots that have no others."""


def unheard(expression: Expression) -> Iterator[GuardError]:
    """The constants in an expression that a root with a few values never has."""
    for part in s.walk(expression):
        match part:
            case s.Binary("in", s.Select(s.Name(of), name), s.Sequence(values)):
                yield from (fault for value in values for fault in _compared(f"{of}.{name}", value))
            case s.Binary("==" | "!=", s.Select(s.Name(of), name), other):
                yield from _compared(f"{of}.{name}", other)
            case s.Binary("==" | "!=", other, s.Select(s.Name(of), name)):
                yield from _compared(f"{of}.{name}", other)
            case _:
                pass


def _compared(root: str, other: Expression) -> Iterator[GuardError]:
    known = ROOT_VALUES.get(root)
    if known and isinstance(other, s.Literal) and other.value not in (None, "", *known):
        hint = nearest(str(other.value), known)
        yield GuardError("TW048", f"'{root}' is never '{other.value}'", other.at, hint)
