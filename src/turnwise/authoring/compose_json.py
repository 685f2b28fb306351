"""Parses strict JSON into a tree with positions; keeps duplicate keys for the reader to report.

It accepts only JSON: an author who wants comments writes YAML.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from json import JSONDecodeError, decoder
from typing import Any, cast

from turnwise.authoring.source import MAX_DEPTH, DocumentRefused, SizeCount, number_of, shown_text, whole_characters
from turnwise.flow.diagnostic import Diagnostic, Span, problem
from turnwise.flow.located import Items, Located, Pairs, Scalar

_scan: Callable[[str, int, bool], tuple[str, int]] = cast("Any", decoder).scanstring
"""The string reader of `json`: from the character after the quote to the one after its closing quote."""

_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[^\s\[\]{},:\"']+")
_WORDS: dict[str, object] = {"true": True, "false": False, "null": None}
_ESCAPE = 'a backslash stands before " \\ / b f n r t or u and four hex digits'
_ENDS = "a text has no line break or control character in it: write \\n"


def compose_json(text: str, file: str = "") -> Located | Diagnostic:
    """Return the tree of a JSON document, or a diagnostic of the first error."""
    try:
        return _Composer(text, file).document()
    except DocumentRefused as refused:
        return refused.diagnostic


class _Composer:
    """The text, and the current position in it."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.at = 0
        self.count = SizeCount()
        self.breaks = [found.start() for found in re.finditer("\n", text)]

    # places ----------------------------------------------------------------------------------

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of a character."""
        line = bisect_right(self.breaks, at - 1)
        return line + 1, at - (self.breaks[line - 1] if line else -1)

    def refused(self, message: str, at: int, hint: str = "", code: str = "TW003") -> DocumentRefused:
        """Return an error at a place."""
        return DocumentRefused(problem(code, message, Span(self.file, *self.place(at)), hint))

    def unexpected(self, expected: str, hint: str = "") -> DocumentRefused:
        """Something else was expected here."""
        word = _WORD.match(self.text, self.at)
        found = word.group() if word else self.text[self.at : self.at + 1]
        what = f"found {shown_text(found)!r}" if found else "the document ends here"
        return self.refused(f"{what}, expected {expected}", self.at, hint or _hint(self.text, self.at))

    # reading ---------------------------------------------------------------------------------

    def following(self) -> str:
        """Return the next character that is no blank, and an empty text at the end."""
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def accept(self, character: str) -> bool:
        """Go past a character if it comes next."""
        if self.following() != character:
            return False
        self.at += 1
        return True

    def document(self) -> Located:
        """Parse the one value of a document."""
        if not self.following():
            raise self.refused("there is nothing in it", 0, code="TW007")
        tree = self.value(0)
        if self.following():
            raise self.unexpected("the end of the document")
        if isinstance(tree, Scalar) and tree.value is None:
            raise self.refused("there is nothing in it", 0, code="TW007")
        return tree

    def value(self, depth: int) -> Located:
        """Any value."""
        character = self.following()
        if character in ("{", "["):
            if depth >= MAX_DEPTH:
                raise self.refused(f"nested more than {MAX_DEPTH} deep", self.at, code="TW004")
            line, column = self.place(self.at)
            self.count.add(1, 0, Span(self.file, line, column))
            self.at += 1
            return self.object(depth, line, column) if character == "{" else self.array(depth, line, column)
        return self.string("a value") if character == '"' else self.bare()

    def object(self, depth: int, line: int, column: int) -> Pairs:
        """Parse a mapping, after its opening brace."""
        pairs: list[tuple[Scalar, Located]] = []
        while not self.accept("}"):
            if pairs and not self.accept(","):
                raise self.unexpected("',' or '}'")
            key = self.string("a key in double quotes")
            if not self.accept(":"):
                raise self.unexpected("':' after the key")
            pairs.append((key, self.value(depth + 1)))
        return Pairs(pairs, line, column)

    def array(self, depth: int, line: int, column: int) -> Items:
        """Parse a list, after its opening bracket."""
        items: list[Located] = []
        while not self.accept("]"):
            if items and not self.accept(","):
                raise self.unexpected("',' or ']'")
            items.append(self.value(depth + 1))
        return Items(items, line, column)

    def string(self, expected: str) -> Scalar:
        """Parse a text in double quotes."""
        if self.following() != '"':
            raise self.unexpected(expected)
        line, column = self.place(self.at)
        try:
            text, self.at = _scan(self.text, self.at + 1, True)  # noqa: FBT003  its arguments have no names
        except JSONDecodeError as error:
            raise self.broken(error) from None
        self.count.add(1, len(text), Span(self.file, line, column))
        text = whole_characters(text)
        return Scalar(text, line, column, text, "quoted")

    def broken(self, error: JSONDecodeError) -> DocumentRefused:
        """Explain a text that does not end, or has a wrong character in it."""
        if error.msg.startswith("Unterminated"):
            return self.refused("this text has no closing quote", self.at)
        if error.msg.startswith("Invalid control"):
            return self.refused("this character cannot stand in a text", error.pos, _ENDS)
        return self.refused("this is no escape", self.text.rfind("\\", 0, error.pos + 1), _ESCAPE)

    def bare(self) -> Scalar:
        """Parse a number, `true`, `false` or `null`."""
        line, column = self.place(self.at)
        found = _WORD.match(self.text, self.at)
        word = found.group() if found else ""
        if word not in _WORDS and not _NUMBER.fullmatch(word):
            raise self.unexpected("a value")
        self.at += len(word)
        self.count.add(1, len(word), Span(self.file, line, column))
        if word in _WORDS:
            return Scalar(_WORDS[word], line, column, word)
        number = number_of(word)
        return Scalar(word if number is None else number, line, column, word)


def _hint(text: str, at: int) -> str:
    """Return a hint for a common mistake in JSON."""
    rest, before = text[at : at + 2], text[:at].rstrip()[-1:]
    if rest[:1] in ("}", "]") and before == ",":
        return "no comma after the last one"
    if rest[:1] == "'":
        return "texts stand in double quotes"
    if rest in {"//", "/*"} or rest[:1] == "#":
        return "JSON has no comments; YAML has"
    return ""
