"""What an author may have meant: hints for names, functions and types that do not fit. It decides nothing."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.guards.types import LIST, NUMERIC
from turnwise.flow.diagnostic import nearest

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
