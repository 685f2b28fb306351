"""Checks values that a model understood for a field while another question is open (law 7.1a).

The quoted words of an answer may mean its value in any way, for its question says what they are about. For any other
field a message must name the value, or speak of the field: else any words would do for any value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.commands.assent import sentence_around
from turnwise.core.commands.numerals import numbers_in
from turnwise.core.commands.quotes import place_of, places_of
from turnwise.core.language import Language, language_of
from turnwise.core.language.answers import cautions_of, denials_of, is_idle, plain_answer, words_of
from turnwise.core.state import commands as c
from turnwise.core.values.from_model import list_in
from turnwise.core.values.json_data import as_list
from turnwise.core.values.yes_no import answer_options
from turnwise.flow.model import Option

_LEAST_STEM = 4
_ENDING = 2
"""So many letters at the end of a word may change with its form, and with the language (`Spanish`, `Spanisch`)."""
_TIMES = ("date", "time", "datetime", "duration")
_COPIED = ("email", "phone")


def may_be_given_unasked(shown: AllowedField, allowed: AllowedInput) -> bool:
    """Return whether a message may set a field although the question of another one is open, or would come first, or a
    form asks to be confirmed.
    """
    asked = allowed.asked or allowed.first
    if shown.field.parts and _is_in_list(asked, shown):
        return False
    return allowed.question == "confirmation" or asked not in ("", shown.address)


def _is_in_list(asked: str, shown: AllowedField) -> bool:
    """Return whether the open question is about a list of records: whether to add to it, or a field of an item."""
    record = asked.rpartition(".")[0].rpartition("/")[2]
    return asked == shown.address or asked.startswith(f"{shown.address}[") or record == shown.field.of


class Unasked:
    """Checks the values that a model proposes, from one message, for fields whose question is not open.

    `said_before` is what was said to the user just before: a plain yes stands for it.
    """

    def __init__(
        self, message: str, allowed: AllowedInput, commands: Sequence[c.AnyCommand], said_before: str = ""
    ) -> None:
        self.allowed = allowed
        self.language: Language = language_of(allowed.language, allowed.phrases)
        self.message = message
        self.text = said_before if plain_answer(self.language, message, "true") else message
        self.words = words_of(self.text)
        self.values = [one for one in commands if isinstance(one, c.Set | c.Add) and not one.objection]

    def is_named(self, command: c.Set | c.Add, shown: AllowedField, *, is_read: bool) -> bool:
        """Return whether the message names a command's value or field. `is_read` is true if the offline rules read the
        quoted words as that value.
        """
        value = command.value if isinstance(command, c.Set) else command.item
        field = shown.field
        kind = (field.of or "string") if field.type == "list" else field.type
        items = as_list(list_in(value)) if field.type == "list" else None
        values: list[Any] = [value] if items is None else items
        is_yes_no = kind == "boolean" or bool(field.options and answer_options(field.options, self.allowed.language))
        has_field = self._speaks_of(shown, command, with_question=is_yes_no or (kind == "string" and not field.options))
        if is_yes_no:
            return has_field
        if field.options:
            return has_field or all(self._names_option(one, field.options, command) for one in values)
        if kind in _COPIED:
            return has_field or not self._is_repeated(command, value)
        stands = all(self._stands(one) for one in values)
        if kind == "string":
            return stands and (has_field or self._may_be_beside(command, shown, values))
        if kind in _TIMES and is_read:
            return has_field or not (self._is_repeated(command, value) or self._has_words_of_answer(command))
        return has_field or ((stands or is_read) and self._may_be_beside(command, shown, values))

    def is_named_in_item(self, command: c.Set | c.ItemCommand, shown: AllowedField, value: Any) -> bool:
        """Return whether the message names a value that a command sets in an item, or the field of that value."""
        field = shown.field
        kind = (field.of or "string") if field.type == "list" else field.type
        items = as_list(list_in(value)) if field.type == "list" else None
        values: list[Any] = [value] if items is None else items
        is_one = kind in ("integer", "number") and values == [1]
        if is_one or kind in _COPIED or kind in _TIMES or self._speaks_of(shown, command, with_question=True):
            return True
        if kind == "boolean" or (field.options and answer_options(field.options, self.allowed.language)):
            return False
        if field.options:
            return all(self._names_option(one, field.options, command) for one in values)
        return all(self._stands(one) for one in values)

    # what the message has ---------------------------------------------------------------------

    def _speaks_of(self, shown: AllowedField, command: c.AnyCommand, *, with_question: bool) -> bool:
        """Return whether the sentence of a value has a word that only this field has, in its name or also in its
        question. The words of a question say too little where quoted words may mean the value in any way.
        """
        start, end = (0, 0) if command.words is None else sentence_around(command.words, self.message)
        said = words_of(self.message[start:end]) if command.words is not None else self.words
        others = {word for one in self.allowed.fields if one is not shown for word in self._words_of_field(one)}
        known = self._words_of_field(shown, with_question=with_question)
        own = [word for word in known if not any(_is_alike(word, one) for one in others)]
        return any(_is_alike(word, one) for word in own for one in said)

    def _words_of_field(self, shown: AllowedField, *, with_question: bool = True) -> Iterator[str]:
        """Yield the words of a field that have a meaning of their own."""
        texts = (shown.field.name.replace("_", " "), *((shown.title, shown.field.about) if with_question else ()))
        for text in texts:
            for word in words_of(text):
                if len(word) >= _LEAST_STEM and not self._is_idle(word):
                    yield word

    def _names_option(self, value: Any, options: Sequence[Option], command: c.AnyCommand) -> bool:
        """Return whether the message has a word that only this option has, or all words of one of its names. A form
        of a word does not count inside the answer to another question: `Mr. Fisher` does not order fish.
        """
        chosen = next((one for one in options if one.value == value), Option(str(value)))
        names = [words_of(name) for name in (chosen.value, *chosen.words)]
        others = {
            word for one in options if one is not chosen for name in (one.value, *one.words) for word in words_of(name)
        }
        own = {word for name in names for word in name if not any(_is_alike(word, one) for one in others)}
        telling = {word for word in own if len(word) >= _LEAST_STEM and not self._is_idle(word)}
        if not telling.isdisjoint(self.words) or any(name and set(name) <= set(self.words) for name in names):
            return True
        return any(_is_alike(word, one) for word in telling for one in words_of(self._beside_answers(command)))

    def _beside_answers(self, command: c.AnyCommand) -> str:
        """Return the text without the other values that stand in it."""
        text = self.text
        others = [one for one in self.values if one is not command] if self.text is self.message else []
        for place in filter(None, map(self._place_of, others)):
            text = text[: place[0]] + " " * (place[1] - place[0]) + text[place[1] :]
        return text

    def _stands(self, value: Any) -> bool:
        """Return whether a value stands in the message, in any form of its words."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value in numbers_in(self.text)
        said = words_of(str(value))
        if any(char.isdigit() for char in str(value)) and not any(word.isalpha() for word in said):
            return not numbers_in(str(value), are_parts=True).isdisjoint(numbers_in(self.text, are_parts=True))
        telling = [word for word in said if not self._is_idle(word)] or said
        return place_of(str(value), self.text) is not None or (bool(telling) and self._has_all(telling))

    def _is_idle(self, word: str) -> bool:
        return is_idle(self.language, word, with_function_words=True)

    def _has_all(self, words: Sequence[str]) -> bool:
        return all(any(_is_alike(word, one) for one in self.words) for word in words)

    # what else the message says -----------------------------------------------------------------

    def _may_be_beside(self, command: c.Set | c.Add, shown: AllowedField, values: Sequence[Any]) -> bool:
        """Return whether words may be a value beside the answer to the open question: they are an item to add, they
        correct the value of the field, or the question has an answer in other words of the message.
        """
        if isinstance(command, c.Add) or not (self.allowed.asked or self.allowed.question):
            return True
        if shown.value is not None and self._corrects(shown, values):
            return True
        answers = self._answers
        if any(one.words and command.words and _overlap(one.words, command.words) for one in answers):
            return False
        if not answers or self._is_repeated(command, command.value):
            return False
        places = [place for one in values for place in places_of(one, (), self.message)]
        taken = [place for one in answers if (place := self._place_of(one)) is not None]
        if not places and command.words is not None:  # an inflected word
            places = [command.words]
        return any(not any(start <= place[0] and place[1] <= end for start, end in taken) for place in places)

    def _corrects(self, shown: AllowedField, values: Sequence[Any]) -> bool:
        """Return whether a message replaces the value of a field: it names the old one, or denies or changes something
        right after the answer, or at the summary, where the new value may also stand alone.
        """
        if self._stands(shown.value):
            return True
        is_at_summary = self.allowed.question == "confirmation"
        if not (is_at_summary or self.allowed.last == shown.address):
            return False
        new = {word for one in values for word in words_of(str(one))}
        is_text = any(isinstance(one, str) and not any(map(str.isdigit, one)) for one in values)
        rest = [word for word in self.words if word not in new]
        if any(self._is_change(word) for word in rest):
            return True
        return is_at_summary and is_idle(self.language, " ".join(rest), with_function_words=not is_text)

    def _is_change(self, word: str) -> bool:
        """Return whether a word denies or changes what was said: a word of caution with a meaning, or a negation."""
        denials = denials_of(self.language.code)
        if word in denials.negators or word in denials.contrasts:
            return True
        return word in cautions_of(self.language) and not self._is_idle(word)

    @property
    def _answers(self) -> list[c.Set | c.Add]:
        """What is proposed for the open question."""
        return [one for one in self.values if one.field == self.allowed.asked]

    def _has_words_of_answer(self, command: c.Set | c.Add) -> bool:
        """Return whether just the same words answer the open question, and are no day or time there."""
        shown = self.allowed.field(self.allowed.asked)
        is_time = shown is not None and shown.field.type in _TIMES
        return not is_time and any(one.words == command.words for one in self._answers)

    def _is_repeated(self, command: c.Set | c.Add, value: Any) -> bool:
        """Return whether another field gets the same value: one word answers one question."""
        said = str(value).casefold()
        return any(
            one is not command and one.field != command.field and str(_value_of(one)).casefold() == said
            for one in self.values
        )

    def _place_of(self, command: c.Set | c.Add) -> tuple[int, int] | None:
        """Return where the value of an answer stands, else the words that it quotes."""
        value = _value_of(command)
        places = [] if isinstance(value, list | dict) else list(places_of(value, (), self.message))
        return places[0] if places else command.words


def _value_of(command: c.Set | c.Add) -> Any:
    return command.value if isinstance(command, c.Set) else command.item


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _is_alike(one: str, other: str) -> bool:
    """Return whether two words are forms of the same word."""
    if one == other:
        return True
    least = min(len(one), len(other))
    stem = max(_LEAST_STEM, least - _ENDING)
    return least >= _LEAST_STEM and one[:stem] == other[:stem]
