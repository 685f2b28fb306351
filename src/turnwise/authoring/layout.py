"""Expressions of Python as text: on one line where they fit, else one part to a line, as formatters do it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

WIDTH = 88
"""Columns of a line; a wide character takes two of them, one that combines takes none."""


@dataclass(frozen=True, slots=True)
class Code:
    """An expression that stands as it is: a name, a number."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call with its arguments, each with its name or none."""

    head: str
    arguments: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Entries:
    """A mapping."""

    entries: tuple[tuple[str, Expression], ...]


Expression = str | Code | Call | Items | Entries
"""A bare `str` is a text that is to be quoted."""


def literal(value: Any) -> Expression:
    """JSON data as an expression."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value).items()
        return Entries(tuple([(str(key), literal(one)) for key, one in entries]))
    if isinstance(value, list | tuple):
        return Items(tuple([literal(one) for one in cast("list[Any]", value)]))
    return Code(repr(value).replace("e+", "e"))


def written(expression: Expression, pad: str = "", before: int = 0, after: int = 0) -> str:
    """An expression as text; so many characters stand before it in its line, and so many follow."""
    flat = _flat(expression)
    if before + columns(flat) + after <= WIDTH:
        return flat
    inner = pad + "    "
    match expression:
        case str():
            return _lines(expression, pad, inner)
        case Code():
            return flat
        case Call(head, arguments):
            parts = [(f"{name}=" if name else "", value) for name, value in arguments]
            return _broken(f"{head}(", parts, ")", pad)
        case Items(items):
            return _broken("[", [("", item) for item in items], "]", pad)
        case Entries(entries):
            return _broken("{", [(f"{quoted(key)}: ", value) for key, value in entries], "}", pad)


def _broken(opening: str, parts: list[tuple[str, Expression]], closing: str, pad: str) -> str:
    """Each part on a line of its own."""
    if not parts:
        return opening + closing
    inner = pad + "    "
    lines = [f"{inner}{name}{written(value, inner, len(inner) + columns(name), 1)}," for name, value in parts]
    return "\n".join([opening, *lines, pad + closing])


def _lines(text: str, pad: str, inner: str) -> str:
    """A text of several lines, each in quotes of its own."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 2 or any(line.rstrip("\n").splitlines() not in ([line.rstrip("\n")], []) for line in lines):
        return quoted(text)
    return "\n".join(["(", *[inner + quoted(line) for line in lines], pad + ")"])


def _flat(expression: Expression) -> str:
    match expression:
        case str():
            return quoted(expression)
        case Code(text):
            return text
        case Call(head, arguments):
            parts = [f"{name}={_flat(value)}" if name else _flat(value) for name, value in arguments]
            return f"{head}({', '.join(parts)})"
        case Items(items):
            return f"[{', '.join(map(_flat, items))}]"
        case Entries(entries):
            return "{" + ", ".join([f"{quoted(key)}: {_flat(value)}" for key, value in entries]) + "}"


def columns(text: str) -> int:
    """How many columns a text takes in a line."""
    if text.isascii():
        return len(text)
    wide = sum([unicodedata.east_asian_width(char) in "WF" for char in text])
    return len(text) + wide - sum([unicodedata.category(char) in ("Mn", "Me", "Cf") for char in text])


_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def quoted(text: str) -> str:
    """A text in quotes: double ones, unless single ones need fewer escapes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + "".join([_escaped(char, quote) for char in text]) + quote


def _escaped(char: str, quote: str) -> str:
    if char == quote:
        return "\\" + char
    if char in _ESCAPES:
        return _ESCAPES[char]
    return char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode()
