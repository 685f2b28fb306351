"""Texts with `{{ expression }}` in them: read into parts. Filling them in is the core's."""

from __future__ import annotations

import re
from dataclasses import dataclass

from turnwise.flow.guard.parse import GuardError, parse
from turnwise.flow.guard.syntax import Expression

_HOLE = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Hole:
    """An expression in a text, with its place in the text."""

    expression: Expression
    at: int


def parse_template(text: str) -> tuple[str | Hole, ...]:
    """The fixed and the open parts of a text, in order. Raises `GuardError` with the place."""
    parts: list[str | Hole] = []
    end = 0
    for hole in _HOLE.finditer(text):
        if hole.start() > end:
            parts.append(text[end : hole.start()])
        start = hole.start(1)
        try:
            parts.append(Hole(parse(hole.group(1)), start))
        except GuardError as error:
            raise GuardError(error.code, error.message, start + error.at, error.hint) from None
        end = hole.end()
    rest = text[end:]
    if "{{" in rest:
        raise GuardError("TW037", "this '{{' is never closed", end + rest.index("{{"), "close it with '}}'")
    if rest:
        parts.append(rest)
    return tuple(parts)
