"""The text of a document in an editor: positions as the protocol counts them, and the edits that change it.

The protocol counts lines that end with LF, CRLF or CR, and characters in units of an encoding, which the client and
the server choose: UTF-16, UTF-8 or UTF-32. An edit in UTF-16 may divide a character into halves; the text then has
them, so that it stays the same as the client's.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

from turnwise.flow.late_pattern import late_pattern

UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"
_CODECS = {UTF8: ("utf-8", 1), UTF16: ("utf-16-le", 2), UTF32: ("utf-32-le", 4)}
_BREAK = late_pattern(r"\r\n|\n|\r")
_YAML_BREAK = late_pattern("\r\n|[\n\r\x85\u2028\u2029]")
_BOM = "\ufeff"


class Position(NamedTuple):
    """A position in a text as the protocol counts it."""

    line: int
    """The number of the line, from 0."""
    character: int
    """The character in the line, from 0, in the unit that client and server agreed on (such as UTF-16)."""


class Change(NamedTuple):
    """An edit: a text that replaces what is between two positions, or the whole text."""

    text: str
    """The new text."""
    begin: Position | None = None
    """Where the replaced text begins; `None` to replace the whole text."""
    end: Position | None = None
    """Where the replaced text ends, exclusive; `None` to replace the whole text."""


class EditedText:
    """An immutable text of a document; an edit returns another one."""

    def __init__(self, text: str, encoding: str = UTF16) -> None:
        self.text = text
        self.encoding = encoding
        self._codec, self._width = _CODECS[encoding]

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line's first character, with lines as the protocol counts them."""
        return [0, *(found.end() for found in _BREAK.finditer(self.text))]

    @cached_property
    def _newlines(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    @cached_property
    def _yaml_lines(self) -> list[int]:
        return [0, *(found.end() for found in _YAML_BREAK.finditer(self.text))]

    # positions ---------------------------------------------------------------------------------

    def line(self, number: int) -> str:
        """Return a line, counted from 0, with its line break."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[number] : end]

    def offset(self, position: Position) -> int:
        """Return the offset of a position; behind the end of a line or of the text it is that end.

        Between the halves of a character it is the character.
        """
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        line = self.line(position.line).rstrip("\r\n")
        character = max(position.character, 0)
        if not line.isascii():
            character = self._characters(line, character)
        return self.starts[position.line] + min(character, len(line))

    def _characters(self, line: str, units: int) -> int:
        """Return how many whole characters of a line so many units of the encoding are."""
        if self.encoding == UTF32:
            return units
        if self.encoding == UTF8:
            return len(self._units(line)[:units].decode("utf-8", "ignore"))
        found = len(self._units(line)[: 2 * units].decode(self._codec, "surrogatepass"))
        is_half = 0 < found <= len(line) and line[found - 1] > "\uffff" and len(self._units(line[:found])) > 2 * units
        return found - is_half

    def position(self, offset: int) -> Position:
        """Return the position of an offset."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        before = self.text[self.starts[line] : offset]
        if before.isascii():
            return Position(line, len(before))
        return Position(line, len(before.encode(self._codec, "surrogatepass")) // self._width)

    def place(self, line: int, column: int, *, is_yaml: bool) -> int:
        """Return the offset of a line and column, both counted from 1, of a diagnostic or a positioned tree. Lines end
        as in YAML if `is_yaml`, else as in DyGram; a byte-order mark is no column.
        """
        starts = self._yaml_lines if is_yaml else self._newlines
        if line < 1 or line > len(starts):
            return len(self.text) if line > len(starts) else 0
        end = starts[line] if line < len(starts) else len(self.text)
        mark = line == 1 and self.text.startswith(_BOM)
        return min(starts[line - 1] + max(column - 1, 0) + mark, end)

    def line_and_column(self, offset: int, *, is_yaml: bool) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1, as `place` reads them; lines end as in YAML if
        `is_yaml`.
        """
        starts = self._yaml_lines if is_yaml else self._newlines
        line = bisect_right(starts, offset)
        mark = line == 1 and self.text.startswith(_BOM)
        return line, offset - starts[line - 1] + 1 - mark

    # edits -------------------------------------------------------------------------------------

    def changed(self, change: Change) -> EditedText:
        """Return the text after an edit."""
        if change.begin is None or change.end is None:
            return EditedText(change.text, self.encoding)
        begin, end = sorted((change.begin, change.end))
        if self.encoding == UTF16 and not (self._is_plain(begin) and self._is_plain(end)):
            return self._spliced(change.text, begin, end)
        text = self.text[: self.offset(begin)] + change.text + self.text[self.offset(end) :]
        return EditedText(text, self.encoding)

    def _is_plain(self, position: Position) -> bool:
        """Return whether the line of a position holds only ASCII, of which each character is a unit."""
        return not 0 <= position.line < len(self.starts) or self.line(position.line).isascii()

    def _spliced(self, text: str, begin: Position, end: Position) -> EditedText:
        """Return the text after an edit between units of UTF-16, which may be halves of characters."""
        first, last = min(begin.line, len(self.starts) - 1), min(end.line, len(self.starts) - 1)
        head = self._units(self.line(first).rstrip("\r\n") if first == begin.line else self.line(first))
        tail_line = self.line(last)
        tail = self._units(tail_line)
        kept = len(self._units(tail_line.rstrip("\r\n"))) if last == end.line else len(tail)
        cut = 2 * begin.character if first == begin.line else len(head)
        rest = min(2 * end.character, kept) if last == end.line else kept
        made = (head[:cut] + self._units(text) + tail[rest:]).decode(self._codec, "surrogatepass")
        before = self.text[: self.starts[first]]
        after = self.text[self.starts[last] + len(tail_line) :]
        return EditedText(before + made + after, self.encoding)

    def _units(self, text: str) -> bytes:
        return text.encode(self._codec, "surrogatepass")


class Span(NamedTuple):
    """A part of a text."""

    begin: int
    """The offset of the part's first character, from 0."""
    end: int
    """The offset behind the part's last character."""


def inside_quotes(text: str, opening: int, count: int, *, is_yaml: bool) -> int:
    """Return the offset in a document of character number `count` of a quoted text, which may have escapes. `opening`
    is the offset of the quote that begins it.
    """
    quote, at = text[opening : opening + 1], opening + 1
    has_escapes = quote == '"' or not is_yaml
    for _ in range(count):
        if has_escapes and text.startswith("\\", at):
            at += _ESCAPES.get(text[at + 1 : at + 2], 2)
        else:
            at += 2 if is_yaml and quote == "'" and text.startswith("''", at) else 1
    return at


_ESCAPES = {"x": 4, "u": 6, "U": 10}
"""The lengths of escapes with digits."""
