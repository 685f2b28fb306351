"""The offline understander's readers, by tables: numbers, days, times, lengths, contacts, options, labels."""

from __future__ import annotations

import difflib
import unicodedata
from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.language import LANGUAGES
from turnwise.core.values import is_free_text
from turnwise.flow.model import Field, Option
from turnwise.understanding import tokens
from turnwise.understanding.calendar import day_at, each_day
from turnwise.understanding.labels import (
    is_agreement,
    is_person_name,
    labels_of,
    near_option,
    part_of_option,
    yes_no_options,
)
from turnwise.understanding.numbers import number_at
from turnwise.understanding.readings import Reading, Text, text_of
from turnwise.understanding.scan import contact_at
from turnwise.understanding.times import hours_of, length_of_time_at, time_at
from turnwise.understanding.tokens import closest, folded, tokens_of, words_of
from turnwise.understanding.vocabulary import LANGUAGE_CODES, load_vocabulary

TODAY = date(2026, 11, 18)  # a Wednesday


def _text(typed: str, language: str, today: date = TODAY) -> Text:
    return text_of(typed, load_vocabulary(language), today)


def _number(typed: str, language: str) -> float | None:
    text = _text(typed, language)
    reading = number_at(text, 0)
    return reading.value if reading and reading.stop == len(text.tokens) else None


# numbers in words ----------------------------------------------------------------------------------

