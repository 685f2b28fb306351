"""A message as tokens: words, numbers, addresses and marks, each with its place.

It keeps every character's place and never guesses what a token means.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from turnwise.flow.late_pattern import late_pattern

Kind = Literal["word", "number", "email", "moment", "mark"]

_TOKEN = late_pattern(
    r"""
      (?P<email>[^\s@<>()\[\],;:\\"]{1,64}@[^\s@<>()\[\],;:\\".!?]{1,63}(?:\.[^\s@<>()\[\],;:\\".!?]{1,63}){1,8})
    | (?P<moment>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:Z|[+-][0-9]{2}:[0-9]{2})?)
    | (?P<number>[0-9](?:[0-9.,:/-]*[0-9])?)
    | (?P<word>(?<![^\W\d_])[aApP]\.\s?[mM]\b\.?|(?:[^\W\d_][\u0300-\u036f]*)+(?:['’](?:[^\W\d_][\u0300-\u036f]*)+)*)
    | (?P<mark>\n|[^\s])
    """,
    re.VERBOSE,
)
_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_STRETCHED = late_pattern(r"(.)\1{2,}")
_MOST_FOLDED = 80
"""Longer words are compared as they are typed."""


class Token(Struct, frozen=True):
    """One piece of a message: as typed, as compared, and where it stands."""

    kind: Kind
    text: str
    word: str
    start: int
    end: int


@lru_cache(maxsize=4096)
def folded(word: str) -> str:
    """A word as it is compared: folded, umlauts spelled out, stretched letters shortened."""
    if word.isascii():
        plain = word.replace("`", "'").lower()
    else:
        plain = unicodedata.normalize("NFC", word).translate(_QUOTES).casefold().translate(_UMLAUTS)
    return _STRETCHED.sub(r"\1", plain)


def tokens_of(message: str) -> tuple[Token, ...]:
    """The tokens of a message, in order."""
    return tuple(_token(found) for found in _TOKEN.finditer(message))


def words_of(text: str) -> tuple[str, ...]:
    """The folded words and numbers of a text, marks left out."""
    if len(text) <= _MOST_FOLDED and text.replace(" ", "").replace("'", "").isalpha() and not _is_quoted(text):
        return tuple(map(folded, text.split()))
    return tuple(token.word for token in tokens_of(text) if token.kind != "mark")


def _is_quoted(text: str) -> bool:
    """True if an apostrophe stands at the edge of a word, where it is a quote."""
    spaced = f" {text} "
    return "'" in text and any(mark in spaced for mark in (" '", "' ", "''"))


def _token(found: re.Match[str]) -> Token:
    kind: Kind = found.lastgroup  # pyright: ignore[reportAssignmentType]
    text = found[0]
    word = folded(text) if kind == "word" and len(text) <= _MOST_FOLDED else text
    if kind == "word" and "." in word:
        word = word.replace(".", "").replace(" ", "")
    return Token(kind, text, word, found.start(), found.end())


def touches(tokens: tuple[Token, ...], left: int) -> bool:
    """True if a token and the next one stand together without a space."""
    return left + 1 < len(tokens) and tokens[left].end == tokens[left + 1].start


def stem(word: str, endings: tuple[str, ...]) -> str:
    """A word without its ending, so that `guests` and `guest` compare equal."""
    word = word.removesuffix("'s")
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
