"""Law 5.15: a form over questions that are data; what is wrong with a list, and what a second opening keeps."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.core.guards.python import as_python

FLOW = """
flow: quiz
start: talk
commands: [undo]
limits: {questions: 4}
records:
  lib: {questions: {type: list, of: question}}
  quiz: {answers: answers, score: {type: integer, value: form.right}}
nodes:
  talk: {say: "Hello.", transitions: [{to: ask, at: before, when: "true"}]}
  ask:
    form: {questions: lib.questions, into: quiz.answers}
    transitions:
      - {to: talk, at: after}
      - {to: broken, at: error}
  broken: {say: "Sorry: {{ error.message }}", transitions: [{to: ask, at: before, when: "true"}]}
"""
A: dict[str, Any] = {"id": "a", "ask": "A?"}
B: dict[str, Any] = {"id": "b", "ask": "B?", "options": ["x", "y"], "right": "x"}


def chat() -> tw.SyncChat:
    chat = tw.open_sync(flow_of(FLOW)).chat("c")
    chat.start()
    return chat


def put(chat: tw.SyncChat, *questions: object) -> Any:
    """Write questions as the program does."""
    return chat.commands([tw.commands.Set(field="lib.questions", value=list(questions))])


@pytest.mark.law("5.15")
@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ({"id": "b"}, "'ask' is missing"),
        ({"ask": "B?"}, "'id' is missing"),
        ({"id": "b", "ask": " "}, "'ask' is missing"),
        ({"id": "b.c", "ask": "B?"}, "is no id"),
        ({"id": "b", "ask": "B?", "option": ["x"]}, "did you mean 'options'?"),
        ({"id": "b", "ask": "B?", "options": {"x": 1}}, "'options' is not a list"),
        ({"id": "b", "ask": "B?", "options": ["x", "X"]}, "the option 'X' stands twice"),
        ({"id": "b", "ask": "B?", "options": ["x"], "right": "z"}, "the right answer 'z' is no option"),
        ({"id": "b", "ask": "B?", "options": ["x"], "stop": "z"}, "the stop value 'z' is no option"),
        ({"id": "b", "ask": "B?", "stop": {"say": "Bye."}}, "'stop' has no 'values'"),
        ("B?", "it is not an object"),
    ],
)
def test_a_field_takes_no_list_with_a_question_that_is_wrong(question: object, reason: str) -> None:
    one = chat()
    turn = put(one, A, question)
    assert reason in turn.text or any(reason in str(event) for event in turn.events)
    assert one.say("go").value("lib.questions") == []


@pytest.mark.law("5.15")
@pytest.mark.parametrize(
    ("questions", "reason"),
    [
        ((A, {"id": "a", "ask": "A again?"}), "question 2: the id 'a' stands twice"),
        ((A, B, *({"id": f"n{n}", "ask": "N?"} for n in range(3))), "5 questions are more than"),
    ],
)
def test_a_form_is_not_entered_with_a_list_that_is_wrong(questions: tuple[object, ...], reason: str) -> None:
    one = chat()
    turn = put(one, *questions)
    assert reason in str(turn.events)
    assert turn.state.node == "talk"


@pytest.mark.law("5.15")
def test_a_form_is_not_entered_without_a_list() -> None:
    turn = chat().say("go")
    assert "lib.questions holds no questions for a form: it has no value" in str(turn.events)
    assert turn.state.node == "talk"


@pytest.mark.law("5.15")
def test_an_option_list_of_one_is_a_button() -> None:
    one = chat()
    turn = put(one, {"id": "a", "ask": "Ready?", "options": ["Go"]})
    assert [button.label for button in turn.buttons] == ["Go"]
    assert one.choose("Go").value("quiz.answers.a") == "Go"


@pytest.mark.law("5.15")
def test_questions_that_change_while_the_form_is_open_are_asked_as_they_were() -> None:
    one = chat()
    put(one, A, B)
    turn = put(one, {"id": "a", "ask": "Something else?"})
    assert turn.state.node == "ask"
    assert one.say("first").text.endswith("B?")


@pytest.mark.law("5.15")
def test_a_second_opening_keeps_answers_to_questions_that_are_the_same() -> None:
    one = chat()
    put(one, A, B)
    one.say("first")
    one.say("x")
    turn = put(one, A, {**B, "ask": "B, again?"}, {"id": "n", "ask": "N?"})
    assert turn.value("quiz.answers") == {"a": "first"}
    assert turn.value("quiz.score") == 0
    assert turn.text.endswith("B, again?")


@pytest.mark.law("5.15")
def test_200_questions_can_be_asked() -> None:
    text = FLOW.replace("limits: {questions: 4}\n", "")
    one = tw.open_sync(flow_of(text)).chat("c")
    one.start()
    turn = put(one, *({"id": f"q{n}", "ask": f"Number {n}?"} for n in range(200)))
    assert turn.text.endswith("Number 0?")
    for number in range(1, 195):
        turn = one.commands([tw.commands.Set(field=f"quiz.answers.q{number - 1}", value=f"thing {number}")])
        assert turn.text.endswith(f"Number {number}?")
    for number in range(195, 200):
        assert one.say(f"thing {number}").text.endswith(f"Number {number}?")
    assert len(one.say("last").value("quiz.answers")) == 200


@pytest.mark.law("5.15")
def test_a_python_guard_has_copies_of_answers_and_questions() -> None:
    answers, questions = {"a": ["x"]}, [dict(A)]
    as_python(tw.Field("answers", type="answers"), answers)["a"].append("y")
    as_python(tw.Field("questions", type="list", of="question"), questions)[0]["ask"] = "Changed?"
    assert (answers, questions) == ({"a": ["x"]}, [A])
