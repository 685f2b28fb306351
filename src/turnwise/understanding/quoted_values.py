"""Compares the value of a model with the words that it quotes for it, as the rules read them (law 7.1a).

The rules contradict a value if they read the words as values of that field, the value is none of these, and the words
say nothing more. What they cannot place they do not judge: it may be of another language, or stand for a day that only
the conversation knows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.language.answers import cautions_of, is_idle
from turnwise.core.values import Refused, item_field, read_value
from turnwise.flow.converters import copy_with
from turnwise.understanding.calendar import each_day
from turnwise.understanding.clauses import without_phrases
from turnwise.understanding.field_values import readable_values
from turnwise.understanding.readings import Day, Moment, Reading, Text, text_of
from turnwise.understanding.scan import readings_of
from turnwise.understanding.situation import Situation, situation_of

_TYPES = ("integer", "number", "date", "time", "datetime", "duration")
_MOST_CHARS = 300


def says_other(words: str, value: Any, address: str, allowed: AllowedInput) -> bool:
    """Return whether words that a model quotes mean, as the rules read them, only other values of the field at
    `address` than the model's `value`.
    """
    shown = allowed.field(address)
    if shown is None or len(words) > _MOST_CHARS:
        return False
    kind = item_field(shown.field) if shown.field.type == "list" else shown.field
    situation = situation_of(allowed) if kind.type in _TYPES and not kind.options else None
    if situation is None:
        return False
    open_field = replace(shown, field=copy_with(kind, min=None, max=None, pattern=""))
    wanted = read_value(open_field.field, value, situation.rules)
    text = text_of(words, situation.vocabulary, situation.today)
    readings = readings_of(text, situation)
    if isinstance(wanted, Refused) or _is_pieced(readings) or not _is_all(text, readings, situation):
        return False
    known = [one for reading in readings for one in _values(situation, open_field, reading)]
    return bool(known) and not any(_is_same(one, wanted) for one in known)


def _is_pieced(readings: tuple[Reading, ...]) -> bool:
    """True if two values touch, which may be one (`nineteen ninety`), or something is read as no value."""
    pairs = [{left.kind, right.kind} for left, right in pairwise(readings) if left.stop == right.first]
    return any(one.kind == "odd" for one in readings) or any(pair != {"date", "time"} for pair in pairs)


def _is_all(text: Text, readings: tuple[Reading, ...], situation: Situation) -> bool:
    """True if words say nothing beside their readings, and where these are several, nothing of how they belong together
    (`the Friday before Christmas`).
    """
    between, outer, at = list[str](), list[str](), 0
    for reading in readings:
        (between if at else outer).extend(text.words_between(at, reading.first))
        at = reading.stop
    outer += text.words_between(at, len(text.tokens))
    speech, links = situation.speech, situation.vocabulary.clock.at | situation.vocabulary.calendar.on
    if not all(word in speech.joints or word in speech.alternatives or word in links for word in between):
        return False
    tables = (speech.filler, speech.hedges, speech.small_adverbs, speech.trailing, speech.alternatives, speech.subjects)
    rest = [word for word in without_phrases(outer, situation) if not any(word in table for table in tables)]
    cautions = cautions_of(situation.language)
    small = " ".join([word for word in rest if word not in cautions and not situation.labels.names_field(word)])
    return is_idle(situation.language, small, with_function_words=True)


def _values(situation: Situation, field: AllowedField, reading: Reading) -> Iterator[Any]:
    """All values of a field that a reading may be: also the past and the coming ones of a day without a year."""
    yield from readable_values(situation, field, reading)
    if field.field.type == "date" and isinstance(reading.value, Day):
        for day in each_day(reading.value):
            yield from (one.isoformat() for one in (day.upcoming, day.latest) if one is not None)
            if day.latest is not None:
                yield f"{day.upcoming:-%m-%d}"
    if field.field.type == "date" and isinstance(reading.value, Moment):
        yield from (one.upcoming.isoformat() for one in each_day(reading.value.day))
    if field.field.type == "date" and reading.kind == "nth":
        yield f"-{reading.value:02}"
    if field.field.type == "time" and isinstance(reading.value, Moment):
        yield from reading.value.times


def _is_same(known: Any, wanted: Any) -> bool:
    """True if a value is the wanted one; of a day whose year or month is not said, the end is compared."""
    if isinstance(known, str) and known.startswith("-"):
        return str(wanted).endswith(known)
    return bool(known == wanted)
