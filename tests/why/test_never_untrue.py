"""Why tells nothing that is not so: what failed, what a rule read, what a form did, which turn it was."""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import OneSyncChat, flow_of
from turnwise.models.scripted import ScriptedModel
from turnwise.why.answer import Answer, Fact


def played(text: str, *messages: str, **options: Any) -> OneSyncChat:
    """A conversation with a flow that starts in the node `a`, after some messages."""
    chat = OneSyncChat(flow_of(f"flow: f\nstart: a\n{text}"), **options)
    chat.start()
    for one in messages:
        chat.say(one)
    return chat


def of_kind(answer: Answer, kind: str) -> list[Fact]:
    """The facts of a kind, and of their causes, in an answer."""
    return [one for fact in answer.facts for one in fact.walk() if one.kind == kind]


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
