"""Reads days in a message: weekdays, dates, and words such as "tomorrow", relative to today.

Where the same words mean two days, the reading has both.
"""

from __future__ import annotations

from datetime import date

from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.dates import date_in_digits, date_of, day_in, day_moved, reading_of, relative_reading
from turnwise.understanding.readings import Day, Reading, Text
from turnwise.understanding.vocabulary.tables import length_at, value_at
from turnwise.understanding.weekdays import distance_at, weekday_at, weekday_named

_YEAR = late_pattern(r"[12][0-9]{3}")
_DAY = late_pattern(r"[0-3]?[0-9]")


def day_at(text: Text, at: int) -> Reading | None:
    """Return the longest day expression that begins at token `at`, else `None`; kind `odd` if the calendar has no such
    day.
    """
    readers = (_relative, _counted, _holiday, date_in_digits, day_and_month, month_and_day, weekday_at)
    found = [reading for reader in readers if (reading := reader(text, at))]
    best = max(found, key=lambda reading: reading.stop, default=None)
    return _with_date(text, best) if best and weekday_named(text, at) is not None else best


def nth_at(text: Text, at: int) -> Reading | None:
    """Return the ordinal at token `at`, else `None`: a position (-1 is the last), or a day of the month where it may be
    one.
    """
    if text.words[at] in text.vocabulary.numbers.lasts:
        return Reading("place", -1, at, at + 1)
    found = _ordinal(text, at)
    if found is None:
        return None
    may_be_day = text.kind(at) == "number" or text.words[at - 1] in text.vocabulary.calendar.on
    return Reading("nth" if may_be_day else "place", found[0], at, found[1])


def _ordinal(text: Text, at: int) -> tuple[int, int] | None:
    """The ordinal at a token, and the token after it."""
    words, numbers = text.words, text.vocabulary.numbers
    word, after = words[at], words[at + 1]
    if word in numbers.ordinals:
        return numbers.ordinals[word], at + 1
    if word in numbers.tens:
        ones_at = at + 2 if after == "-" else at + 1
        ones = numbers.ordinals.get(words[ones_at], 0)
        return (numbers.tens[word] + ones, ones_at + 1) if 0 < ones < 10 else None
    if text.kind(at) == "number" and _DAY.fullmatch(word) and text.is_joined_to_next(at):
        is_led = words[at - 1] in numbers.led_by and int(word) <= 31
        return (int(word), at + 2) if after in numbers.ordinal_suffixes or (is_led and after == ".") else None
    return None


