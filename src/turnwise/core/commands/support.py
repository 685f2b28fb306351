"""Checks what a model understood against the words of the message that it quotes (law 7.1a). A command without support
is not dropped: it carries its objection, for which the machine refuses it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.commands.assent import (
    HARMLESS,
    contradicts_itself,
    is_plainly_stated,
    objection_to_yes,
    sentence_around,
)
from turnwise.core.commands.denial import asks_for_something, has_denial, is_denied, is_left_open
from turnwise.core.commands.item_support import given_values, is_about_items
from turnwise.core.commands.numerals import NUMERAL, has_address, has_phone, numbers_in
from turnwise.core.commands.quotes import occurs, place_of, places_of
from turnwise.core.language import Language, is_question, language_of, normalized
from turnwise.core.language.answers import cautions_of, is_idle, plain_answer, words_of
from turnwise.core.state import commands as c
from turnwise.core.values.from_model import list_in
from turnwise.core.values.yes_no import answer_options
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field, FieldType

_PLACEHOLDERS = frozenset(
    """
    null|none|nil|undefined|unknown|n/a|na|nan|tbd|tba|empty|blank|missing|unspecified|placeholder|example|string|text
    value|not provided|not specified|not given|not mentioned|not stated|not known|not available|no value|no answer
    unbekannt|leer|k.a|ka|keine angabe|nicht angegeben|nicht bekannt|nicht genannt
    """.replace("\n", "|")
    .replace("    ", "")
    .split("|")
)
_MARKED = late_pattern(r"<.*>|\[.*\]|\{.*\}|\W*|_+", re.DOTALL)
_LEAST_YEAR = 1000
_UNITS = (1, 60, 3600, 86400, 604800)


class Evidence(Struct, frozen=True):
    """The evidence for understood values: the message, what it may set, and what the user was asked."""

    message: str
    """The text of the message."""
    allowed: AllowedInput
    """The fields and commands that the message may use."""
    said_before: str
    """The text that the user was asked before the message."""
    language: Language

    others: tuple[c.AnyCommand, ...] = ()
    """The other commands proposed for the message."""

    @property
    def asks(self) -> bool:
        """True if the message asks something that is answered aside."""
        return any(isinstance(one, c.Ask) for one in self.others)

    def without_others(self, command: c.AnyCommand) -> str:
        """Return the message with blanks in place of the words that other commands quote."""
        message = self.message
        for one in self.others:
            if one is not command and isinstance(one, c.Set | c.ItemCommand) and one.words is not None:
                start, end = one.words
                message = message[:start] + " " * (end - start) + message[end:]
        return message

    def quoted(self, command: c.AnyCommand) -> str:
        """Return the words of the message that a command quotes; empty if it quotes none."""
        return "" if command.words is None else self.message[slice(*command.words)]


def with_objections(
    commands: Sequence[c.AnyCommand],
    misquoted: Sequence[bool],
    message: str,
    allowed: AllowedInput,
    said_before: str = "",
) -> tuple[c.AnyCommand, ...]:
    """Return the commands, the unsupported ones with an `objection`. `misquoted` is true for each whose quote is not in
    the message; `said_before` is what the user was asked before it.
    """
    evidence = Evidence(message, allowed, said_before, language_of(allowed.language, allowed.phrases), tuple(commands))
    found: list[c.AnyCommand] = []
    for command, is_misquoted in zip(commands, misquoted, strict=True):
        if is_misquoted and (place := _place_of_value(command, evidence)) is not None:
            command, is_misquoted = replace(command, words=place), False  # noqa: PLW2901
        if not is_misquoted or isinstance(command, HARMLESS):  # what changes nothing needs no words
            objection = _objection(command, commands, evidence)
        else:
            objection: c.Objection = "misquoted"
        found.append(replace(command, objection=objection) if objection else command)
    return tuple(found)


def _place_of_value(command: c.AnyCommand, evidence: Evidence) -> tuple[int, int] | None:
    """Return where the value of a command stands in the message, once: a wrong quote takes nothing from such a value,
    which would have support without a quote. `None` where it stands elsewhere or several times, or has no one place.
    """
    if not isinstance(command, c.Set) or isinstance(command.value, bool | list | dict | None):
        return None
    shown = evidence.allowed.field(command.field)
    if shown is None or not str(command.value).strip():
        return None
    places = list(places_of(command.value, shown.field.options, evidence.message))
    return places[0] if len(places) == 1 else None


def _says_no(evidence: Evidence, command: c.AnyCommand) -> bool:
    """Return whether the words of a no say only that."""
    kind = "offer" if evidence.allowed.question == "offer" else "affirm"
    return plain_answer(evidence.language, evidence.quoted(command) or evidence.message, kind) is False


def _objection(command: c.AnyCommand, all_of_them: Sequence[c.AnyCommand], evidence: Evidence) -> c.Objection:
    shown = evidence.allowed.field(str(getattr(command, "field", "")))
    if shown is not None and is_about_items(command, shown):
        return _of_items(command, shown, evidence)
    match command:
        case c.Affirm():
            others = [one for one in all_of_them if not isinstance(one, c.Affirm)]
            return objection_to_yes(evidence.quoted(command), command.words, others, evidence.message, evidence.allowed)
        case c.Set(value=value) | c.Add(item=value):
            return _of_value(value, shown or _unnamed(value), command, evidence)
        case c.Remove(item=item):
            return _of_item(item, command, evidence)
        case c.Deny() if _says_no(evidence, command):
            return ""
        case c.Start(target=target) if not _is_named(target, evidence):
            return "unsupported"
        case c.Why() if not (is_question(evidence.message) or _says_phrase("why", evidence)):
            return "unsupported"
        case c.Start() | c.Edit() if command.words is None:
            return ""
        case _:
            return "" if isinstance(command, HARMLESS) or _may_order(command, evidence) else "unsupported"


def _is_named(target: str, evidence: Evidence) -> bool:
    """Return whether a message has a word by which users name what is to be started: of its name, title or phrases. A
    model may not begin something else because a message has nothing to do with the present question.
    """
    known = next((one for one in evidence.allowed.begins if one.scope == target), None)
    if known is None or evidence.allowed.question == "offer":  # the answer to an offer need not name it
        return True
    texts = (target.replace("_", " "), *known.titles, *known.fixed, *known.gapped)
    names = {word for text in texts for word in words_of(text)}
    telling = {_stem(word) for word in names if not is_idle(evidence.language, word, with_function_words=True)}
    return not telling.isdisjoint(map(_stem, words_of(evidence.message)))


def _stem(word: str) -> str:
    return word[: _LEAST_STEM + 1]


def _says_phrase(kind: str, evidence: Evidence) -> bool:
    """Return whether a message begins or ends with a phrase of a kind (`tell me why`)."""
    said = normalized(evidence.message)
    return any(
        said.startswith(f"{phrase} ") or said.endswith(f" {phrase}") or said == phrase
        for phrase in evidence.language.phrases[kind]
    )


def _may_order(command: c.AnyCommand, evidence: Evidence) -> bool:
    """Return whether the words of a command may ask for it: more than a greeting, and no `what does it cost?`."""
    words = evidence.quoted(command) or evidence.message
    return not (is_idle(evidence.language, words, with_function_words=True) or _asks_for(command, evidence))


def _asks_for(command: c.AnyCommand, evidence: Evidence) -> bool:
    if command.words is None:
        return asks_for_something(evidence.message, evidence.language)
    start, end = sentence_around(command.words, evidence.message)
    return asks_for_something(evidence.message[start:end], evidence.language)


def _of_items(command: c.AnyCommand, shown: AllowedField, evidence: Evidence) -> c.Objection:
    """Return why a command about items of a list has no support: by one of the values that it gives them, or since its
    words ask for nothing; empty if it has.
    """
    if not _may_order(command, evidence):
        return "unsupported"
    for field, value in given_values(command, shown, evidence.allowed):
        objection = _of_value(value, field, command, evidence)
        if objection:
            return objection
    return ""


def _of_item(item: Any, command: c.Remove, evidence: Evidence) -> c.Objection:
    """Return why an item that is to leave a list has no support, empty if it has."""
    shown = evidence.allowed.field(command.field) or _unnamed(item)
    if _stands_in(item, shown.field, evidence.message, evidence.language):
        return ""
    return "" if _may_order(command, evidence) else "unsupported"


def _unnamed(value: Any) -> AllowedField:
    """A field for a value that a correction names without its field."""
    match value:
        case bool():
            kind: FieldType = "boolean"
        case int() | float():
            kind = "number"
        case list():
            kind = "list"
        case _:
            kind = "string"
    return AllowedField("", Field("", kind))


def _of_value(value: Any, shown: AllowedField, command: c.AnyCommand, evidence: Evidence) -> c.Objection:
    """Return why a value has no support, empty if it has."""
    field = shown.field
    value = list_in(value) if field.type == "list" else value
    if _is_placeholder(value, field, evidence.message):
        return "no_value"
    quoted = evidence.quoted(command)
    answers = answer_options(field.options, evidence.allowed.language) if field.options else _BOOLEANS
    if field.type == "boolean" or (field.options and answers):
        says = next((said for said, option in answers.items() if option == value), None)
        if says is not None:
            return _of_answer(shown, command, evidence, says=says)
    if _is_taken_back(value, field, command, evidence):
        return "unsupported"
    if _stands_in(value, field, evidence.message, evidence.language):
        return ""
    if plain_answer(evidence.language, quoted or evidence.message, "true") and evidence.said_before:
        return "" if _stands_in(value, field, evidence.said_before, evidence.language) else "unsupported"
    return "" if quoted and _may_mean(value, field, quoted, evidence) else "unsupported"


def _is_taken_back(value: Any, field: Field, command: c.AnyCommand, evidence: Evidence) -> bool:
    """Return whether the message denies a value, or leaves it open, wherever it has it (`not Bob`, `Rome or Paris`)."""
    message, language = evidence.message, evidence.language
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        return any(_is_taken_back(one, field, command, evidence) for one in items)
    places = list(places_of(value, field.options, message))
    if not places and command.words is not None and not _is_text(value, field):
        if all(has_denial(piece, language) for piece in re.split(r"[,.;!?]", evidence.quoted(command))):
            return True
        places = [command.words]
    return bool(places) and all(
        is_denied(place, message, language) or is_left_open(place, message, language) for place in places
    )


_BOOLEANS: Mapping[bool, Any] = {True: True, False: False}


def _of_answer(shown: AllowedField, command: c.AnyCommand, evidence: Evidence, *, says: bool) -> c.Objection:
    """Return why a yes or no has no support: the message contradicts itself, or says the other, or nothing of it."""
    language, quoted = evidence.language, evidence.quoted(command)
    said = plain_answer(language, quoted or evidence.message, "true")
    if said is (not says) or contradicts_itself(quoted or evidence.message, language):
        return "unsupported"
    if said is not None and quoted:
        message = evidence.without_others(command)
        is_so = not contradicts_itself(message, language) and is_plainly_stated(
            command.words,
            message,
            language,
            may_ask=evidence.asks,
            may_touch=_speaks_of(shown, message),
            is_yes=says,
        )
        return "" if is_so else "no_plain_yes"
    if said is None and quoted:
        is_said = _may_answer(quoted, language) and not (says and _is_denied_by(shown, command, evidence))
        return "" if is_said and not _asks_for(command, evidence) else "unsupported"
    return "" if said is not None or _speaks_of(shown, evidence.message) else "unsupported"


def _may_answer(quoted: str, language: Language) -> bool:
    """Return whether words may say yes or no in their own way: no doubt, question or "I don't know"."""
    if is_idle(language, quoted) or is_question(quoted) or _is_ignorance(quoted, language):
        return False
    cautions = cautions_of(language)
    rest = " ".join([word for word in words_of(quoted) if word not in cautions])
    return has_denial(quoted, language) or not is_idle(language, rest, with_function_words=True)


def _is_ignorance(quoted: str, language: Language) -> bool:
    """Return whether words only say that the answer is not known."""
    said = normalized(quoted)
    rests = [said.removesuffix(phrase) for phrase in language.phrases["dont_know"] if said.endswith(phrase)]
    return any(is_idle(language, rest, with_function_words=True) for rest in rests)


def _is_denied_by(shown: AllowedField, command: c.AnyCommand, evidence: Evidence) -> bool:
    """Return whether a message denies what a yes-or-no field asks, in its own words (`I don't smoke`)."""
    place, language = command.words, evidence.language
    if place is None or not _speaks_of(shown, evidence.quoted(command)) or has_denial(shown.title, language):
        return False
    return has_denial(evidence.quoted(command), language) or is_denied(place, evidence.message, language)


_LEAST_STEM = 4


def _speaks_of(shown: AllowedField, message: str) -> bool:
    """Return whether a message has a word of a field's name, question or options."""
    field = shown.field
    texts = (field.name.replace("_", " "), shown.title, field.about, *(option.value for option in field.options))
    known = {word[: _LEAST_STEM + 1] for text in texts for word in words_of(text) if len(word) >= _LEAST_STEM}
    return any(word[: _LEAST_STEM + 1] in known for word in words_of(message))


