"""Letters with accents, which can be typed in two forms: no name has one, and an option is the same in both."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from support.chats import problems_of, talk

ONE, TWO = normalize("NFC", "für"), normalize("NFD", "für")

NAMED = [
    "flow: {0}\nstart: a\nnodes: {{a: {{say: x, end: done}}}}",
    "flow: f\nstart: a\nnodes: {{a: {{say: x, end: done}}, {0}: {{say: x}}}}",
    "flow: f\nstart: a\nrecords: {{u: {{{0}: string}}}}\nnodes: {{a: {{say: x, end: done}}}}",
    "flow: f\nstart: a\nrecords: {{{0}: {{x: string}}}}\nnodes: {{a: {{say: x, end: done}}}}",
    "flow: f\nstart: a\ntools: {{{0}: {{}}}}\nnodes: {{a: {{say: x, end: done}}}}",
]


@pytest.mark.parametrize("letters", [ONE, TWO], ids=["one letter", "letter and accent"])
@pytest.mark.parametrize("document", NAMED, ids=["flow", "node", "field", "record", "tool"])
def test_a_name_has_no_accents_in_either_form(document: str, letters: str) -> None:
    assert any("TW016" in told for told in problems_of(document.format(letters)))


CHOICE = """
flow: f
start: ask
records: {{u: {{why: {{type: choice, options: {{"{0}": [], other: ["{1}"]}}}}}}}}
nodes:
  ask: {{form: {{fields: [{{field: u.why, ask: Why?, match: direct}}]}}}}
"""


@pytest.mark.law("5.2")
@pytest.mark.parametrize("option", [ONE, TWO])
@pytest.mark.parametrize("said", [ONE, TWO, ONE.upper(), TWO.upper()])
def test_an_option_is_the_same_in_both_forms(option: str, said: str) -> None:
    made = talk(CHOICE.format(option, "else"))
    made.chat.start()
    assert made.chat.say(said).state.values["u.why"].value == option


def test_one_option_in_two_forms_stands_twice() -> None:
    assert any("TW017" in told and "stands twice" in told for told in problems_of(CHOICE.format(ONE, TWO)))
