"""Reads several days: a span (`from Friday to Sunday`, `3-5 December`), and days that share a month (`Dec 3 and 4`)."""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.calendar import day_and_month, day_at, day_number, each_day, month_and_day
from turnwise.understanding.dates import date_in_digits, date_of, day_in, day_moved
from turnwise.understanding.readings import Day, Reading, Text

_PAIR = late_pattern(r"([0-9]{1,2})\.?[-/]([0-9]{1,2})")
_DOTTED_PAIR = late_pattern(r"([0-9]{1,2})(?:\.([0-9]{1,2})\.?|\.?)-([0-9]{1,2})\.([0-9]{1,2})")
_DASHES = frozenset("-–—")
_MARKS = frozenset("&/,")
_MOST = 12


class _Joint(Struct, frozen=True):
    """What stands between two days: the token after it, and whether it leads from one to the other."""

    stop: int
    leads: bool


def span_at(text: Text, at: int, first: Reading | None) -> Reading | None:
    """Return the span of days that begins at token `at` with the day `first` (`None`: no day was read there); `None` if
    none begins there.
    """
    calendar = text.vocabulary.calendar
    begins_span = text.words[at] in calendar.span_leads or text.words[at] in calendar.months
    if first is None and text.kind(at) != "number" and not begins_span:
        return None
    begin = at + (text.words[at] in calendar.span_leads)
    is_between = text.words[at] in calendar.between
    begin += begin < len(text.tokens) and text.words[begin] in calendar.on
    if begin >= len(text.tokens):
        return None
    days = _pair_in_digits(text, begin) or _shared(text, begin) or _two_days(text, begin)
    if len(days) != 2:
        return None
    first, last = days
    joint = _joint(text, first.stop)
    is_span = first.stop > last.first or (joint is not None and (joint.leads or is_between))
    if not is_span or not _is_one_day(first):
        return None
    return Reading("date", _span(first.value, last.value), at, last.stop)


def days_sharing_month(text: Text, at: int, *, has_numbers: bool) -> tuple[Reading, ...]:
    """Return days that are listed with one month (`3, 4 and 6 December`, `Dec 3 or 4`) and begin at token `at`; empty
    if none. `has_numbers`: a number may also be the value of a field.
    """
    if text.kind(at) != "number" and text.words[at] not in text.vocabulary.calendar.months:
        return ()
    found = _shared(text, at)
    if has_numbers and len(found) == 2 and text.words[found[0].stop] == "," and text.kind(at) == "word":
        return ()
    return found if all(one.first >= before.stop for before, one in pairwise(found)) else ()


def _span(first: Day, last: Day) -> Day:
    """The span between two days; a weekday at its end is the one after its begin."""
    last = next((one for one in each_day(last) if one.upcoming >= first.upcoming), last)
    while last.is_relative and last.upcoming < first.upcoming and (later := day_moved(last.upcoming, 7)) is not None:
        last = replace(last, upcoming=later)
    return replace(first, other=replace(last, other=None), is_span=True)


def _is_one_day(reading: Reading) -> bool:
    return isinstance(reading.value, Day) and len(each_day(reading.value)) == 1


def _two_days(text: Text, at: int) -> tuple[Reading, ...]:
    """Two days with something between that leads from one to the other, or joins them."""
    first = day_at(text, at)
    joint = _joint(text, first.stop) if first is not None and first.kind == "date" else None
    last = day_at(text, joint.stop) if joint is not None and joint.stop < len(text.tokens) else None
    return (first, last) if first is not None and last is not None and last.kind == "date" else ()


def _joint(text: Text, at: int) -> _Joint | None:
    """Read what may stand between two days at a token, with an article behind it."""
    words, calendar = text.words, text.vocabulary.calendar
    leads = words[at] in calendar.until or words[at] in _DASHES
    if not leads and words[at] not in calendar.either and words[at] not in _MARKS:
        return None
    stop = at + 1 + (words[at] == "," and words[at + 1] in calendar.either)
    while words[stop] in calendar.on or (leads and words[stop] in calendar.until):
        stop += 1
    return _Joint(stop, leads)