_EN = [
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
_EN_TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_DE = [
    "null",
    "ein",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
]
_DE_TENS = ["-", "-", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]


def in_english(n: int, hyphen: str = "-", joint: str = " and ") -> str:
    """A number in words, as English spells it."""
    if n < 20:
        return _EN[n]
    if n < 100:
        return _EN_TENS[n // 10] + (hyphen + _EN[n % 10] if n % 10 else "")
    size, name = (100, "hundred") if n < 1000 else (1000, "thousand")
    rest = n % size
    text = f"{in_english(n // size, hyphen, joint)} {name}"
    if not rest:
        return text
    return text + (joint if rest < 100 else " ") + in_english(rest, hyphen, joint)


def in_german(n: int, *, is_last: bool = True) -> str:
    """A number in words, as German spells it."""
    if n < 20:
        return "eins" if n == 1 and is_last else _DE[n]
    if n < 100:
        return (_DE[n % 10] + "und" if n % 10 else "") + _DE_TENS[n // 10]
    size, name = (100, "hundert") if n < 1000 else (1000, "tausend")
    rest = in_german(n % size, is_last=is_last) if n % size else ""
    return in_german(n // size, is_last=False) + name + rest


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_number_up_to_two_thousand_is_read_in_words(language: str) -> None:
    spell = in_english if language == "en" else in_german
    assert {n: _number(spell(n), language) for n in range(2001)} == {n: n for n in range(2001)}


@given(st.integers(0, 999_999), st.sampled_from(["-", " "]), st.sampled_from([" and ", " "]))
def test_numbers_are_read_in_english_words(n: int, hyphen: str, joint: str) -> None:
    assert _number(in_english(n, hyphen, joint), "en") == n


@given(st.integers(0, 999_999), st.booleans())
def test_numbers_are_read_in_german_words(n: int, is_spelled_out: bool) -> None:
    words = in_german(n)
    assert _number(folded(words) if is_spelled_out else words, "de") == n


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "two and a half", 2.5),
        ("en", "a hundred", 100),
        ("en", "half a dozen", 6),
        ("en", "two dozen", 24),
        ("en", "1.5 million", 1_500_000),
        ("en", "minus five", -5),
        ("en", "-7", -7),
        ("en", "two point five", 2.5),
        ("en", "1,200", 1200),
        ("en", "1,234.5", 1234.5),
        ("en", "1,5", 1.5),
        ("en", "1.500", None),
        ("en", "45-46", None),
        ("en", "4 5", None),
        ("en", "forty fifty", None),
        ("de", "anderthalb", 1.5),
        ("de", "zweieinhalb", 2.5),
        ("de", "fünf und vierzig", 45),
        ("de", "zwei Komma fünf", 2.5),
        ("de", "1.200", 1200),
        ("de", "1.234,5", 1234.5),
        ("de", "72,5", 72.5),
        ("de", "1,500", None),
        ("de", "eine Million", 1_000_000),
        ("de", "ein Dutzend", 12),
        ("de", "minus drei", -3),
        ("de", "ein", None),
        ("de", "achtung", None),
    ],
)
def test_numbers(language: str, text: str, value: float | None) -> None:
    assert _number(text, language) == value


# days ----------------------------------------------------------------------------------------------


def _day(typed: str, language: str, today: date = TODAY) -> str | None:
    text = _text(typed, language, today)
    found = [day_at(text, at) for at in range(len(text.tokens))]
    longest = max((one for one in found if one), key=lambda one: (one.stop - one.first, -one.first), default=None)
    days = each_day(longest.value) if longest and longest.value else ()
    return " or ".join([one.upcoming.isoformat() for one in days]) or None


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("en", "tomorrow", "2026-11-19"),
        ("en", "the day after tomorrow", "2026-11-20"),
        ("en", "yesterday", "2026-11-17"),
        ("en", "Tuesday", "2026-11-24"),
        ("en", "next Tuesday", "2026-11-24"),
        ("en", "next Friday", "2026-11-20 or 2026-11-27"),
        ("en", "this Friday", "2026-11-20"),
        ("en", "last Monday", "2026-11-16"),
        ("en", "Wednesday", "2026-11-18 or 2026-11-25"),
        ("en", "Friday next week", "2026-11-27"),
        ("en", "24 December", "2026-12-24"),
        ("en", "the 24th of December 2027", "2027-12-24"),
        ("en", "Dec. 24th, 2027", "2027-12-24"),
        ("en", "twenty-first of May", "2027-05-21"),
        ("en", "February 29", "2028-02-29"),
        ("en", "31 April", None),
        ("en", "12/24/2026", "2026-12-24"),
        ("en", "24/12/2026", "2026-12-24"),
        ("en", "03/04/2027", "2027-03-04 or 2027-04-03"),
        ("en", "04/04/2027", "2027-04-04"),
        ("en", "2026-12-24", "2026-12-24"),
        ("en", "in three weeks", "2026-12-09"),
        ("en", "in a month", "2026-12-18"),
        ("en", "3 days ago", "2026-11-15"),
        ("en", "a week from today", "2026-11-25"),
        ("en", "Tuesday, 24 November", "2026-11-24"),
        ("en", "Monday, 24 November", None),
        ("en", "Sat 21 Nov", "2026-11-21"),
        ("en", "I sat down", None),
        ("en", "I may come", None),
        ("en", "in 999999999 days", None),
        ("de", "übermorgen", "2026-11-20"),
        ("de", "uebermorgen", "2026-11-20"),
        ("de", "am 3. Mai", "2027-05-03"),
        ("de", "24.12.", "2026-12-24"),
        ("de", "24.12.26", "2026-12-24"),
        ("de", "1.1.2027", "2027-01-01"),
        ("de", "31.2.", None),
        ("de", "nächsten Dienstag", "2026-11-24"),
        ("de", "nächsten Freitag", "2026-11-20 or 2026-11-27"),
        ("de", "kommenden Freitag", "2026-11-20"),
        ("de", "Dienstag nächster Woche", "2026-11-24"),
        ("de", "in vierzehn Tagen", "2026-12-02"),
        ("de", "heute in einer Woche", "2026-11-25"),
        ("de", "vor zwei Wochen", "2026-11-04"),
        ("de", "am ersten Mai", "2027-05-01"),
        ("de", "Heiligabend", "2026-12-24"),
        ("de", "guten Morgen", None),
        ("de", "03/04/2027", "2027-03-04 or 2027-04-03"),
    ],
)
def test_days(language: str, text: str, day: str | None) -> None:
    assert _day(text, language) == day


@given(st.dates(date(1950, 1, 1), date(2090, 12, 31)), st.dates(date(1950, 1, 1), date(2090, 12, 31)))
def test_a_full_date_is_read_back_whatever_today_is(day: date, today: date) -> None:
    assert _day(day.isoformat(), "en", today) == day.isoformat()
    assert _day(day.strftime("%d.%m.%Y"), "de", today) == day.isoformat()
    assert _day(f"{day.day} {day.strftime('%B')} {day.year}", "en", today) == day.isoformat()


@given(st.dates(date(1950, 1, 1), date(2090, 12, 31)))
def test_a_weekday_is_within_the_next_six_days(today: date) -> None:
    for ahead in range(1, 7):
        day = today + timedelta(days=ahead)
        assert _day(day.strftime("%A"), "en", today) == day.isoformat()


