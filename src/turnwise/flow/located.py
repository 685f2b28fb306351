"""A document as a tree with the source position of each part, also within multi-line texts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, cast

from msgspec import Struct

Style = Literal["plain", "quoted", "block"]
"""How a text is written in YAML."""


class Scalar(Struct, eq=False, gc=False):
    """A single value of a document, with its place."""

    value: object
    """The value as Python data."""
    line: int = 0
    """The line in the document, counted from 1; 0 without a place."""
    column: int = 0
    """The column in the line, counted from 1; 0 without a place."""
    text: str = ""
    """The value as it was written in the document."""
    style: Style = "plain"
    """How the text is written in YAML: plain, quoted or as a block."""
    lines: Lines = ()
    """For a text of several lines: where each line begins; else empty."""

    def __post_init__(self) -> None:
        if not self.text and self.value is not None:
            self.text = str(self.value)


class Items(Struct, eq=False, gc=False):
    """A list in a document, with its place."""

    items: list[Located]
    """The items, in order."""
    line: int = 0
    """The line in the document, counted from 1; 0 without a place."""
    column: int = 0
    """The column in the line, counted from 1; 0 without a place."""


class Pairs(Struct, eq=False, gc=False):
    """A mapping in a document, with its place and its keys in order; a key may occur twice, which readers report."""

    pairs: list[tuple[Scalar, Located]]
    """The keys and their values, in the order of the document."""
    line: int = 0
    """The line in the document, counted from 1; 0 without a place."""
    column: int = 0
    """The column in the line, counted from 1; 0 without a place."""
    inline: bool = False
    """True for the form `{a: 1, b: 2}`, in which a comma ends a text."""


Located = Scalar | Items | Pairs
"""A value of a document with its place."""


def locate(plain: object) -> Located:
    """Return JSON data as a document tree without places."""
    if isinstance(plain, Mapping):
        entries = cast("Mapping[Any, Any]", plain).items()
        return Pairs([(Scalar(str(key)), locate(value)) for key, value in entries])
    if isinstance(plain, list | tuple):
        return Items([locate(item) for item in cast("Iterable[Any]", plain)])
    return Scalar(plain, style="quoted" if isinstance(plain, str) else "plain")


def plain(tree: Located) -> Any:
    """Return a document tree as plain data, without places; of a duplicate key the last value counts."""
    match tree:
        case Scalar():
            return tree.value
        case Items():
            return [plain(item) for item in tree.items]
        case Pairs():
            return {key.text: plain(value) for key, value in tree.pairs}


Lines = tuple[tuple[int, int, int], ...]
"""For each line of a text: its first character, and the line and column of the document where that stands."""
Place = tuple[int, int] | tuple[int, int, Lines]
"""Line and column, counted from 1; of a text of several lines also where each of them begins."""


def source_lines_of(
    text: str, source: Sequence[str], first: tuple[int, int], last: tuple[int, int], edges: str = ""
) -> Lines:
    """Return where the lines of a text stand in a document, of the lines `source`, between the positions `first` and
    `last`, counted from 0. Blanks and `edges` around a line do not count. After a line that is written otherwise than
    it reads, no more are known.
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
    """Yield each line between two places, with its number and the column where it begins, both counted from 1."""
    for line in range(first[0], min(last[0] + 1, len(source))):
        begin = first[1] if line == first[0] else 0
        yield line + 1, begin + 1, source[line][begin : last[1] if line == last[0] else None]


def place_in(lines: Lines, at: int) -> tuple[int, int]:
    """Return the line and column in the document of a character, counted from 0, of a text."""
    begin, line, column = lines[max(bisect_right(lines, at, key=lambda one: one[0]) - 1, 0)]
    return line, column + at - begin
