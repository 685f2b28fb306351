"""The facts of turns that were asked about last are kept; an answer is still the one that a new process gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import turnwise as tw
from support.chats import NOON_MS, OneSyncChat, flow_of
from turnwise.core.state.commands import Set
from turnwise.runner.clocks import ManualClock
from turnwise.stores.memory import MemoryStore
from turnwise.why.facts import KnownFacts

FLOW = """
flow: kept
start: desk
commands: [undo]
records: {u: {age: integer, pin: {type: string, secret: true}}}
nodes:
  desk:
    say: Go on.
    transitions: [{id: old, at: before, when: u.age > 60, to: rest, because: the guest is old}]
  rest: {say: Rest.}
"""
SUBJECTS = ("u.age", "old", "node rest", "turn 1", "turn 2", "turn 3", "conversation", "end")


def told(clock: ManualClock, store: MemoryStore) -> Any:
    return OneSyncChat(flow_of(FLOW), understand=lambda _m, _e: (), clock=clock, store=store)


def talk(chat: Any, age: int = 65) -> None:
    chat.say("my pin is 4711")
    chat.commands([Set(field="u.age", value=30)])
    chat.commands([Set(field="u.age", value=age)])


def answers(chat: Any) -> list[Any]:
    found: list[Any] = []
    for subject in SUBJECTS:
        try:
            found.append(chat.why(subject).to_dict())
        except tw.TurnwiseError as error:
            found.append(str(error))
    return found


def take_turns(chat: Any, _clock: ManualClock) -> None:
    chat.commands([Set(field="u.age", value=40)])


def undo(chat: Any, _clock: ManualClock) -> None:
    chat.undo(to=2)


def give_secret(chat: Any, _clock: ManualClock) -> None:
    chat.commands([Set(field="u.pin", value="4711")])


def trim(chat: Any, clock: ManualClock) -> None:
    clock.move_s(10 * 86_400)
    chat.app.retain(tw.Retention(decisions_days=5))


def erase(chat: Any, clock: ManualClock) -> None:
    clock.move_s(10 * 86_400)
    chat.say("hello again")
    chat.app.retain(tw.Retention(events_days=5))


def begin_anew(chat: Any, _clock: ManualClock) -> None:
    chat.forget()
    talk(chat, age=70)


@pytest.mark.parametrize("act", [take_turns, undo, give_secret, trim, erase, begin_anew])
def test_what_changed_since_is_in_the_answer(act: Callable[[Any, ManualClock], None]) -> None:
    clock, store = ManualClock(NOON_MS), MemoryStore()
    chat = told(clock, store)
    talk(chat)
    before = answers(chat)
    act(chat, clock)
    assert answers(chat) == answers(told(clock, store)) != before


def test_facts_are_kept_of_few_turns_and_of_none_that_was_deleted() -> None:
    chat = told(ManualClock(NOON_MS), MemoryStore())
    talk(chat)
    turns = [chat.turn(number) for number in (1, 2, 3)]
    known = KnownFacts(most=2)
    first, second, third = [known.facts_of(turn, [None] * len(turn.entries)) for turn in turns]
    assert known.facts_of(chat.turn(3), ()) is third
    assert known.facts_of(chat.turn(2), ()) is second
    assert known.facts_of(turns[0], [None] * len(turns[0].entries)) is not first
    known.drop("another")
    assert known.facts_of(chat.turn(2), ()) is second
    known.drop("main")
    assert known.facts_of(turns[1], [None] * len(turns[1].entries)) is not second
