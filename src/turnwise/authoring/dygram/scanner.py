"""Splits the text of a DyGram document into tokens and comments, in time that grows with its length.

It never fails: what no token can begin with becomes a token of the kind `unknown`, and a text or comment without its
end one of the kind `unclosed`. The parser reports both.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Literal, NamedTuple

from turnwise.flow.late_pattern import late_pattern

TokenKind = Literal[
    "name", "keyword", "string", "number", "external", "arrow", "label", "mark", "unknown", "unclosed", "end"
]
"""`arrow` is a whole arrow, of which `->`, `-->` and `=>` also end a label; `label` is what begins one: `-`, `--`, `=`.
`mark` is punctuation.
"""
KEYWORDS = frozenset(("machine", "import", "from", "as"))
"""Words that cannot be names."""
MOST_FAULTS = 100
"""How many characters that begin no token are reported; after these the rest of the document is not scanned."""
MOST_TOKENS = 400_000
"""How many tokens are scanned; the rest of a longer document is not."""
_TOKEN = late_pattern(
    r"""
      (?P<space>\s++)
    | (?P<comment>//[^\n]*+ | /\*(?s:.*?)\*/)
    | (?P<arrow><--[A-Za-z_][A-Za-z0-9_]*+--> | <--> | <\|-- | \*--> | o--> | --> | -> | =>)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*+(?!\w))
    | (?P<string>"(?:[^"\\]++|\\(?s:.))*+" | '(?:[^'\\]++|\\(?s:.))*+')
    | (?P<number>[0-9]++(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)
    | (?P<external>\#[A-Za-z_][A-Za-z0-9_]*+)
    | (?P<label>--|-|=)
    | (?P<mark>[{}\[\]()<>:;,.@|?\#])
    | (?P<unclosed>["'][^\n]*+ | /\*(?s:.*))
    | (?P<unknown>\w++|[^\s\w])
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A token of a DyGram document."""

    kind: TokenKind
    """The kind of the token, such as a name, a mark or a string."""
    text: str
    """The token as the author wrote it."""
    at: int
    """The offset of the token's first character in the document, from 0."""
    end: int
    """The offset behind the token's last character."""


class Comment(NamedTuple):
    """A comment of a DyGram document."""

    text: str
    """The comment with its marks."""
    at: int
    """The offset of the comment's first character in the document, from 0."""
    end: int
    """The offset behind the comment's last character."""
    gap: bool
    """True if a blank line precedes the comment."""


class Source:
    """The text of a document, with the lines and columns of its characters."""

    def __init__(self, text: str, file: str = "") -> None:
        self.text = text
        self.file = file

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of each line's first character, from 0."""
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the document."""
        return self.text.split("\n")

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of an offset, both counted from 1."""
        line = bisect_right(self.line_starts, at)
        return line, at - self.line_starts[line - 1] + 1

    def has_gap(self, begin: int, end: int) -> bool:
        """Return whether the blanks between two offsets contain a blank line."""
        return self.text.count("\n", begin, end) > 1


class Tokens(NamedTuple):
    """The tokens of a document, the last of them its end, and its comments."""

    tokens: list[Token]
    """The tokens; the last one is the end of the document."""
    comments: list[Comment]
    """The comments of the document, in order."""


def scan(source: Source, begin: int = 0) -> Tokens:
    """Return the tokens and comments of a document from the offset `begin` on."""
    text = source.text
    tokens: list[Token] = []
    comments: list[Comment] = []
    faults, last = 0, begin
    for found in _TOKEN.finditer(text, begin):
        kind, begin, end = found.lastgroup, found.start(), found.end()
        if kind == "space":
            continue
        written = found[0]
        if kind == "comment":
            comments.append(Comment(written, begin, end, source.has_gap(last, begin) and last > 0))
        else:
            if kind == "name" and written in KEYWORDS:
                kind = "keyword"
            elif kind in ("unknown", "unclosed"):
                faults += 1
            tokens.append(Token(kind, written, begin, end))  # pyright: ignore[reportArgumentType]
            if faults == MOST_FAULTS or len(tokens) == MOST_TOKENS:
                break
        last = end
    tokens.append(Token("end", "", len(text), len(text)))
    return Tokens(tokens, comments)


_ESCAPE = late_pattern(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}


def unescaped(written: str) -> str:
    """Return the text that a string in quotes means, with its escapes replaced."""
    inner = written[1:-1]
    if "\\" not in inner:
        return inner
    return _ESCAPE.sub(_meaning, inner)


def _meaning(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _ESCAPED.get(found[2], found[2])


class Repair(NamedTuple):
    """A repair of a string without its closing quote, which ended at the quote of a later string."""

    at: int
    """The offset of the string without its closing quote."""
    tokens: Tokens
    """The tokens of the document with the missing quote added."""


def repaired(source: Source, tokens: Tokens, before: int) -> Repair | None:
    """Return the tokens with the missing quote of a string added; `None` if no string before `before` lacks one. Such a
    string ends at a later quote that has a name directly behind it. `before` is the index of a token.
    """
    known = tokens.tokens
    for number in range(max(before - _LOOKED_BACK, 0), before):
        token, after = known[number], known[number + 1]
        if token.kind != "string" or "\n" not in token.text or after.at != token.end or after.kind not in _CONTENT:
            continue
        written = _BEHIND.sub("", token.text.partition("\n")[0])
        if len(written) == 1:
            continue  # nothing stands in the line of the quote
        end = token.at + len(written)
        rest = scan(source, end)
        comments = [comment for comment in tokens.comments if comment.at < token.at]
        string = Token("string", written + token.text[0], token.at, end)
        return Repair(token.at, Tokens([*known[:number], string, *rest.tokens], comments + rest.comments))
    return None


_LOOKED_BACK = 200
_BEHIND = late_pattern(r"(?:[ \t;,{]|(?<!\})\}(?!\}))*+\Z")
"""What may stand in a line behind a text whose quote is missing."""
_CONTENT = ("name", "keyword", "number", "unknown", "string", "unclosed")
"""What stands directly behind the quote of a later text, if that was taken for the end of an earlier one."""
