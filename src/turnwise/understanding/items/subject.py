"""The list of records that a message may be about: its items as they stand, and the readers of their fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.commands.item_support import input_of_item, items_of
from turnwise.core.state.commands import ItemRef
from turnwise.core.values import is_free_text
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field
from turnwise.understanding.labels import name_words
from turnwise.understanding.left_out import leaves_out
from turnwise.understanding.situation import Situation, situation_of
from turnwise.understanding.tokens import stems_of, words_of
from turnwise.understanding.vocabulary import item_words
from turnwise.understanding.vocabulary.item_shape import ItemWords

_NUMBERS = ("integer", "number")
_FREE = ("string", "email", "phone")
KnownText = tuple[str, str]
"""The name of a field, and the text that an item has there."""
Known = tuple[KnownText, ...]
"""The texts of items that are written with the same words."""
_MARKS = late_pattern(r"[\W_]+")


class Subject(Struct, frozen=True):
    """A list of records that a message may be about, as it is in the conversation now."""

    field: AllowedField
    """The field that holds the list."""
    fields: Situation
    """The fields of an item, by which values in the message are read."""
    items: tuple[Mapping[str, Any], ...]
    """The items as they are stored, in order: each its `id` and its values by field name."""
    words: ItemWords
    """The phrases of the language about items."""
    nouns: frozenset[str]
    """The stems of nouns that mean an item of the list."""
    texts: Mapping[tuple[str, ...], Known]
    """The texts that items have, keyed by the folded words of the text."""
    is_open: bool
    """True if the question for the list is open, or if the list is empty and no other question is open."""
    is_making: bool = False
    """True if a question for an item that is being made is open."""
    is_beside_text: bool = False
    """True if another question for free text is open."""
    is_choice: bool = False
    """True if the user is asked which item is meant."""
    spoken_of: str | None = None
    """The id of the item that the message spoke of last; empty if it was none or several; `None` if not yet any."""

    @property
    def item_fields(self) -> tuple[Field, ...]:
        """The fields of an item, in order."""
        return self.field.field.parts

    def part(self, name: str) -> AllowedField:
        """Return the field of an item whose name is `name`."""
        return next(one for one in self.fields.allowed.fields if one.address == name)

    def is_list(self, name: str) -> bool:
        """Return whether a field of an item holds a list."""
        return self.part(name).field.type == "list"

    def is_yes_or_no(self, name: str) -> bool:
        """Return whether a field of an item is a yes or a no."""
        return self.part(name).field.type == "boolean"

    def leaves_out(self, name: str) -> bool:
        """Return whether a list field of an item holds what the item is to be without."""
        return leaves_out(self.part(name), self.words)

    def number_fields(self) -> list[str]:
        """Return the names of the fields of an item that hold numbers."""
        return [part.name for part in self.item_fields if part.type in _NUMBERS and not part.options]

    def quantity_field(self) -> str:
        """Return the name of the field that holds how many of an item there are; empty if there is none."""
        for name in self.number_fields():
            part = self.part(name)
            if not self.words.counting.isdisjoint((*name_words(part), *words_of(part.title))):
                return name
        return ""

    def has_names(self) -> bool:
        """Return whether the items are named by a text, such as a person's name."""
        return is_free_text(self.item_fields[0])

    def items_with(self, wanted: Mapping[str, Any]) -> list[str]:
        """Return the ids of the items that have some values, as fields store them; of a list all wanted entries.

        It calls no function for each item: a list may have hundreds.
        """
        found = list(self.items)
        for name, value in wanted.items():
            if self.is_list(name):
                for entry in value:
                    found = [one for one in found if entry in one.get(name, ())]
            else:
                found = [one for one in found if one.get(name) == value]
        return [one["id"] for one in found]

    def item(self, id_: str) -> Mapping[str, Any]:
        """Return the item that has the id `id_`."""
        return [one for one in self.items if one["id"] == id_][0]  # noqa: RUF015  a generator would be called for each

    def last_item(self) -> str:
        """Return the id of the item that was spoken of or changed last, else of the last item; empty if none."""
        if self.spoken_of is not None:
            return self.spoken_of
        known, changed = [str(one["id"]) for one in self.items], self.field.item
        if changed is None and known:
            return known[-1]
        return changed if changed is not None and changed in known else ""

    def changed_item(self) -> ItemRef:
        """Return the item that was changed last; empty if none was; any item (the machine asks) if it is not certain.
        It is not certain if several items were changed, or if something else was answered since.
        """
        return "" if self.field.item is None else (self.last_item() or {})

    def item_pointed_at(self) -> ItemRef:
        """Return the last item, which a word like `it` may mean; if unclear, any item (the machine asks) or empty."""
        return self.last_item() or ({} if self.is_beside_text else "")


