"""Phrases as data: short templates become sets of phrases, which are found in a sequence of words.

A template is a line such as `(it|that) (is|looks) [all] (right|fine)`: words, choices in parentheses, and what may be
missing in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from turnwise.flow.late_pattern import late_pattern

Table = Mapping[str, tuple[tuple[str, ...], ...]]
"""Phrases by their first word."""
_PIECE = late_pattern(r"\(([^)]*)\)|\[([^]]*)\]|([^\s()\[\]]+)")


def expand(lines: str) -> Iterator[str]:
    """Yield all phrases that templates stand for; there is one template per line."""
    for line in lines.strip().splitlines():
        choices = [_choices(piece) for piece in _PIECE.finditer(line)]
        for words in product(*choices):
            yield " ".join(filter(None, words))


def _choices(piece: re.Match[str]) -> list[str]:
    if piece[3]:
        return [piece[3]]
    return piece[1].split("|") if piece[1] else ["", *piece[2].split("|")]


def table_of(phrases: Iterable[Sequence[str]]) -> Table:
    """Return a table of phrases, each as its words, grouped by first word."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for phrase in phrases:
        if phrase:
            found.setdefault(phrase[0], set()).add(tuple(phrase))
    return {first: tuple(sorted(some)) for first, some in found.items()}


def ends_of(table: Table, words: Sequence[str], at: int) -> Iterator[int]:
    """Yield the indexes, from 0, behind each phrase of a table that begins at word `at`."""
    for phrase in table.get(words[at], ()):
        if tuple(words[at : at + len(phrase)]) == phrase:
            yield at + len(phrase)