def day_of_month(today: date, day: int) -> date | None:
    """Return the next date with this day of the month, today included; `None` if there is no such day."""
    months = (today.year * 12 + today.month - 1 + ahead for ahead in range(12))
    days = (date_of(month // 12, month % 12 + 1, day) for month in months)
    return next((found for found in days if found and found >= today), None)


def each_day(day: Day) -> tuple[Day, ...]:
    """Return the days that a reading names: the day alone, or the day and the other one that its words may mean."""
    return (day,) if day.other is None else (day, day.other)


# days counted from today ---------------------------------------------------------------------------


def _relative(text: Text, at: int) -> Reading | None:
    """`Tomorrow`, `the day after tomorrow`, `heute in einer Woche`."""
    words, calendar = text.words, text.vocabulary.calendar
    found = value_at(calendar.relative, words, at)
    if found is None or words[at - 1] in calendar.not_before:
        return None
    days, stop = found
    ahead = distance_at(text, stop + 1) if words[stop] in calendar.within else None
    later = ahead.from_day(text.today) if ahead else None
    if ahead and later:
        days, stop = days + (later - text.today).days, ahead.stop
    elif more := value_at(calendar.days_added, words, stop):  # `tomorrow week`
        days, stop = days + more[0], more[1]
    return relative_reading(day_moved(text.today, days), at, stop)


def _counted(text: Text, at: int) -> Reading | None:
    """`In three weeks`, `3 days ago`, `vor zwei Wochen`, `a week from today`."""
    words, calendar = text.words, text.vocabulary.calendar
    if words[at] in calendar.within or words[at] in calendar.ago_before:
        far = distance_at(text, at + 1)
        sign = 1 if words[at] in calendar.within else -1
        return relative_reading(far.from_day(text.today, sign), at, far.stop) if far else None
    far = distance_at(text, at)
    if far and words[far.stop] in calendar.ago_after:
        return relative_reading(far.from_day(text.today, -1), at, far.stop + 1)
    if far is None or words[at - 1] in calendar.lasting:
        return None
    if size := length_at(calendar.from_base, words, far.stop):
        return relative_reading(far.from_day(text.today), at, far.stop + size)
    link = words[far.stop] in calendar.counted_from
    base = value_at(calendar.relative, words, far.stop + link) if link or far.days % 7 == 0 else None
    begin = day_moved(text.today, base[0]) if base else None
    return relative_reading(far.from_day(begin), at, base[1]) if base and begin else None  # `a week tomorrow`


def _with_date(text: Text, weekday: Reading) -> Reading:
    """A weekday and its date (`Tuesday, 24 November`), which must agree."""
    at = weekday.stop
    while text.words[at] == "," or text.words[at] in text.vocabulary.calendar.on:
        at += 1
    found = [read(text, at) for read in (date_in_digits, day_and_month, month_and_day)]
    full = next((reading for reading in found if reading and isinstance(reading.value, Day)), None)
    if full is None:
        return _with_day_number(text, weekday, at)
    named = weekday_named(text, weekday.first)
    agree = [one for one in each_day(full.value) if one.upcoming.weekday() == named]
    return reading_of(agree[0] if agree else None, weekday.first, full.stop)


def _with_day_number(text: Text, weekday: Reading, at: int) -> Reading:
    """A weekday and its day of the month (`Friday the 5th`, `Friday 5` at the end): the next date that has both."""
    at += text.words[at] in text.vocabulary.numbers.led_by or text.words[at] == "the"
    found = _ordinal(text, at) or day_number(text, at)
    if found is None or (_ordinal(text, at) is None and found[1] < len(text.tokens)):
        return weekday  # `Friday 5 people`
    day, today = weekday_named(text, weekday.first), text.today
    months = (today.year * 12 + today.month - 1 + ahead for ahead in range(12))
    dates = (date_of(month // 12, month % 12 + 1, found[0]) for month in months)
    both = next((one for one in dates if one and one >= today and one.weekday() == day), None)
    return reading_of(both, weekday.first, found[1])


# days of the calendar ------------------------------------------------------------------------------


def _holiday(text: Text, at: int) -> Reading | None:
    found = value_at(text.vocabulary.calendar.holidays, text.words, at)
    return reading_of(day_in(text.today, *found[0]), at, found[1]) if found else None


def day_number(text: Text, at: int) -> tuple[int, int] | None:
    """Return the day of a month (1 to 31) at token `at`, an ordinal or a number, and the index of the next token; else
    `None`.
    """
    is_number = text.kind(at) == "number" and _DAY.fullmatch(text.words[at])
    return _ordinal(text, at) or ((int(text.words[at]), at + 1) if is_number else None)


def day_and_month(text: Text, at: int) -> Reading | None:
    """Return a date that begins with the day at token `at`: `24 December 2026`, `3. Mai`; else `None`."""
    words, calendar = text.words, text.vocabulary.calendar
    found = day_number(text, at)
    if found is None:
        return None
    day, stop = found
    stop += words[stop] == "."
    stop += words[stop] in calendar.of
    month = calendar.months.get(words[stop]) or _numbered_month(text, stop)
    return _with_year(text, day, month, at, stop + 1) if month else None


def _numbered_month(text: Text, at: int) -> int | None:
    """The month of `3. 12.` behind its day, where a language has the day first."""
    words, day_first = text.words, text.vocabulary.numbers.units_first
    is_month = day_first and words[at - 1] == "." and words[at + 1] == "." and text.is_joined_to_next(at)
    return int(words[at]) if is_month and words[at].isdecimal() and 1 <= int(words[at]) <= 12 else None


def month_and_day(text: Text, at: int) -> Reading | None:
    """Return a date that begins with the month at token `at`: `December 24th, 2026`, `Dec. 24`; else `None`."""
    month = text.vocabulary.calendar.months.get(text.words[at])
    if not month or text.vocabulary.numbers.units_first:
        return None
    stop = at + 1
    while text.words[stop] in (".", "the"):
        stop += 1
    found = day_number(text, stop)
    return _with_year(text, found[0], month, at, found[1]) if found else None


def _with_year(text: Text, day: int, month: int, at: int, stop: int) -> Reading:
    words, year_at = text.words, stop
    while words[year_at] in (",", "."):
        year_at += 1
    if _YEAR.fullmatch(words[year_at]):
        return reading_of(date_of(int(words[year_at]), month, day), at, year_at + 1)
    is_short_form = text.kind(stop - 1) == "word" and len(words[stop - 1]) <= 4
    has_stop = words[stop] == "." and text.is_joined_to_next(stop - 1)
    return reading_of(day_in(text.today, month, day), at, stop + 1 if has_stop and is_short_form else stop)
