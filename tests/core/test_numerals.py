"""Numbers in digits: read by the marks of the language, refused where they may be two, never misread."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.chats import talk
from turnwise.core.language import language_of
from turnwise.core.values import Refused, Rules, read_value
from turnwise.core.values.numerals import Ambiguous, read_numeral
from turnwise.flow.model import Field

RULES = {code: Rules(language_of(code)) for code in ("en", "de")}

# what is written, then what a whole number and a number are for it in English and in German;
# `?` where it may be two, `-` where it is none
TEXTS = [
    # text          integer en, de         number en, de
    ("1200", 1200, 1200, 1200, 1200),
    ("1,200", 1200, 1200, 1200, "?"),
    ("1.200", 1200, 1200, "?", 1200),
    ("1,000", 1000, 1000, 1000, "?"),
    ("1.000", 1000, 1000, "?", 1000),
    ("-1.000", -1000, -1000, "?", -1000),
    ("999,999", 999999, 999999, 999999, "?"),
    ("1,200.50", "-", "-", 1200.5, 1200.5),
    ("1.200,50", "-", "-", 1200.5, 1200.5),
    ("1.200.000", 1200000, 1200000, 1200000, 1200000),
    ("1,200,000", 1200000, 1200000, 1200000, 1200000),
    ("1.200,000", 1200, 1200, 1200.0, 1200.0),
    ("1,200,00", "-", "-", "-", "-"),
    ("1.2.3", "-", "-", "-", "-"),
    ("12,5", "-", "-", 12.5, 12.5),
    ("12.5", "-", "-", 12.5, 12.5),
    ("72.50", "-", "-", 72.5, 72.5),
    ("0.125", "-", "-", 0.125, 0.125),
    ("0,125", "-", "-", 0.125, 0.125),
    (".5", "-", "-", 0.5, 0.5),
    ("1.2345", "-", "-", 1.2345, 1.2345),
    ("1234.567", "-", "-", 1234.567, 1234.567),
    ("1234,567", "-", "-", 1234.567, 1234.567),
    ("38.", 38, 38, 38, 38),
    ("-7", -7, -7, -7, -7),
    ("\N{MINUS SIGN}7", -7, -7, -7, -7),
    ("1 200", 1200, 1200, 1200, 1200),
    ("1'200", 1200, 1200, 1200, 1200),
    ("1\u202f200\u202f000,5", "-", "-", 1200000.5, 1200000.5),
    ("1 20", "-", "-", "-", "-"),
    ("1 200'300", "-", "-", "-", "-"),
    ("3k", 3000, 3000, 3000, 3000),
    ("1.5k", 1500, 1500, 1500, 1500),
    ("1.500k", "-", "-", "-", "-"),
    ("9" * 18, int("9" * 18), int("9" * 18), int("9" * 18), int("9" * 18)),
    ("9" * 19, "-", "-", "-", "-"),
    ("9" * 5000, "-", "-", "-", "-"),
    ("1e9", "-", "-", "-", "-"),
    ("nan", "-", "-", "-", "-"),
    (".", "-", "-", "-", "-"),
]


def told(text: str, kind: str, language: str) -> object:
    found = read_value(Field("n", kind), text, RULES[language])  # pyright: ignore[reportArgumentType]
    if isinstance(found, Refused):
        return "?" if found.reason == "ambiguous" else "-"
    return found


@pytest.mark.parametrize(
    ("text", "integer_en", "integer_de", "number_en", "number_de"), TEXTS, ids=lambda v: str(v)[:20]
)
def test_what_is_written_in_digits(
    text: str, integer_en: object, integer_de: object, number_en: object, number_de: object
) -> None:
    assert (told(text, "integer", "en"), told(text, "integer", "de")) == (integer_en, integer_de)
    assert (told(text, "number", "en"), told(text, "number", "de")) == (number_en, number_de)


@given(st.integers(-(10**15), 10**15), st.sampled_from(["en", "de"]))
def test_a_number_written_in_the_way_of_its_language_is_that_number(number: int, language: str) -> None:
    grouped = f"{number:,}".replace(",", RULES[language].language.thousands_mark)
    assert told(grouped, "integer", language) == number


@given(st.from_regex(r"[1-9][0-9]{0,2}[.,][0-9]{3}", fullmatch=True))
def test_both_ways_in_which_an_ambiguous_number_can_be_written_are_clear(text: str) -> None:
    mark = "," if "." in text else "."
    found = read_numeral(text, mark)
    assert isinstance(found, Ambiguous)
    assert read_numeral(found.whole, mark) == int(text.replace(".", "").replace(",", ""))
    assert read_numeral(found.part, mark) == float(text.replace(",", "."))


@pytest.mark.parametrize(
    ("language", "text", "answer"),
    [
        ("en", "1.200", "That may be 1200 or 1.2. Please write it in one of these ways."),
        ("de", "1,234", "Das kann 1234 oder 1,2340 sein. Bitte schreiben Sie es auf eine dieser Arten."),
    ],
)
def test_an_ambiguous_answer_is_asked_again(language: str, text: str, answer: str) -> None:
    chat = talk(
        f"""
        flow: f
        language: {language}
        start: a
        records: {{case: {{sum: number}}}}
        nodes: {{a: {{form: {{fields: [{{field: case.sum, ask: How much?}}]}}}}}}
        """
    ).chat
    chat.say("hello")
    turn = chat.say(text)
    assert turn.text.startswith(answer)
    assert turn.text.endswith("How much?")
    assert not turn.state.values


LISTS = [
    # text              number in English, German       integer in English, German
    ("1, 2", [1, 2], [1, 2], [1, 2], [1, 2]),
    ("1,2,3", [1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]),
    ("1.5, 2.5", [1.5, 2.5], [1.5, 2.5], "-", "-"),
    ("1,5; 2,5", [1.5, 2.5], [1.5, 2.5], "-", "-"),
    ("1,200", [1200], "?", [1200], "?"),
    ("1.200, 3", "?", [1200, 3], "?", [1200, 3]),
    ("3. 4.", [3, 4], [3, 4], [3, 4], [3, 4]),
    ("1.2.3", "-", "-", "-", "-"),
]


@pytest.mark.parametrize(("text", "numbers_en", "numbers_de", "integers_en", "integers_de"), LISTS)
def test_lists_of_numbers_keep_the_marks_in_the_numbers(
    text: str, numbers_en: object, numbers_de: object, integers_en: object, integers_de: object
) -> None:
    def items(kind: str, language: str) -> object:
        found = read_value(Field("n", "list", of=kind), text, RULES[language])  # pyright: ignore[reportArgumentType]
        if isinstance(found, Refused):
            return "?" if found.reason == "ambiguous" else "-"
        return found

    assert (items("number", "en"), items("number", "de")) == (numbers_en, numbers_de)
    assert (items("integer", "en"), items("integer", "de")) == (integers_en, integers_de)


@pytest.mark.parametrize(
    ("kind", "text", "items"),
    [
        ("date", "21.11.2026, 2026-11-22", ["2026-11-21", "2026-11-22"]),
        ("email", "a.b@c.de,d@e.fr and g@h.org", ["a.b@c.de", "d@e.fr", "g@h.org"]),
        ("string", "a,b and c", ["a", "b", "c"]),
    ],
)
def test_lists_of_other_things(kind: str, text: str, items: list[str]) -> None:
    assert read_value(Field("n", "list", of=kind), text, RULES["en"]) == items  # pyright: ignore[reportArgumentType]
