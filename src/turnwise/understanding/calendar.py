"""Reads days in a message: weekdays, dates, and words such as "tomorrow", relative to today.

Where the same words mean two days, there is no reading.
"""

from __future__ import annotations

from datetime import date, timedelta

from msgspec import Struct

from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.numbers import amount_at
from turnwise.understanding.readings import Day, Reading, Text
from turnwise.understanding.vocabulary.shape import length_at, value_at

_ISO = late_pattern(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_DOTTED = late_pattern(r"([0-9]{1,2})\.([0-9]{1,2})(?:\.([0-9]{4}|[0-9]{2}))?")
_SLASHED = late_pattern(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}|[0-9]{2})")
_YEAR = late_pattern(r"[12][0-9]{3}")
_DAY = late_pattern(r"[0-3]?[0-9]")
_FAR_DAYS = 40_000


def day_at(text: Text, at: int) -> Reading | None:
    """Read the longest day expression at a token; kind `odd` where the calendar has no such day."""
    readers = (_relative, _counted, _holiday, _digits, _day_and_month, _month_and_day, _weekday)
    found = [reading for reader in readers if (reading := reader(text, at))]
    best = max(found, key=lambda reading: reading.stop, default=None)
    return _with_date(text, best) if best and _weekday_at(text, at) is not None else best


def nth_at(text: Text, at: int) -> Reading | None:
    """Read an ordinal at a token: a position (-1 is the last), or a day of the month where it may be one."""
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
    if text.kind(at) == "number" and _DAY.fullmatch(word) and text.touches(at):
        is_led = words[at - 1] in numbers.led_by and int(word) <= 31
        return (int(word), at + 2) if after in numbers.ordinal_suffixes or (is_led and after == ".") else None
    return None


