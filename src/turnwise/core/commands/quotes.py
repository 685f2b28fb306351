"""Finds in a user's message the words that a model quotes, and the places where a value itself stands (law 7.1a)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from unicodedata import category, normalize

from turnwise.core.commands.numerals import NUMERAL, numbers_in
from turnwise.core.language.answers import QUOTES
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Option

_EDGES = " \t\r\n.,;:!?\"'()"
_GAP = late_pattern(r"\s*(?:\.\.\.|…)\s*")
MOST_WORDS = 1000
"""How many characters quoted words may have; longer words count as no quote."""


def place_of(words: str, message: str) -> tuple[int, int] | None:
    """Return start and end (exclusive) of quoted words in a message; `None` if they do not occur in it.

    Case, spaces, kinds of quotation marks and of composed letters do not matter. A quote may leave words out with three
    dots. It does not begin or end inside a word or number.
    """
    if len(words) > MOST_WORDS:
        return None
    text, places = _simplified(message)
    start, at = -1, 0
    for piece in _GAP.split(words):
        wanted = _simplified(piece)[0].strip(_EDGES) or _simplified(piece)[0].strip()
        found = next(_occurrences(wanted, text, at), -1) if wanted else -1
        if wanted and found < 0:
            return None
        if wanted:
            start, at = (found if start < 0 else start), found + len(wanted)
    return None if start < 0 else (places[start], places[at - 1] + 1)


def places_of(value: Any, options: Iterable[Option], message: str) -> Iterator[tuple[int, int]]:
    """Yield start and end (exclusive) of a value in a message: as a numeral, as an option's words, as text."""
    if isinstance(value, int | float):
        found = NUMERAL.finditer(message)
        yield from (one.span() for one in found if not isinstance(value, bool) and value in numbers_in(one[0]))
        return
    option = next((one for one in options if one.value == value), None)
    for name in (str(value),) if option is None else (option.value, *option.words):
        start = 0
        while (place := place_of(name, message[start:])) is not None:
            yield place[0] + start, place[1] + start
            start += place[1]


def occurs(words: str, message: str) -> bool:
    """Return whether words occur in a message."""
    return place_of(words, message) is not None


def _simplified(text: str) -> tuple[str, list[int]]:
    """Return a text as quotes are compared, and the place in the text of each of its characters."""
    found: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        plain = normalize("NFKD", char.translate(QUOTES)).casefold() if not char.isascii() else char.lower()
        if char.isspace():
            plain = " " if found and found[-1] != " " else ""
        elif not char.isascii() and category(char) == "Cf":
            plain = ""
        found += plain
        places += [at] * len(plain)
    return "".join(found), places


def _occurrences(words: str, text: str, begin: int) -> Iterator[int]:
    """Yield where words begin in a text, but not inside a word or number."""
    at = text.find(words, begin)
    while at >= 0:
        end = at + len(words)
        if not _is_joined(text, at) and not _is_joined(text, end):
            yield at
        at = text.find(words, at + 1)


def _is_joined(text: str, at: int) -> bool:
    """Return whether a place is inside a word or number. Scripts without capitals may write words without spaces."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before in ".," and at > 1 and after.isdigit():
        before = text[at - 2]
    elif after in ".," and at + 1 < len(text) and before.isdigit():
        after = text[at + 1]
    is_word = _is_cased(before) and _is_cased(after)
    return is_word or (before.isdigit() and after.isdigit()) or category(after) == "Mn"


def _is_cased(char: str) -> bool:
    return char.isalpha() and char.lower() != char.upper()
