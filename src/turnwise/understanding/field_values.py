"""Converts a reading to the canonical value of a field, if the field accepts it.

The field's own rules decide. A reading that allows several values gives none.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from turnwise.core.commands.allowed_input import AllowedField
from turnwise.core.values import Refused, item_field, read_value
from turnwise.core.values.moments import MOST_READINGS
from turnwise.understanding.calendar import day_of_month, each_day
from turnwise.understanding.dates import date_of
from turnwise.understanding.labels import name_words
from turnwise.understanding.readings import Day, Moment, Reading
from turnwise.understanding.situation import Situation
from turnwise.understanding.times import hours_of
from turnwise.understanding.tokens import stem, words_of

_KINDS: dict[str, frozenset[str]] = {
    "integer": frozenset({"number", "duration"}),
    "number": frozenset({"number", "duration"}),
    "date": frozenset({"date", "nth"}),
    "time": frozenset({"time", "number"}),
    "datetime": frozenset({"moment"}),
    "duration": frozenset({"duration"}),
    "email": frozenset({"email"}),
    "phone": frozenset({"phone", "number"}),
}
MOMENTS = ("date", "time", "datetime")
"""The types of fields that hold a day, a time of day, or both."""
_BOUNDS = ("min", "max", "repeated", "skipped")
_JUST_PAST_DAYS = 60
_FAR_AHEAD_DAYS = 300
_MOST_DIGITS = 12


def takes_kind(situation: Situation, field: AllowedField, reading: Reading) -> bool:
    """Return whether a field's type accepts a reading in one of its meanings; the field's bounds do not count."""
    return any(_takes(situation, field, meaning) for meaning in (reading, *reading.others))


def fitting_value(situation: Situation, field: AllowedField, reading: Reading) -> Any | None:
    """Return the canonical value of a reading for a field; `None` if there is none, or more than one."""
    kind = item_field(field.field) if field.field.type == "list" else field.field
    for meaning in (reading, *reading.others):
        if _takes(situation, field, meaning) and not is_span(meaning):
            values: list[Any] = []
            for raw in _raws(situation, field, meaning):
                value = read_value(kind, raw, situation.rules)
                if not isinstance(value, Refused) and value is not None and value not in values:
                    values.append(value)
            if len(values) == 1:
                return values[0]
    return None


def readable_values(situation: Situation, field: AllowedField, reading: Reading) -> list[Any]:
    """Return all values of a field that a reading may be, in any of its meanings."""
    raws = [
        raw
        for meaning in (reading, *reading.others)
        if _takes(situation, field, meaning)
        for raw in _raws(situation, field, meaning)
    ]
    values = [read_value(field.field, raw, situation.rules) for raw in raws]
    return [one for one in values if not isinstance(one, Refused)]


def is_span(reading: Reading) -> bool:
    """Return whether a reading is a span of days (first and last), which no field accepts."""
    return isinstance(reading.value, Day) and reading.value.is_span


def values_out_of_bounds(situation: Situation, field: AllowedField, reading: Reading) -> Any | None:
    """Return the values of a reading that only the bounds of the field exclude, for the error message; else `None`."""
    for meaning in (reading, *reading.others):
        raws = _raws(situation, field, meaning) if _takes(situation, field, meaning) else ()
        refusals = [read_value(field.field, raw, situation.rules) for raw in raws]
        if raws and all(isinstance(one, Refused) and one.reason in _BOUNDS for one in refusals):
            return raws[0]
    return None


def joined_days(situation: Situation, field: AllowedField, reading: Reading) -> str | None:
    """Return the days or times that an ambiguous reading may mean, joined by `/`; `None` if clear or too many."""
    kind = item_field(field.field) if field.field.type == "list" else field.field
    if kind.type not in MOMENTS or kind.options:
        return None
    for meaning in (reading, *reading.others):
        raws = _raws(situation, field, meaning) if _takes(situation, field, meaning) else ()
        accepted = [raw for raw in raws if not isinstance(read_value(kind, raw, situation.rules), Refused)]
        if both := joined_values(accepted or raws):
            return both
    return None


def joined_values(values: Iterable[Any]) -> str | None:
    """Return several values joined by `/`, the form of an ambiguous value; `None` for one value or too many."""
    texts = sorted({str(value) for value in values})
    return "/".join(texts) if 2 <= len(texts) <= MOST_READINGS else None


def _takes(situation: Situation, field: AllowedField, reading: Reading) -> bool:
    """True if a field takes one meaning of a reading."""
    kind, type_ = reading.kind, field.field.type
    type_ = field.field.of if type_ == "list" and field.field.of in MOMENTS else type_
    if kind in ("option", "text"):
        return field.address in reading.value
    if field.field.options:  # a number that is one of the options, or a number or a place that answers the question
        if kind == "number" and _has_numbers(field):
            return situation.asks(field) or _chosen(field, reading) is not None
        return kind in ("nth", "place", "number") and type_ != "list" and situation.asks(field)
    if kind == "rating":
        return type_ in ("integer", "number") and field.field.max == reading.value[1]
    if kind not in _KINDS.get(type_, ()):
        return False
    if kind == "duration" and type_ in ("integer", "number"):  # it counts the very unit: `How many minutes?`
        known = situation.labels.stems.get(field.address, ())
        return reading.value.count is not None and stem(reading.value.unit, situation.labels.endings) in known
    return kind != "nth" or reading.value > 0


def _raws(situation: Situation, field: AllowedField, reading: Reading) -> tuple[Any, ...]:
    """The raw values that a reading may be for a field that takes its kind."""
    value: Any = reading.value
    match reading.kind:
        case "option" | "text":
            return (value[field.address],)
        case "number" | "nth" | "place" if field.field.options:
            option = _chosen(field, reading)
            return (option,) if option else ()
        case "number" if field.field.type == "time":
            return hours_of(value)
        case "rating":
            return (value[0],)
        case "time":
            return tuple(value)
        case "duration":
            return (value.seconds if field.field.type == "duration" else value.count,)
        case "nth" | "date" | "moment" if not isinstance(value, str):
            return _days(situation, field, value)
        case _:
            return (value,)


def _days(situation: Situation, field: AllowedField, value: int | Day | Moment) -> tuple[str, ...]:
    """Return the possible dates of a reading, and its possible moments with their times."""
    if isinstance(value, int):
        return _iso(_nth_day(situation, field, value))
    if isinstance(value, Day):
        return tuple(found for one in each_day(value) for found in _day(situation, field, one))
    return tuple(f"{day}T{time}" for day in _days(situation, field, value.day) for time in value.times)


def _has_numbers(field: AllowedField) -> bool:
    """True if an option has a digit, so that a bare number may be its text rather than its position."""
    return any(char.isdigit() for option in field.field.options for char in option.value)


def _chosen(field: AllowedField, reading: Reading) -> str | None:
    """The option that a number or a place stands for: by its digits, else by counting (1 is the first, -1 the last)."""
    options, number = field.field.options, reading.value
    if reading.kind == "number" and _has_numbers(field):
        texts = [(text.strip(), option.value) for option in options for text in (option.value, *option.words)]
        numbers = [(text, value) for text, value in texts if text.isdecimal() and len(text) < _MOST_DIGITS]
        found = {value for text, value in numbers if int(text) == number}
        return found.pop() if len(found) == 1 else None
    is_place = float(number).is_integer() and (number > 0 or (number and reading.kind != "number"))
    index = int(number) - 1 if number > 0 else len(options) + int(number)
    return options[index].value if is_place and 0 <= index < len(options) else None


def _nth_day(situation: Situation, field: AllowedField, nth: int) -> date | None:
    """Return a day of the month: in the month of the day it corrects, else the next one, unless a later day is known
    that it may belong to (`leave on the 5th`, with an arrival in June).
    """
    today, old = situation.today, _day_of(field)
    if old is not None and old >= today:
        found = date_of(old.year, old.month, nth)
        return found if found and found >= today else None
    found = day_of_month(today, nth)
    known = [day for other in situation.allowed.fields if (day := _day_of(other)) is not None and day >= today]
    return None if found is None or any((day.year, day.month) > (found.year, found.month) for day in known) else found


def _day_of(field: AllowedField) -> date | None:
    """Return the day of a field's value."""
    is_day = field.field.type == "date" and isinstance(field.value, str)
    return date.fromisoformat(field.value) if is_day else None


def _iso(day: date | None) -> tuple[str, ...]:
    return () if day is None else (day.isoformat(),)


def _day(situation: Situation, field: AllowedField, day: Day) -> tuple[str, ...]:
    """A day without a year is the next one, or the latest one where the question looks back; neither where the latest
    is much nearer. A birthday has a year, and is not in the future.
    """
    hints = {*words_of(field.title), *name_words(field)}
    words, today = situation.vocabulary.calendar, situation.today
    if not words.birth_hints.isdisjoint(hints):
        is_judged = field.is_validated or field.field.max is not None  # then the refusal names the bound
        is_future = day.upcoming > today and not is_judged
        return () if day.latest is not None or day.is_relative or is_future else _iso(day.upcoming)
    if day.latest is None:
        return _iso(day.upcoming)
    if not words.past_hints.isdisjoint(hints):
        return _iso(day.latest)
    is_just_past = (today - day.latest).days < _JUST_PAST_DAYS and (day.upcoming - today).days > _FAR_AHEAD_DAYS
    return () if is_just_past else _iso(day.upcoming)