def _is_placeholder(value: Any, field: Field, message: str) -> bool:
    """Return whether a value only stands for a missing one, and is neither an option nor what the message says."""
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        return any(_is_placeholder(one, field, message) for one in items)
    if not isinstance(value, str) or field.options:
        return False
    text = " ".join(value.casefold().split()).strip("\"'.")
    if _MARKED.fullmatch(text):
        return message.strip() != value.strip()
    return text in _PLACEHOLDERS and not occurs(value, message)


def _stands_in(value: Any, field: Field, text: str, language: Language) -> bool:
    """Return whether a value itself stands in a text."""
    if isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        return all(_stands_in(one, field, text, language) for one in items)
    if isinstance(value, bool):
        return plain_answer(language, text, "true") is value
    if isinstance(value, int | float):
        divisors = _UNITS if field.type == "duration" or field.of == "duration" else (1,)
        return any(value / unit in numbers_in(text) for unit in divisors)
    said = str(value)
    if field.options:
        names = [
            (option.value, *option.words) for option in field.options if option.value.casefold() == said.casefold()
        ]
        return any(occurs(name, text) for name in (*(names[0] if names else ()), said) if name)
    kind = field.of or field.type if field.type == "list" else field.type
    if kind in ("integer", "number"):
        return occurs(said, text) or not numbers_in(said).isdisjoint(numbers_in(text))
    if kind in ("date", "time", "datetime", "duration"):
        known = numbers_in(said, are_parts=True)
        telling = {number for number in known if 0 < number < _LEAST_YEAR} or known
        return occurs(said, text) or not telling.isdisjoint(numbers_in(text, are_parts=True))
    if kind in _EXACT:
        return _EXACT[kind](said, text)
    return occurs(said, text) or set(words_of(said)) <= set(words_of(text))


