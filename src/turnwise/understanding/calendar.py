"""Days in a message: weekdays, dates, and words such as "tomorrow", counted from a given day.

It has no clock, and where two days are meant by the same words it reads none.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct

from turnwise.flow.late_pattern import late_pattern
from turnwise.understanding.numbers import amount_at
from turnwise.understanding.readings import Day, Reading
from turnwise.understanding.tokens import Token, touches
from turnwise.understanding.vocabulary.shape import CalendarWords, NumberWords, length_at

_ISO = late_pattern(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_DOTTED = late_pattern(r"([0-9]{1,2})\.([0-9]{1,2})(?:\.([0-9]{4}|[0-9]{2}))?")
_SLASHED = late_pattern(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4}|[0-9]{2})")
_YEAR = late_pattern(r"[12][0-9]{3}")
_DAY = late_pattern(r"[0-3]?[0-9]")
_FAR_DAYS = 40_000


class Almanac(Struct, frozen=True):
    """What reading a day depends on: today and the words of the language."""

    today: date
    words: CalendarWords
    numbers: NumberWords


def day_at(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    """The longest day that begins at a token; an odd reading where the words are no day of the calendar."""
    readers = (_relative, _within, _ago, _counted_from, _holiday, _digits, _day_and_month, _month_and_day, _weekday)
    found = [reading for reader in readers if (reading := reader(tokens, at, almanac))]
    best = max(found, key=lambda reading: reading.stop, default=None)
    return best and (_with_date(tokens, best, almanac) if _is_weekday(tokens, at, almanac) else best)


def nth_at(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    """A place in a row that begins at a token (-1 is the last); a day of the month where it may be one."""
    token, numbers = tokens[at], almanac.numbers
    if token.word in numbers.lasts:
        return Reading("place", -1, at, at + 1)
    said = _nth(tokens, at, numbers)
    if said is None:
        return None
    is_led = at > 0 and tokens[at - 1].word in almanac.words.on
    return Reading("nth" if is_led or token.kind == "number" else "place", said[0], at, said[1])


def _nth(tokens: tuple[Token, ...], at: int, numbers: NumberWords) -> tuple[int, int] | None:
    token = tokens[at]
    if token.word in numbers.ordinals:
        return numbers.ordinals[token.word], at + 1
    if token.word in numbers.tens and at + 1 < len(tokens):
        ones_at = at + 2 if tokens[at + 1].text == "-" and at + 2 < len(tokens) else at + 1
        ones = numbers.ordinals.get(tokens[ones_at].word, 0)
        return (numbers.tens[token.word] + ones, ones_at + 1) if 0 < ones < 10 else None
    if token.kind == "number" and _DAY.fullmatch(token.text) and touches(tokens, at):
        if tokens[at + 1].word in numbers.ordinal_suffixes:
            return int(token.text), at + 2
        is_led = at > 0 and tokens[at - 1].word in numbers.led_by and int(token.text) <= 31
        if is_led and tokens[at + 1].text == ".":
            return int(token.text), at + 2
    return None


def on_day(year: int, month: int, day: int) -> date | None:
    """A date, or `None` where the calendar has none."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def moved(day: date, days: int) -> date | None:
    """A day some days on, or `None` where that is too far."""
    try:
        return day + timedelta(days=days) if abs(days) < _FAR_DAYS else None
    except OverflowError:
        return None


def day_of_month(today: date, day: int) -> date | None:
    """The next time that a day of the month comes, today included."""
    year, month = today.year, today.month
    for _ in range(12):
        found = on_day(year, month, day)
        if found and found >= today:
            return found
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return None


def _said(tokens: tuple[Token, ...], at: int, size: int) -> tuple[str, ...]:
    return tuple(token.word for token in tokens[at : at + size])


def _reading(day: date | None, at: int, stop: int, latest: date | None = None) -> Reading:
    return Reading("odd", None, at, stop) if day is None else Reading("date", Day(day, latest), at, stop)


def _relative_reading(day: date | None, at: int, stop: int) -> Reading:
    return Reading("odd", None, at, stop) if day is None else Reading("date", Day(day, is_relative=True), at, stop)


