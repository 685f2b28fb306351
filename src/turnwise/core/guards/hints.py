"""Hints for names, functions, types and values in guards that do not fit. It decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from turnwise.core.guards.types import LIST, NUMERIC
from turnwise.core.state import FAULT_KINDS, FormStatus
from turnwise.flow.diagnostic import nearest
from turnwise.flow.guard import Expression, GuardError
from turnwise.flow.guard import syntax as s

_CONSTANTS = {
    "True": "write true",
    "False": "write false",
    "None": "write null",
    "nil": "write null",
    "undefined": "write null",
    **dict.fromkeys(("else", "otherwise"), "leave 'when' out: a transition without it is the else"),
}
_FUNCTIONS = {
    "coalesce": "default",
    "orElse": "default",
    "orValue": "default",
    "ifEmpty": "default",
    "len": "size",
    "length": "size",
    "count": "size",
    "any": "exists",
    "some": "exists",
    "every": "all",
    "includes": "contains",
    "match": "matches",
    "toLowerCase": "lower",
    "lowerAscii": "lower",
    "casefold": "lower",
    "str": "string",
    "float": "double",
    "number": "double",
}
"""Functions of other languages, and what they are called here."""

_COMPARED = {
    "date": 'write it as a text: "2026-11-20"',
    "time": 'write it as a text: "18:30"',
    "timestamp": 'write it as a text: "2026-11-20T18:30:00Z"',
    "duration": 'write it as a text: "90s", "2h"',
    "bool": "what is true or false stands alone, or after '!'",
}


def of_name(name: str, known: Iterable[str], fields: str) -> str:
    """What a bare name that is not known may have been meant to be."""
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    alike = nearest(name, known)
    return fields or (alike if alike.startswith("did you mean") else f'a text needs quotes: "{name}"')


def of_function(name: str, known: Iterable[str], roots: Iterable[str]) -> str:
    """What a function that is not known may have been meant to be."""
    if name in roots:
        return f"{name} is written without brackets"
    if name == "not":
        return "write '!' in place of 'not': !(…)"
    return f"did you mean '{_FUNCTIONS[name]}'?" if name in _FUNCTIONS else nearest(name, known)


_DAY_AND_MOMENT = "compare a date with 'today', or take the day of a moment: date(…)"


def of_types(left: str, right: str) -> str:
    """How two values that are never equal may be compared after all."""
    if {left, right} == {"date", "timestamp"}:
        return _DAY_AND_MOMENT
    if {left, right} == {"time", "timestamp"}:
        return "take the time of a moment: time(…)"
    for one, other in ((left, right), (right, left)):
        if one in _COMPARED and other != "string":
            return _COMPARED[one]
        if one == "string" and other in NUMERIC:
            return "int() and double() read a number from a text"
    return ""


def of_condition(kind: str) -> str:
    """How a value that is neither true nor false becomes a condition."""
    if kind.startswith(LIST):
        return "exists() says whether it has an item that holds, size() how many it has"
    return "compare it with something" if kind in (*NUMERIC, "date", "time", "timestamp", "duration") else ""


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
