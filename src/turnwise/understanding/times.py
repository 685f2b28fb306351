"""Reads times of day and lengths of time in a message.

Where morning and evening are both meant, both are kept. Months and "a few" have no fixed length, so they are not read.
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.numbers import Amount, amount_at
from turnwise.understanding.readings import Length, Reading, Text
from turnwise.understanding.vocabulary.tables import length_at, value_at
from turnwise.understanding.vocabulary.value_shape import PartOfDay

_COLON = late_pattern(r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?")
_STOP = late_pattern(r"([0-9]{1,2})\.([0-9]{2})")
_LETTERS_NEED_TOUCH = frozenset("smdw")
_MOST_S = 10**11


class _Clock(Struct, frozen=True):
    """An hour and a minute, the token after them, and whether the day has 24 such hours."""

    hour: int
    minute: int
    stop: int
    is_exact: bool = False
    is_bare: bool = False


def time_at(text: Text, at: int) -> Reading | None:
    """Return the longest time of day at token `at`, else `None`; kind `odd` if the clock has no such time."""
    words, table = text.words, text.vocabulary.clock
    part = _part_before(text, at)
    begin = part[1] if part else at
    while part and words[begin] in table.at:
        begin += 1
    readers = (_quarters, _minutes_to, _digital, _hour_and_minute)
    clock = next((found for read in readers if (found := read(text, begin))), None)
    fixed_at = begin if words[begin] in table.fixed else at
    if clock is None and words[fixed_at] in table.fixed:
        return Reading("time", (table.fixed[words[fixed_at]],), at, fixed_at + 1)
    if clock is None:
        return None
    after = value_at(table.parts, words, clock.stop)
    if part is None and after is None and clock.is_bare:  # a bare hour is one behind `at`, or behind a day and `around`
        is_around = words[at - 1] in table.around and text.vocabulary.calendar.names_day(words[at - 2])
        if words[at - 1] not in table.at and not is_around:
            return None
    times = _times(clock, (after or part or (None, 0))[0])
    stop = after[1] if after else clock.stop
    if not times:
        return Reading("odd", None, at, stop)
    is_short = clock.is_exact and 0 < clock.hour < 12 and not words[begin].startswith("0") and not (part or after)
    evening = Reading("time", (f"{clock.hour + 12:02}:{clock.minute:02}",), at, stop, 0.9)
    return Reading("time", times, at, stop, others=(evening,) if is_short else ())


def hours_of(number: float) -> tuple[str, ...]:
    """Return the times of day that a bare number may mean: `7` is 07:00 or 19:00, `18` is 18:00."""
    return _times(_Clock(int(number), 0, 0), None) if float(number).is_integer() else ()


def _part_before(text: Text, at: int) -> tuple[PartOfDay, int] | None:
    """The part of a day before its hour: `this evening at 8`, `Friday evening at 8`; but `I am 9` is no time."""
    words, calendar = text.words, text.vocabulary.calendar
    if words[at] in text.vocabulary.clock.only_behind:
        return None
    if found := value_at(text.vocabulary.clock.parts, words, at):
        return found
    part = calendar.parts.get(words[at])
    return (part, at + 1) if part and calendar.names_day(words[at - 1]) else None


def _times(clock: _Clock, part: PartOfDay | None) -> tuple[str, ...]:
    """The times of day (HH:MM) that an hour may be in a part of the day, or in any."""
    hour, early, late = clock.hour, (clock.hour % 12,), (clock.hour % 12 + 12,)
    if not 0 <= hour <= 24 or not 0 <= clock.minute < 60:
        return ()
    match part:
        case _ if hour > 12 or hour == 0:
            hours = (hour % 24,)
        case "morning":
            hours = early
        case "afternoon" | "evening":
            hours = late
        case "night":
            hours = early if hour in (12, 1, 2, 3, 4) else late if hour >= 8 else ()
        case None:
            hours = (hour,) if clock.is_exact else early + late
        case _:
            assert_never(part)
    return tuple(f"{one:02}:{clock.minute:02}" for one in hours)


def _digital(text: Text, at: int) -> _Clock | None:
    """`18:30`, `18:30 Uhr`, `18.30 Uhr`, `6.30 pm`, `6.30`."""
    table, words = text.vocabulary.clock, text.words
    is_hour, is_german = words[at + 1] in table.hour, text.vocabulary.numbers.units_first
    found = _COLON.fullmatch(words[at])
    if found is not None or is_hour or value_at(table.parts, words, at + 1):
        found = found or _STOP.fullmatch(words[at])
        return _Clock(int(found[1]), int(found[2]), at + 1 + is_hour, is_exact=True) if found else None
    found = _STOP.fullmatch(words[at])
    is_clock = found is not None and int(found[1]) < 24 and int(found[2]) < 60
    return _Clock(int(found[1]), int(found[2]), at + 1, is_exact=is_german) if found and is_clock else None


def _hour_and_minute(text: Text, at: int) -> _Clock | None:
    """`18 Uhr 30`, `7 o'clock`, `seven thirty`, `7 pm`, and a bare `7`."""
    words, table, is_german = text.words, text.vocabulary.clock, text.vocabulary.numbers.units_first
    hour = _number(text, at, 24)
    if hour is None:
        return None
    value, stop = hour
    if words[stop] in table.hour:
        minute = _number(text, stop + 1, 59) if is_german else None
        if minute and text.kind(minute[1]) != "number":
            return _Clock(value, minute[0], minute[1], is_exact=True)
        return _Clock(value, 0, stop + 1, is_exact=is_german and text.kind(at) == "number")
    minute = _number(text, stop, 59) if text.kind(at) == text.kind(stop) == "word" and stop == at + 1 else None
    if minute and minute[0] >= 10 and value <= 12:
        return _Clock(value, minute[0], minute[1])
    has_unit = words[stop] in table.minutes or words[stop] in ("€", "$", "%", "£")
    return None if has_unit else _Clock(value, 0, stop, is_bare=True)


def _quarters(text: Text, at: int) -> _Clock | None:
    """`Half past six`, `quarter to seven`, `halb sieben`, `dreiviertel acht`, `Viertel nach acht`."""
    words, table = text.words, text.vocabulary.clock
    if words[at] in table.half_next or words[at] in table.three_quarters:
        hour = _number(text, at + 1, 12)
        minute = 30 if words[at] in table.half_next else 45
        return _Clock((hour[0] - 1) % 12 or 12, minute, hour[1]) if hour else None
    if size := length_at(table.half_past, words, at):
        hour = _number(text, at + size, 12)
        return _Clock(hour[0], 30, hour[1]) if hour and text.kind(at + size) != "mark" else None
    size = length_at(table.quarter, words, at)
    if size and (found := _past_or_to(text, at + size, 15)):
        return found
    hour = _number(text, at + size, 12) if size and table.half_next else None  # as some say in German: `viertel sechs`
    return _Clock((hour[0] - 1) % 12 or 12, 15, hour[1]) if hour else None


def _minutes_to(text: Text, at: int) -> _Clock | None:
    """`Ten past five`, `5 minutes to six`, `fünf vor halb acht`."""
    minutes = _number(text, at, 29)
    if minutes is None:
        return None
    value, stop = minutes
    return _past_or_to(text, stop + (text.words[stop] in text.vocabulary.clock.minutes), value)


def _past_or_to(text: Text, at: int, minutes: int) -> _Clock | None:
    """The time some minutes past or to the hour behind a token."""
    words, table = text.words, text.vocabulary.clock
    if words[at] not in table.past and words[at] not in table.to:
        return None
    base = 30 if words[at + 1] in table.half_next else 0
    hour = _number(text, at + (2 if base else 1), 12)
    if hour is None:
        return None
    total = (hour[0] % 12) * 60 - base + (minutes if words[at] in table.past else -minutes)
    return _Clock(total // 60 % 12 or 12, total % 60, hour[1])


def _number(text: Text, at: int, most: int) -> tuple[int, int] | None:
    """A whole number of at most `most`, and the token after it."""
    amount = amount_at(text, at)
    if amount is None or not 0 <= amount.value <= most or not float(amount.value).is_integer():
        return None
    return int(amount.value), amount.stop


# lengths -------------------------------------------------------------------------------------------


def length_of_time_at(text: Text, at: int) -> Reading | None:
    """Return the longest length of time that begins at token `at`, else `None`: an hour and a half."""
    if whole := value_at(text.vocabulary.durations.whole, text.words, at):
        return Reading("duration", Length(whole[0]), at, whole[1])
    first = _part_at(text, at)
    if first is None:
        return None
    seconds, stop, unit_s = first
    count, unit = seconds / unit_s, text.words[stop - 1]
    while (part := _smaller_part_at(text, stop, unit_s)) is not None:
        seconds, stop, unit_s, count = seconds + part[0], part[1], part[2], None
    if rest := value_at(text.vocabulary.numbers.fractions, text.words, stop):
        seconds, stop, count = seconds + unit_s * rest[0], rest[1], None
    if seconds > _MOST_S:
        return Reading("odd", None, at, stop)
    return Reading("duration", Length(seconds, count, unit), at, stop)


def _part_at(text: Text, at: int) -> tuple[float, int, int] | None:
    """The seconds of one amount with its unit, the token after it, and the unit's seconds."""
    is_article = text.words[at] in text.vocabulary.numbers.articles | {"einer"}
    amount = amount_at(text, at) or (Amount(1, at + 1) if is_article else None)
    if amount is None or amount.value < 0:
        return None
    unit = text.words[amount.stop]
    unit_s = text.vocabulary.durations.units.get(unit)
    if unit_s is None or (unit in _LETTERS_NEED_TOUCH and not text.is_joined_to_next(amount.stop - 1)):
        return None
    return amount.value * unit_s, amount.stop + 1, unit_s


def _smaller_part_at(text: Text, at: int, least_s: int) -> tuple[float, int, int] | None:
    """A smaller part after a larger one: `and 20 minutes`, `30m`, the bare `30` of `1h30`."""
    part = _part_at(text, at + (text.words[at] in text.vocabulary.durations.joints))
    if part is not None:
        return part if part[2] < least_s else None
    typed = text.words[at]
    is_bare = text.kind(at) == "number" and text.is_joined_to_next(at - 1) and typed.isdigit()
    return (int(typed) * 60, at + 1, 60) if is_bare and least_s == 3600 and int(typed) < 60 else None
