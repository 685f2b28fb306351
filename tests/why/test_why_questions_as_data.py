"""Why a form over data asks what it asks, and what is said of its answers."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.why_cases import Talk, every
from turnwise.why.answer import Subject

DATA = """
flow: quiz
start: talk
records:
  lib: {questions: {type: list, of: question}}
  quiz: {answers: answers, score: {type: integer, value: form.right}}
nodes:
  talk:
    say: "Hello."
    set: {lib.questions: [{id: a, ask: "A?", options: [x, y], right: x}, {id: b, ask: "B?"}]}
    transitions: [{to: ask, at: before, when: "true"}]
  ask: {form: {questions: lib.questions, into: quiz.answers}, transitions: [{to: talk, at: after}]}
"""


def test_why_a_question_that_is_data_is_asked_names_its_list() -> None:
    talk = Talk(DATA).did("go", "y")
    answer = talk.chat.why("question quiz.answers.b")
    assert answer.facts[0].text.endswith("it is number 2 of the 2 questions from lib.questions")
    read = next(fact for fact in every(talk.chat.why("1")) if fact.kind == "questions_read")
    assert read.text == "the form of ask was entered with 2 questions from lib.questions: a and b"


def test_why_of_an_answer_says_whether_it_is_right() -> None:
    talk = Talk(DATA).did("go", "y")
    fact = talk.chat.why("field quiz.answers.a").facts[0]
    assert (fact.kind, fact.values["value"], fact.values["judged"]) == ("field_set", "y", "not the right answer")
    talk = Talk(DATA).did("go", "x")
    assert talk.chat.why("field quiz.answers.a").facts[0].values["judged"] == "a right answer"
    assert any("quiz.answers was a: x" in one.text for one in every(talk.chat.why("field quiz.score")))


def test_answers_that_a_scope_returned_come_with_their_questions() -> None:
    flow = DATA.replace(
        "form: {questions: lib.questions", "scope: {inherits: [lib], returns: quiz}, form: {questions: lib.questions"
    )
    talk = Talk(flow).did("go", "x", "z")
    kinds = [fact.kind for fact in every(talk.chat.why("3"))]
    assert "questions_copied" in kinds
    assert talk.chat.why("field quiz.answers.a").facts[0].values["origin"] == "scope"


def test_why_there_are_no_answers_names_the_form_that_takes_them() -> None:
    assert "quiz.answers can be set by the form of ask" in str(talked().chat.why("field quiz.answers"))


def talked() -> Talk:
    return Talk(DATA.replace('when: "true"', "when: size(lib.questions) > 9")).did("go")


def test_a_secret_answer_is_not_told_by_whether_it_is_right() -> None:
    secret = DATA.replace("answers: answers", "answers: {type: answers, secret: true}")
    talk = Talk(secret.replace("score: {type: integer,", "score: {type: integer, secret: true,")).did("go", "x")
    fact = talk.chat.why("field quiz.answers.a").facts[0]
    assert (fact.values["value"], fact.values["judged"]) == ("[secret]", "")


ASIDE = """
flow: school
start: talk
records: {word: {asked: string}}
commands: [{start: [quiz]}]
nodes:
  talk: {say: "Hello.", transitions: [{at: before, when: message.text == "bye", end: bye}]}
  quiz:
    title: quiz
    scope:
      start: ask
      records:
        quiz:
          questions: {type: list, of: question, default: [{id: a, ask: "A?", options: [x, y], right: x}, {id: b, ask: "B?", options: [u, v]}]}
          answers: answers
      nodes:
        ask:
          form: {questions: quiz.questions, into: quiz.answers}
          transitions:
            - {id: word, at: before, when: 'message.text.contains("mean")', call: explain}
            - {at: after, end: done}
        explain: {scope: {start: tell, nodes: {tell: {say: "It is a word.", end: told}}}}
"""


def counts(talk: Talk, name: str) -> list[str]:
    return [fact.text for fact in talk.chat.why(name).facts if fact.kind == "counted"]


def test_a_digression_is_not_counted_as_an_answer_that_was_not_understood() -> None:
    talk = Talk(ASIDE).did("hello", "quiz", "what does Dativ mean?")
    kinds = [type(event).__name__ for event in talk.chat.turn(3).events]
    assert kinds.index("Missed") < kinds.index("ScopeOpened")
    for name in ("field quiz/quiz.answers", "field quiz/quiz.answers.a", "conversation"):
        assert not [one for one in counts(talk, name) if "not understood" in one], name
    talk.did("banana")
    asked = "an answer about quiz/quiz.answers was not understood once in this conversation"
    assert f"{asked} since quiz was opened in turn 2, in turn 4" in counts(talk, "field quiz/quiz.answers")


def test_answers_are_counted_by_their_questions_and_not_with_those_of_an_earlier_quiz() -> None:
    talk = Talk(ASIDE).did("hello", "quiz", "x", "u", "quiz", "y")
    set_ = "quiz/quiz.answers was set once in this conversation since quiz was opened in turn 5: a: y in turn 6"
    assert set_ in counts(talk, "field quiz/quiz.answers")
    talk = Talk(ASIDE).did("hello", "quiz", "x", "u")
    twice = "quiz/quiz.answers was set 2 times in this conversation since quiz was opened in turn 2: "
    assert f"{twice}a: x in turn 3, then b: u in turn 4" in counts(talk, "field quiz/quiz.answers")


@pytest.mark.parametrize("asked", ["quiz.answers.a", "quiz/quiz.answers.a", "field quiz.answers.a"])
def test_an_answer_of_a_quiz_that_was_closed_can_be_asked_about(asked: str) -> None:
    answer = Talk(ASIDE).did("hello", "quiz", "x", "u").chat.why(asked)
    assert answer.line == (
        "quiz/quiz.answers.a has no value: quiz is not open: it was opened in turn 2 and closed in turn 4 as done; "
        "there it was x at last"
    )
    assert answer.plain
    assert [fact.turn for fact in answer.facts if fact.kind == "happened_at"] == [4]
    assert any(fact.kind == "field_set" and fact.turn == 3 for fact in every(answer))


def test_a_question_of_a_quiz_that_was_closed_can_be_asked_about() -> None:
    line = Talk(ASIDE).did("hello", "quiz", "x", "u").chat.why("question quiz.answers.a").line
    assert line == "the user was asked for quiz/quiz.answers.a in turn 2"


def test_an_answer_to_a_question_that_no_form_had_is_no_name() -> None:
    chat = Talk(ASIDE).did("hello", "quiz", "x", "u").chat
    with pytest.raises(tw.UnknownSubject):
        chat.why("quiz.answers.nothing")


@pytest.mark.parametrize("asked", ["result", "why result", "quiz/result"])
def test_a_record_stands_for_its_fields(asked: str) -> None:
    flow = ASIDE.replace("records: {word:", "records: {result: {right: integer, of: integer}, word:")
    flow = flow.replace("scope:\n      start: ask", "scope:\n      start: ask\n      returns: result", 1)
    talk = Talk(
        flow.replace("into: quiz.answers}", "into: quiz.answers}\n          set_on_leave: {result.right: form.right}")
    )
    answer = talk.did("hello", "quiz", "x", "u").chat.why(asked)
    name = "quiz/result" if "/" in asked else "result"
    assert answer.subject == Subject("field", f"{name}.right")
    assert answer.also == (Subject("field", f"{name}.of"),)
