"""Why tells nothing that is not so: what failed, what a rule read, what a form did, which turn it was."""

from __future__ import annotations

from typing import Any

import pytest

from support.whys import of_kind, played
from turnwise.models.scripted import ScriptedModel


def broken(*_given: Any) -> Any:
    """An understanding that does not work."""
    raise ValueError("parser is offline")


AGE = """
records: {u: {age: integer}}
nodes:
  a: {form: {fields: [{field: u.age, ask: Age?}]}, transitions: [{to: b}]}
  b: {say: Bye., end: b}
"""
TAKEN_FROM_WORDS = """
records: {u: {age: integer}}
nodes:
  a: {prompt: Ask., collect: [u.age], transitions: [{when: u.age > 3, to: b}]}
  b: {say: Bye., end: b}
"""


@pytest.mark.parametrize("text", [AGE, TAKEN_FROM_WORDS])
@pytest.mark.parametrize("question", ["u.age", "turn 2", "why was 45 not taken?", "question", "message 2"])
def test_a_failed_understanding_is_named_and_no_words_are_blamed(text: str, question: str) -> None:
    chat = played(text, "I am 45", understand=broken, model=ScriptedModel(["Hm."] * 3))
    answer = chat.why(question)
    if text == TAKEN_FROM_WORDS and question == "question":
        assert answer.facts[0].kind == "question_none"
        return
    assert "parser is offline" in answer.facts[0].text
    assert of_kind(answer, "understanding_failed")
    assert all(not one.values.get("as_answer") for one in of_kind(answer, "not_understood"))
    assert answer.plain == "I could not read messages then."


def test_an_answer_that_was_read_and_is_none_is_still_blamed() -> None:
    missed = of_kind(played(AGE, "soon").why("u.age"), "not_understood")[0]
    assert missed.values["as_answer"]
    assert not missed.values["failed"]


DEBTS = """
records: {u: {debts: number, income: number, ratio: {type: number, value: u.debts / u.income, about: debt ratio}}}
nodes:
  a:
    form: {fields: [{field: u.debts, ask: Debts?}, {field: u.income, ask: Income?}]}
    transitions: [{id: high, when: u.ratio > 0.4, to: b}, {id: low, to: b}]
  b: {say: Bye., end: b}
"""


def test_a_formula_that_fails_is_the_reason_and_its_value_decides_nothing() -> None:
    chat = played(DEBTS, "500", "0")
    failed = of_kind(chat.why("u.ratio"), "value_not_computed")[0]
    assert (failed.values["field"], failed.values["reason"]) == ("u.ratio", "a division by zero")
    assert failed.text in chat.why("u.ratio").line
    assert chat.why("u.ratio").plain == "I could not work out debt ratio."
    assert chat.why("high").plain == "I could not work out debt ratio."
    assert of_kind(chat.why("high"), "value_missing")[0].values["failed"] == failed.text
    assert [one.values["code"] for one in of_kind(chat.why("turn 3"), "warned")] == ["guard error"]


def test_a_formula_that_lacks_a_value_has_not_failed() -> None:
    chat = played(DEBTS, "500")
    assert not of_kind(chat.why("u.ratio"), "value_not_computed")
    assert not of_kind(chat.why("turn 2"), "warned")


def test_a_formula_whose_result_is_refused_or_that_reads_another_one_names_the_error() -> None:
    chat = played(DEBTS.replace("type: number, value", "type: number, max: 2, value"), "500", "100")
    assert "2" in of_kind(chat.why("u.ratio"), "value_not_computed")[0].values["reason"]
    twice = DEBTS.replace("debts: number,", "debts: number, double: {type: number, value: u.ratio * 2},")
    answer = played(twice, "500", "0").why("u.double")
    assert [one.values["field"] for one in of_kind(answer, "value_not_computed")] == ["u.ratio"]
    assert "a division by zero" in answer.line


@pytest.mark.parametrize("field", ["claim.net", "review.paid"])
def test_a_formula_is_in_the_first_line_with_its_values(field: str) -> None:
    text = """
    records:
      claim: {amount: integer, net: {type: integer, value: claim.amount - 150}}
      review: {paid: integer, fixed: integer}
    nodes:
      a:
        form: {fields: [{field: claim.amount, ask: N?}]}
        transitions: [{set: {review.paid: claim.amount - 150, review.fixed: 3}, to: b}]
      b: {say: B, end: b}
    """
    chat = played(text.replace("\n    ", "\n"), "1000")
    first = chat.why(field).facts[0]
    assert first.values["formula"] == "claim.amount - 150 (claim.amount is 1000)"
    assert first.values["formula"] in first.text
    assert not chat.why("review.fixed").facts[0].values["formula"]
