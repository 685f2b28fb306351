"""Tables of words and phrases: how they are written, and how a phrase is found in a message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from turnwise.understanding.tokens import folded, is_plain, words_of

Value = TypeVar("Value")
Phrases = Mapping[str, tuple[tuple[str, ...], ...]]
"""Phrases as folded words, by their first word, longest first."""


LONGEST_PHRASE = 5
"""A phrase that stands for a value has at most so many words."""


def words(text: str) -> frozenset[str]:
    """A set of folded words, written as one text."""
    return frozenset(folded(text).split())


def phrases(lines: str | Iterable[str]) -> Phrases:
    """Phrases, written one per line (or `|`-separated), ready to be found by their first word. They are folded
    together, for a process that starts reads a thousand.
    """
    text = folded(lines if isinstance(lines, str) else "\n".join(lines))
    found: dict[str, set[tuple[str, ...]]] = {}
    for line in text.replace("|", "\n").split("\n"):
        phrase = tuple(line.split()) if is_plain(line) else words_of(line)
        if phrase:
            found.setdefault(phrase[0], set()).add(phrase)
    return {first: tuple(sorted(some, key=lambda p: (-len(p), p))) for first, some in found.items()}


def by_word(table: Mapping[str, Value]) -> dict[str, Value]:
    """A table by folded word; several words for one value are separated by spaces."""
    return {folded(word): value for line, value in table.items() for word in line.split()}


def by_phrase(table: Mapping[str, Value]) -> dict[tuple[str, ...], Value]:
    """A table by folded phrase; several phrases for one value are separated by `|`."""
    return {words_of(phrase): value for line, value in table.items() for phrase in line.split("|")}


def numbered_words(forms: str, first: int = 1, step: int = 1) -> dict[str, int]:
    """Map folded words to consecutive numbers from the first; other forms of a number follow a `/`."""
    lines = enumerate(forms.split())
    return {folded(word): first + step * at for at, line in lines for word in line.split("/")}


def endings(text: str) -> tuple[str, ...]:
    """Endings of folded words, written as one text."""
    return tuple(folded(one) for one in text.split())


def value_at(table: Mapping[tuple[str, ...], Value], said: tuple[str, ...], at: int) -> tuple[Value, int] | None:
    """The value of the longest phrase of a table that begins at a place, and the place after it."""
    for stop in range(at + LONGEST_PHRASE, at, -1):
        value = table.get(said[at:stop])
        if value is not None:
            return value, stop
    return None


def length_at(table: Phrases, said: Sequence[str], at: int) -> int:
    """Return the number of words in the longest phrase of a table at a position; 0 if there is none."""
    for phrase in table.get(said[at], ()):
        if tuple(said[at : at + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def is_one_of(table: Phrases, said: Sequence[str]) -> bool:
    """True if the words as a whole are one phrase of a table."""
    return bool(said) and tuple(said) in table.get(said[0], ())
