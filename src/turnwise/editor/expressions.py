"""Finds the names in guards and in the holes of templates, also where the rest of them cannot be read.

A name that stands for an item of a list, in `{{ for pizza in order.pizzas }}` or `order.pizzas.exists(p, p.size == 1)`,
is found with the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from turnwise.flow.late_pattern import late_pattern

_PIECE = late_pattern(
    r"""(?P<call>tools\s*\.\s*\w+|visits)\s*\(\s*(?P<quote>["'])(?P<argument>[\w./-]+)(?P=quote)
    |"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'
    |(?<![\w.])(?P<chain>[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)""",
    re.DOTALL | re.VERBOSE,
)
_HOLE = late_pattern(r"\{\{(.*?)(?:\}\}|\Z)", re.DOTALL)
_LOOP = late_pattern(r"\s*for\s+(?:(?P<number>[A-Za-z_]\w*)\s*,\s*)?(?P<item>[A-Za-z_]\w*)\s+in\s+")
_MACRO = late_pattern(r"\s*\(\s*(?P<item>[A-Za-z_]\w*)\s*,")
_MACROS = frozenset(("all", "exists", "filter", "map"))
_BRACKETS = late_pattern(r"""[()]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""", re.DOTALL)
_NAME = late_pattern(r"[A-Za-z_]\w*")


class Part(NamedTuple):
    """A word of an expression, and where it is."""

    text: str
    """The text of the word."""
    begin: int
    """The offset of the word's first character in the text."""
    end: int
    """The offset behind the word's last character."""


class Chain(NamedTuple):
    """A name of words with dots between them, such as `user.age`."""

    parts: tuple[Part, ...]
    """The words of the name, in order."""
    item_of: str = ""
    """The list whose items have the field (`order.pizzas` for `pizza.size`); empty for other names."""


class Argument(NamedTuple):
    """A quoted name of a tool or node as the argument of a guard function."""

    function: str
    """The name of the function."""
    name: Part
    """The name in quotes."""


Bound = Mapping[str, str]
"""The variables of loops around an expression, each with the list that it stands for an item of; the list is empty for
a number, and where it is no field."""


class _Macro(NamedTuple):
    """The name that stands for an item, its list, and the character behind the macro."""

    item: str
    of: str
    end: int


def names_in(text: str, at: int = 0, bound: Bound | None = None) -> Iterator[Chain | Argument]:
    """Yield the names in an expression. `at` is added to their offsets, and `bound` has the names of loops
    around it.
    """
    macros: list[_Macro] = []
    for found in _PIECE.finditer(text):
        if found["argument"] is not None:
            function = "visits" if found["call"] == "visits" else "tools"
            yield Argument(function, Part(found["argument"], at + found.start("argument"), at + found.end("argument")))
        elif found["chain"] is not None:
            begin = found.start("chain")
            parts = tuple(
                Part(one[0], at + begin + one.start(), at + begin + one.end()) for one in _NAME.finditer(found["chain"])
            )
            around = [one for one in macros if begin < one.end]
            macros = around
            known = {**(bound or {}), **{one.item: one.of for one in around}}
            of = known.get(parts[0].text)
            if of is None:
                yield Chain(parts)
            elif of and len(parts) > 1:
                yield Chain(parts, of)
            opened = _MACRO.match(text, found.end()) if len(parts) > 1 and parts[-1].text in _MACROS else None
            if opened is not None:
                list_ = "" if of is not None else _address(parts[:-1])
                macros = [*around, _Macro(opened["item"], list_, _behind(text, found.end()))]


def _address(parts: tuple[Part, ...]) -> str:
    return ".".join(one.text for one in parts)


def _behind(text: str, at: int) -> int:
    """Return the character behind the brackets that are opened next."""
    depth = 0
    for found in _BRACKETS.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return len(text)


def names_in_template(text: str) -> Iterator[Chain | Argument]:
    """Yield the names in the holes of a template."""
    loops: list[dict[str, str]] = []
    for hole in _HOLE.finditer(text) if "{{" in text else ():
        inner, begin = hole[1], hole.start(1)
        if inner.strip() == "end":
            loops = loops[:-1]
            continue
        loop = _LOOP.match(inner)
        skipped = loop.end() if loop is not None else 0
        bound = {name: of for one in loops for name, of in one.items()}
        found = list(names_in(_without_formats(inner[skipped:]), begin + skipped, bound))
        yield from found
        if loop is not None:
            loops = [*loops, _bound_by(loop, found)]


def _bound_by(loop: re.Match[str], found: list[Chain | Argument]) -> dict[str, str]:
    """Return the names that a loop stands for, each with its list; its list is the first name behind `in`."""
    first, of = found[0] if found else None, ""
    if isinstance(first, Chain) and not first.item_of:
        *before, last = first.parts
        of = _address(tuple(before) if last.text in _MACROS else first.parts)
    names = {loop["item"]: of}
    return {**names, loop["number"]: ""} if loop["number"] else names


def _without_formats(inner: str) -> str:
    """Return an expression without the formats behind its bars; `||` is no bar."""
    found = re.search(r"(?<!\|)\|(?!\|)", inner)
    return inner[: found.start()] if found is not None else inner
