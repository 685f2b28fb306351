"""A quiz in a scope over questions that are data, while something else happens to its conversation (law 5.15)."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of, problems_of
from turnwise.authoring.document import read_document
from turnwise.core.explain.what_if import with_values
from turnwise.core.link import link, link_with_diagnostics
from turnwise.models.scripted import ScriptedModel, call

FLOW = """
flow: tutor
start: chat
version: 1
commands: [cancel, undo]
records:
  feedback: {answers: answers, score: {type: integer, value: form.right}}
nodes:
  chat: {prompt: You are Maya., tools: {allow: [open_quiz]}}
  quiz:
    scope:
      input: {questions: {type: list, of: question}}
      returns: feedback
      summary: "Score: {{ form.right }}/{{ form.total }}"
    form: {questions: input.questions, into: feedback.answers}
"""
QUESTIONS: list[dict[str, Any]] = [
    {"id": "f", "ask": "The capital of France?", "options": ["Paris", "Rome"], "right": ["Paris"]},
    {"id": "i", "ask": "And of Italy?", "right": ["Rome"]},
]


def app(path: Path, text: str = FLOW, **more: Any) -> tw.SyncApp:
    return tw.open_sync(flow_of(text), store=f"sqlite:///{path}/x.db", **more)


def begun(path: Path) -> None:
    """Have a conversation in which the first of two questions is answered."""
    with app(path, model=ScriptedModel([call("open_quiz", questions=QUESTIONS)])) as opened:
        chat = opened.chat("a")
        assert chat.say("hi").text == "The capital of France?"
        assert chat.say("Paris").text.endswith("And of Italy?")


def ended(chat: tw.SyncChat) -> None:
    """Answer the second question, and look at what came out."""
    turn = chat.say("rome")
    assert turn.value("feedback.answers") == {"f": "Paris", "i": "rome"}
    assert (turn.value("feedback.score"), turn.value("feedback.answers.i")) == (2, "rome")


@pytest.mark.law("5.15")
def test_it_goes_on_in_another_process(tmp_path: Path) -> None:
    begun(tmp_path)
    with app(tmp_path, model=ScriptedModel(["Well done."])) as again:
        ended(again.chat("a"))


@pytest.mark.law("5.15")
def test_a_fork_and_an_import_have_its_questions(tmp_path: Path) -> None:
    begun(tmp_path)
    with app(tmp_path, model=ScriptedModel(["Well done."] * 3)) as again:
        ended(again.chat("a").fork("b"))
        ended(again.import_(again.chat("a").export(), "c"))
        ended(again.chat("a"))


@pytest.mark.law("5.15")
def test_an_undo_before_its_opening_forgets_its_questions(tmp_path: Path) -> None:
    begun(tmp_path)
    with app(tmp_path, model=ScriptedModel(["Well done."])) as again:
        chat = again.chat("a")
        assert chat.undo(to=1).text.endswith("The capital of France?")
        assert chat.state().values.keys() == {"quiz/input.questions", "quiz/feedback.score"}
        assert chat.say("Rome").value("quiz/feedback.score") == 0
        assert chat.say("Rome").value("feedback.score") == 1


@pytest.mark.law("5.15")
@pytest.mark.parametrize("values", [{"quiz/feedback.answers.i": "Rome"}, {"quiz/feedback.answers": {"i": "Rome"}}])
def test_an_answer_may_be_supposed(tmp_path: Path, values: dict[str, Any]) -> None:
    begun(tmp_path)
    with app(tmp_path) as again:
        chat = again.chat("a")
        assert chat.what_if(values=values).judged > 0
        state = with_values(link(flow_of(FLOW)), chat.state(), values)
    assert state.values["quiz/feedback.answers"].value["i"] == "Rome"
    assert state.values["quiz/feedback.score"].value == len(state.values["quiz/feedback.answers"].value)


@pytest.mark.law("5.15")
def test_a_migration_keeps_its_questions_and_answers(tmp_path: Path) -> None:
    begun(tmp_path)
    changed = FLOW.replace("version: 1", "version: 2").replace("You are Maya", "You are Mia")
    with app(tmp_path, changed, model=ScriptedModel(["Well done."])) as again:
        chat = again.chat("a")
        (outcome,) = chat.migrate().conversations
        assert outcome.reasons == ()
        assert chat.state().version == 2
        ended(chat)


@pytest.mark.law("5.15")
def test_a_migration_to_a_form_that_takes_the_answers_elsewhere_is_refused(tmp_path: Path) -> None:
    begun(tmp_path)
    changed = FLOW.replace("version: 1", "version: 2").replace("{answers: answers,", "{replies: answers,")
    with app(tmp_path, changed.replace("feedback.answers", "feedback.replies")) as again:
        (outcome,) = again.chat("a").migrate(dry_run=True).conversations
        assert outcome.outcome != "compatible"
        assert "quiz/feedback.answers" in str(outcome.reasons)


GIVEN = """
    flow: quiz
    start: ask
    records: {quiz: {questions: {type: list, of: question, default: [{id: a, ask: One?}, SECOND]}, answers: answers}}
    nodes:
      ask: {form: {questions: quiz.questions, into: quiz.answers}}
    """


@pytest.mark.parametrize(
    ("second", "problem"),
    [
        ("{id: a, ask: Two?}", "the id 'a' stands twice"),
        ("{id: b}", "This is no question: 'ask' is missing."),
        ("{id: b, ask: Two?, rigth: x}", "This is no question: there is no key 'rigth'; did you mean 'right'?."),
    ],
)
def test_a_wrong_question_in_a_default_is_reported_by_its_number(second: str, problem: str) -> None:
    assert problems_of(GIVEN.replace("SECOND", second)) == [f"TW042 question 2 of 'questions': {problem}"]
    assert problems_of(GIVEN.replace("SECOND", "{id: b, ask: Two?}")) == []


def test_a_wrong_question_in_a_default_is_reported_where_it_stands() -> None:
    text = dedent(GIVEN.replace("SECOND", "{id: a, ask: Two?}"))
    flow, found = read_document(text, "quiz.yaml")
    (one,) = [*found, *link_with_diagnostics(flow, ())[1]]
    line = text.splitlines()[one.span.line - 1]
    assert line[one.span.column - 1 :].startswith("{id: a, ask: Two?}")