# times and lengths ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text", "times"),
    [
        ("en", "6pm", ("18:00",)),
        ("en", "6 p.m.", ("18:00",)),
        ("en", "12am", ("00:00",)),
        ("en", "12 pm", ("12:00",)),
        ("en", "half past six", ("06:30", "18:30")),
        ("en", "half six", ("06:30", "18:30")),
        ("en", "quarter to eight in the morning", ("07:45",)),
        ("en", "ten past five", ("05:10", "17:10")),
        ("en", "seven thirty", ("07:30", "19:30")),
        ("en", "noon", ("12:00",)),
        ("en", "tonight at 8", ("20:00",)),
        ("en", "18:30", ("18:30",)),
        ("en", "7", None),
        ("en", "25:10", None),
        ("de", "18 Uhr 30", ("18:30",)),
        ("de", "18.30 Uhr", ("18:30",)),
        ("de", "halb sieben", ("06:30", "18:30")),
        ("de", "halb eins", ("00:30", "12:30")),
        ("de", "dreiviertel acht", ("07:45", "19:45")),
        ("de", "fünf vor halb acht abends", ("19:25",)),
        ("de", "acht Uhr abends", ("20:00",)),
        ("de", "9 Uhr", ("09:00",)),
        ("de", "Mitternacht", ("00:00",)),
        ("de", "24 Uhr", ("00:00",)),
    ],
)
def test_times(language: str, text: str, times: tuple[str, ...] | None) -> None:
    reading = time_at(_text(text, language), 0)
    assert (reading.value if reading else None) == times
    assert not reading or reading.stop == len(tokens_of(text))


@pytest.mark.parametrize(
    ("number", "times"), [(7, ("07:00", "19:00")), (18, ("18:00",)), (0, ("00:00",)), (25, ()), (7.5, ()), (-1, ())]
)
def test_a_bare_hour_is_twice_a_day(number: float, times: tuple[str, ...]) -> None:
    assert hours_of(number) == times


@pytest.mark.parametrize(
    ("language", "text", "seconds"),
    [
        ("en", "an hour and a half", 5400),
        ("en", "two and a half hours", 9000),
        ("en", "half an hour", 1800),
        ("en", "three quarters of an hour", 2700),
        ("en", "an hour and a quarter", 4500),
        ("en", "1h30", 5400),
        ("en", "1h 30m", 5400),
        ("en", "90 minutes", 5400),
        ("en", "1 day 2 hours", 93_600),
        ("en", "5 m", None),
        ("en", "two months", None),
        ("de", "eine halbe Stunde", 1800),
        ("de", "anderthalb Stunden", 5400),
        ("de", "eine Dreiviertelstunde", 2700),
        ("de", "1,5 Stunden", 5400),
        ("de", "1 Stunde und 20 Minuten", 4800),
        ("de", "eine und eine halbe Stunde", 5400),
        ("de", "einen Monat", None),
    ],
)
def test_lengths(language: str, text: str, seconds: float | None) -> None:
    reading = length_of_time_at(_text(text, language), 0)
    assert (reading.value.seconds if reading else None) == seconds


# contacts, options, spelling -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("ada@example.com", "email", "ada@example.com"),
        ("a.b+c@mail.example.co.uk.", "email", "a.b+c@mail.example.co.uk"),
        ("ada@example", None, None),
        ("+49 151 2345678", "phone", "+49 151 2345678"),
        ("(030) 1234-567", "phone", "(030) 1234-567"),
        ("030/1234567", "phone", "030/1234567"),
        ("(555) 123-4567 ext 9", "phone", "(555) 123-4567 ext 9"),
        ("555-123-4567", "phone", "555-123-4567"),
        ("45", None, None),
        ("1980 2000 3000", None, None),
    ],
)
def test_contacts(text: str, kind: str | None, value: str | None) -> None:
    reading: Reading | None = contact_at(_text(text, "en"), 0)
    assert (reading and reading.kind, reading and reading.value) == (kind, value)


@pytest.mark.parametrize(
    ("word", "known", "meaning"),
    [
        ("femal", ("male", "female"), "female"),
        ("mlae", ("male", "female"), "male"),
        ("unhappy", ("happy", "sad"), None),
        ("inactive", ("active",), None),
        ("horse", ("house",), None),
        ("emale", ("male", "female"), None),
        ("vegetarain", ("vegetarian", "vegan"), "vegetarian"),
        ("cat", ("car",), None),
        ("privatt", ("privat", "gesetzlich"), "privat"),
    ],
)
def test_a_misspelled_word_is_known_only_where_it_is_clearly_one(
    word: str, known: tuple[str, ...], meaning: str | None
) -> None:
    found = closest(word, {one: one for one in known})
    assert (found and found[0]) == meaning


def test_words_with_few_same_letters_are_not_compared_further(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {word: word for word in ("backyard", "belonging", "butchers")}
    monkeypatch.setattr(difflib, "SequenceMatcher", lambda *_, **__: pytest.fail("they were compared"))
    assert closest("balance", known) is None


_words = st.text("abel", min_size=4, max_size=8)


@given(_words, st.frozensets(_words, max_size=4))
@example("abcdefgh", frozenset(["abcdefgx", "abcdefxy"]))
def test_the_same_letters_change_no_closest_word(word: str, known: frozenset[str]) -> None:
    found = closest(word, {one: one for one in known})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "count_shared_letters", lambda *_: 60)
        assert found == closest(word, {one: one for one in known})


