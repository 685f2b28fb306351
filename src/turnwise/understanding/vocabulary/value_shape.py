"""The shape of a language's words for values: numbers, days, times of day, lengths of time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from turnwise.understanding.vocabulary.tables import (
    Phrases,
)

PartOfDay = Literal["morning", "afternoon", "evening", "night"]
"""The parts of a day."""


class NumberWords(Struct, frozen=True, kw_only=True):
    """Number words: the values of single words, multipliers, and words that join them."""

    ones: Mapping[str, int]
    """Words for the numbers up to nineteen, with their values."""
    tens: Mapping[str, int]
    """Words for twenty, thirty and so on to ninety, with their values."""
    scales: Mapping[str, int]
    """Words that multiply the number before them, with their factors: *hundred*, *dozen*."""
    articles: frozenset[str]
    """Articles that count as one before a scale: *a hundred*."""
    joints: frozenset[str]
    """Words that join the parts of a number: *and*."""
    fractions: Mapping[tuple[str, ...], float]
    """Phrases behind a number, with the amount that they add: *and a half*."""
    mixed: Mapping[str, float] = {}
    """Words for a number with a half, with their values: *anderthalb*."""
    fixed: Mapping[tuple[str, ...], int]
    """Phrases that are one number, with their values: *half a dozen*."""
    minus: frozenset[str]
    """Words that make a number negative: *minus*."""
    points: frozenset[str]
    """Words for the decimal point: *point*."""
    ordinals: Mapping[str, int]
    """Ordinals in words with their numbers: *first* is 1."""
    ordinal_suffixes: frozenset[str]
    """Endings of ordinals in digits: *3rd*."""
    led_by: frozenset[str] = frozenset()
    """Words before a number with a point that make it a day: *am 3.*"""
    lasts: frozenset[str]
    """Words for the last of several things: *last*."""
    out_of: Phrases
    """Phrases between a part and its whole: *out of* in `3 out of 10`."""
    place_words: frozenset[str]
    """Words before the position of an option: *number* in `number 2`."""
    pronouns: frozenset[str] = frozenset()
    """Number words that are often pronouns: *one*."""
    lone: frozenset[str] = frozenset()
    """Articles that mean the number one if they stand alone."""
    zeros: frozenset[str]
    """Words that mean zero: *no*, *none*."""
    before_pronouns: frozenset[str]
    """Words after which a word of `pronouns` is a number nevertheless."""
    thousands_mark: str
    """The character that groups the digits of a large number."""
    units_first: bool
    """True if ones stand before tens: *einundzwanzig*."""


class CalendarWords(Struct, frozen=True, kw_only=True):
    """Words for days, weeks and months, and for moving them."""

    relative: Mapping[tuple[str, ...], int]
    """Phrases for a day, with the number of days from today: *tomorrow* is 1."""
    weekdays: Mapping[str, int]
    """Weekdays by name, with Monday as 0."""
    short_weekdays: Mapping[str, int]
    """Short forms of weekdays that are also other words (`sat`), with Monday as 0."""
    months: Mapping[str, int]
    """Months by name, from 1."""
    upcoming: frozenset[str]
    """Words before a weekday that mean the next one from today: *this Friday*."""
    following: frozenset[str]
    """Words before a weekday that mean the day in the next week: *next Friday*."""
    overnext: frozenset[str] = frozenset()
    """Words before a weekday that mean the day in the week after next."""
    after_next: Phrases = {}
    """Phrases behind a weekday that mean the day in the week after next."""
    past: frozenset[str]
    """Words before a weekday that mean the last past one."""
    coming_weeks: Mapping[tuple[str, ...], int]
    """Phrases for a week, with the number of weeks from this one."""
    days_added: Mapping[tuple[str, ...], int] = {}
    """Phrases behind a day, with the number of days that they add: *Friday week* adds 7."""
    counted_from: frozenset[str] = frozenset()
    """Words between a distance and the day that it counts from: *on* in `a week on Friday`."""
    lasting: frozenset[str]
    """Words before a length of time that is no distance: *for* in `for three days`."""
    span_leads: frozenset[str]
    """Words before the first day of a span: *from*."""
    between: frozenset[str]
    """Words before both days of a span: *between*."""
    until: frozenset[str]
    """Words before the last day of a span: *until*."""
    either: frozenset[str]
    """Words between two days of which either is meant, or both: *or*."""
    neither: frozenset[str]
    """Words before days that are excluded: *neither*."""
    now: Phrases
    """Phrases for the present moment: *right now*."""
    order_hints: tuple[Phrases, ...]
    """Words that mark the first of two days, a departure, and the last of two days: *arrive*, *depart*, *return*."""
    within: frozenset[str]
    """Words before a distance from today: *in* in `in three days`."""
    ago_before: frozenset[str] = frozenset()
    """Words before a distance into the past: *vor drei Tagen*."""
    ago_after: frozenset[str] = frozenset()
    """Words behind a distance into the past: *ago* in `three days ago`."""
    from_base: Phrases
    """Phrases behind a distance that count it from today: *from now*."""
    days: Mapping[str, int]
    """Units of distance, with their length in days: *week* is 7."""
    month_units: Mapping[str, int]
    """Units of distance, with their length in months: *year* is 12."""
    on: frozenset[str]
    """Words that may stand before a date: *on*."""
    of: frozenset[str] = frozenset()
    """Words that may stand between day and month: *of*."""
    holidays: Mapping[tuple[str, ...], tuple[int, int]]
    """Phrases for a fixed date, with its month and day, both from 1."""
    past_hints: frozenset[str]
    """Words that make a day without a year one in the past."""
    birth_hints: frozenset[str]
    """Words that make a day a date of birth."""
    not_before: frozenset[str] = frozenset()
    """Words after which a day counted from today is none: *guten* in `guten Morgen`."""
    parts: Mapping[str, PartOfDay]
    """Words behind a day for a part of it: *Friday morning*."""

    def names_day(self, word: str) -> bool:
        """Return whether a word is a weekday, or the last word of a day that is counted from today."""
        return word in self.weekdays or any(phrase[-1] == word for phrase in self.relative)


class ClockWords(Struct, frozen=True, kw_only=True):
    """Times of day: words for hours, fractions, and the parts of a day."""

    hour: frozenset[str]
    """Words that mark an hour: *o'clock*."""
    past: frozenset[str]
    """Words between minutes and the hour before: *past* in `ten past six`."""
    to: frozenset[str]
    """Words between minutes and the hour to come: *to* in `ten to six`."""
    half_next: frozenset[str] = frozenset()
    """Words for half an hour before the hour that follows: *halb sechs* is 5:30."""
    half_past: Phrases = {}
    """Phrases for half an hour after the hour that follows: *half past six*."""
    quarter: Phrases
    """Phrases for a quarter of an hour."""
    three_quarters: frozenset[str] = frozenset()
    """Words for a quarter of an hour before the hour that follows: *dreiviertel sechs* is 5:45."""
    minutes: frozenset[str]
    """Words for minutes: *min*."""
    fixed: Mapping[str, str]
    """Words for one time of day, with the time as HH:MM: *noon*."""
    day_parts: frozenset[str] = frozenset()
    """Words that mean a part of a day and no exact time."""
    parts: Mapping[tuple[str, ...], PartOfDay]
    """Phrases that say in which part of the day an hour is, with that part: *pm*."""
    at: frozenset[str]
    """Words before a time: *at*."""
    around: frozenset[str] = frozenset()
    """Words before a time that is not exact: *around*."""
    only_behind: frozenset[str] = frozenset()
    """Words that stand only behind an hour: *pm*."""


class DurationWords(Struct, frozen=True):
    """Words for lengths of time: units, whole phrases, and ways to say a half."""

    units: Mapping[str, int]
    """Units by name, with their length in seconds."""
    whole: Mapping[tuple[str, ...], int]
    """Phrases for a whole length, in seconds: *half an hour* is 1800."""
    joints: frozenset[str]
    """Words that join the parts of a length: *and*."""
