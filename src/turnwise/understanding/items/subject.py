"""The list of records that a message may be about: its items as they stand, and the readers of their fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.commands.item_support import input_of_item, items_of
from turnwise.core.values import is_free_text
from turnwise.core.values.items import has_values
from turnwise.flow.model import Field
from turnwise.understanding.labels import name_words
from turnwise.understanding.situation import Situation, situation_of
from turnwise.understanding.tokens import stems_of, words_of
from turnwise.understanding.vocabulary import item_words
from turnwise.understanding.vocabulary.item_shape import ItemWords

_NUMBERS = ("integer", "number")
_FREE = ("string", "email", "phone")
KnownText = tuple[str, str]
"""The name of a field, and the text that an item has there."""


class Subject(Struct, frozen=True):
    """A list of records in its conversation.

    `fields` reads the fields of an item, by their names; `nouns` are the stems of words for one item, `texts` the
    words of texts that items have. `is_open` is true where the question for the list is open, or the
    list has no items and no other question is open. `spoken_of` is
    the id of the item that the message itself spoke of last, empty where that was none, or several.
    """

    field: AllowedField
    fields: Situation
    items: tuple[Mapping[str, Any], ...]
    words: ItemWords
    nouns: frozenset[str]
    texts: Mapping[tuple[str, ...], tuple[KnownText, ...]]
    is_open: bool
    spoken_of: str | None = None

    @property
    def parts(self) -> tuple[Field, ...]:
        """The fields of an item."""
        return self.field.field.parts

    def part(self, name: str) -> AllowedField:
        """Return a field of an item."""
        return next(one for one in self.fields.allowed.fields if one.address == name)

    def is_list(self, name: str) -> bool:
        """True if a field of an item holds a list."""
        return self.part(name).field.type == "list"

    def is_yes_or_no(self, name: str) -> bool:
        """True if a field of an item is a yes or a no."""
        return self.part(name).field.type == "boolean"

    def leaves_out(self, name: str) -> bool:
        """True if a list field holds what an item is to be without."""
        part = self.part(name)
        said = {*name_words(part), *words_of(part.title)}
        return self.is_list(name) and not said.isdisjoint(self.words.leaving_out)

    def numbers(self) -> list[str]:
        """The fields of an item that hold numbers."""
        return [part.name for part in self.parts if part.type in _NUMBERS and not part.options]

    def quantity(self) -> str:
        """The field for how many of an item there are; empty if there is none."""
        for name in self.numbers():
            part = self.part(name)
            if not self.words.counting.isdisjoint((*name_words(part), *words_of(part.title))):
                return name
        return ""

    def has_names(self) -> bool:
        """True where an item is first of all a text of its own, such as a name."""
        return is_free_text(self.parts[0])

    def having(self, wanted: Mapping[str, Any]) -> list[str]:
        """Return the ids of the items that have some values."""
        return [one["id"] for one in self.items if has_values(dict(one), dict(wanted))]

    def item(self, id_: str) -> Mapping[str, Any]:
        """Return an item by its id."""
        return next(one for one in self.items if one["id"] == id_)

    def last(self) -> str:
        """The id of the item that was spoken of or changed last, else of the last item; empty where there is none."""
        if self.spoken_of is not None:
            return self.spoken_of
        known, changed = [str(one["id"]) for one in self.items], self.field.item
        if changed is None and known:
            return known[-1]
        return changed if changed is not None and changed in known else ""


def subjects_of(situation: Situation) -> Iterator[Subject]:
    """Yield the lists of records that a message may change."""
    for field in situation.allowed.fields:
        if field.field.type != "list" or not field.field.parts or field.field.secret:
            continue
        asked = situation.allowed.asked
        known = items_of(field)
        fields = situation_of(input_of_item(field, situation.allowed))
        if fields is None or any("id" not in one for one in known):
            continue
        yield Subject(
            field=field,
            fields=fields,
            items=tuple(known),
            words=item_words(situation.vocabulary.code),
            nouns=_nouns(field, situation),
            texts=_texts(field.field.parts, known),
            is_open=asked == field.address or (not asked and not known),
            spoken_of=None if _is_in_focus(field, situation.allowed) else "",
        )


def _is_in_focus(field: AllowedField, allowed: AllowedInput) -> bool:
    """True unless another field is asked for or was answered last, so that `it` may mean that one."""
    cell = f"{field.address}["
    return all(not one or one == field.address or one.startswith(cell) for one in (allowed.asked, allowed.last))


def _nouns(field: AllowedField, situation: Situation) -> frozenset[str]:
    """Return the stems of words for one item: of the record, and of the list."""
    name = field.address.rpartition(".")[2].replace("_", " ")
    said = {*words_of((field.field.of or "").replace("_", " ")), *words_of(name)}
    return stems_of(said, situation.vocabulary.endings)


def _texts(parts: tuple[Field, ...], items: list[dict[str, Any]]) -> dict[tuple[str, ...], tuple[KnownText, ...]]:
    """Return the texts that items have, by their words; each also by its first word, where only one text has it."""
    found: dict[tuple[str, ...], set[KnownText]] = {}
    for part in parts:
        if part.type not in _FREE or part.options or part.secret:
            continue
        for text in {one[part.name] for one in items if isinstance(one.get(part.name), str)}:
            if said := words_of(text):
                found.setdefault(said, set()).add((part.name, text))
                found.setdefault(said[:1], set()).add((part.name, text))
    return {said: tuple(sorted(some)) for said, some in found.items() if len(some) == 1 or len(said) > 1}
