"""Whether a field can take a reading, and as which canonical value.

It asks the value's own rules; where a reading allows several values it gives none.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from turnwise.core.commands.exposure import ExposedField
from turnwise.core.values import Refused, item_field, read_value
from turnwise.understanding.calendar import day_of_month, on_day
from turnwise.understanding.clock import hours_of
from turnwise.understanding.labels import name_words
from turnwise.understanding.options import has_numbers, number_option, option_number
from turnwise.understanding.readings import Day, Length, Moment, Reading
from turnwise.understanding.situation import Situation
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


def takes_kind(situation: Situation, field: ExposedField, reading: Reading) -> bool:
    """True if a field's type takes a reading in one of its meanings, whatever its bounds say."""
    return any(_takes(situation, field, meaning) for meaning in (reading, *reading.others))


def _takes(situation: Situation, field: ExposedField, reading: Reading) -> bool:
    if reading.kind in ("option", "text"):
        return field.address in reading.value
    if field.field.options:
        return _takes_count(situation, field, reading)
    if reading.kind == "rating":
        return field.field.type in ("integer", "number") and field.field.max == reading.value[1]
    if reading.kind not in _KINDS.get(field.field.type, frozenset[str]()):
        return False
    if reading.kind == "duration" and field.field.type in ("integer", "number"):
        return _counts_unit(situation, field, reading)
    if reading.kind == "nth":
        return reading.value > 0
    return True


def _takes_count(situation: Situation, field: ExposedField, reading: Reading) -> bool:
    """True for a number that is one of the options, and for a number or a place that answers the asked field."""
    is_asked = situation.asked is not None and situation.asked.address == field.address
    if reading.kind == "number" and has_numbers(field):
        return is_asked or number_option(field, reading.value) is not None
    return reading.kind in ("nth", "place", "number") and is_asked and field.field.type != "list"


def fit(situation: Situation, field: ExposedField, reading: Reading) -> Any | None:
    """The one canonical value that a reading is for a field; `None` where it is none or several."""
    for candidate in (reading, *reading.others):
        if _takes(situation, field, candidate):
            values = _values(situation, field, _raws(situation, field, candidate))
            if len(values) == 1:
                return values[0]
    return None


def beyond(situation: Situation, field: ExposedField, reading: Reading) -> Any | None:
    """The one value that a reading would be, were it not for the field's bounds: the machine refuses it, and says
    what they are. `None` where it is none, or several.
    """
    for candidate in (reading, *reading.others):
        if _takes(situation, field, candidate):
            raws = _raws(situation, field, candidate)
            refusals = [read_value(field.field, raw, situation.rules) for raw in raws]
            if len(raws) == 1 and isinstance(refusals[0], Refused) and refusals[0].reason in _BOUNDS:
                return raws[0]
    return None


_BOUNDS = ("min", "max")


def _values(situation: Situation, field: ExposedField, raws: Iterable[Any]) -> list[Any]:
    kind = item_field(field.field) if field.field.type == "list" else field.field
    values: list[Any] = []
    for raw in raws:
        value = read_value(kind, raw, situation.rules)
        if not isinstance(value, Refused) and value is not None and value not in values:
            values.append(value)
    return values


def _raws(situation: Situation, field: ExposedField, reading: Reading) -> tuple[Any, ...]:
    """The raw values that a reading may be for a field that takes its kind."""
    value: Any = reading.value
    if reading.kind in ("option", "text"):
        return (value[field.address],)
    if field.field.options and reading.kind == "number" and has_numbers(field):
        return tuple(option for option in (number_option(field, value),) if option)
    if field.field.options and reading.kind in ("nth", "place", "number"):
        place = int(value) if float(value).is_integer() and (reading.kind != "number" or value > 0) else 0
        return tuple(option for option in (option_number(field, place),) if option)
    if reading.kind == "number" and field.field.type == "time":
        return hours_of(value)
    match reading.kind:
        case "rating":
            return (value[0],)
        case "time":
            return tuple(value)
        case "duration":
            return (_length(field, value),)
        case _:
            return _days(situation, field, reading)


def _days(situation: Situation, field: ExposedField, reading: Reading) -> tuple[Any, ...]:
    match reading.kind:
        case "nth":
            return _iso(_nth_day(situation, field, reading.value))
        case "date":
            return _day(situation, field, reading.value)
        case "moment":
            return _moments(situation, field, reading.value)
        case _:
            return (reading.value,)


def _nth_day(situation: Situation, field: ExposedField, nth: int) -> date | None:
    """A day of the month: of the month of the day that it corrects, else the next one, unless a later day is known
    that it may belong to (`leave on the 5th`, with an arrival in June).
    """
    today = situation.almanac.today
    if (held := _day_of(field)) is not None and held >= today:
        found = on_day(held.year, held.month, nth)
        return found if found and found >= today else None
    found = day_of_month(today, nth)
    known = [day for other in situation.exposed.fields if (day := _day_of(other)) is not None and day >= today]
    return None if found is None or any((day.year, day.month) > (found.year, found.month) for day in known) else found


def _day_of(field: ExposedField) -> date | None:
    """The day that a field holds."""
    if field.field.type != "date" or not isinstance(field.value, str):
        return None
    return date.fromisoformat(field.value)


def _iso(day: date | None) -> tuple[str, ...]:
    return () if day is None else (day.isoformat(),)


def _day(situation: Situation, field: ExposedField, day: Day) -> tuple[str, ...]:
    """A day without a year is the next one, or the latest one where the question looks back; neither where the latest
    is much nearer. A birthday has a year, and is not in the future.
    """
    hints = {*words_of(field.title), *name_words(field)}
    words, today = situation.vocabulary.calendar, situation.almanac.today
    if hints & words.birth_hints:
        return () if day.latest is not None or day.is_relative or day.upcoming > today else _iso(day.upcoming)
    if day.latest is None:
        return _iso(day.upcoming)
    if hints & words.past_hints:
        return _iso(day.latest)
    is_just_past = (today - day.latest).days < _JUST_PAST_DAYS and (day.upcoming - today).days > _FAR_AHEAD_DAYS
    return () if is_just_past else _iso(day.upcoming)


_JUST_PAST_DAYS = 60
_FAR_AHEAD_DAYS = 300


def _moments(situation: Situation, field: ExposedField, value: Moment | str) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(f"{day}T{time}" for day in _day(situation, field, value.day) for time in value.times)


def _length(field: ExposedField, length: Length) -> float | None:
    if field.field.type == "duration":
        return length.seconds
    return length.count


def _counts_unit(situation: Situation, field: ExposedField, reading: Reading) -> bool:
    """True if a field counts the very unit that was said: `How many minutes?`, `45 minutes`."""
    length: Length = reading.value
    known = situation.labels.stems.get(field.address, frozenset[str]())
    return length.count is not None and stem(length.unit, situation.labels.endings) in known
