"""Tables of words and phrases: how they are written, and how a phrase is found in a message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from turnwise.understanding.tokens import folded, is_plain, words_of

Value = TypeVar("Value")
"""The type of the values of a word table."""
Phrases = Mapping[str, tuple[tuple[str, ...], ...]]
"""Phrases as folded words, by their first word, longest first."""


LONGEST_PHRASE = 5
"""How many words a phrase that stands for a value has at most."""


def words(text: str) -> frozenset[str]:
    """Return the folded words of a text that are separated by spaces."""
    return frozenset(folded(text).split())


def phrases(lines: str | Iterable[str]) -> Phrases:
    """Return phrases (one per line, or separated by `|`), folded and keyed by their first word."""
    text = folded(lines if isinstance(lines, str) else "\n".join(lines))
    found: dict[str, set[tuple[str, ...]]] = {}
    for line in text.replace("|", "\n").split("\n"):
        phrase = tuple(line.split()) if is_plain(line) else words_of(line)
        if phrase:
            found.setdefault(phrase[0], set()).add(phrase)
    return {first: tuple(sorted(some, key=lambda p: (-len(p), p))) for first, some in found.items()}


def by_word(table: Mapping[str, Value]) -> dict[str, Value]:
    """Return a table keyed by folded word; in a key of `table`, spaces separate several words for one value."""
    return {folded(word): value for line, value in table.items() for word in line.split()}


def by_phrase(table: Mapping[str, Value]) -> dict[tuple[str, ...], Value]:
    """Return a table keyed by folded phrase; in a key of `table`, `|` separates several phrases for one value."""
    return {words_of(phrase): value for line, value in table.items() for phrase in line.split("|")}


def numbered_words(forms: str, first: int = 1, step: int = 1) -> dict[str, int]:
    """Return consecutive numbers keyed by folded word, from `first` on; `/` separates forms of the same number."""
    lines = enumerate(forms.split())
    return {folded(word): first + step * at for at, line in lines for word in line.split("/")}


def endings(text: str) -> tuple[str, ...]:
    """Return the folded endings of a text that are separated by spaces."""
    return tuple(folded(one) for one in text.split())


def value_at(table: Mapping[tuple[str, ...], Value], said: tuple[str, ...], at: int) -> tuple[Value, int] | None:
    """Return the value of the longest phrase that begins at index `at` of `said`, and the index after it; `None` if
    none does.
    """
    for stop in range(at + LONGEST_PHRASE, at, -1):
        value = table.get(said[at:stop])
        if value is not None:
            return value, stop
    return None


def length_at(table: Phrases, said: Sequence[str], at: int) -> int:
    """Return the number of words in the longest phrase of a table at index `at` of `said`; 0 if there is none."""
    for phrase in table.get(said[at], ()):
        if tuple(said[at : at + len(phrase)]) == phrase:
            return len(phrase)
    return 0


def is_one_of(table: Phrases, said: Sequence[str]) -> bool:
    """Return whether the words as a whole are one phrase of a table."""
    return bool(said) and tuple(said) in table.get(said[0], ())
