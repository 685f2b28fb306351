"""Law 2.17 over random conversations: events of other systems between messages, scopes, persons, undos and forks."""

from __future__ import annotations

from random import Random

import pytest

from support.chats import OneSyncChat, flow_of
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.runner.clocks import ManualClock

FLOW = """
flow: lesson
start: talk
person: help
commands: [cancel, hand_over, undo, {start: [survey]}]
events: {paid: {amount: integer}, rang: {}, left: {}}
records: {feedback: {mood: string}, own: {sum: {type: integer, default: 0}, times: {type: integer, default: 0}}}
nodes:
  talk:
    say: Welcome.
    transitions:
      - {at: event, event: paid, when: event.amount > 0, set: {own.sum: own.sum + event.amount, own.times: own.times + 1}, to: thanks}
      - {at: event, event: left, end: gone}
  thanks:
    say: Thanks.
    transitions:
      - {at: event, event: [paid, rang], set: {own.times: own.times + 1}, stay: true, say: "{{ event.name }}"}
      - {at: before, to: talk, when: turns > 1}
  survey:
    scope:
      returns: feedback
      start: ask
      nodes:
        ask:
          form: {fields: [{field: feedback.mood, ask: How was it?}]}
          transitions: [{at: event, event: rang, stay: true, say: Somebody rang.}]
"""
_DONE = {
    "say": 5,
    "survey": 4,
    "paid": 5,
    "rang": 3,
    "left": 0.3,
    "wrong": 1,
    "take": 1,
    "give": 2,
    "undo": 1.5,
    "tick": 5,
}


@pytest.mark.law("2.17")
@pytest.mark.parametrize("seed", range(12))
def test_every_event_is_judged_once_or_waits_and_a_replay_is_exact(seed: int) -> None:
    chance, clock = Random(seed), ManualClock(1_767_960_000_000)
    with OneSyncChat(flow_of(FLOW), clock=clock) as chat:
        chat.say("hello")
        for _ in range(40):
            clock.move_s(chance.choice((0, 1)))
            match chance.choices(list(_DONE), list(_DONE.values()))[0]:
                case "survey":
                    chat.say("survey")
                case "paid":
                    chat.event("paid", {"amount": chance.randint(0, 2)})
                case "wrong":
                    assert chat.event("paid", {"amount": "x"}).refused
                case "take":
                    chat.take_over("Lena")
                case "give":
                    chat.give_back()
                case "undo":
                    chat.undo()
                case "tick":
                    chat.app.tick()
                case "say":
                    chat.say(chance.choice(("good", "cancel", "hm")))
                case name:
                    chat.event(name)
            _holds(chat)
            if isinstance(chat.state().status, Ended):
                break
        assert chat.replay()
        assert chat.rerun().agrees


def _holds(chat: OneSyncChat) -> None:
    """Without undos: what came was judged in its turn, or it waited and was judged later, or it waits."""
    found = [one.event for one in chat.journal()]
    if any(isinstance(event, e.Undone) for event in found):
        return
    held = sum(isinstance(event, e.EventHeld) for event in found)
    resumed = sum(isinstance(event, e.EventResumed) for event in found)
    waits = sum(len(frame.held_events) for frame in chat.state().frames)
    assert held == resumed + waits
