"""A choice whose guard raises cannot be offered to the model: the answer says so, with the reason and the place."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import turnwise as tw
from support.chats import candidate, outcomes_of, scripted_chat
from turnwise.core.state.events import Faulted
from turnwise.models.scripted import call

pytestmark = pytest.mark.law("2.10")

FLOW = """
flow: f
start: home
records: {u: {age: integer, zero: {type: integer, default: 0}}}
nodes:
  home:
    prompt: Talk.
    transitions:
      - {id: shop, at: choice, GUARD, to: shop}
      OTHERS
  shop: {prompt: Sell.}
  bank: {prompt: Lend.}
  caught: {prompt: "Caught {{ error.kind }}."}
"""
BANK = "- {id: bank, at: choice, to: bank}"
CAUGHT = "- {id: broken, at: error, when: error.kind == 'guard', to: caught}"


@tw.guard(name="check")
def check(u: Any) -> bool:
    """A slip of the author."""
    return {}["level"] > u.age


def flow(guard: str, *others: str) -> str:
    return FLOW.replace("GUARD", guard).replace("OTHERS", "\n      ".join(others))


def faults(turn: tw.Turn) -> list[str]:
    return [event.fault.kind for event in turn.events if isinstance(event, Faulted)]


@pytest.mark.parametrize(
    ("guard", "reason", "at"),
    [
        ("guard: check", "KeyError: 'level'", "test_choices_in_error.py:"),
        ("when: 1 / u.zero > 3", "a division by zero", "flow.yaml:9"),
    ],
)
def test_a_choice_in_error_is_a_failure(guard: str, reason: str, at: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR), scripted_chat(flow(guard), check) as chat:
        turn = chat.say("hello")
        assert chat.rerun().agrees
        assert turn.state.errors == 1
    assert turn.text == "…"
    assert faults(turn) == ["guard"]
    choice, error = (one for one in turn.decisions if one.moment in ("choice", "error"))
    assert outcomes_of(choice) == {"shop": "error"}
    assert choice.line.startswith("stayed in home: 1 candidate, which did not hold; in error: shop")
    assert error.failure is not None
    assert (error.failure.kind, error.failure.transition) == ("guard", "shop")
    assert reason in error.failure.reason
    assert at in error.failure.at
    assert [warning.code for warning in turn.warnings] == ["guard_error"]
    assert ("KeyError" in caplog.text) is ("check" in guard)


def test_an_error_transition_catches_it_before_the_model_is_asked() -> None:
    with scripted_chat(flow("guard: check", CAUGHT), check, replies=["I can help.", "unused"]) as chat:
        turn = chat.say("hello")
    assert (turn.node, turn.text) == ("caught", "I can help.")
    assert turn.taken == ("broken",)


def test_where_another_choice_is_open_the_model_may_still_choose_it() -> None:
    with scripted_chat(flow("guard: check", BANK, CAUGHT), check) as chat:
        turn = chat.say("hello")
    assert turn.node == "home"
    assert not faults(turn)
    (choice,) = (one for one in turn.decisions if one.moment == "choice")
    assert choice.line == "stayed in home: offered to the model: bank; in error: shop"
    assert candidate(choice, "bank").by == "offered to the model"
    code = candidate(choice, "shop").code
    assert code is not None
    assert "KeyError" in code.error
    assert code.file.endswith("test_choices_in_error.py")
    with scripted_chat(flow("guard: check", BANK, CAUGHT), check, replies=[call("go_to_bank"), "A loan?"]) as chat:
        turn = chat.say("hello")
    assert turn.node == "bank"


def test_it_is_reported_once_in_a_turn() -> None:
    text = (
        flow("guard: check")
        .replace("prompt: Talk.", "prompt: Talk.\n    tools: {allow: [think]}")
        .replace("nodes:", "tools: {think: {about: think}}\nnodes:")
    )
    with scripted_chat(text, check, replies=[call("think"), "Done."]) as chat:
        turn = chat.say("hello")
    assert len([one for one in turn.decisions if one.moment == "choice"]) == 1
