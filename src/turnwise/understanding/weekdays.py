"""Reads weekdays, and what moves them: `next Friday`, `Friday week`, `a week on Friday`, `Freitag in acht Tagen`.

People differ in what they mean by the next Friday where this week still has one, so the reading has both days. The
Friday after that moves with it.
"""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from turnwise.understanding.dates import MOST_DAYS_AWAY, date_of, day_moved, relative_reading
from turnwise.understanding.numbers import amount_at
from turnwise.understanding.readings import Reading, Text
from turnwise.understanding.vocabulary.tables import length_at, value_at

_WEEK = 7


class Distance(Struct, frozen=True):
    """A distance in days or months, and where it ends in the message."""

    days: int
    """The number of days; 0 if the distance is in months."""
    months: int
    """The number of months; 0 if the distance is in days."""
    stop: int
    """The index of the token after the distance."""

    def from_day(self, day: date, sign: int = 1) -> date | None:
        """Return the date at this distance after `day`, or before it if `sign` is -1; `None` beyond the calendar."""
        if not self.months:
            return day_moved(day, sign * self.days)
        whole = day.year * 12 + day.month - 1 + sign * self.months
        return date_of(whole // 12, whole % 12 + 1, day.day) if 12 <= whole < 119_988 else None


def distance_at(text: Text, at: int) -> Distance | None:
    """Return the number of days, weeks, months or years that begins at token `at`; `None` if none does."""
    words, calendar = text.words, text.vocabulary.calendar
    amount = amount_at(text, at)
    if not amount and words[at] not in text.vocabulary.numbers.articles | {"einer"}:
        return None
    value, stop = (amount.value, amount.stop) if amount else (1, at + 1)
    if not float(value).is_integer() or not 0 <= value < MOST_DAYS_AWAY:
        return None
    if words[stop] in calendar.days:
        return Distance(int(value) * calendar.days[words[stop]], 0, stop + 1)
    months = int(value) * calendar.month_units.get(words[stop], 0)
    return Distance(0, months, stop + 1) if 0 < months < 12_000 else None


def weekday_named(text: Text, at: int) -> int | None:
    """Return the weekday that the word at token `at` names (0 for Monday); `None` if it names none."""
    words, calendar = text.words, text.vocabulary.calendar
    word, before, after = words[at], words[at - 1], words[at + 1]
    if word not in calendar.short_weekdays:
        return calendar.weekdays.get(word)
    is_led = any(before in table for table in (calendar.on, calendar.upcoming, calendar.following, calendar.overnext))
    is_followed = text.kind(at + 1) == "number" or after == "." or after in calendar.months
    return calendar.short_weekdays[word] if is_led or is_followed or len(text.tokens) == 1 else None


def weekday_at(text: Text, at: int) -> Reading | None:
    """Return the weekday that begins at token `at`, else `None`: `Tuesday`, `Dienstag nächster Woche`."""
    words, calendar = text.words, text.vocabulary.calendar
    week = value_at(calendar.coming_weeks, words, at)
    if week and (day := weekday_named(text, week[1])) is not None:
        return relative_reading(_in_week(text, day, week[0]), at, week[1] + 1)
    if (weeks := _weeks_before(text, at)) is not None and (day := weekday_named(text, weeks[1])) is not None:
        return relative_reading(day_moved(_coming(text, day), weeks[0]), at, weeks[1] + 1)
    movers = (calendar.upcoming, calendar.following, calendar.past, calendar.overnext)
    stop = at + any(words[at] in table for table in movers) + 1
    if (day := weekday_named(text, stop - 1)) is None:
        return None
    if stop > at + 1:
        return _moved_weekday(text, day, at)
    if week := value_at(calendar.coming_weeks, words, stop):
        return relative_reading(_in_week(text, day, week[0]), at, week[1])
    if (weeks := _weeks_after(text, stop)) is not None:
        return relative_reading(None if weeks[0] < 0 else day_moved(_coming(text, day), weeks[0]), at, weeks[1])
    if size := length_at(calendar.after_next, words, stop):
        return _next_weekday(text, day, at, stop + size, after=_WEEK)
    return _moved_weekday(text, day, at)


def _in_week(text: Text, day: int, weeks: int) -> date | None:
    """The weekday in the week that lies so many weeks ahead."""
    return day_moved(text.today, weeks * _WEEK - text.today.weekday() + day)


def _coming(text: Text, day: int) -> date:
    """The next date with a weekday; today counts."""
    found = day_moved(text.today, (day - text.today.weekday()) % _WEEK)
    return text.today if found is None else found


def _weeks_before(text: Text, at: int) -> tuple[int, int] | None:
    """The days of whole weeks counted from a weekday behind them (`a week on Friday`), and the token of the weekday."""
    calendar, far = text.vocabulary.calendar, distance_at(text, at)
    is_length = text.words[at - 1] in calendar.lasting  # `for a week on Friday`
    if (
        far is None
        or is_length
        or not far.days
        or far.days % _WEEK
        or text.words[far.stop] not in calendar.counted_from
    ):
        return None
    return far.days, far.stop + 1


def _weeks_after(text: Text, at: int) -> tuple[int, int] | None:
    """The days that words behind a weekday add (`Friday week`, `Freitag in acht Tagen`), and the token after them. A
    week is eight days too, as people count; the days are negative where they do not end on the weekday.
    """
    words, calendar = text.words, text.vocabulary.calendar
    if found := value_at(calendar.days_added, words, at):
        return found
    far = distance_at(text, at + 1) if words[at] in calendar.within else None
    if far is None or not far.days:
        return None
    return (far.days - far.days % _WEEK if far.days % _WEEK < 2 and far.days > 1 else -1), far.stop


def _moved_weekday(text: Text, day: int, at: int) -> Reading:
    """The date of a weekday behind its mover. Without one, today's name may mean today or a week from now."""
    today, calendar, mover = text.today, text.vocabulary.calendar, text.words[at]
    ahead = (day - today.weekday()) % _WEEK
    if mover in calendar.past:
        return relative_reading(day_moved(today, -(_WEEK - ahead)), at, at + 2)
    if mover in calendar.following or mover in calendar.overnext:
        return _next_weekday(text, day, at, at + 2, after=_WEEK if mover in calendar.overnext else 0)
    stop = at + 1 + (mover in calendar.upcoming)
    return relative_reading(day_moved(today, ahead), at, stop, day_moved(today, _WEEK) if ahead == 0 else None)


def _next_weekday(text: Text, day: int, at: int, stop: int, *, after: int) -> Reading:
    """The next weekday: the coming one, and the one of next week where this week still has it."""
    ahead = (day - text.today.weekday()) % _WEEK or _WEEK
    has_two = text.today.weekday() + ahead < _WEEK
    other = day_moved(text.today, ahead + _WEEK + after) if has_two else None
    return relative_reading(day_moved(text.today, ahead + after), at, stop, other)