def subjects_of(situation: Situation, message: str) -> Iterator[Subject]:
    """Yield the lists of records that a message may change."""
    for field in situation.allowed.fields:
        if field.field.type != "list" or not field.field.parts or field.field.secret:
            continue
        asked = situation.allowed.asked
        known = items_of(field)
        fields = situation_of(input_of_item(field, situation.allowed))
        if fields is None or [one for one in known if "id" not in one]:
            continue
        yield Subject(
            field=field,
            fields=fields,
            items=tuple(known),
            words=item_words(situation.vocabulary.code),
            nouns=_nouns(field, situation),
            texts=_texts(field.field.parts, known, message),
            is_open=asked == field.address or (not asked and not known),
            is_beside_text=_asks_for_text(situation),
            is_choice=situation.allowed.choosing is not None,
            is_making=situation.asked is not None and situation.is_of_item(situation.asked),
            spoken_of=None if _is_in_focus(field, situation.allowed) else "",
        )


def _asks_for_text(situation: Situation) -> bool:
    """True where the open question takes a text of which nothing is an option."""
    asked = situation.asked
    return asked is not None and asked.is_free_text and not asked.field.options and not situation.is_of_item(asked)


def _is_in_focus(field: AllowedField, allowed: AllowedInput) -> bool:
    """True unless another field is asked for or was answered last, so that `it` may mean that one."""
    cell = f"{field.address}["
    return all(not one or one == field.address or one.startswith(cell) for one in (allowed.asked, allowed.last))


def _nouns(field: AllowedField, situation: Situation) -> frozenset[str]:
    """Return the stems of words for one item: of the record, and of the list."""
    name = field.address.rpartition(".")[2].replace("_", " ")
    said = {*words_of((field.field.of or "").replace("_", " ")), *words_of(name)}
    return stems_of(said, situation.vocabulary.endings)


def _texts(parts: tuple[Field, ...], items: list[dict[str, Any]], message: str) -> dict[tuple[str, ...], Known]:
    """Return the texts that items have and a message may name, by their words; each also by its first word, where only
    one text has it.
    """
    said = {*_MARKS.sub(" ", message.casefold()).split()}
    found: dict[tuple[str, ...], set[KnownText]] = {}
    for part in parts:
        if part.type not in _FREE or part.options or part.secret:
            continue
        texts = list({one[part.name] for one in items if part.name in one and "\0" not in one[part.name]})
        spoken = "\0".join(texts).casefold().replace("-", " ").split("\0")
        known = {text: one.split() for text, one in zip(texts, spoken, strict=True)} if texts else {}
        for text in [text for text, words in known.items() if words and said >= {*words}]:
            found.setdefault(words_of(text), set()).add((part.name, text))
        first = [words[0] for words in known.values() if words and words[0] in said]
        for text in [text for text, words in known.items() if words and first.count(words[0]) == 1]:
            found.setdefault(words_of(text)[:1], set()).add((part.name, text))
    return {words: tuple(sorted(some)) for words, some in found.items() if words}
