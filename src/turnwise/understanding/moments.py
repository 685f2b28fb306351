"""Days and times that belong together: `tonight at 8`, `in 2 hours`, `June 2nd … the 5th`.

It joins and splits readings by their place; which field they are for is decided elsewhere.
"""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from turnwise.understanding.calendar import day_at, day_of_month
from turnwise.understanding.lengths import length_of_time_at
from turnwise.understanding.readings import Day, Moment, Reading
from turnwise.understanding.situation import Situation
from turnwise.understanding.tokens import Token

_MOST_AHEAD_S = 86_400
_LEAST_AHEAD_S = 300


def ahead_at(tokens: tuple[Token, ...], at: int, situation: Situation) -> Reading | None:
    """The moment that lies some hours or minutes ahead (`in 2 hours`); the time alone where it is today."""
    vocabulary = situation.vocabulary
    if tokens[at].word not in vocabulary.calendar.within or at + 1 >= len(tokens):
        return None
    length = length_of_time_at(tokens, at + 1, vocabulary.durations, vocabulary.numbers)
    if length is None or length.kind != "duration":
        return None
    if not _LEAST_AHEAD_S <= length.value.seconds < _MOST_AHEAD_S:
        return None
    moment = situation.now + timedelta(seconds=length.value.seconds)
    time = Reading("time", (f"{moment:%H:%M}",), at, length.stop)
    is_today = moment.date() == situation.almanac.today
    return Reading("moment", f"{moment:%Y-%m-%dT%H:%M}", at, length.stop, others=(time,) if is_today else ())


def day_and_time(tokens: tuple[Token, ...], reading: Reading, situation: Situation) -> tuple[Reading, ...]:
    """A time of day whose words also name the day, as both (`tonight at 8`, `um 8 heute Abend`)."""
    if reading.kind != "time" or not any(field.field.type in _DAY_TYPES for field in situation.exposed.fields):
        return (reading,)
    for at in range(reading.first, reading.stop):
        day = day_at(tokens, at, situation.almanac)
        if day is None or day.kind != "date" or not day.value.is_relative:
            continue
        if at == reading.first:
            return (day, replace(reading, first=day.stop)) if day.stop < reading.stop else (reading,)
        return replace(reading, stop=at), replace(day, stop=reading.stop)
    return (reading,)


_DAY_TYPES = ("date", "datetime")


def with_moments(tokens: tuple[Token, ...], found: tuple[Reading, ...], situation: Situation) -> tuple[Reading, ...]:
    """Joins a day and a time of day, where some field wants both in one; a day of the month follows a day before it."""
    joins = any(field.field.type == "datetime" for field in situation.exposed.fields)
    joined: list[Reading] = []
    for reading in found:
        before = joined[-1] if joined else None
        if joins and before and _are_day_and_time(before, reading) and _meet(tokens, before, reading, situation):
            day, time = (before, reading) if before.kind == "date" else (reading, before)
            joined[-1] = Reading("moment", Moment(day.value, time.value), before.first, reading.stop)
        else:
            joined.append(_following(joined, reading))
    return tuple(joined)


def _are_day_and_time(left: Reading, right: Reading) -> bool:
    return {left.kind, right.kind} == {"date", "time"}


def _following(before: list[Reading], reading: Reading) -> Reading:
    """A day of the month as the next one after the day before it (`from June 2nd … the 5th`)."""
    days = [one.value for one in before if one.kind == "date"]
    if reading.kind != "nth" or not days or not 0 < reading.value <= 31:
        return reading
    day = day_of_month(days[-1].upcoming, reading.value)
    return reading if day is None else replace(reading, kind="date", value=Day(day), others=(reading,))


def _meet(tokens: tuple[Token, ...], left: Reading, right: Reading, situation: Situation) -> bool:
    links = situation.vocabulary.clock.at | situation.vocabulary.calendar.on | {",", "@"}
    return all(tokens[at].word in links for at in range(left.stop, right.first))
