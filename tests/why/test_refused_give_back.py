"""Values that a person in charge was refused: the journal keeps them between two turns, and answers name them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.opened import close_all, opened

FLOW = """
flow: desk
version: 1
start: ask
language: en
records:
  u: {age: {type: integer, max: 120, about: age}, pin: {type: string, secret: true, pattern: "[0-9]{4}"}, name: string}
nodes:
  ask:
    form: {fields: [{field: u.name, ask: "Name?"}, {field: u.age, ask: "Age?"}]}
    transitions: [{id: on, at: after, to: rest}]
  rest: {prompt: Rest.}
"""


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


def desk(store: str = "") -> tw.SyncChat:
    clock = tw.ManualClock(1_700_000_000_000)
    chat = opened(tw.loads(FLOW), clock=clock, **({"store": store} if store else {}))
    chat.start()
    chat.take_over("Lena")
    return chat


def refused(chat: tw.SyncChat, **values: Any) -> tw.Turn:
    turn = chat.give_back("ok", set={f"u.{name}": value for name, value in values.items()})
    assert turn.refused == "value_refused"
    return turn


def test_the_refused_value_is_named_with_the_person_and_the_reason() -> None:
    chat = desk()
    refused(chat, age=400)
    answer = chat.why("u.age")
    assert (
        "u.age has no value: the value 400 was refused for u.age because it is more than the maximum 120" in answer.line
    )
    tried = answer.fact("give_back_refused")
    assert tried is not None
    assert tried.text == (
        "Lena wanted to give the conversation back with u.age = 400, was refused at 2023-11-14 22:13:20 UTC, "
        "and stays in charge"
    )
    assert (
        answer.plain == "A person wanted to note down something for age, which was not possible. That is more than 120."
    )
    assert tried in chat.why("person").facts


def test_a_later_value_does_not_hide_the_refused_one() -> None:
    chat = desk()
    refused(chat, age=400)
    assert not chat.give_back("ok", set={"u.age": 41}).refused
    answer = chat.why("u.age")
    assert answer.line == "u.age was set to 41, by Lena, who was in charge"
    value = answer.fact("value_refused")
    assert value is not None
    assert (value.values["given"], value.turn) == ("400", 2)


def test_the_answer_of_a_user_that_was_refused_before_is_named_too() -> None:
    chat = opened(tw.loads(FLOW))
    for text in ("hello", "Ann", "200", "30"):
        chat.say(text)
    answer = chat.why("u.age")
    assert "u.age was set to 30" in answer.line
    value = answer.fact("value_refused")
    assert value is not None
    assert (value.values["given"], value.turn) == ("200", 3)


def test_no_turn_begins_and_the_journal_runs_again_as_it_is(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'a.db'}"
    chat = desk(store)
    refused(chat, age=400, name="Ann")
    assert chat.state().turn == 2
    assert chat.state().values == {}
    chat.app.close()
    again = opened(tw.loads(FLOW), store=store)
    assert again.rerun().agrees
    assert "400" in again.why("u.age").line
    assert not again.give_back("ok", set={"u.age": 40}).refused
    assert again.rerun().agrees


def test_a_refused_secret_is_not_kept() -> None:
    chat = desk()
    refused(chat, pin="98765")
    assert "98765" not in str(chat.why("u.pin").to_dict())
    assert "98765" not in str(chat.history()) + str(chat.why("person").to_dict())
    assert "was refused for u.pin" in chat.why("u.pin").line
