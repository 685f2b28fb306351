"""Law 3.4: where a model fails to read a message, or proposes only what the message does not bear out, the rules read it."""

from __future__ import annotations

from typing import Any

import pytest

import turnwise as tw
from turnwise.core.prompts.understanding import TOOL_NAME
from turnwise.core.state import events as e
from turnwise.errors import ProviderFailed
from turnwise.flow.model import Record
from turnwise.models.scripted import ScriptedModel

FLOW = tw.Flow(
    "weak",
    start="ask",
    records=[Record("user", [tw.Field("name"), tw.Field("city")])],
    nodes=[
        tw.Node(
            "ask",
            form=tw.Form([tw.FormField("user.name", ask="Your name?"), tw.FormField("user.city", ask="Your city?")]),
        )
    ],
)


def proposes(*commands: dict[str, Any]) -> Any:
    return tw.call(TOOL_NAME, commands=list(commands))


def sets(field: str, value: str, words: str) -> dict[str, Any]:
    return {"command": "set", "field": field, "value": value, "words": words}


def said(reply: Any, message: str = "Ada") -> tw.Turn:
    with tw.open_sync(FLOW, model=ScriptedModel([reply], understands=True)) as app:
        chat = app.chat("1")
        chat.start()
        turn = chat.say(message)
        assert chat.replay()
        return turn


def value(turn: tw.Turn, field: str) -> Any:
    found = turn.state.values.get(field)
    return None if found is None else found.value


def understood(turn: tw.Turn) -> e.Understood:
    return next(one for one in turn.events if isinstance(one, e.Understood))


FAILURES = [
    ProviderFailed("it is down"),
    proposes(sets("user.name", "Bob", "I am called Bob")),
    proposes(sets("user.city", "Rome", "in Rome"), {"command": "clear", "field": "user.city", "words": "not there"}),
]


@pytest.mark.law("3.4")
@pytest.mark.parametrize("reply", FAILURES)
def test_the_rules_read_a_message_that_a_model_fails_to_read(reply: Any) -> None:
    turn = said(reply)
    assert value(turn, "user.name") == "Ada"
    assert value(turn, "user.city") is None
    assert understood(turn).by == "rules"
    assert [warning.code for warning in turn.warnings] == ["understanding_failed"]
    assert turn.text == "Your city?"


@pytest.mark.law("3.4")
def test_it_is_reported_why_the_rules_read_it() -> None:
    turn = said(FAILURES[1])
    (warning,) = turn.warnings
    assert warning.message == "nothing that the model understood has support in the message"
    (attempt,) = understood(turn).attempts
    assert attempt.reason == warning.message


@pytest.mark.law("3.4")
def test_what_the_rules_do_not_understand_either_stays_refused() -> None:
    turn = said(proposes(sets("user.name", "Bob", "I am called Bob")), "what is this?")
    assert value(turn, "user.name") is None
    assert understood(turn).by == "model"
    assert [one.reason for one in turn.events if isinstance(one, e.CommandRefused)] == ["misquoted"]


@pytest.mark.law("3.4")
def test_where_rules_and_model_read_the_same_words_differently_neither_is_believed() -> None:
    record = Record("order", [tw.Field("people", "integer")])
    form = tw.Form([tw.FormField("order.people", ask="How many?")])
    flow = tw.Flow("f", start="ask", records=[record], nodes=[tw.Node("ask", form=form)])
    reply = proposes({**sets("order.people", "", "twelve or so I'd say"), "value": 20})
    with tw.open_sync(flow, model=ScriptedModel([reply], understands=True)) as app:
        chat = app.chat("1")
        chat.start()
        turn = chat.say("twelve or so I'd say")
    assert value(turn, "order.people") is None
    assert understood(turn).by == "model"


@pytest.mark.law("3.4")
def test_a_model_that_understands_nothing_is_believed() -> None:
    turn = said(proposes())
    assert value(turn, "user.name") is None
    assert not turn.warnings


@pytest.mark.law("3.4")
def test_one_proposal_with_support_is_enough() -> None:
    turn = said(proposes(sets("user.name", "Ada", "Ada"), sets("user.city", "Rome", "in Rome")))
    assert understood(turn).by == "model"
    assert value(turn, "user.name") == "Ada"


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(
    ("message", "name", "is_stored"),
    [
        ("my name is Ada", "Ada", True),  # the value stands there, whatever the model quotes
        ("my name is not Ada", "Ada", False),
        ("Ada or Adele, and Ada again", "Ada", False),  # which of the two places is not clear
        ("I am called Adele", "Ada", False),
    ],
)
def test_a_wrong_quote_takes_nothing_from_a_value_that_stands_in_the_message(
    message: str, name: str, is_stored: bool
) -> None:
    turn = said(proposes(sets("user.name", name, "I would like to be called that")), message)
    event = understood(turn)
    is_by_model = event.by == "model" and not any(getattr(one, "objection", "") for one in event.commands)
    assert is_by_model is is_stored
    if is_stored:
        assert value(turn, "user.name") == name
