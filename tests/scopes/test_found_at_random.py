"""What random machines with scopes showed (laws 6.1 to 6.4)."""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import flow_of
from support.crossed import by_rules
from support.tools import FakeTool, Stage, facts, made, uses
from turnwise.core.state import commands as c
from turnwise.core.state import events as e

FLOW = """
flow: found
start: talk
commands: [cancel, {start: [survey]}]
person: desk
records: {got: {mood: string, note: string}}
tools: {look: {about: look}, save: {about: save}}
nodes:
  talk:
    prompt: Talk.
    transitions: [{id: sorry, at: error, when: 'error.kind == "refused"', to: sorry}]
  sorry: {prompt: Say sorry.}
  survey:
    scope:
      returns: got
      start: ask
      nodes:
        ask:
          prompt: Ask.
          tools: {allow: [look, save]}
          transitions:
            - {id: again, at: before, when: 'visits("ask") >= 1 && message.text == "again"', to: more}
            - {id: over, at: tool, when: 'tools.used("save")', return: true}
        more: {prompt: Ask more.}
"""


def stage(*replies: Any, flow: str = FLOW) -> Stage:
    found = Stage(flow_of(flow), replies, {"look": FakeTool("seen"), "save": FakeTool("saved")})
    found.say("hello")
    return found


@pytest.mark.law("6.2")
def test_a_guard_inside_that_counts_visits_is_explained_by_the_count() -> None:
    inside = stage("Hello.", "How?", "More?")
    inside.commands([c.Start(target="survey")])
    turn = inside.say("again")
    assert turn.state.node == "survey/more"
    (again,) = [one for one in turn.decisions[0].candidates if one.id == "again"]
    assert again.verdict is not None
    assert again.verdict.verdict == "held"
    assert "1" in str(inside.why("again"))


@pytest.mark.law("3.6", "6.1")
def test_the_calls_behind_the_one_that_closes_a_scope_are_dropped() -> None:
    inside = stage("Hello.", "How?", uses("save", made("look")), "Back.")
    inside.commands([c.Start(target="survey")])
    turn = inside.say("go on")
    assert turn.state.node == "talk"
    (refused,) = facts(turn, e.CallRefused)
    assert (refused.tool, refused.reason) == ("look", "dropped")
    assert refused.text == "not run: the scope was closed before its turn came"
    assert [one.code for one in turn.warnings] == ["calls_not_run"]
    assert inside.replay()


@pytest.mark.law("3.6", "3.9", "6.1")
def test_so_are_those_behind_one_whose_failure_is_caught_around_the_scope() -> None:
    inside = stage("Hello.", "How?", uses("no_such_tool", made("look")), "Sorry.")
    inside.commands([c.Start(target="survey")])
    turn = inside.say("go on")
    assert turn.state.node == "sorry"
    assert [(one.tool, one.reason) for one in facts(turn, e.CallRefused)] == [
        ("no_such_tool", "unknown_tool"),
        ("look", "dropped"),
    ]
    assert inside.replay()


@pytest.mark.law("3.6", "6.1")
def test_so_are_those_behind_one_after_which_a_transition_calls_a_scope() -> None:
    flow = FLOW.replace("prompt: Talk.", "prompt: Talk.\n    tools: {allow: [look, save]}")
    flow = flow.replace("[{id: sorry,", "[{id: ask, at: tool, when: 'tools.used(\"save\")', call: survey}, {id: sorry,")
    outside = stage("Hello.", uses("save", made("look")), "How?", uses("save"), "Back.", flow=flow)
    turn = outside.say("save it")
    assert turn.state.node == "survey/ask"
    (refused,) = facts(turn, e.CallRefused)
    assert (refused.tool, refused.text) == ("look", "not run: 'survey' was opened before its turn came")
    outside.say("go on")
    messages = outside.transcript()
    called = [one.id for message in messages for one in message.calls]
    assert len(called) == 2
    assert [message.call for message in messages if message.role == "tool"] == called
    assert outside.replay()


@pytest.mark.law("6.2", "7.1")
def test_nobody_sets_a_field_of_a_scope_that_is_not_open() -> None:
    outside = stage("Hello.", "Fine.", "How?", "Back.")
    early = c.Set(field="survey/got.mood", value="early")
    turn = outside.commands([early, c.Start(target="survey")])
    (refused,) = facts(turn, e.CommandRefused)
    assert (refused.field, refused.reason) == ("survey/got.mood", "unknown_field")
    assert "survey/got.mood" not in turn.state.values
    outside.commands([c.Set(field="survey/got.mood", value="in time")])
    assert outside.state().values["survey/got.mood"].value == "in time"


@pytest.mark.law("6.2", "6.10")
def test_nor_does_an_operator() -> None:
    outside = stage("Hello.", "Fine.")
    outside.take_over("Lena")
    outside.give_back("done", set={"survey/got.mood": "early"})
    assert "survey/got.mood" not in outside.state().values
    assert outside.state().person is not None


@pytest.mark.law("6.1")
def test_a_scope_that_replaces_its_caller_does_not_take_a_scope_around_it_to_nodes_outside() -> None:
    flow = FLOW.replace("{start: [survey]}", "{start: [survey, other]}")
    flow += "  other: {scope: {on_return: replace}, prompt: Other., transitions: [{to: sorry}]}\n"
    inside = stage("Hello.", "How?", "Other?", uses("finish_other"), "Where were we?", flow=flow)
    inside.commands([c.Start(target="survey")])
    inside.commands([c.Start(target="other")])
    assert [frame.node for frame in inside.state().frames] == ["talk", "survey/ask", "other/prompt"]
    turn = inside.say("done")
    assert [frame.node for frame in turn.state.frames] == ["talk", "survey/ask"]
    assert turn.text == "Where were we?"
    assert inside.replay()


@pytest.mark.law("7.1")
def test_a_refused_command_is_answered_once_where_the_message_also_moves() -> None:
    flow = """
flow: moved
start: a
commands: [cancel]
nodes:
  a: {transitions: [{at: before, when: 'message.text == "cancel"', to: b}]}
  b: {prompt: Talk.}
"""
    moving = Stage(flow_of(flow), ())
    moving.start()
    moving.app.runtime.performer.understand = by_rules
    turn = moving.say("cancel")
    assert turn.state.node == "b"
    assert turn.text == "There is nothing to cancel."
