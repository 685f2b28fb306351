"""Finds the names in guards and in the holes of templates, also where the rest of them cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from turnwise.flow.late_pattern import late_pattern

_PIECE = late_pattern(
    r"""(?P<call>tools\s*\.\s*\w+|visits)\s*\(\s*(?P<quote>["'])(?P<argument>[\w./-]+)(?P=quote)
    |"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'
    |(?<![\w.])(?P<chain>[A-Za-z_]\w*(?:\s*\.\s*[A-Za-z_]\w*)*)""",
    re.DOTALL | re.VERBOSE,
)
_HOLE = late_pattern(r"\{\{(.*?)(?:\}\}|\Z)", re.DOTALL)
_LOOP = late_pattern(r"\s*for\s+(?:[A-Za-z_]\w*\s*,\s*)?[A-Za-z_]\w*\s+in\s+")
_NAME = late_pattern(r"[A-Za-z_]\w*")


class Part(NamedTuple):
    """A word of an expression, with its first character and the one behind its last."""

    text: str
    begin: int
    end: int


class Chain(NamedTuple):
    """Words with dots between them, such as `user.age`."""

    parts: tuple[Part, ...]


class Argument(NamedTuple):
    """The name in quotes of a tool or node, which a function of guards is given."""

    function: str
    name: Part


def names_in(text: str, at: int = 0) -> Iterator[Chain | Argument]:
    """Yield the names in an expression. `at` is added to their places."""
    for found in _PIECE.finditer(text):
        if found["argument"] is not None:
            function = "visits" if found["call"] == "visits" else "tools"
            yield Argument(function, Part(found["argument"], at + found.start("argument"), at + found.end("argument")))
        elif found["chain"] is not None:
            yield Chain(
                tuple(
                    Part(one[0], at + found.start("chain") + one.start(), at + found.start("chain") + one.end())
                    for one in _NAME.finditer(found["chain"])
                )
            )


def names_in_template(text: str) -> Iterator[Chain | Argument]:
    """Yield the names in the holes of a template."""
    for hole in _HOLE.finditer(text) if "{{" in text else ():
        inner, begin = hole[1], hole.start(1)
        loop = _LOOP.match(inner)
        skipped = loop.end() if loop is not None else 0
        yield from names_in(_without_formats(inner[skipped:]), begin + skipped)


def _without_formats(inner: str) -> str:
    """Return an expression without the formats behind its bars; `||` is no bar."""
    found = re.search(r"(?<!\|)\|(?!\|)", inner)
    return inner[: found.start()] if found is not None else inner
