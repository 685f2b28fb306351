"""Where the lines of a text stand that takes several in its document: what is wrong in it is told at its own."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

Lines = tuple[tuple[int, int, int], ...]
"""For each line of a text: its first character, and the line and column of the document where that stands."""
Place = tuple[int, int] | tuple[int, int, Lines]
"""Line and column, counted from 1; of a text of several lines also where each of them begins."""


def lines_of(text: str, source: Sequence[str], first: tuple[int, int], last: tuple[int, int], edges: str = "") -> Lines:
    """The lines of a text that stands in the lines of a document between two places: lines and columns counted from
    0. Blanks and `edges` around a line are no part of it. From one on that is written otherwise than it reads, its
    lines are not known.
    """
    found: list[tuple[int, int, int]] = []
    at = 0
    for line, column, written in _between(source, first, last):
        piece = written.strip(f" \t\r{edges}")
        begin = text.find(piece, at)
        if begin < 0:
            break
        if piece:
            found.append((begin, line, column + written.index(piece)))
            at = begin + len(piece)
    return tuple(found)


def _between(source: Sequence[str], first: tuple[int, int], last: tuple[int, int]) -> Iterator[tuple[int, int, str]]:
    """Each line between two places, with its number and the column where it begins, both counted from 1."""
    for line in range(first[0], min(last[0] + 1, len(source))):
        begin = first[1] if line == first[0] else 0
        yield line + 1, begin + 1, source[line][begin : last[1] if line == last[0] else None]


def place_in(lines: Lines, at: int) -> tuple[int, int]:
    """The line and column of a character of a text."""
    begin, line, column = lines[max(bisect_right(lines, at, key=lambda one: one[0]) - 1, 0)]
    return line, column + at - begin
