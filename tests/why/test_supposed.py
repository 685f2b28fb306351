"""What would have been with another value is asked by what-if: every decision that would differ, and no secret."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import turnwise as tw
from asked_stories import CASE, HEALTH, said
from support.chats import flow_of
from turnwise.core.explain.guesses import fields_that_reveal_secrets
from turnwise.core.state import commands as c
from turnwise.errors import TurnwiseError

TABLE = """
flow: table
start: ask
records:
  guest:
    people: {type: integer, min: 1, max: 40}
    children: {type: integer, min: 0}
    grown: {type: integer, value: guest.people - guest.children}
    phone: {type: string}
    pin: {type: integer, secret: true}
    guess: {type: integer}
    stay: {type: duration}
nodes:
  ask:
    form: {fields: [{field: guest.people, ask: "For how many?"}, {field: guest.phone, ask: "Your number?"}]}
    transitions:
      - {id: large, at: before, when: guest.people > 12, because: a large group needs the host, to: host}
      - {id: family, at: before, when: guest.grown < 2, because: children need grown people, to: host}
      - {id: opens, at: before, when: guest.guess == guest.pin, to: host}
      - {id: long, at: before, when: 'guest.stay > duration("3h")', to: host}
  host: {say: One moment., end: host}
"""


def dora() -> tw.SyncChat:
    return said(HEALTH, "Hi, I'm Dora and I'm 29")


def ruth() -> tw.SyncChat:
    return said(HEALTH, "Hi, I'm Ruth, 46, and I agree to the terms", "I am a man")


def carl() -> tw.SyncChat:
    return said(CASE, "Yes", "Yes", "Referral")


def guest() -> tw.SyncChat:
    chat = tw.open_sync(flow_of(TABLE)).chat("a")
    chat.say("4")
    values = {"guest.children": 1, "guest.pin": 4711, "guest.guess": 1234}
    chat.commands([c.Set(field=name, value=value) for name, value in values.items()], by="the desk")
    return chat


DIFFERS: list[tuple[Callable[[], tw.SyncChat], dict[str, Any], list[tuple[int, str, str]]]] = [
    (dora, {"user.age": 37}, []),
    (
        dora,
        {"user.age": 40},
        [(1, "→ ineligible by too_young", "stayed"), (1, "stayed", "→ introduction by corrected")],
    ),
    (ruth, {"user.age": 37}, [(1, "→ profiler by complete", "→ ineligible by too_young")]),
    (carl, {"case.insurance_history": "No"}, [(3, "→ expert by expert", "stayed")]),
    (guest, {"guest.people": 13}, [(1, "stayed", "→ host by large"), (2, "stayed", "→ host by large")]),
    (guest, {"guest.grown": 1}, [(1, "stayed", "→ host by family"), (2, "stayed", "→ host by family")]),
    (guest, {"guest.stay": "4h"}, [(1, "stayed", "→ host by long"), (2, "stayed", "→ host by long")]),
]


@pytest.mark.parametrize(("play", "values", "differs"), DIFFERS)
def test_another_value_names_every_decision_that_would_differ(
    play: Callable[[], tw.SyncChat], values: dict[str, Any], differs: list[tuple[int, str, str]]
) -> None:
    found = play().what_if(values=values)
    assert [(one.turn, str(one.was), str(one.would)) for one in found.otherwise] == differs


def test_a_value_that_its_field_does_not_take_is_refused_with_the_reason() -> None:
    with pytest.raises(TurnwiseError, match="more than 120"):
        dora().what_if(values={"user.age": 150})


def test_no_answer_says_whether_a_supposed_value_is_a_secret() -> None:
    chat = guest()
    for name in ("guest.children", "guest.phone"):
        texts = {number: str(chat.what_if(values={name: str(number)})) for number in (4711, 4712)}
        assert len(texts[4711]) == len(texts[4712]), name
        assert "4711" not in texts[4712], name
    assert "4711" not in str(chat.what_if(values={"guest.people": 13}))
    assert fields_that_reveal_secrets(chat.machine, chat.machine.fields) == ("guest.pin", "guest.guess")