def _field(name: str, kind: str = "string", title: str = "", options: tuple[str, ...] = ()) -> AllowedField:
    field = Field(name.rpartition(".")[2], kind, options=tuple(Option(o) for o in options))  # type: ignore[arg-type]
    return AllowedField(name, field, title, None, is_free_text(field))


COVER = _field("case.cover", "choice", "Which insurance?", ("Public insurance", "Private insurance", "No insurance"))


@pytest.mark.parametrize(
    ("said", "option"),
    [
        ("private", "Private insurance"),
        ("insurance", None),
        ("private public", None),
        ("not private", None),
        ("no", None),
    ],
)
def test_a_part_of_an_option_is_enough_where_only_one_has_it(said: str, option: str | None) -> None:
    assert part_of_option(said.split(), COVER, load_vocabulary("en")) == option


@pytest.mark.parametrize(
    ("said", "option"), [("privat insurance", "Private insurance"), ("insurance", None), ("x y z", None)]
)
def test_a_near_miss_is_an_option_where_only_one_is_near(said: str, option: str | None) -> None:
    found = near_option(said.split(), COVER, load_vocabulary("en"))
    assert (found and found[0]) == option


def test_yes_and_no_are_options_only_in_pairs() -> None:
    assert yes_no_options(_field("a.b", "choice", "", ("Yes", "No", "Partial")), load_vocabulary("en")) == {
        True: "Yes",
        False: "No",
    }
    assert yes_no_options(_field("a.b", "choice", "", ("No", "A bit")), load_vocabulary("en")) == {}


# fields --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "title", "is_name"),
    [
        ("user.name", "", True),
        ("user.name", "What is your name?", True),
        ("user.called", "What is your name?", True),
        ("user.full_name", "", True),
        ("person.nickname", "", True),
        ("company.name", "What is your company called?", False),
        ("pet.name", "What is your dog's name?", False),
        ("user.username", "", False),
        ("user.city", "Where do you live?", False),
    ],
)
def test_a_name_is_a_persons_only_where_the_field_says_so(name: str, title: str, is_name: bool) -> None:
    assert is_person_name(_field(name, "string", title), load_vocabulary("en")) is is_name


def test_a_boolean_asks_for_consent_by_its_words() -> None:
    english = load_vocabulary("en")
    assert is_agreement(_field("user.tos_acknowledged", "boolean"), english)
    assert not is_agreement(_field("user.smoker", "boolean", "Do you smoke?"), english)
    assert not is_agreement(_field("user.terms", "string"), english)


def test_labels_name_fields_by_their_own_words_first() -> None:
    fields = (
        _field("party.guests", "integer", "How many guests sit outside?"),
        _field("party.children", "integer", "How many children sit outside?"),
    )
    labels = labels_of(AllowedInput("en", "UTC", 0, fields), load_vocabulary("en"))
    assert labels.fields_named(["guest"]) == {"party.guests"}
    assert labels.fields_named(["kids", "outside"]) == {"party.children"}
    assert labels.fields_named(["outside"]) == {"party.guests", "party.children"}
    assert labels.fields_named(["nothing"]) == frozenset()


def test_every_language_with_phrases_has_a_vocabulary() -> None:
    assert set(LANGUAGE_CODES) == set(LANGUAGES)


@given(st.text(max_size=200))
def test_tokens_keep_every_visible_character_in_its_place(message: str) -> None:
    tokens = tokens_of(message)
    assert all(message[token.start : token.end] == token.text for token in tokens)
    assert _visible(message) == "".join(_visible(token.text) for token in tokens)


def _visible(text: str) -> str:
    return "".join(char for char in text if not char.isspace() and unicodedata.category(char) != "Cf")


_SAID = st.text(st.sampled_from("abczABßäÄéı' `’.-@7²ǅ\n\u0308") | st.characters(), max_size=90)


@given(_SAID)
@example("don't say 'never'")
@example("soooo 'tis a''b")
@example("a" * 81)
def test_the_words_of_a_text_are_its_tokens_without_marks(text: str) -> None:
    assert words_of(text) == tuple(token.word for token in tokens_of(text) if token.kind != "mark")


@given(_SAID)
def test_folding_is_the_same_for_letters_of_ascii(word: str) -> None:
    assert folded(word).isascii() or not word.isascii()
    assert folded(word) == folded(word + "é").removesuffix("é")
