"""Finds the one value that a sentence names without being an answer (`my printer is jammed`, `dinner on 4 December`).

The sentence may state anything about the value, so the value is only suggested: the user is asked whether it is meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from turnwise.core.commands.denial import is_denied, is_limit_or_sum
from turnwise.core.language import Language, is_question
from turnwise.core.language.answers import cautions_of, words_of
from turnwise.core.linked_form import LinkedForm
from turnwise.core.locale import rules_of
from turnwise.core.state import FormRun
from turnwise.core.state.commands import DropReason
from turnwise.core.state.events import Understood
from turnwise.core.turn import StepBuilder
from turnwise.core.values import Value, read_value
from turnwise.core.values.yes_no import answer_options
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Field, Option

_MOST_CHARS = 300
_NEAR = 3
"""A word of doubt or denial so near before an option is about it (`not my old printer`)."""
_LEAST_LETTERS = 3
_EXACT: Mapping[str, re.Pattern[str]] = {
    "email": late_pattern(r"[^\s@<>()\[\],;:\\\"]+@[^\s@<>()\[\],;:\\\"]+"),
    "phone": late_pattern(r"[+(]?\d[\d ()/.-]{5,}\d"),
}
"""What may be a value of a type that is recognised by its form."""
_READ = frozenset({"date", "time", "datetime", "duration", "integer", "number"})
"""Types of which the offline rules find values in a sentence."""
_LEFT_OUT: frozenset[DropReason] = frozenset({"other_words", "doubtful"})
"""Why the rules left out a value that the user may mean all the same."""
_OTHER_DIGITS = late_pattern(r"\d")
_POSSESSIVES = frozenset({"meine"})
"""They are words of doubt as well (`ich meine`), but not before an option."""


def suggest_named_option(step: StepBuilder, form: LinkedForm, run: FormRun) -> FormRun | None:
    """Return the form's progress with the option that a message names suggested as answer; `None` if it names none."""
    question, message = form.by_address.get(run.asked), step.doing.message or ""
    opened = step.state.frame.question
    is_open = opened is not None and opened.kind == "field" and opened.field == run.asked and step.doing.button is None
    if question is None or not is_open or run.status != "collecting" or run.awaits_other:
        return None
    if is_question(message) or len(message) > _MOST_CHARS:
        return None
    found = _named(question.field, message, step)
    return None if found is None else replace(run, suggested={**run.suggested, run.asked: found})


def _named(field: Field, message: str, step: StepBuilder) -> Value | None:
    """Return the only value of a field that a message names and does not deny."""
    options, language = field.options, step.machine.language
    if field.type in _READ and not options and not field.secret:
        return _left_out(step, message)
    if field.type in _EXACT and not options and not field.secret:
        return _address_named(field, message, step)
    if not options or field.type == "list" or answer_options(options, language.code):
        return None
    return option_named(options, message, language)


def _left_out(step: StepBuilder, message: str) -> Value | None:
    """Return the only value for the open question that the rules found in a message and left out, because they do not
    know the words beside it, or it is in doubt; no bound, and none beside other digits (`between 5 and 6k`).
    """
    asked = step.state.frame.form.asked if step.state.frame.form is not None else ""
    read = next((one.event for one in reversed(step.entries) if isinstance(one.event, Understood)), None)
    found = [one for one in read.dropped if one.field == asked] if read is not None else []
    if len(found) != 1 or found[0].reason not in _LEFT_OUT:
        return None
    (start, stop), language = found[0].words, step.machine.language
    has_other_digits = _OTHER_DIGITS.search(message[:start] + message[stop:]) is not None
    is_other = is_denied((start, stop), message, language) or is_limit_or_sum((start, stop), message, language)
    return None if has_other_digits or is_other else found[0].value


def _address_named(field: Field, message: str, step: StepBuilder) -> str | None:
    """Return the only e-mail address or telephone number that stands in a message."""
    language, rules = step.machine.language, rules_of(step.machine, step.state)
    found = [(place, read_value(field, place[0], rules)) for place in _EXACT[field.type].finditer(message)]
    named = [(place.span(), value) for place, value in found if isinstance(value, str)]
    if len(named) != 1 or is_denied(named[0][0], message, language):
        return None
    return named[0][1]


def option_named(options: tuple[Option, ...], message: str, language: Language) -> str | None:
    """Return the only option whose words are in a message and are not denied; `None` if there is none, or more than
    one.
    """
    said, cautions = words_of(message), cautions_of(language) - _POSSESSIVES
    phrases = ((words_of(text), option.value) for option in options for text in (option.value, *option.words))
    found: dict[str, set[tuple[int, int]]] = {}
    for phrase, value in phrases:
        if max(map(len, phrase), default=0) < _LEAST_LETTERS or cautions.issuperset(phrase):
            continue
        places = [at for at in range(len(said)) if said[at : at + len(phrase)] == phrase]
        if places:
            found.setdefault(value, set()).update((at, at + len(phrase)) for at in places)
    named = [value for value, places in found.items() if not _are_within(places, found, value)]
    if len(named) != 1:
        return None
    is_denied = any(not cautions.isdisjoint(said[max(at - _NEAR, 0) : at]) for at, _ in found[named[0]])
    return None if is_denied else named[0]


def _are_within(places: set[tuple[int, int]], found: dict[str, set[tuple[int, int]]], value: str) -> bool:
    """True if all places of an option are a part of those of a longer one (`card` in `credit card`)."""
    others = [place for other, some in found.items() if other != value for place in some]
    return all(any(a <= first and stop <= b and (a, b) != (first, stop) for a, b in others) for first, stop in places)
