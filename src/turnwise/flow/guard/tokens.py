"""A guard's text as tokens. Knows the spelling, not the grammar."""

from __future__ import annotations

import re

from turnwise.flow.late_pattern import late_pattern

Token = tuple[str, str, int]
"""A token: its kind (`number`, `string`, `name`, `op`, `end`), its text, and its place. A bare
tuple, because a thousand guards are tens of thousands of them."""


class TokenError(Exception):
    """A character that begins no token."""

    def __init__(self, message: str, at: int, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.hint = hint


_TOKEN = late_pattern(
    r"""\s+|//[^\n]*
    |(?P<number>0[xX][0-9a-fA-F]+|(?:[0-9]+\.[0-9]+|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?)
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[rR]"[^"\n]*"|[rR]'[^'\n]*')
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<op>&&|\|\||==|!=|<=|>=|[-<>+*/%!?:,.()\[\]{}])""",
    re.VERBOSE,
)
_SINGLE = {"=": "'=='", "&": "'&&'", "|": "'||'"}


def tokenize(text: str) -> list[Token]:
    """The tokens of a text, with two `end`s after the last, so that one may always look ahead."""
    tokens: list[Token] = []
    place, length, match = 0, len(text), _TOKEN.match
    while place < length:
        found = match(text, place)
        if found is None:
            raise _strange(text, place)
        if found.lastgroup is not None:
            tokens.append((found.lastgroup, found.group(), place))
        place = found.end()
    tokens += [("end", "", length)] * 2
    return tokens


def _strange(text: str, place: int) -> TokenError:
    character = text[place]
    if character in "\"'":
        return TokenError("this text has no closing quote", place)
    if text.startswith("=>", place):
        return TokenError("'=>' means nothing", place, "write '>='")
    if character in _SINGLE:
        return TokenError(f"'{character}' alone means nothing", place, f"write {_SINGLE[character]}")
    return TokenError(f"{character!r} has no meaning in a guard", place)
