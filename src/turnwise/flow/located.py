"""A document as a tree that knows where each part stands: what the reader reads, from any syntax.

It holds no meaning: scalars, lists and pairs only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from turnwise.flow.lines import Lines

Style = Literal["plain", "quoted", "block"]


class Scalar:
    """A single value; `text` is how it was written, `lines` where each line of a text of several stands."""

    __slots__ = ("column", "line", "lines", "style", "text", "value")

    def __init__(
        self,
        value: object,
        line: int = 0,
        column: int = 0,
        text: str = "",
        style: Style = "plain",
        lines: Lines = (),
    ) -> None:
        self.value = value
        self.line = line
        self.column = column
        self.text = text if text or value is None else str(value)
        self.style: Style = style
        self.lines = lines


class Items:
    """A list."""

    __slots__ = ("column", "items", "line")

    def __init__(self, items: list[Located], line: int = 0, column: int = 0) -> None:
        self.items = items
        self.line = line
        self.column = column


class Pairs:
    """A mapping, in the order of the document; a key may stand twice, the reader says so.

    `inline` is true for the `{a: 1, b: 2}` form, where a comma ends a text.
    """

    __slots__ = ("column", "inline", "line", "pairs")

    def __init__(
        self, pairs: list[tuple[Scalar, Located]], line: int = 0, column: int = 0, *, inline: bool = False
    ) -> None:
        self.pairs = pairs
        self.line = line
        self.column = column
        self.inline = inline


Located = Scalar | Items | Pairs


def locate(plain: object) -> Located:
    """Plain JSON data as a tree without places."""
    if isinstance(plain, Mapping):
        entries = cast("Mapping[Any, Any]", plain).items()
        return Pairs([(Scalar(str(key)), locate(value)) for key, value in entries])
    if isinstance(plain, list | tuple):
        return Items([locate(item) for item in cast("Iterable[Any]", plain)])
    return Scalar(plain, style="quoted" if isinstance(plain, str) else "plain")


def plain(tree: Located) -> Any:
    """The tree as plain data, without places; of a key that stands twice the last counts."""
    match tree:
        case Scalar():
            return tree.value
        case Items():
            return [plain(item) for item in tree.items]
        case Pairs():
            return {key.text: plain(value) for key, value in tree.pairs}
