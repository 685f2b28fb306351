"""Finds the field that a question of a user names: by its whole title, or by one of its options."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.machine import Machine
from turnwise.why.answer import Subject
from turnwise.why.kind_words import IGNORED
from turnwise.why.names import words_in


def field_named(machine: Machine, question: str) -> Subject | None:
    """Return the field that a question names by all words of its title or an option; `None` if none is named.
    Of several fields the best named one; `None` if two are named equally well.
    """
    words = frozenset(words_in(question))
    found: dict[str, int] = {}
    for address, names in _names(machine):
        most = max((len(own) for own in names if own and own <= words), default=0)
        if most:
            found[address] = most
    best = [address for address, most in found.items() if most == max(found.values())]
    return Subject("field", best[0]) if len(best) == 1 else None


def _names(machine: Machine) -> Iterator[tuple[str, list[frozenset[str]]]]:
    """Yield each field with the words of its title, and of each option."""
    for address, field in machine.fields.items():
        texts = (machine.short_title(address), *[option.value for option in field.options])
        yield address, [frozenset(words_in(text)) - IGNORED for text in texts]
