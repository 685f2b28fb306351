"""Reads as much of a broken YAML or JSON document as possible: all but the lines that break it."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.authoring.formats import compose
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.located import Located, Pairs

_MOST_ROUNDS = 6
"""So many lines may a document lack: each needs it to be read again."""
_MOST_CHARACTERS = 400_000
"""A larger document that is broken is not read again."""


class Readable(NamedTuple):
    """The tree of a document without the lines that cannot be read."""

    tree: Located
    """The tree of the lines that can be read."""
    left_out: tuple[int, ...]
    """The numbers of the left-out lines, from 1."""


def readable_tree(text: str, file: str) -> Readable:
    """Return the tree of a document without the lines that break it.

    Blanks take their place, so that all other places stay the same.
    """
    lines, left_out = text.split("\n"), list[int]()
    found = compose(text, file)
    while isinstance(found, Diagnostic):
        if len(left_out) >= _MOST_ROUNDS or len(text) > _MOST_CHARACTERS or not found.span.line:
            return Readable(Pairs([], 1, 1), (*left_out, found.span.line))
        line, found = _without_one(lines, found, file)
        left_out.append(line)
        lines[line - 1] = " " * len(lines[line - 1])
    return Readable(found, tuple(left_out))


def _without_one(lines: list[str], fault: Diagnostic, file: str) -> tuple[int, Located | Diagnostic]:
    """Return the line that is best left out, the one of the fault or one before it, and what is read without it."""
    tried: list[tuple[int, int, Located | Diagnostic]] = []
    for line in _candidates(lines, fault.span.line):
        without = [*lines[: line - 1], " " * len(lines[line - 1]), *lines[line:]]
        found = compose("\n".join(without), file)
        if not isinstance(found, Diagnostic):
            return line, found
        tried.append((found.span.line, line, found))
    if not tried:
        return min(max(fault.span.line, 1), len(lines)), fault
    _, line, found = max(tried, key=lambda one: one[:2])
    return line, found


def _candidates(lines: list[str], at: int) -> list[int]:
    """Return the lines with something in them at a line and before it, the nearest first."""
    found = [number for number in range(min(at, len(lines)), 0, -1) if lines[number - 1].strip()]
    return found[:3]
