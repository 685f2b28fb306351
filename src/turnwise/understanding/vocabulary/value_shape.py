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
    """Number words: values of single words, multipliers, and what joins them."""

    ones: Mapping[str, int]
    """The numbers up to nineteen."""
    tens: Mapping[str, int]
    """The numbers from twenty to ninety, by tens."""
    scales: Mapping[str, int]
    """What a number before it is multiplied by: *hundred*, *dozen*."""
    articles: frozenset[str]
    """Articles that count as one before a scale: *a hundred*."""
    joints: frozenset[str]
    """What joins the parts of a number: *and*."""
    fractions: Mapping[tuple[str, ...], float]
    """Phrases behind a number, with what they add: *and a half*."""
    mixed: Mapping[str, float] = {}
    """Words for a number with a half: *anderthalb*."""
    fixed: Mapping[tuple[str, ...], int]
    """Phrases that are one number: *half a dozen*."""
    minus: frozenset[str]
    """What makes a number negative."""
    points: frozenset[str]
    """The decimal point in words."""
    ordinals: Mapping[str, int]
    """*First*, *second*, with their numbers."""
    ordinal_suffixes: frozenset[str]
    """Endings of ordinals in digits: *3rd*."""
    led_by: frozenset[str] = frozenset()
    """Words before a number with a point that make it a day: *am 3.*"""
    lasts: frozenset[str]
    """*Last*, as an ordinal."""
    out_of: Phrases
    """What stands between a part and its whole: *3 out of 10*."""
    place_words: frozenset[str]
    """Words before the number of an option: *number 2*."""
    pronouns: frozenset[str] = frozenset()
    """Number words that are often pronouns: *one*."""
    lone: frozenset[str] = frozenset()
    """Articles that are the number one where they stand alone."""
    zeros: frozenset[str]
    """Words that mean none: *no*, *nobody*."""
    before_pronouns: frozenset[str]
    """Words behind which such a word is a number nevertheless."""
    thousands_mark: str
    """What groups the digits of a large number."""
    units_first: bool
    """True where ones stand before tens: *einundzwanzig*."""


class CalendarWords(Struct, frozen=True, kw_only=True):
    """Days, weeks and months, and the words that move them."""

    relative: Mapping[tuple[str, ...], int]
    """Phrases for a day, with its distance from today: *tomorrow*."""
    weekdays: Mapping[str, int]
    """Weekdays, with Monday as 0."""
    short_weekdays: Mapping[str, int]
    """Their short forms, which are also other words."""
    months: Mapping[str, int]
    """Months with their numbers."""
    upcoming: frozenset[str]
    """Before a weekday: the next one that comes: *this Friday*."""
    following: frozenset[str]
    """Before a weekday: that of the next week: *next Friday*."""
    overnext: frozenset[str] = frozenset()
    """Before a weekday: that of the week after the next one."""
    after_next: Phrases = {}
    """Behind a weekday: the same."""
    past: frozenset[str]
    """Before a weekday: the last one."""
    coming_weeks: Mapping[tuple[str, ...], int]
    """Phrases for a week, with its distance from this one."""
    days_added: Mapping[tuple[str, ...], int] = {}
    """Phrases behind a day, with the days that they add: *Friday week*."""
    counted_from: frozenset[str] = frozenset()
    """Between a distance and the day that it counts from: *a week on Friday*."""
    lasting: frozenset[str]
    """Before a length of time that is no distance: *for three days*."""
    span_leads: frozenset[str]
    """Before the first day of a span: *from*."""
    between: frozenset[str]
    """Before both days of a span."""
    until: frozenset[str]
    """Before the last day of a span."""
    either: frozenset[str]
    """Between two days, of which either is meant, or both."""
    neither: frozenset[str]
    """Before days that are excluded."""
    now: Phrases
    """Phrases for the present moment."""
    order_hints: tuple[Phrases, ...]
    """Words for the first of two days, for leaving, and for the last: *arrive*, *depart*, *return*."""
    within: frozenset[str]
    """Before a distance from today: *in three days*."""
    ago_before: frozenset[str] = frozenset()
    """Before a distance into the past: *vor drei Tagen*."""
    ago_after: frozenset[str] = frozenset()
    """Behind a distance into the past: *three days ago*."""
    from_base: Phrases
    """Behind a distance: *from now*."""
    days: Mapping[str, int]
    """Units of distance in days."""
    month_units: Mapping[str, int]
    """Units of distance in months."""
    on: frozenset[str]
    """What may stand before a date."""
    of: frozenset[str] = frozenset()
    """What may stand between day and month."""
    holidays: Mapping[tuple[str, ...], tuple[int, int]]
    """Phrases for a fixed date, as month and day."""
    past_hints: frozenset[str]
    """Words that make a day without a year one of the past."""
    birth_hints: frozenset[str]
    """Words that make a day a date of birth."""
    not_before: frozenset[str] = frozenset()
    """Words behind which a day that counts from today is none: *guten Morgen*."""
    parts: Mapping[str, PartOfDay]
    """Parts of a day that may follow one: *Friday morning*."""

    def names_day(self, word: str) -> bool:
        """True for a weekday, and for the last word of a day that is counted from today."""
        return word in self.weekdays or any(phrase[-1] == word for phrase in self.relative)


class ClockWords(Struct, frozen=True, kw_only=True):
    """Times of day: words for hours, fractions, and the parts of a day."""

    hour: frozenset[str]
    """What marks an hour: *o'clock*."""
    past: frozenset[str]
    """Between minutes and the hour before: *ten past six*."""
    to: frozenset[str]
    """Between minutes and the hour to come: *ten to six*."""
    half_next: frozenset[str] = frozenset()
    """Half before the hour that follows: *halb sechs* is 5:30."""
    half_past: Phrases = {}
    """Half after the hour that follows: *half past six*."""
    quarter: Phrases
    """A quarter of an hour."""
    three_quarters: frozenset[str] = frozenset()
    """Three quarters before the hour that follows: *dreiviertel sechs*."""
    minutes: frozenset[str]
    """Units of minutes."""
    fixed: Mapping[str, str]
    """Words for one time: *noon*."""
    day_parts: frozenset[str] = frozenset()
    """Words that stand for a part of a day."""
    parts: Mapping[tuple[str, ...], PartOfDay]
    """Phrases that say in which part of the day an hour is: *pm*."""
    at: frozenset[str]
    """Before a time."""
    around: frozenset[str] = frozenset()
    """Before a time that is not exact."""
    only_behind: frozenset[str] = frozenset()
    """Marks that stand behind an hour only: *pm*."""


class DurationWords(Struct, frozen=True):
    """Lengths of time: seconds per unit, whole phrases, and ways to say a half."""

    units: Mapping[str, int]
    """Units with their seconds."""
    whole: Mapping[tuple[str, ...], int]
    """Phrases for a whole length, with its seconds: *half an hour*."""
    joints: frozenset[str]
    """What joins the parts of a length: *and*."""
