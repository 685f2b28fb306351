"""Names that are words for subjects too, or that several subjects share: which is meant, and how to ask for the other."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import turnwise as tw
from turnwise.errors import NoClearSubject, UnknownSubject
from turnwise.why.answer import lines_of

ODD = """
flow: odd
version: 1
start: turn
language: en
records:
  desk: {message: {type: string, about: the message}, why: {type: integer}, a: {type: integer}, summary: string}
nodes:
  turn:
    form: {fields: [{field: desk.message, ask: "Which?"}, {field: desk.why, ask: "How many?"}]}
    transitions:
      - {id: stop, at: before, when: desk.why > 3, because: it is too many, to: end}
      - {id: over, at: after, to: end}
  end: {say: "Bye.", end: done}
"""
ASKED = [
    # a name alone is the name, and `the` makes it the word
    ("end", "node end", ("the end",)),
    ("the end", "the end", ("node end",)),
    ("turn", "node turn", ("form turn", "turn 2")),
    ("the turn", "turn 2", ("node turn", "form turn")),
    ("this turn", "turn 2", ("node turn", "form turn")),
    ("message", "field desk.message", ("message 2",)),
    ("the message", "message 2", ("field desk.message",)),
    ("why", "field desk.why", ("turn 2",)),
    ("form", "the form", ()),
    ("a", "field desk.a", ()),
    # a kind before it tells which
    ("node end", "node end", ()),
    ("node:end", "node end", ()),
    ("field a", "field desk.a", ()),
    ("field desk.why", "field desk.why", ()),
    # with `why` before it, it is the same
    ("why end", "node end", ("the end",)),
    ("why not stop?", "transition stop", ()),
    ("warum over", "transition over", ()),
    ("why field a", "field desk.a", ()),
    ("why turn 1", "turn 1", ()),
    ("Why?", "field desk.why", ("turn 2",)),
]


@cache
def odd() -> tw.SyncChat:
    chat = tw.open_sync(tw.loads(ODD)).chat("x")
    chat.start()
    chat.say("hello")
    return chat


@pytest.mark.parametrize(("question", "subject", "also"), ASKED, ids=[question for question, _, _ in ASKED])
def test_a_name_has_one_subject_and_says_what_else_it_may_be(
    question: str, subject: str, also: tuple[str, ...]
) -> None:
    answer = odd().why(question)
    assert (str(answer.subject), tuple(map(str, answer.also))) == (subject, also)
    assert answer.read_as.startswith(f"why {subject}")
    for other in answer.also:
        assert str(odd().why(str(other)).subject) == str(other)
        assert any(f"ask “{other}”" in line.text for line in lines_of(answer))


GERMAN = """
flow: termin
version: 1
start: frage
language: de
records:
  gast: {alter: {type: integer, about: Ihr Alter}, grund: {type: string, about: Grund Ihres Besuchs}}
nodes:
  frage:
    form: {fields: [{field: gast.alter, ask: "Wie alt sind Sie?"}, {field: gast.grund, ask: "Warum kommen Sie?"}]}
    transitions:
      - {id: jung, at: before, when: gast.alter < 18, because: Kinder kommen mit ihren Eltern, to: eltern}
  eltern: {say: Bitte kommen Sie mit Ihren Eltern., end: eltern}
"""
IN_GERMAN = [
    ("question gast.alter", "question gast.alter", ""),
    ("ende", "the end", "Der Grund ist: Kinder kommen mit ihren Eltern."),
    ("end", "the end", "Der Grund ist: Kinder kommen mit ihren Eltern."),
    ("Warum?", "turn 2", "Der Grund ist: Kinder kommen mit ihren Eltern."),
    ("alter", "field gast.alter", "Ihr Alter: 12, weil Sie es so gesagt haben."),
    ("warum jung", "transition jung", "Der Grund ist: Kinder kommen mit ihren Eltern."),
]


@pytest.mark.parametrize(("question", "subject", "plain"), IN_GERMAN, ids=[question for question, _, _ in IN_GERMAN])
def test_a_name_is_answered_in_german(question: str, subject: str, plain: str) -> None:
    chat = tw.open_sync(tw.loads(GERMAN)).chat("x")
    chat.start()
    chat.say("12")
    answer = chat.why(question)
    assert str(answer.subject) == subject
    assert not plain or answer.plain == plain


REFUSED = [
    ("mesage", "did you mean 'desk.message'"),
    ("exit", "known: desk.a, desk.message, desk.summary, desk.why, end, over, stop, turn"),
    ("node windw", "known: end, turn"),
    ("node stop", "known: end, turn"),
    ("field desk.no", "did you mean 'desk.a'"),
]


@pytest.mark.parametrize(("question", "hint"), REFUSED, ids=[question for question, _ in REFUSED])
def test_an_unknown_name_is_refused_with_the_known_ones(question: str, hint: str) -> None:
    with pytest.raises(UnknownSubject) as found:
        odd().why(question)
    assert hint in str(found.value)


def test_words_that_name_nothing_clearly_are_refused_with_what_they_may_be_about() -> None:
    with pytest.raises(NoClearSubject) as found:
        odd().why("what is the weather like")
    for one in found.value.candidates:
        assert odd().why(one.subject).facts


INTAKE = Path(__file__).parents[2] / "examples/health_intake/health_intake.flow.yaml"
"""It has the transition `asked_enough`."""


def test_a_word_for_a_kind_does_not_make_a_question_one_about_a_name_that_has_it_too() -> None:
    with tw.open_sync(INTAKE) as app:
        chat = app.chat("x")
        chat.start()
        for words in ("I'm Maria, and I'm 48", "what exactly do I agree to?", "yes, I agree"):
            chat.say(words)
        assert str(chat.why("why was she asked twice?").subject) == "field user.tos_acknowledged"
        assert str(chat.why("has it asked enough?")).startswith("why transition asked_enough")
