"""Names of a flow that are words of questions too: which of both is meant, and how to ask for the other."""

from __future__ import annotations

from collections.abc import ValuesView
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

import turnwise as tw
from turnwise.core.link import link
from turnwise.errors import UnknownSubject
from turnwise.why.answer import lines_of
from turnwise.why.reading.titles import Titles

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
    # in a sentence it is the word, except where a name stands
    ("why did it end?", "the end", ("node end",)),
    ("why did the conversation end?", "the end", ("node end",)),
    ("why was end not entered?", "node end", ("the end",)),
    ("why did it not go to end?", "node end", ("the end",)),
    ("why is node end not in charge?", "node end", ()),
    ("why is “end” not in charge?", "node end", ()),
    ("why was my last message ignored?", "message 2", ("field desk.message",)),
    ("why did it not ask for my message?", "question desk.message", ("the question",)),
    ("why did it not ask for the mesage?", "question desk.message", ()),
    ("why was stop not taken?", "transition stop", ("the end",)),
    ("why did it stop?", "the end", ("transition stop",)),
    ("why is it over?", "the end", ("transition over",)),
    ("why is field a empty?", "field desk.a", ()),
    ("where does the summary come from?", "field desk.summary", ("the form",)),
    ("how usual is end?", "node end", ("the end",)),
]


@cache
def odd() -> tw.SyncChat:
    chat = tw.open_sync(tw.loads(ODD)).chat("x")
    chat.start()
    chat.say("hello")
    return chat


@pytest.mark.parametrize(("question", "subject", "also"), ASKED, ids=[question for question, _, _ in ASKED])
def test_a_name_that_is_a_word_of_questions_has_one_reading_and_names_the_other(
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
    ("Warum hast du nach meinem Alter gefragt?", "question gast.alter", ""),
    ("Warum wurde ich nicht nach dem Grund gefragt?", "question gast.grund", ""),
    ("Warum ist das Gespräch zu Ende?", "the end", "Der Grund ist: Kinder kommen mit ihren Eltern."),
    ("Wieso wurde ich abgelehnt?", "transition jung", "Der Grund ist: Kinder kommen mit ihren Eltern."),
    ("Warum wurde meine Nachricht nicht verstanden?", "message 2", ""),
    ("Warum?", "turn 2", "Der Grund ist: Kinder kommen mit ihren Eltern."),
    ("Woher kommt Ihr Alter?", "field gast.alter", "Ihr Alter: 12, weil Sie es so gesagt haben."),
    ("warum jung", "transition jung", "Der Grund ist: Kinder kommen mit ihren Eltern."),
]


@pytest.mark.parametrize(("question", "subject", "plain"), IN_GERMAN, ids=[question for question, _, _ in IN_GERMAN])
def test_a_german_question_is_read(question: str, subject: str, plain: str) -> None:
    chat = tw.open_sync(tw.loads(GERMAN)).chat("x")
    chat.start()
    chat.say("12")
    answer = chat.why(question)
    assert str(answer.subject) == subject
    assert not plain or answer.plain == plain


REFUSED = [
    ("why did it take so long?", "ask about a name of the flow"),
    ("what would lead to end?", "--to NODE"),
    ("how do I get to end?", "chat.ways_to(NODE)"),
    ("how usual is that?", "usual=True"),
    ("where does it differ from the other one?", "--against CONVERSATION"),
    ("windw", "known: desk.a, desk.message, desk.summary, desk.why, end, over, stop, turn"),
    ("why can't I see the doctor?", "ask about a name of the flow, such as turn, desk.message, or about turn 2"),
    (
        "why did you not ask about my shoes?",
        "its fields are desk.message, desk.why, desk.a, desk.summary",
    ),
    ("what is the weather like", "ask about a name of the flow"),
    ("exit", "known: desk.a, desk.message, desk.summary, desk.why, end, over, stop, turn"),
]


@pytest.mark.parametrize(("question", "hint"), REFUSED, ids=[question for question, _ in REFUSED])
def test_what_names_nothing_is_refused_with_what_can_be_asked(question: str, hint: str) -> None:
    with pytest.raises(UnknownSubject) as found:
        odd().why(question)
    assert hint in str(found.value)


class Counted(dict[str, Any]):
    """A dictionary that counts how often all of its values are read."""

    read = 0

    def values(self) -> ValuesView[Any]:
        self.read += 1
        return super().values()


def test_all_nodes_are_read_as_often_for_many_tools_as_for_one() -> None:
    read: list[int] = []
    for count in (1, 20):
        moves = "".join(f"{{id: go{n}, at: choice, to: b{n}, because: so}}, " for n in range(count))
        others = "".join(
            f"  b{n}: {{say: B., transitions: [{{id: back{n}, at: before, to: a}}]}}\n" for n in range(count)
        )
        machine = link(
            tw.loads(f"flow: f\nversion: 1\nstart: a\nnodes:\n  a: {{say: A., transitions: [{moves}]}}\n{others}")
        )
        nodes = Counted(machine.nodes)
        Titles(replace(machine, nodes=nodes))
        read.append(nodes.read)
    assert read[0] == read[1]
