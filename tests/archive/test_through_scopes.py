"""What is asked of stored conversations with scopes in them: comparisons, what-ifs, dry runs, counts."""

from __future__ import annotations

import pytest

import turnwise as tw
from support.chats import flow_of

FLOW = """
flow: lesson
start: talk
commands: [cancel, {start: [survey]}]
records: {feedback: {mood: {type: choice, options: [good, bad]}, text: string}}
nodes:
  talk:
    prompt: Talk.
    transitions: [{id: asks, at: before, when: 'message.text.contains("quiz")', call: quiz}]
  survey:
    scope:
      returns: feedback
      start: ask
      nodes:
        ask:
          form: {fields: [{field: feedback.mood, ask: How was it?}]}
          transitions:
            - {id: deeper, at: after, when: feedback.mood == "bad", to: detail}
            - {id: fine, at: after, end: fine}
        detail:
          scope: {returns: feedback}
          form: {fields: [{field: feedback.text, ask: What was bad?}]}
          transitions: [{id: back, at: after, return: true}]
  quiz: {scope: {records: {memo: {n: integer}}}, form: {fields: [{field: memo.n, ask: How many?}]}}
"""


@pytest.fixture
def app() -> tw.SyncApp:
    app = tw.open_sync(flow_of(FLOW))
    for name, steps in {
        "good": ("hello", "survey", "good"),
        "bad": ("hello", "survey", "bad"),
        "cancelled": ("hello", "survey", "cancel"),
        "quiz": ("hello", "a quiz", "4"),
        "plain": ("hello",),
    }.items():
        chat = app.chat(name)
        for said in steps:
            chat.say(said)
    return app


@pytest.mark.parametrize(
    ("one", "other", "line"),
    [
        ("good", "plain", "good opened survey in turn 2, and plain made no move"),
        ("quiz", "plain", "quiz opened quiz by asks in turn 2, and plain made no move"),
        (
            "good",
            "cancelled",
            "after the same first move, good closed survey as fine in turn 3, and cancelled closed survey as cancelled "
            "in turn 3",
        ),
        (
            "good",
            "bad",
            "after the same first move, good closed survey as fine in turn 3, and bad went to survey/detail by deeper "
            "in turn 3",
        ),
    ],
)
def test_two_conversations_part_where_one_opens_or_closes_a_scope(
    app: tw.SyncApp, one: str, other: str, line: str
) -> None:
    assert app.chat(one).compare(other).line == line


def test_the_value_inside_is_decisive_by_which_two_conversations_part(app: tw.SyncApp) -> None:
    differ = [fact.values for fact in app.chat("good").compare("bad").facts if fact.kind == "values_differ"]
    assert [(one["field"], one["is_decisive"]) for one in differ] == [("survey/feedback.mood", True)]


def ways(found: tw.WhatIf) -> list[tuple[str, str, str]]:
    return [(one.conversation, one.was.transition, one.would.transition) for one in found.otherwise]


def test_another_answer_inside_a_scope_is_supposed(app: tw.SyncApp) -> None:
    found = app.what_if(values={"survey/feedback.mood": "bad"})
    assert ways(found) == [("good", "fine", "deeper")]
    assert found.otherwise[0].would.target == "survey/detail"


@pytest.mark.parametrize("rule", ['feedback.mood == "good"', 'survey/feedback.mood == "good"'])
def test_another_guard_inside_a_scope_is_supposed_with_its_names_or_their_addresses(app: tw.SyncApp, rule: str) -> None:
    assert sorted(ways(app.what_if(rules={"deeper": rule}))) == [("bad", "deeper", "fine"), ("good", "fine", "deeper")]


def test_another_guard_of_a_call_is_supposed(app: tw.SyncApp) -> None:
    assert ("plain", "", "asks") in ways(app.what_if(rules={"asks": 'message.text.contains("hello")'}))


def test_a_guard_that_no_scope_has_is_refused_with_the_nearest(app: tw.SyncApp) -> None:
    with pytest.raises(tw.TurnwiseError, match="did you mean 'deeper'"):
        app.what_if(rules={"deepr": "true"})


def test_a_dry_run_leads_into_a_scope_and_out_of_it(app: tw.SyncApp) -> None:
    chat = app.chat("x")
    chat.say("hello")
    assert chat.dry_run("survey").turn.state.node == "survey/ask"
    into = chat.dry_run("a quiz")
    assert (into.turn.state.node, into.moves) == ("quiz/form", ("asks",))
    chat.say("survey")
    done = chat.dry_run("good").turn
    assert [(one.scope, one.outcome) for one in done.events if isinstance(one, tw.events.ScopeClosed)] == [
        ("survey", "fine")
    ]
    assert chat.state().node == "survey/ask"


def test_transitions_inside_and_calls_are_counted(app: tw.SyncApp) -> None:
    counted = {(one.node, one.transition): (one.judged, one.taken) for one in app.history()}
    assert counted["survey/ask", "deeper"] == (2, 1)
    assert counted["survey/ask", "fine"] == (2, 1)
    assert counted["survey/detail", "back"] == (0, 0)
    assert counted["talk", "asks"][1] == 1
