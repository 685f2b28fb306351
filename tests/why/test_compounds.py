"""A German compound names what its parts name; a word that only ends like another one does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asked_stories import ask
from turnwise.errors import UnknownSubject
from turnwise.why.reading.compounds import parts_of

NAMED = [
    ("without_net", "Warum schlug die Websuche fehl?", "tool web_search"),
    ("without_net", "Wie oft wurde die Websuche benutzt?", "tool web_search"),
    ("case-1042", "Warum wurde nach der Versicherungsgeschichte gefragt?", "question case.insurance_history"),
    ("case-1042", "Warum Partial bei der Krankenversicherung?", "field case.insurance_history"),
    ("case-1042", "Warum wurde die Dringlichkeitsstufe nie gesetzt?", "field case.urgency"),
    ("practice", "Warum wurde nach der Krankenversicherung gefragt?", "question patient.kasse"),
    ("job", "Warum war die Planungsphase offen?", "node planning_mode"),
    ("maria", "Warum zählt die Symptomgruppe?", "field symptoms.groups"),
]


@pytest.mark.parametrize(("story", "question", "subject"), NAMED, ids=[row[1] for row in NAMED])
def test_a_compound_names_what_its_parts_name(story: str, question: str, subject: str) -> None:
    assert str(ask(story, question).subject) == subject


@pytest.mark.parametrize(
    ("story", "question"),
    [
        ("case-1042", "Was bedeutet die Verunsicherung?"),
        ("practice", "Why was the reinsurance versicherungslike?"),
        ("practice", "Woher kommt die Entsicherung?"),
    ],
)
def test_a_word_that_is_no_compound_names_nothing(story: str, question: str) -> None:
    with pytest.raises(UnknownSubject):
        ask(story, question)


KNOWN = (
    "versicherung",
    "sicherung",
    "nummer",
    "partner",
    "gruppe",
    "web",
    "suche",
    "alter",
    "mission",
    "name",
    "termin",
)
_LETTERS = st.text("abcdefghijklmnoprstuvwzäöü", min_size=1, max_size=8)


@given(first=st.sampled_from(("kranken", "reise", "kunden", "telefon", "wochen")), last=st.sampled_from(KNOWN))
def test_a_noun_before_a_long_known_word_makes_a_compound(first: str, last: str) -> None:
    assert parts_of(first + last, KNOWN) == ([last] if len(last) >= 6 else [])


@given(first=st.sampled_from(KNOWN), joint=st.sampled_from(("", "s", "n")), last=st.sampled_from(KNOWN))
def test_two_known_words_make_a_compound(first: str, joint: str, last: str) -> None:
    found = parts_of(first + joint + last, KNOWN)
    assert found
    assert found[-1].endswith(last) or found == [first]


@given(
    prefix=st.sampled_from(("ver", "ent", "zer", "vor", "nach", "kom", "per", "sub", "trans")),
    word=st.sampled_from(KNOWN),
)
def test_a_prefix_makes_another_word_and_no_compound(prefix: str, word: str) -> None:
    known = [one for one in KNOWN if one != "sicherung"]  # `ver` and `sicherung` are a word that is known
    assert parts_of(prefix + word, known) == []


@given(
    word=st.sampled_from(KNOWN), suffix=st.sampled_from(("schaft", "lich", "heit", "chen", "innen", "s", "en", "ung"))
)
def test_a_suffix_makes_another_word_and_no_compound(word: str, suffix: str) -> None:
    assert parts_of(word + suffix, KNOWN) == []


@given(before=_LETTERS, after=_LETTERS)
def test_what_is_found_is_in_the_word_and_leaves_a_word(before: str, after: str) -> None:
    for known in KNOWN:
        word = before + known + after
        for part in parts_of(word, KNOWN):
            assert part in word
            assert len(word) - len(part) >= 3


COUNTED = [
    ("job", "how many times was a thought noted?", "think was called once"),
    ("job", "Wie oft wurde ein Gedanke notiert?", "think was called once"),
    ("reviewed", "how many times was a thought noted?", "think was called once"),
]


@pytest.mark.parametrize(("story", "question", "line"), COUNTED, ids=[row[1] for row in COUNTED])
def test_a_count_names_a_tool_by_what_it_does(story: str, question: str, line: str) -> None:
    assert ask(story, question).line.startswith(line)