def _pair_in_digits(text: Text, at: int) -> tuple[Reading, ...]:
    """Two days in one token: `3-5 December`, `3.-5. Dezember`, `3.-5.12.`, `3.12.-5.12.`, or `Dec 3-5`."""
    words, months = text.words, text.vocabulary.calendar.months
    if found := _DOTTED_PAIR.fullmatch(words[at]):
        stop = at + 1 + (words[at + 1] == ".")
        dates = (int(found[2] or found[4]), int(found[1])), (int(found[4]), int(found[3]))
        return _readings(text, dates, at, stop)
    month_at = at if words[at] in months else -1
    pair = _PAIR.fullmatch(words[at + 1] if month_at == at else words[at])
    if pair is None:
        return ()
    stop = at + 2
    if month_at < 0:
        month_at = at + 1 + (words[at + 1] == ".")
        month_at += words[month_at] in text.vocabulary.calendar.of
        stop = month_at + 1
    month = months.get(words[month_at], 0)
    return _readings(text, ((month, int(pair[1])), (month, int(pair[2]))), at, stop) if month else ()


def _readings(text: Text, dates: tuple[tuple[int, int], ...], at: int, stop: int) -> tuple[Reading, ...]:
    """The readings of months with days, all of the same tokens; nothing if the calendar lacks one."""
    days = [day_in(text.today, month, day) for month, day in dates]
    return () if None in days else tuple(Reading("date", day, at, stop) for day in days)


def _shared(text: Text, at: int) -> tuple[Reading, ...]:
    """Days of one month that stand at its first or last day."""
    full = month_and_day(text, at)
    found = (full, *_days_after(text, full)) if full is not None and full.kind == "date" else _days_before(text, at)
    return found if len(found) > 1 else ()


def _days_after(text: Text, full: Reading) -> tuple[Reading, ...]:
    """The days behind a month and a day: `Dec 3 and 4`, but not `Dec 3 and 4 people`."""
    found: list[Reading] = []
    at = full.stop
    while len(found) < _MOST and (joint := _joint(text, at)) is not None:
        number = day_number(text, joint.stop) if joint.stop < len(text.tokens) else None
        if number is None or not _ends(text, number[1]):
            break
        if (day := _in_month_of(text, full.value, number[0])) is None:
            break
        found.append(Reading("date", day, joint.stop, number[1]))
        at = number[1]
    return tuple(found)


def _days_before(text: Text, at: int) -> tuple[Reading, ...]:
    """The days before a day with its month: `3 or 4 December`, `3., 4. und 6. Dezember`, `3. und 4.12.`."""
    numbers: list[tuple[int, int, int]] = []
    while len(numbers) < _MOST and at < len(text.tokens):
        full = next((one for read in (date_in_digits, day_and_month) if (one := read(text, at))), None)
        if full is not None and full.kind == "date":
            return _with_month_of(text, numbers, full) if _is_one_day(full) else ()
        number = day_number(text, at)
        if number is None:
            return ()
        stop = number[1] + (text.words[number[1]] == "." and text.is_joined_to_next(number[1] - 1))
        joint = _joint(text, stop)
        if joint is None:
            return ()
        numbers.append((number[0], at, stop))
        at = joint.stop
    return ()


def _with_month_of(text: Text, numbers: list[tuple[int, int, int]], full: Reading) -> tuple[Reading, ...]:
    days = [(_in_month_of(text, full.value, day), first, stop) for day, first, stop in numbers]
    known = [Reading("date", day, first, stop) for day, first, stop in days if day is not None]
    return (*known, full) if len(known) == len(days) else ()


def _in_month_of(text: Text, full: Day, day: int) -> Day | None:
    """The day of the month (and of the year, if it has one) of another day."""
    if full.latest is not None:
        return day_in(text.today, full.upcoming.month, day)
    found = date_of(full.upcoming.year, full.upcoming.month, day)
    return None if found is None else Day(found)


def _ends(text: Text, at: int) -> bool:
    """True where nothing is counted by the number before a token."""
    is_end = text.kind(at) in ("", "mark") or text.words[at] in text.vocabulary.speech.trailing
    return is_end or _joint(text, at) is not None
