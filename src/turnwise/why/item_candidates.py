"""Weighs which items of lists of records a question in words may be about: by their places (`the second pizza`), by the
values that they have or had, and by the names of these values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from turnwise.core.machine import Machine
from turnwise.core.phrase import Phrase
from turnwise.core.state import events as e
from turnwise.core.state.items import ID, Item
from turnwise.core.values.items import parts_by_name
from turnwise.core.values.json_data import as_list
from turnwise.flow.addresses import record_of
from turnwise.flow.model import Field
from turnwise.understanding.vocabulary import LANGUAGE_CODES, load_vocabulary
from turnwise.why.answer import Subject
from turnwise.why.item_names import ItemName, items_at
from turnwise.why.kind_words import IGNORED
from turnwise.why.names import words_in
from turnwise.why.path import on_path
from turnwise.why.query import Query

Likeness = Callable[[str, str], float]
"""A function that returns how alike two texts are, from 0 to 1."""
_PLACED, _VALUED, _NOUN, _PART = 5.0, 4.0, 1.0, 2.5
"""How much counts that a question has the place of an item, all words of one of its values, a word for items of its
list, and a value or the name of a value beside what names the item.
"""
_MOST_REMOVED = 20


class ItemCandidate(NamedTuple):
    """An item of a list, or one of its values, that a question may be about, and how likely it is."""

    subject: Subject
    """The item, or one of its values."""
    weight: float
    """How well the question fits the subject; higher is likelier."""
    because: str
    """The best reason for this subject, in words."""


async def item_candidates(query: Query, said: tuple[str, ...], likeness: Likeness) -> list[ItemCandidate]:
    """Return the items, and their values, that a question names with the words `said`; secrets are not read.
    `likeness` compares two words.
    """
    found: list[ItemCandidate] = []
    for address, field in query.machine.fields.items():
        if field.parts and not field.secret:
            removed = await _removed(query, address)
            found += _of_list(_List(query.machine, address, field, said, likeness), query, removed)
    return found


def hidden_by_items(machine: Machine, found: Iterable[ItemCandidate]) -> Iterator[Subject]:
    """Yield the fields of records that are items of lists which a question names, as they have no value themselves."""
    for one in found:
        record = machine.fields[one.subject.name.partition("[")[0]].of or ""
        yield from (Subject("field", name) for name in machine.fields if record_of(name) == record)


class _List:
    """A list of records, and the words of a question."""

    def __init__(self, machine: Machine, address: str, field: Field, said: tuple[str, ...], likeness: Likeness) -> None:
        self.address = address
        self.words = [word for word in said if word not in IGNORED]
        self.likeness = likeness
        self.places = list(_places(said))
        nouns = {*words_in(field.of or ""), *words_in(address.rpartition(".")[2]), *words_in(machine.title(address))}
        self.is_named = self._has(nouns - IGNORED)
        titles = {name: {*words_in(name), *words_in(part.about)} for name, part in parts_by_name(field).items()}
        self.parts = [name for name, words in titles.items() if self._has(words - IGNORED - nouns)]

    def valued(self, item: Item) -> dict[str, float]:
        """Return the values of an item that the question has words of, with the part of their words that it has."""
        own = {name: {*words_in(_text(value))} - IGNORED for name, value in item.items() if name != ID}
        return {
            name: len(words.intersection(self.words)) / len(words)
            for name, words in own.items()
            if not words.isdisjoint(self.words)
        }

    def _has(self, names: Iterable[str]) -> bool:
        return any(self.likeness(word, own) for own in names for word in self.words)


def _of_list(asked: _List, query: Query, removed: list[Item]) -> Iterator[ItemCandidate]:
    """Yield the items of one list that a question names, and those of their values that it names too."""
    items = items_at(query.state, asked.address)
    values = [asked.valued(item) for item in (*items, *removed)]
    is_about_list = asked.is_named or bool(asked.parts) or any(values[: len(items)])
    placed = {len(items) + at if at < 0 else at for at in asked.places if is_about_list}
    for at, item in enumerate((*items, *removed)):
        shared = values[at]
        alike = max(1, sum(one.keys() >= shared.keys() for one in values)) if shared else 1
        is_placed = at in placed and at < len(items)
        if not is_placed and (not shared or placed):
            continue
        weight = (_PLACED if is_placed else _VALUED * max(shared.values()) / alike) + (_NOUN if asked.is_named else 0.0)
        because = Phrase("the question has its place" if is_placed else "the question has a value of it")
        yield ItemCandidate(_subject(asked.address, item), weight, because)
        for name in asked.parts or (shared if is_placed else ()):
            yield ItemCandidate(_subject(asked.address, item, name), weight + _PART, because)


def _subject(address: str, item: Item, part: str = "") -> Subject:
    return Subject("item", str(ItemName(address, item[ID], part)))


def _text(value: object) -> str:
    entries = as_list(value)
    return " ".join(map(str, entries)) if entries is not None else str(value)


def _places(said: tuple[str, ...]) -> Iterator[int]:
    """Yield the places that words name, from 0: `second`, `2nd`, `zweite`, and -1 for the last."""
    for word in said:
        for code in LANGUAGE_CODES:
            numbers = load_vocabulary(code).numbers
            plain = next((word[: -len(end)] for end in numbers.ordinal_suffixes if word.endswith(end)), "")
            if word in numbers.ordinals:
                yield numbers.ordinals[word] - 1
            elif plain.isdecimal() and int(plain) > 0:
                yield int(plain) - 1
            elif word in numbers.lasts:
                yield -1


async def _removed(query: Query, address: str) -> list[Item]:
    """Return the last items that were removed from a list, with the values that they had."""
    ids: list[str] = []
    found: dict[str, Item] = {}
    async for entry in on_path(query.entries_backwards(e.ItemAdded, e.ItemChanged, e.ItemRemoved, e.Undone)):
        match entry.event:
            case e.ItemRemoved(field=field, id=id_) if field == address and len(ids) < _MOST_REMOVED:
                ids.append(id_)
            case e.ItemAdded(field=field, id=id_, values=values) if field == address and id_ in ids:
                found[id_] = {ID: id_, **values, **found.get(id_, {})}
            case e.ItemChanged(field=field, id=id_, name=name, value=value) if field == address and id_ in ids:
                found[id_] = {name: value, **found.get(id_, {})}
            case _:
                pass
    return [item for item in found.values() if ID in item]