def _relative(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    for size in (4, 3, 2, 1):
        days = almanac.words.relative.get(_said(tokens, at, size)) if at + size <= len(tokens) else None
        if days is None or (at > 0 and tokens[at - 1].word in almanac.words.not_before):
            continue
        ahead = _within(tokens, at + size, almanac) if at + size < len(tokens) else None
        if ahead and isinstance(ahead.value, Day):
            span = (ahead.value.upcoming - almanac.today).days
            return _relative_reading(moved(almanac.today, days + span), at, ahead.stop)
        return _relative_reading(moved(almanac.today, days), at, at + size)
    return None


class _Ahead(Struct, frozen=True):
    """A number of days or of months, and the token after it."""

    days: int
    months: int
    stop: int

    def after(self, day: date, sign: int = 1) -> date | None:
        """The day that lies so far ahead (or back)."""
        if not self.months:
            return moved(day, sign * self.days)
        whole = day.year * 12 + day.month - 1 + sign * self.months
        return on_day(whole // 12, whole % 12 + 1, day.day) if 12 <= whole < 119_988 else None


def _ahead(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> _Ahead | None:
    if at >= len(tokens):
        return None
    amount = amount_at(tokens, at, almanac.numbers)
    value, stop = (amount.value, amount.stop) if amount else (1, at + 1)
    if not amount and tokens[at].word not in almanac.numbers.articles | {"einer"}:
        return None
    if stop >= len(tokens) or not float(value).is_integer() or not 0 <= value < _FAR_DAYS:
        return None
    unit = tokens[stop].word
    if unit in almanac.words.days:
        return _Ahead(int(value) * almanac.words.days[unit], 0, stop + 1)
    months = int(value) * almanac.words.month_units.get(unit, 0)
    return _Ahead(0, months, stop + 1) if 0 < months < 12_000 else None


def _within(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    if tokens[at].word not in almanac.words.within:
        return None
    ahead = _ahead(tokens, at + 1, almanac)
    return _relative_reading(ahead.after(almanac.today), at, ahead.stop) if ahead else None


def _ago(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    if tokens[at].word in almanac.words.ago_before:
        back = _ahead(tokens, at + 1, almanac)
        return _relative_reading(back.after(almanac.today, -1), at, back.stop) if back else None
    back = _ahead(tokens, at, almanac) if almanac.words.ago_after else None
    if back and back.stop < len(tokens) and tokens[back.stop].word in almanac.words.ago_after:
        return _relative_reading(back.after(almanac.today, -1), at, back.stop + 1)
    return None


def _counted_from(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    """`A week from today`, `three days from tomorrow`."""
    ahead = _ahead(tokens, at, almanac)
    if not ahead or ahead.stop >= len(tokens):
        return None
    size = length_at(almanac.words.from_base, _said(tokens, ahead.stop, 3), 0)
    return _relative_reading(ahead.after(almanac.today), at, ahead.stop + size) if size else None


def _holiday(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    for size in (3, 2, 1):
        found = almanac.words.holidays.get(_said(tokens, at, size)) if at + size <= len(tokens) else None
        if found:
            return _without_year(found[1], found[0], at, at + size, almanac)
    return None


def _digits(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    token = tokens[at]
    if token.kind != "number":
        return None
    if found := _ISO.fullmatch(token.text):
        return _reading(on_day(int(found[1]), int(found[2]), int(found[3])), at, at + 1)
    if found := _SLASHED.fullmatch(token.text):
        return _slashed(int(found[1]), int(found[2]), _full_year(found[3]), at, almanac)
    found = _DOTTED.fullmatch(token.text)
    if not found:
        return None
    if found[3]:
        return _reading(on_day(_full_year(found[3]), int(found[2]), int(found[1])), at, at + 1)
    ends = touches(tokens, at) and tokens[at + 1].text == "."
    return (
        _without_year(int(found[1]), int(found[2]), at, at + 2, almanac)
        if ends and almanac.numbers.units_first
        else None
    )


def _full_year(text: str) -> int:
    return int(text) + (2000 if len(text) == 2 else 0)


def may_be_two_days(text: str) -> bool:
    """True for a date in digits whose day may be its month."""
    found = _SLASHED.fullmatch(text)
    return found is not None and found[1] != found[2] and max(int(found[1]), int(found[2])) <= _MONTHS


_MONTHS = 12


def _slashed(first: int, second: int, year: int, at: int, almanac: Almanac) -> Reading:
    """Day and month, or month and day: read only where one of them is no day of the calendar."""
    days = {on_day(year, second, first), on_day(year, first, second)} - {None}
    if almanac.numbers.units_first:
        days = {on_day(year, second, first)}
    return _reading(days.pop() if len(days) == 1 else None, at, at + 1)


def _day_and_month(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    """`24 December 2026`, `24th of December`, `3. Mai`, `first of May`."""
    day = _nth(tokens, at, almanac.numbers)
    if day is None and tokens[at].kind == "number" and _DAY.fullmatch(tokens[at].text):
        day = int(tokens[at].text), at + 1
    if day is None:
        return None
    number, stop = day
    if stop < len(tokens) and tokens[stop].text == ".":
        stop += 1
    if stop < len(tokens) and tokens[stop].word in almanac.words.of:
        stop += 1
    month = almanac.words.months.get(tokens[stop].word) if stop < len(tokens) else None
    return _with_year(tokens, number, month, at, stop + 1, almanac) if month else None


def _month_and_day(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    """`December 24th, 2026`, `Dec. 24`."""
    month = almanac.words.months.get(tokens[at].word)
    if not month or almanac.numbers.units_first:
        return None
    stop = at + 1
    while stop < len(tokens) and tokens[stop].word in (".", "the"):
        stop += 1
    if stop >= len(tokens):
        return None
    day = _nth(tokens, stop, almanac.numbers)
    if day is None and tokens[stop].kind == "number" and _DAY.fullmatch(tokens[stop].text):
        day = int(tokens[stop].text), stop + 1
    return _with_year(tokens, day[0], month, at, day[1], almanac) if day else None


def _with_year(tokens: tuple[Token, ...], day: int, month: int, at: int, stop: int, almanac: Almanac) -> Reading:
    year_at = stop
    while year_at < len(tokens) and tokens[year_at].text in (",", "."):
        year_at += 1
    if year_at < len(tokens) and _YEAR.fullmatch(tokens[year_at].text):
        return _reading(on_day(int(tokens[year_at].text), month, day), at, year_at + 1)
    ends_short = (
        stop < len(tokens)
        and tokens[stop].text == "."
        and touches(tokens, stop - 1)
        and len(tokens[stop - 1].word) <= 4
    )
    return _without_year(day, month, at, stop + 1 if ends_short and tokens[stop - 1].kind == "word" else stop, almanac)


def _without_year(day: int, month: int, at: int, stop: int, almanac: Almanac) -> Reading:
    today = almanac.today
    ahead = (on_day(year, month, day) for year in range(today.year, min(today.year + 9, 9999)))
    back = (on_day(year, month, day) for year in range(today.year, max(today.year - 9, 1), -1))
    upcoming = next((found for found in ahead if found and found >= today), None)
    return _reading(upcoming, at, stop, next((found for found in back if found and found <= today), None))


# weekdays ----------------------------------------------------------------------------------------


def _is_weekday(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> bool:
    return _weekday_of(tokens, at, almanac) is not None


def _weekday_of(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> int | None:
    token, words = tokens[at], almanac.words
    if token.word in words.weekdays:
        return words.weekdays[token.word]
    before = tokens[at - 1].word if at else ""
    is_led = before in words.on or before in words.upcoming or before in words.following
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    is_led = is_led or (
        after is not None and (after.kind == "number" or after.text == "." or after.word in words.months)
    )
    if token.word in words.short_weekdays and (is_led or len(tokens) == 1):
        return words.short_weekdays[token.word]
    return None


def _weekday(tokens: tuple[Token, ...], at: int, almanac: Almanac) -> Reading | None:
    words = almanac.words
    mover = tokens[at].word
    moves = mover in words.upcoming or mover in words.following or mover in words.past
    week = length_at(words.next_week, _said(tokens, at, 4), 0)
    if week and at + week < len(tokens) and (day := _weekday_of(tokens, at + week, almanac)) is not None:
        return _relative_reading(_in_next_week(almanac.today, day), at, at + week + 1)
    day_token = at + 1 if moves else at
    if day_token >= len(tokens) or (day := _weekday_of(tokens, day_token, almanac)) is None:
        return None
    stop = day_token + 1
    week = length_at(words.next_week, _said(tokens, stop, 4), 0) if stop < len(tokens) else 0
    if week and not moves:
        return _relative_reading(_in_next_week(almanac.today, day), at, stop + week)
    return _relative_reading(_moved_weekday(almanac, day, mover if moves else ""), at, stop)


def _in_next_week(today: date, day: int) -> date | None:
    return moved(today, 7 - today.weekday() + day)


def _moved_weekday(almanac: Almanac, day: int, mover: str) -> date | None:
    """The weekday meant. "Next" is two days where this week still has one; so is today's own name."""
    today, ahead = almanac.today, (day - almanac.today.weekday()) % 7
    if mover in almanac.words.past:
        return moved(today, -((today.weekday() - day) % 7 or 7))
    if ahead == 0:
        return moved(today, 7) if mover in almanac.words.following else None
    in_this_week = today.weekday() + ahead < 7
    if mover in almanac.words.following and in_this_week:
        return None
    return moved(today, ahead)


def _with_date(tokens: tuple[Token, ...], weekday: Reading, almanac: Almanac) -> Reading:
    """A weekday and its date (`Tuesday, 24 November`), which must agree."""
    at = weekday.stop
    while at < len(tokens) and (tokens[at].text == "," or tokens[at].word in almanac.words.on):
        at += 1
    if at >= len(tokens):
        return weekday
    found: Sequence[Reading | None] = [read(tokens, at, almanac) for read in (_digits, _day_and_month, _month_and_day)]
    full = next((reading for reading in found if reading and isinstance(reading.value, Day)), None)
    if full is None:
        return weekday
    agrees = full.value.upcoming.weekday() == _weekday_of(tokens, weekday.first, almanac)
    return Reading("date" if agrees else "odd", full.value if agrees else None, weekday.first, full.stop)
