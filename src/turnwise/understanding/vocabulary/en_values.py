"""English words for numbers, days, times and lengths. Data only; it reads nothing."""

from __future__ import annotations

from turnwise.core.language.en import THOUSANDS_MARK
from turnwise.understanding.vocabulary.shape import (
    CalendarWords,
    ClockWords,
    DurationWords,
    NumberWords,
    by_phrase,
    by_word,
    phrases,
    words,
)

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_NTHS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]

NUMBERS = NumberWords(
    ones={word: value for value, word in enumerate(_ONES)} | {"nought": 0},
    tens={word: 20 + 10 * value for value, word in enumerate(_TENS)} | {"fourty": 40, "ninty": 90},
    scales={"hundred": 100, "thousand": 1000, "million": 10**6, "millions": 10**6, "billion": 10**9, "dozen": 12},
    articles=words("a an"),
    joints=words("and"),
    fractions=by_phrase({"and a half": 0.5, "and a quarter": 0.25, "and three quarters": 0.75}),
    mixed={},
    fixed=by_phrase({"half a dozen": 6}),
    minus=words("minus negative"),
    points=words("point"),
    ordinals={word: value for value, word in enumerate(_NTHS, 1)} | {"thirtieth": 30},
    ordinal_suffixes=words("st nd rd th"),
    led_by=frozenset(),
    lasts=words("last"),
    place_words=words("number no nr option"),
    out_of=phrases("out of | of"),
    pronouns=words("one"),
    lone=frozenset(),
    before_pronouns=words("is it's just only exactly have for about be 's i'm am need want actually"),
    thousands_mark=THOUSANDS_MARK,
    units_first=False,
)

CALENDAR = CalendarWords(
    relative=by_phrase(
        {
            "today|tonight|this morning|this afternoon|this evening": 0,
            "tomorrow|tmrw|tomorow|tommorow|tommorrow": 1,
            "day after tomorrow|the day after tomorrow|overmorrow": 2,
            "yesterday": -1,
            "day before yesterday|the day before yesterday": -2,
        }
    ),
    weekdays={
        word: day
        for day, word in enumerate(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
    },
    short_weekdays=by_word({"mon": 0, "tue tues": 1, "wed weds": 2, "thu thur thurs": 3, "fri": 4, "sat": 5, "sun": 6}),
    months=by_word(
        {
            "january jan": 1,
            "february feb": 2,
            "march mar": 3,
            "april apr": 4,
            "may": 5,
            "june jun": 6,
            "july jul": 7,
            "august aug": 8,
            "september sep sept": 9,
            "october oct": 10,
            "november nov": 11,
            "december dec": 12,
        }
    ),
    upcoming=words("this coming upcoming"),
    following=words("next"),
    past=words("last"),
    next_week=phrases("next week | of next week"),
    within=words("in"),
    ago_before=frozenset(),
    ago_after=words("ago"),
    from_base=phrases("from now | from today"),
    days=by_word({"day days": 1, "week weeks": 7, "fortnight": 14}),
    month_units=by_word({"month months": 1, "year years": 12}),
    on=words("on the"),
    of=words("of"),
    holidays=by_phrase(
        {
            "christmas eve": (12, 24),
            "christmas day|christmas": (12, 25),
            "boxing day": (12, 26),
            "new year's eve|new years eve": (12, 31),
            "new year's day|new years day": (1, 1),
        }
    ),
    past_hints=words("did was were since started began happened last"),
    birth_hints=words("birth born birthday birthdate dob"),
    not_before=frozenset(),
    parts=by_word({"morning": "morning", "afternoon": "afternoon", "evening eve": "evening", "night": "night"}),
)

CLOCK = ClockWords(
    hour=words("o'clock oclock h"),
    past=words("past after"),
    to=words("to till before"),
    half_next=frozenset(),
    half_past=phrases("half past | half"),
    quarter=phrases("quarter | a quarter"),
    three_quarters=frozenset(),
    minutes=words("minutes minute mins min"),
    fixed=by_word({"noon midday": "12:00", "midnight": "00:00"}),
    parts=by_phrase(
        {
            "am|in the morning|this morning|tomorrow morning": "morning",
            "pm|in the afternoon|this afternoon": "afternoon",
            "in the evening|this evening|tonight|in the eve": "evening",
            "at night": "night",
        }
    ),
    at=words("at"),
    around=words("around about"),
    only_behind=words("am pm"),
)

DURATIONS = DurationWords(
    units=by_word(
        {
            "s sec secs second seconds": 1,
            "m min mins minute minutes": 60,
            "h hr hrs hour hours": 3600,
            "d day days": 86_400,
            "w week weeks": 604_800,
        }
    ),
    whole=by_phrase(
        {
            "half an hour|half hour|a half hour|half a hour": 1800,
            "a quarter of an hour|quarter of an hour|a quarter hour|quarter hour": 900,
            "three quarters of an hour|three quarter hour|three-quarters of an hour": 2700,
            "half a day|half day|a half day": 43_200,
            "half a minute": 30,
            "a fortnight": 1_209_600,
        }
    ),
    joints=words("and"),
)