def on_day(year: int, month: int, day: int) -> date | None:
    """Return the date of these numbers, or `None` if the calendar has no such date."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def day_of_month(today: date, day: int) -> date | None:
    """Return the next date with this day of the month; today counts."""
    months = (today.year * 12 + today.month - 1 + ahead for ahead in range(12))
    days = (on_day(month // 12, month % 12 + 1, day) for month in months)
    return next((found for found in days if found and found >= today), None)


def may_be_two_days(text: str) -> bool:
    """True for a date in digits whose day and month are ambiguous."""
    found = _SLASHED.fullmatch(text)
    return found is not None and found[1] != found[2] and max(int(found[1]), int(found[2])) <= 12


def _moved(day: date, days: int) -> date | None:
    """Return a day moved by some days, or `None` beyond the range of the calendar."""
    try:
        return day + timedelta(days=days) if abs(days) < _FAR_DAYS else None
    except OverflowError:
        return None


def _reading(day: date | None, at: int, stop: int, latest: date | None = None) -> Reading:
    return Reading("odd", None, at, stop) if day is None else Reading("date", Day(day, latest), at, stop)


def _relative_reading(day: date | None, at: int, stop: int) -> Reading:
    return Reading("odd", None, at, stop) if day is None else Reading("date", Day(day, is_relative=True), at, stop)


# days counted from today ---------------------------------------------------------------------------


class _Distance(Struct, frozen=True):
    """A number of days or of months, and the token after it."""

    days: int
    months: int
    stop: int

    def from_day(self, day: date, sign: int = 1) -> date | None:
        """The day that lies so far ahead (or back)."""
        if not self.months:
            return _moved(day, sign * self.days)
        whole = day.year * 12 + day.month - 1 + sign * self.months
        return on_day(whole // 12, whole % 12 + 1, day.day) if 12 <= whole < 119_988 else None


def _distance_at(text: Text, at: int) -> _Distance | None:
    words, calendar = text.words, text.vocabulary.calendar
    amount = amount_at(text, at)
    if not amount and words[at] not in text.vocabulary.numbers.articles | {"einer"}:
        return None
    value, stop = (amount.value, amount.stop) if amount else (1, at + 1)
    if not float(value).is_integer() or not 0 <= value < _FAR_DAYS:
        return None
    if words[stop] in calendar.days:
        return _Distance(int(value) * calendar.days[words[stop]], 0, stop + 1)
    months = int(value) * calendar.month_units.get(words[stop], 0)
    return _Distance(0, months, stop + 1) if 0 < months < 12_000 else None


def _relative(text: Text, at: int) -> Reading | None:
    """`Tomorrow`, `the day after tomorrow`, `heute in einer Woche`."""
    words, calendar = text.words, text.vocabulary.calendar
    found = value_at(calendar.relative, words, at)
    if found is None or words[at - 1] in calendar.not_before:
        return None
    days, stop = found
    ahead = _distance_at(text, stop + 1) if words[stop] in calendar.within else None
    later = ahead.from_day(text.today) if ahead else None
    if ahead and later:
        days, stop = days + (later - text.today).days, ahead.stop
    return _relative_reading(_moved(text.today, days), at, stop)


def _counted(text: Text, at: int) -> Reading | None:
    """`In three weeks`, `3 days ago`, `vor zwei Wochen`, `a week from today`."""
    words, calendar = text.words, text.vocabulary.calendar
    if words[at] in calendar.within or words[at] in calendar.ago_before:
        far = _distance_at(text, at + 1)
        sign = 1 if words[at] in calendar.within else -1
        return _relative_reading(far.from_day(text.today, sign), at, far.stop) if far else None
    far = _distance_at(text, at)
    if far and words[far.stop] in calendar.ago_after:
        return _relative_reading(far.from_day(text.today, -1), at, far.stop + 1)
    size = length_at(calendar.from_base, words, far.stop) if far else 0
    return _relative_reading(far.from_day(text.today), at, far.stop + size) if far and size else None


def _weekday_at(text: Text, at: int) -> int | None:
    """The weekday that a word names, 0 for Monday; a short form such as `sat` only beside what makes it one."""
    words, calendar = text.words, text.vocabulary.calendar
    word, before, after = words[at], words[at - 1], words[at + 1]
    if word not in calendar.short_weekdays:
        return calendar.weekdays.get(word)
    is_led = before in calendar.on or before in calendar.upcoming or before in calendar.following
    is_followed = text.kind(at + 1) == "number" or after == "." or after in calendar.months
    return calendar.short_weekdays[word] if is_led or is_followed or len(text.tokens) == 1 else None


def _weekday(text: Text, at: int) -> Reading | None:
    """`Tuesday`, `next Tuesday`, `Dienstag nächster Woche`."""
    words, calendar = text.words, text.vocabulary.calendar
    week = length_at(calendar.next_week, words, at)
    next_monday = 7 - text.today.weekday()
    if week and (day := _weekday_at(text, at + week)) is not None:
        return _relative_reading(_moved(text.today, next_monday + day), at, at + week + 1)
    moves = words[at] in calendar.upcoming or words[at] in calendar.following or words[at] in calendar.past
    stop = at + moves + 1
    if (day := _weekday_at(text, stop - 1)) is None:
        return None
    week = 0 if moves else length_at(calendar.next_week, words, stop)
    if week:
        return _relative_reading(_moved(text.today, next_monday + day), at, stop + week)
    return _relative_reading(_moved_weekday(text, day, words[at] if moves else ""), at, stop)


def _moved_weekday(text: Text, day: int, mover: str) -> date | None:
    """Return the date meant, `None` if ambiguous: "next" where this week still has the weekday, or today's name."""
    today, calendar = text.today, text.vocabulary.calendar
    ahead, is_next = (day - today.weekday()) % 7, mover in calendar.following
    if mover in calendar.past:
        return _moved(today, -((today.weekday() - day) % 7 or 7))
    if ahead == 0:
        return _moved(today, 7) if is_next else None
    return None if is_next and today.weekday() + ahead < 7 else _moved(today, ahead)


def _with_date(text: Text, weekday: Reading) -> Reading:
    """A weekday and its date (`Tuesday, 24 November`), which must agree."""
    at = weekday.stop
    while text.words[at] == "," or text.words[at] in text.vocabulary.calendar.on:
        at += 1
    found = [read(text, at) for read in (_digits, _day_and_month, _month_and_day)]
    full = next((reading for reading in found if reading and isinstance(reading.value, Day)), None)
    if full is None:
        return _with_day_number(text, weekday, at)
    agrees = full.value.upcoming.weekday() == _weekday_at(text, weekday.first)
    return Reading("date" if agrees else "odd", full.value if agrees else None, weekday.first, full.stop)


