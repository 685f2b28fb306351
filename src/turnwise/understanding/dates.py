"""Makes readings of dates: from a year, a month and a day, from a day counted from today, and from digits.

The order of day and month in digits is certain between dots in languages that put the day first, and where only one
order is a date. Otherwise the reading has both days.
"""

from __future__ import annotations

from datetime import date, timedelta

from msgspec.structs import replace

from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.readings import Day, Reading, Text

MOST_DAYS_AWAY = 40_000
"""How many days from today a day may be; one that is further away is not read as a day."""
_ISO = late_pattern(r"([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})")
_DIGITS = late_pattern(r"([0-9]{1,2})([./-])([0-9]{1,2})(?:\2([0-9]{4}|[0-9]{2}))?")


def date_of(year: int, month: int, day: int) -> date | None:
    """Return the date of these numbers; `None` if the calendar has no such date."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def day_moved(day: date, days: int) -> date | None:
    """Return the date some days later (or earlier, if `days` is negative); `None` beyond the range of the calendar."""
    try:
        return day + timedelta(days=days) if abs(days) < MOST_DAYS_AWAY else None
    except OverflowError:
        return None


def reading_of(day: Day | date | None, at: int, stop: int) -> Reading:
    """Return the reading of a day in tokens `at` to `stop` (exclusive); kind `odd` if the calendar lacks the day."""
    day = Day(day) if isinstance(day, date) else day
    return Reading("odd", None, at, stop) if day is None else Reading("date", day, at, stop)


def relative_reading(day: date | None, at: int, stop: int, other: date | None = None) -> Reading:
    """Return the reading of a day counted from today, in the tokens `at` to `stop` (exclusive), with the day `other`
    that the same words may mean.
    """
    second = Day(other, is_relative=True) if other is not None else None
    return reading_of(None if day is None else Day(day, is_relative=True, other=second), at, stop)


def day_in(today: date, month: int, day: int) -> Day | None:
    """Return a day without a year: the next such date and the latest past one; `None` if no year has that date."""
    ahead = (date_of(year, month, day) for year in range(today.year, min(today.year + 9, 9999)))
    back = (date_of(year, month, day) for year in range(today.year, max(today.year - 9, 1), -1))
    upcoming = next((found for found in ahead if found and found >= today), None)
    latest = next((found for found in back if found and found <= today), None)
    return None if upcoming is None else Day(upcoming, latest)


def date_in_digits(text: Text, at: int) -> Reading | None:
    """Return the date in digits at token `at`, else `None`: `2026-12-24`, `24/12/2026`, `24.12.26`, `24.12.`."""
    if text.kind(at) != "number":
        return None
    typed, day_first = text.words[at], text.vocabulary.numbers.units_first
    if found := _ISO.fullmatch(typed):
        return reading_of(date_of(int(found[1]), int(found[2]), int(found[3])), at, at + 1)
    found = _DIGITS.fullmatch(typed)
    if found is None or (not found[4] and _is_amount(text, at)):
        return None
    left, right, year = int(found[1]), int(found[3]), found[4] or ""
    has_one_order = found[2] == "." and (day_first or bool(year))
    orders = dict.fromkeys(((right, left),) if has_one_order else ((right, left), (left, right)))
    days = [one for month, day in orders if (one := _day_of(text, year, month, day)) is not None]
    if not days and not year and found[2] != "/":
        return None  # a number, a time of day, or numbers from one to another
    ends = not year and found[2] == "." and day_first and text.is_joined_to_next(at) and text.words[at + 1] == "."
    days.sort(key=lambda one: one.upcoming)
    first = replace(days[0], other=days[1]) if len(days) == 2 else days[0] if days else None
    return reading_of(first, at, at + 1 + ends)


def _day_of(text: Text, year: str, month: int, day: int) -> Day | None:
    if not year:
        return day_in(text.today, month, day)
    found = date_of(int(year) + (2000 if len(year) == 2 else 0), month, day)
    return None if found is None else Day(found)


def _is_amount(text: Text, at: int) -> bool:
    """True for digits before what they count, or behind what makes them a time of day."""
    vocabulary, after = text.vocabulary, text.words[at + 1]
    units = (vocabulary.currencies, vocabulary.durations.units, vocabulary.clock.hour, vocabulary.numbers.scales)
    is_time = text.words[at - 1] in vocabulary.clock.at or (after,) in vocabulary.clock.parts
    return is_time or after in ("%", "$", "€", "£") or any(after in table for table in units)


def is_bare_pair(text: Text, reading: Reading) -> bool:
    """Return whether a reading is two numbers without a word that makes them a day or a time (`3/12`, `5.30`)."""
    found = _DIGITS.fullmatch(text.words[reading.first])
    if found is None or found[4] or reading.stop != reading.first + 1:
        return False
    before = text.words[reading.first - 1] if reading.first else ""
    return before not in text.vocabulary.calendar.on and before not in text.vocabulary.clock.at
