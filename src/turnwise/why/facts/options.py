"""Which options of a field a message names, by the words that the flow gives them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from turnwise.flow.model import Field
from turnwise.understanding.tokens import words_of


class OptionNamed(NamedTuple):
    """An option that a message names: its value, the word of the flow for it, and where that stands in the words of the
    message. `is_further` is true for a further word, which is not the option itself.
    """

    value: str
    word: str
    first: int
    stop: int
    is_further: bool


def options_named(field: Field, text: str) -> list[OptionNamed]:
    """Return the options that a text names, in its order. Words inside a longer word for an option name none."""
    found = list(_named(field, words_of(text)))
    whole = [one for one in found if not any(_is_inside(one, other) for other in found)]
    return sorted(whole, key=lambda one: one.first)


def _named(field: Field, said: tuple[str, ...]) -> Iterator[OptionNamed]:
    for option in field.options:
        for word in dict.fromkeys((option.value, *option.words)):
            words = words_of(word)
            for first in range(len(said) - len(words) + 1) if words else ():
                if said[first : first + len(words)] == words:
                    yield OptionNamed(option.value, word, first, first + len(words), word != option.value)


def _is_inside(one: OptionNamed, other: OptionNamed) -> bool:
    is_shorter = one.stop - one.first < other.stop - other.first
    return is_shorter and other.first <= one.first and one.stop <= other.stop
