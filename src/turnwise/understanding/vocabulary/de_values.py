"""German words for numbers, days, times and lengths. Data only; it reads nothing."""

from __future__ import annotations

from turnwise.core.language.de import THOUSANDS_MARK
from turnwise.understanding.tokens import folded
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

_NTHS = [
    "erst",
    "zweit",
    "dritt",
    "viert",
    "fünft",
    "sechst",
    "siebt",
    "acht",
    "neunt",
    "zehnt",
    "elft",
    "zwölft",
    "dreizehnt",
    "vierzehnt",
    "fünfzehnt",
    "sechzehnt",
    "siebzehnt",
    "achtzehnt",
    "neunzehnt",
    "zwanzigst",
]

NUMBERS = NumberWords(
    ones=by_word(
        {
            "null": 0,
            "eins": 1,
            "zwei zwo": 2,
            "drei": 3,
            "vier": 4,
            "fünf": 5,
            "sechs": 6,
            "sieben": 7,
            "acht": 8,
            "neun": 9,
            "zehn": 10,
            "elf": 11,
            "zwölf": 12,
            "dreizehn": 13,
            "vierzehn": 14,
            "fünfzehn": 15,
            "sechzehn": 16,
            "siebzehn": 17,
            "achtzehn": 18,
            "neunzehn": 19,
        }
    ),
    tens=by_word(
        {
            "zwanzig": 20,
            "dreißig": 30,
            "vierzig": 40,
            "fünfzig": 50,
            "sechzig": 60,
            "siebzig": 70,
            "achtzig": 80,
            "neunzig": 90,
        }
    ),
    scales=by_word(
        {
            "hundert": 100,
            "tausend": 1000,
            "million millionen": 10**6,
            "milliarde milliarden": 10**9,
            "dutzend": 12,
        }
    ),
    articles=words("ein eine einem einen"),
    joints=words("und"),
    fractions=by_phrase(
        {
            "und halb|und ein halb|und ein halbes|und eine halbe": 0.5,
            "und ein viertel|und eine viertel": 0.25,
            "und drei viertel": 0.75,
        }
    ),
    mixed=by_word({"anderthalb eineinhalb einundeinhalb": 1.5}),
    fixed=by_phrase(
        {"halbes dutzend|ein halbes dutzend": 6}
        | {f"zu {word}": value for value, word in enumerate(_NTHS, 1) if value > 1}
    ),
    minus=words("minus"),
    points=words("komma"),
    ordinals={
        folded(word + ending): value for value, word in enumerate(_NTHS, 1) for ending in ("e", "er", "es", "en", "em")
    },
    ordinal_suffixes=words("te ter tes ten ste ster stes sten"),
    led_by=words("am den der dem das die zum vom"),
    place_words=words("nummer nr option"),
    out_of=phrases("von"),
    lasts=words("letzte letzter letztes letzten"),
    pronouns=frozenset(),
    lone=words("eine einen einer"),
    before_pronouns=words("nur bloß genau"),
    thousands_mark=THOUSANDS_MARK,
    units_first=True,
)

CALENDAR = CalendarWords(
    relative=by_phrase(
        {
            "heute": 0,
            "morgen": 1,
            "übermorgen": 2,
            "gestern": -1,
            "vorgestern": -2,
        }
    ),
    weekdays=by_word(
        {
            "montag": 0,
            "dienstag": 1,
            "mittwoch": 2,
            "donnerstag": 3,
            "freitag": 4,
            "samstag sonnabend": 5,
            "sonntag": 6,
        }
    ),
    short_weekdays=by_word({"mo": 0, "di": 1, "mi": 2, "do": 3, "fr": 4, "sa": 5, "so": 6}),
    months=by_word(
        {
            "januar jan jänner": 1,
            "februar feb feber": 2,
            "märz mär mrz": 3,
            "april apr": 4,
            "mai": 5,
            "juni jun": 6,
            "juli jul": 7,
            "august aug": 8,
            "september sep sept": 9,
            "oktober okt": 10,
            "november nov": 11,
            "dezember dez": 12,
        }
    ),
    upcoming=words("diesen dieser diese kommenden kommender kommende"),
    following=words("nächsten nächster nächste"),
    past=words("letzten letzter letzte vergangenen"),
    next_week=phrases("nächste woche | nächster woche | kommende woche | kommender woche | in der nächsten woche"),
    within=words("in"),
    ago_before=words("vor"),
    ago_after=frozenset(),
    from_base=phrases("ab heute | ab jetzt"),
    days=by_word({"tag tage tagen": 1, "woche wochen": 7}),
    month_units=by_word({"monat monate monaten": 1, "jahr jahre jahren": 12}),
    on=words("am den der dem"),
    of=frozenset(),
    holidays=by_phrase(
        {
            "heiligabend|heilig abend|heiliger abend": (12, 24),
            "silvester": (12, 31),
            "neujahr": (1, 1),
        }
    ),
    past_hints=words("seit war waren wurde wurden begann begonnen angefangen zuletzt"),
    birth_hints=words("geburt geburtsdatum geburtstag geboren"),
    not_before=words("guten schönen gute am jeden"),
    parts=by_word(
        {
            "früh vormittag vormittags": "morning",
            "mittag mittags nachmittag nachmittags": "afternoon",
            "abend abends": "evening",
            "nacht nachts": "night",
        }
    ),
)

CLOCK = ClockWords(
    hour=words("uhr h"),
    past=words("nach"),
    to=words("vor"),
    half_next=words("halb"),
    half_past=phrases(()),
    quarter=phrases("viertel"),
    three_quarters=words("dreiviertel"),
    minutes=words("minuten minute min"),
    fixed=by_word({"mitternacht": "00:00"}),
    parts=by_phrase(
        {
            "morgens|früh|in der früh|am morgen|heute morgen|vormittags|am vormittag|heute vormittag": "morning",
            "mittags|nachmittags|am nachmittag|heute nachmittag|am mittag|heute mittag": "afternoon",
            "abends|am abend|heute abend": "evening",
            "nachts|in der nacht|heute nacht": "night",
        }
    ),
    at=words("um gegen"),
    around=frozenset(),
)

DURATIONS = DurationWords(
    units=by_word(
        {
            "s sek sekunde sekunden": 1,
            "min minute minuten": 60,
            "h std stunde stunden": 3600,
            "tag tage tagen": 86_400,
            "woche wochen": 604_800,
        }
    ),
    whole=by_phrase(
        {
            "viertelstunde|eine viertelstunde|einer viertelstunde|viertel stunde|eine viertel stunde": 900,
            "dreiviertelstunde|eine dreiviertelstunde|einer dreiviertelstunde|dreiviertel stunde|"
            "eine dreiviertel stunde|drei viertel stunden": 2700,
            "halbe stunde|eine halbe stunde|einer halben stunde": 1800,
            "halber tag|einen halben tag|ein halber tag|halben tag": 43_200,
            "halbe minute|eine halbe minute": 30,
        }
    ),
    joints=words("und"),
)
