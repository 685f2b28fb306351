"""Suggests corrections for wrong names, functions, types and constants in guards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from turnwise.core.guards.types import LIST_PREFIX, NUMERIC
from turnwise.core.state import FormStatus
from turnwise.core.state.kinds import FaultKind
from turnwise.flow.diagnostic import nearest, nearest_name
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
    """Return a suggestion for an unknown name, among the `known` ones; empty if there is none. `fields` is the hint if
    a field has that name without its record, else empty.
    """
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    alike = nearest(name, known)
    return fields or (alike if alike.startswith("did you mean") else f'a text needs quotes: "{name}"')


def of_function(name: str, known: Iterable[str], roots: Iterable[str]) -> str:
    """Return a suggestion for an unknown function, by the `known` functions and the roots that are written without
    parentheses; empty if there is none.
    """
    if name in roots:
        return f"{name} is written without brackets"
    if name == "not":
        return "write '!' in place of 'not': !(…)"
    return f"did you mean '{_FUNCTIONS[name]}'?" if name in _FUNCTIONS else nearest(name, known)


def of_types(left: str, right: str) -> str:
    """Return a suggestion how to compare values of two types that are never equal."""
    if {left, right} == {"date", "timestamp"}:
        return "compare a date with 'today', or take the day of a moment: date(…)"
    if {left, right} == {"time", "timestamp"}:
        return "take the time of a moment: time(…)"
    for one, other in ((left, right), (right, left)):
        if one in _COMPARED and other != "string":
            return _COMPARED[one]
        if one == "string" and other in NUMERIC:
            return "int() and double() read a number from a text"
    return ""


def of_condition(kind: str) -> str:
    """Return a suggestion how to write a condition for a value that is not a boolean."""
    if kind.startswith(LIST_PREFIX):
        return "exists() says whether it has an item that holds, size() how many it has"
    return "compare it with something" if kind in (*NUMERIC, "date", "time", "timestamp", "duration") else ""


ROOT_VALUES: dict[str, tuple[str, ...]] = {"form.status": get_args(FormStatus), "error.kind": get_args(FaultKind)}
"""All values of the roots that have only a few, by name of the root."""
_FEW_VALUES = frozenset((*ROOT_VALUES, "error.tool"))


def compared_constants(expression: Expression) -> Iterator[tuple[str, s.Literal]]:
    """Yield each constant that an expression compares with a root or field of a dotted name, with that name."""
    for part in s.walk(expression):
        match part:
            case s.Binary("in", s.Select(s.Name(of), name), s.Sequence(values)):
                pairs = [(f"{of}.{name}", value) for value in values]
            case s.Binary("==" | "!=", s.Select(s.Name(of), name), other):
                pairs = [(f"{of}.{name}", other)]
            case s.Binary("==" | "!=", other, s.Select(s.Name(of), name)):
                pairs = [(f"{of}.{name}", other)]
            case _:
                continue
        yield from ((key, value) for key, value in pairs if isinstance(value, s.Literal))


def impossible_constants(
    expression: Expression, reads: Iterable[str], tools: Iterable[str] = ()
) -> Sequence[GuardError]:
    """Return an error for each constant that an expression compares with a root that never has that value.
    `reads` are the roots and fields that the expression reads, and `tools` the tools of the flow. A model may call a
    tool that does not exist, and `error.tool` is its name then, so of other names only those that look like a mistyped
    tool are an error.
    """
    if _FEW_VALUES.isdisjoint(reads):
        return ()
    found: list[GuardError] = []
    for root, constant in compared_constants(expression):
        known = tuple(tools) if root == "error.tool" else ROOT_VALUES.get(root, ())
        if not known or constant.value in (None, "", *known):
            continue
        hint = nearest(str(constant.value), known)
        if root != "error.tool":
            found.append(GuardError("TW048", f"'{root}' is never '{constant.value}'", constant.at, hint))
        elif nearest_name(str(constant.value), known):
            found.append(GuardError("TW048", f"the flow has no tool '{constant.value}'", constant.at, hint))
    return found
