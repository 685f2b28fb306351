"""Answers about a long conversation, with their counts and durations: only the turns that they are about become facts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from support.chats import OneSyncChat, flow_of
from turnwise.core.state.commands import Set
from turnwise.stores.memory import MemoryStore
from turnwise.why.history import History

TURNS = 60
LONG = """
flow: long
start: a
language: en
records: {u: {n: integer}}
nodes:
  a:
    say: Next?
    transitions:
      - {id: up, at: before, when: u.n > 90, to: b, because: it is large}
      - {id: late, at: timer, in: 30d, to: b, because: time is up}
  b: {say: Large.}
"""
MOVING = """
flow: moving
start: a
language: en
records: {u: {n: integer}}
nodes:
  a: {say: Here., transitions: [{id: to_b, at: before, when: u.n >= 0, to: b, because: it is set}]}
  b: {say: There., transitions: [{id: to_a, at: before, when: u.n >= 0, to: a, because: it is set}]}
  c: {say: Nowhere.}
"""


@cache
def grown(document: str) -> OneSyncChat:
    """A conversation in which each turn has another value, and a timer is armed in the first."""
    chat = OneSyncChat(flow_of(document), store=MemoryStore())
    chat.say("hello")
    for number in range(TURNS):
        chat.commands([Set(field="u.n", value=number)])
    return chat


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> Callable[[], set[int]]:
    """Returns the turns that were made whole, as facts need it, since the test began."""
    found: set[int] = set()
    turn = History.turn

    async def noted(self: History, number: int) -> Any:
        found.add(number)
        return await turn(self, number)

    monkeypatch.setattr(History, "turn", noted)
    return lambda: found


@pytest.mark.parametrize(
    ("document", "subject"),
    [
        (MOVING, "conversation"),
        (LONG, "conversation"),
        (LONG, "field u.n"),
        (LONG, "timer late"),
        (MOVING, "node c"),
        (MOVING, "transition to_b"),
    ],
)
def test_an_answer_makes_facts_of_few_turns(document: str, subject: str, read: Callable[[], set[int]]) -> None:
    grown(document).why(subject)
    assert len(read()) <= 5