_EXACT: Mapping[str, Callable[[str, str], bool]] = {"email": has_address, "phone": has_phone}
"""Types whose values are copied from a message, not understood."""


def _is_text(value: Any, field: Field) -> bool:
    return isinstance(value, str) and not field.options and (field.of or field.type) in ("string", "list")


def _may_mean(value: Any, field: Field, quoted: str, evidence: Evidence) -> bool:
    """Return whether quoted words may be another way to say a value: they speak of something, not of another number."""
    if (field.of or field.type) in _EXACT:
        return False
    if isinstance(value, list):  # what its items are not named by
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        quoted = _without(items, field, quoted, evidence)
    is_text = _is_text(value, field)
    if is_idle(evidence.language, quoted, with_function_words=is_text):
        return False
    if (is_text or field.options) and _asks(quoted, evidence.message):
        return False
    is_number = isinstance(value, int | float) or field.type in ("integer", "number")
    rest = NUMERAL.sub(" ", quoted)
    cautions = cautions_of(evidence.language)
    small = " ".join([word for word in words_of(rest) if word not in cautions])
    return not (is_number and rest != quoted and is_idle(evidence.language, small, with_function_words=True))


def _without(items: Sequence[Any], field: Field, quoted: str, evidence: Evidence) -> str:
    """Return quoted words without the items of a list that stand there."""
    words = words_of(quoted)
    said = {word for one in items if _stands_in(one, field, quoted, evidence.language) for word in words_of(str(one))}
    return " ".join([word for word in words if word not in said])


def _asks(quoted: str, message: str) -> bool:
    """Return whether quoted words end a sentence that is a question."""
    place = place_of(quoted, message)
    rest = message[place[1] :] if place is not None else quoted
    return bool(re.match(r"[^.!\n]*\?", rest)) or quoted.rstrip().endswith("?")