def _with_day_number(text: Text, weekday: Reading, at: int) -> Reading:
    """A weekday and its day of the month (`Friday the 5th`, `Friday 5` at the end): the next date that has both."""
    at += text.words[at] in text.vocabulary.numbers.led_by or text.words[at] == "the"
    found = _ordinal(text, at) or _day_number(text, at)
    if found is None or (_ordinal(text, at) is None and found[1] < len(text.tokens)):
        return weekday  # `Friday 5 people`
    day, today = _weekday_at(text, weekday.first), text.today
    months = (today.year * 12 + today.month - 1 + ahead for ahead in range(12))
    dates = (on_day(month // 12, month % 12 + 1, found[0]) for month in months)
    both = next((one for one in dates if one and one >= today and one.weekday() == day), None)
    return _reading(both, weekday.first, found[1])


# days of the calendar ------------------------------------------------------------------------------


def _holiday(text: Text, at: int) -> Reading | None:
    found = value_at(text.vocabulary.calendar.holidays, text.words, at)
    return _without_year(text, found[0][1], found[0][0], at, found[1]) if found else None


def _digits(text: Text, at: int) -> Reading | None:
    """`2026-12-24`, `24/12/2026`, `24.12.26`, `24.12.`."""
    if text.kind(at) != "number":
        return None
    typed, day_first = text.words[at], text.vocabulary.numbers.units_first
    if found := _ISO.fullmatch(typed):
        return _reading(on_day(int(found[1]), int(found[2]), int(found[3])), at, at + 1)
    if found := _SLASHED.fullmatch(typed):  # two days, unless the language or the calendar decides
        left, right, year = int(found[1]), int(found[2]), int(found[3]) + (2000 if len(found[3]) == 2 else 0)
        days = {on_day(year, right, left)} if day_first else {on_day(year, right, left), on_day(year, left, right)}
        days.discard(None)
        return _reading(days.pop() if len(days) == 1 else None, at, at + 1)
    found = _DOTTED.fullmatch(typed)
    if found and found[3]:
        year = int(found[3]) + (2000 if len(found[3]) == 2 else 0)
        return _reading(on_day(year, int(found[2]), int(found[1])), at, at + 1)
    ends = text.touches(at) and text.words[at + 1] == "."
    return _without_year(text, int(found[1]), int(found[2]), at, at + 2) if found and ends and day_first else None


def _day_number(text: Text, at: int) -> tuple[int, int] | None:
    """The day of a month, as an ordinal or a number, and the token after it."""
    is_number = text.kind(at) == "number" and _DAY.fullmatch(text.words[at])
    return _ordinal(text, at) or ((int(text.words[at]), at + 1) if is_number else None)


def _day_and_month(text: Text, at: int) -> Reading | None:
    """`24 December 2026`, `24th of December`, `3. Mai`, `first of May`."""
    words, calendar = text.words, text.vocabulary.calendar
    found = _day_number(text, at)
    if found is None:
        return None
    day, stop = found
    stop += words[stop] == "."
    stop += words[stop] in calendar.of
    month = calendar.months.get(words[stop])
    return _with_year(text, day, month, at, stop + 1) if month else None


def _month_and_day(text: Text, at: int) -> Reading | None:
    """`December 24th, 2026`, `Dec. 24`."""
    month = text.vocabulary.calendar.months.get(text.words[at])
    if not month or text.vocabulary.numbers.units_first:
        return None
    stop = at + 1
    while text.words[stop] in (".", "the"):
        stop += 1
    found = _day_number(text, stop)
    return _with_year(text, found[0], month, at, found[1]) if found else None


def _with_year(text: Text, day: int, month: int, at: int, stop: int) -> Reading:
    words, year_at = text.words, stop
    while words[year_at] in (",", "."):
        year_at += 1
    if _YEAR.fullmatch(words[year_at]):
        return _reading(on_day(int(words[year_at]), month, day), at, year_at + 1)
    is_short_form = text.kind(stop - 1) == "word" and len(words[stop - 1]) <= 4
    has_stop = words[stop] == "." and text.touches(stop - 1)
    return _without_year(text, day, month, at, stop + 1 if has_stop and is_short_form else stop)


def _without_year(text: Text, day: int, month: int, at: int, stop: int) -> Reading:
    today = text.today
    ahead = (on_day(year, month, day) for year in range(today.year, min(today.year + 9, 9999)))
    back = (on_day(year, month, day) for year in range(today.year, max(today.year - 9, 1), -1))
    upcoming = next((found for found in ahead if found and found >= today), None)
    return _reading(upcoming, at, stop, next((found for found in back if found and found <= today), None))
