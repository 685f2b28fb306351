"""Why tells nothing that is not so: what failed, what a rule read, what a form did, which turn it was."""

from __future__ import annotations

from typing import Any

import pytest

from support.whys import of_kind, played
from turnwise.core.explain.decision_lines import lines_of_decision
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
@pytest.mark.parametrize("question", ["u.age", "turn 2", "question", "message 2"])
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


def test_a_form_that_was_left_does_not_collect() -> None:
    text = """
    records: {u: {ok: boolean, n: integer}}
    nodes:
      a:
        form: {fields: [{field: u.ok, ask: OK?}, {field: u.n, ask: N?}]}
        transitions: [{id: out, at: before, when: u.ok == false, to: b}, {to: b}]
      b: {say: Bye., end: b}
    """.replace("\n    ", "\n")
    left = of_kind(played(text, "no").why("turn 2"), "form_progressed")[0]
    assert (left.values["is"], left.values["field"], left.values["unasked"]) == ("was", "", "u.n")
    asks = of_kind(played(text, "yes").why("turn 2"), "form_progressed")[0]
    assert (asks.values["is"], asks.values["field"], asks.values["unasked"]) == ("is", "u.n", "")


@pytest.mark.parametrize("text", [AGE, AGE.replace("[{to: b}]", "[{because: small and covered, to: b}]")])
def test_a_form_that_ends_the_conversation_called_no_model_for_the_reason_of_the_form(text: str) -> None:
    answer = played(text, "45").why("model")
    assert "form of a reads the answers" in answer.facts[0].values["reason"]
    assert answer.plain == "I answered that by fixed rules, without a language model."


def test_a_condition_says_why_a_question_was_never_asked_after_its_form_was_left() -> None:
    text = """
    records: {u: {kind: {type: choice, options: [Theft, Water]}, police: boolean, note: string}}
    nodes:
      a:
        form:
          fields:
            - {field: u.kind, ask: What?}
            - {field: u.police, ask: Police?, ask_when: 'u.kind == "Theft"'}
            - {field: u.note, ask: Note?, asked: false, required: false}
        transitions: [{to: c}]
      c: {say: Well., transitions: [{to: b}]}
      b: {say: Bye., end: b}
    """.replace("\n    ", "\n")
    chat = played(text, "water")
    first = of_kind(chat.why("u.police"), "question_condition_failed")[0]
    assert first.text in chat.why("u.police").line
    assert [one.values["value"] for one in first.causes if one.kind == "value_read"] == ["Water"]
    assert "Water" in chat.why("u.police").plain
    assert of_kind(chat.why("u.note"), "question_never_put")


def test_an_empty_field_names_the_transition_that_would_have_set_it_and_why_it_was_not_taken() -> None:
    text = """
    records: {u: {n: integer, paid: integer}}
    nodes:
      a:
        form: {fields: [{field: u.n, ask: N?}]}
        transitions: [{id: big, when: u.n > 5, to: b}, {id: pay, when: u.n > LEAST, set: {u.paid: u.n}, to: b}, {to: b}]
      b: {say: B, end: b}
    """.replace("\n    ", "\n")
    outranked = of_kind(played(text.replace("LEAST", "1"), "9").why("u.paid"), "transition_judged")
    assert [(one.values["transition"], one.values["outcome"]) for one in outranked] == [("pay", "outranked")]
    chat = played(text.replace("LEAST", "3"), "2")
    assert "pay did not hold" in chat.why("u.paid").line


def test_the_undo_of_a_wait_for_a_person_is_named() -> None:
    text = """
    person: {queue: desk}
    commands: [undo]
    records: {u: {n: integer}}
    nodes:
      a: {form: {fields: [{field: u.n, ask: N?}]}, transitions: [{to: b}]}
      b: {say: B, end: b}
    """.replace("\n    ", "\n")
    chat = played(text, "talk to a human")
    chat.undo()
    undone = of_kind(chat.why("person"), "turn_undone")[0]
    assert "the wait for a person" in undone.values["given"]
    assert f"the undo of turn {undone.turn} took that back" in chat.why("person").line


@pytest.mark.parametrize("question", ["end", "turn 2"])
def test_an_end_without_a_way_on_says_what_each_way_lacks(question: str) -> None:
    text = """
    records: {o: {size: {type: choice, options: [Large, Small]}}}
    nodes:
      a:
        form: {fields: [{field: o.size, ask: Size?}]}
        transitions: [{id: big, at: after, when: 'o.size == "Large"', to: b}]
      b: {say: B, end: b}
    """.replace("\n    ", "\n")
    ended = of_kind(played(text, "small").why(question), "conversation_ended")[0]
    assert "the form of a is confirmed" in ended.values["complete"]
    assert "big needs" in ended.values["complete"]
    assert not of_kind(played(text, "large").why(question), "conversation_ended")[0].values["complete"]


@pytest.mark.parametrize("because", ["", "because: it is read, "])
def test_a_move_that_an_earlier_turn_planned_says_so(because: str) -> None:
    text = f"""
records: {{o: {{n: integer}}}}
nodes:
  a: {{say: News., transitions: [{{id: onward, {because}reply: next, to: menu}}]}}
  menu: {{form: {{fields: [{{field: o.n, ask: N?}}]}}, transitions: [{{to: b}}]}}
  b: {{say: B, end: b}}
"""
    moved = of_kind(played(text, "hello").why("menu"), "node_left")[0]
    assert moved.values["planned"] in moved.text
    assert moved.values["planned"]


GUESTS = """
records: {stay: {guests: {type: integer, default: 2, about: number of guests}, nights: {type: integer}}}
nodes:
  a: {form: {fields: [{field: stay.nights, ask: Nights?}]}, transitions: [{when: stay.guests > 1, to: b}, {to: b}]}
  b: {say: B, end: b}
"""


@pytest.mark.parametrize("default", ["default: 2, ", ""])
def test_a_value_for_a_field_that_no_node_takes_is_named(default: str) -> None:
    chat = played(GUESTS.replace("default: 2, ", default), "3 nights, for 5 guests")
    words = of_kind(chat.why("stay.guests"), "words_not_taken")[0]
    assert (words.values["word"], words.values["value"], words.values["turn"]) == ("5", "5", 2)
    assert words.text in chat.why("stay.guests").line


def test_a_default_that_a_rule_read_says_so() -> None:
    turn = played(GUESTS).say("3")
    lines = [line.text + line.aside for one in turn.decisions for line in lines_of_decision(one)]
    assert any("stay.guests is 2 (by default)" in line for line in lines)
