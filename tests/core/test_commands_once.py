"""Law 2.7: a command that a message gave is carried out once, also where a transition moves on in the same turn."""

from __future__ import annotations

import pytest

from support.chats import offline_chat, scripted_chat, sets
from turnwise.core.state import commands as c
from turnwise.core.state.events import AnyEvent, ArtefactMade, CommandApplied

pytestmark = pytest.mark.law("2.7")

FLOW = """
flow: once
start: first
commands: [hand_over, restart]
records:
  user: {name: string, colour: string, size: integer, city: string, pets: {type: list}}
nodes:
  first:
    form: {fields: [{field: user.name, ask: What is your name?}, {field: user.size, ask: How tall?, required: false}]}
    transitions: [{at: before, when: form.status == "handed_off" || form.status == "cancelled", to: second}, {to: second}]
  second:
    form: {fields: [{field: user.colour, ask: Which colour?, required: false}, {field: user.city, ask: Which city?}]}
    transitions: [{when: form.status == "confirmed", to: done}]
  done: {say: Thanks.}
"""
TALK = """
flow: once
start: first
commands: [hand_over, edit]
records:
  user: {name: string, pets: {type: list}, more: {type: list}}
nodes:
  first: {prompt: Talk., collect: [user.pets], transitions: [{at: before, when: turns > 0, to: second}]}
  second: {prompt: Talk more., collect: [user.pets]}
"""


def handoffs(events: tuple[AnyEvent, ...]) -> int:
    return sum(isinstance(event, ArtefactMade) and event.kind == "HANDOFF" for event in events)


def applied(events: tuple[AnyEvent, ...]) -> list[tuple[str, str]]:
    return [(event.command, event.field) for event in events if isinstance(event, CommandApplied)]


@pytest.mark.parametrize("flow", [FLOW, TALK])
def test_a_phrase_that_hands_over_makes_one_handoff(flow: str) -> None:
    with scripted_chat(flow) as chat:
        chat.start()
        turn = chat.say("talk to a human")
        assert chat.rerun().agrees
    assert turn.node == "second"
    assert handoffs(turn.events) == 1


@pytest.mark.parametrize("flow", [FLOW, TALK])
def test_one_that_was_understood_makes_one_handoff_too(flow: str) -> None:
    with scripted_chat(flow, understood=[(c.HandOver(),), (c.HandOver(),)]) as chat:
        chat.start()
        turn = chat.say("is there nobody real whom I may speak to?")
    assert turn.node == "second"
    assert handoffs(turn.events) == 1


def test_one_skip_leaves_out_one_question() -> None:
    with offline_chat(FLOW) as chat:
        chat.start()
        chat.say("Eve")
        turn = chat.say("skip")
        assert (turn.node, turn.text) == ("second", "Which city?")
        assert applied(turn.events) == [("skip", "user.size")]


def test_a_restart_that_was_understood_clears_one_form_only() -> None:
    flow = FLOW.replace("form.status ==", "message.text.contains('anew') || form.status ==")
    with scripted_chat(flow, understood=[(c.Restart(),), (c.Restart(),)]) as chat:
        chat.start()
        chat.commands(sets(user__city="Rome"))
        turn = chat.say("I want all of this anew")
    assert turn.node == "second"
    assert turn.value("user.city") == "Rome"
    assert applied(turn.events) == [("restart", "")]


def test_an_item_that_was_understood_is_added_once() -> None:
    add = c.Add(field="user.pets", item="cat")
    with scripted_chat(TALK, understood=[(add,), (add,)]) as chat:
        turn = chat.say("I have a cat")
        assert (turn.node, turn.value("user.pets")) == ("second", ["cat"])
    with scripted_chat(TALK, understood=[(add, add), ()]) as chat:
        assert chat.say("two cats").value("user.pets") == ["cat", "cat"]


def test_what_the_last_rung_of_a_ladder_does_uses_no_message_up() -> None:
    flow = FLOW.replace(
        "How tall?, required: false", "How tall?, required: false, rephrase: [Again?], then: skip"
    ).replace("{field: user.colour, ask: Which colour?, required: false}", "{field: user.colour, ask: Which colour?}")
    with scripted_chat(flow, understood=[(), (), (), sets(user__colour="red")]) as chat:
        chat.start()
        chat.commands(sets(user__name="Eve"))
        chat.say("what?")
        turn = chat.say("red, as I said")
    assert turn.node == "second"
    assert applied(turn.events) == [("skip", "user.size")]
