"""Each `because` of the examples is true whenever it is given, whatever the user and the operator did before."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

import turnwise as tw
from support.shell import ROOT
from turnwise.core.candidates import PERSON_TIMEOUT
from turnwise.core.state import events as e
from turnwise.models.scripted import ScriptedModel

FOLDER = ROOT / "examples"
FLOWS = [flow for flow in sorted(FOLDER.glob("*/*.flow.yaml")) if "because:" in flow.read_text("utf-8")]
Value = Callable[[str], Any]


def is_ruled_out(value: Value) -> bool:
    return value("user.gender") == "male" or (value("user.age") is not None and value("user.age") < 38)


def is_whole(value: Value) -> bool:
    return bool(value("user.name") and value("user.age") >= 38 and value("user.tos_acknowledged"))


IS_TRUE: dict[str, Callable[[tw.Turn, Value], object]] = {
    "user is male": lambda _, value: value("user.gender") == "male",
    "under age 38": lambda _, value: value("user.age") < 38,
    "name, age and terms collected, age 38 or more": lambda _, value: is_whole(value),
    "name, age, gender and terms decide": lambda _, value: is_ruled_out(value) or is_whole(value),
    "at least three groups of symptoms are known": lambda _, value: len(value("symptoms.groups")) >= 3,
    "the user has nothing more to name": lambda turn, _: any(
        isinstance(event, e.UserSaid) and event.text in ("no", "that's all") for event in turn.events
    ),
    "six messages named too few": lambda _, value: len(value("symptoms.groups") or []) < 3,
    "what is known no longer rules the user out": lambda _, value: not is_ruled_out(value),
    "half an hour passed, and what is known still rules the user out": lambda turn, value: (
        any(isinstance(event, e.TimerFired) for event in turn.events) and is_ruled_out(value)
    ),
    "the order is confirmed": lambda turn, value: (
        turn.node == "kitchen" and value("order.pizzas") and value("order.address")
    ),
    "a nurse is asked for": lambda turn, value: (
        (value("call.topic") and value("call.number")) or _form(turn) == "handed_off"
    ),
    "the nurse helped here": lambda turn, _: _outcome(turn) == "done",
    "no nurse came in time": lambda turn, _: any(isinstance(event, e.NobodyCame) for event in turn.events),
    "it was not settled here": lambda turn, _: _outcome(turn) not in ("done", "timeout"),
    "a referral with earlier inconsistencies is not for a machine": lambda _, value: (
        (value("case.purpose"), value("case.insurance_history")) == ("Referral", "Yes")
    ),
    "the form handed the case over": lambda turn, _: _form(turn) == "handed_off",
    "there is a result": lambda _, value: value("config.result"),
    "the work is done": lambda _, value: value("result.done"),
    "onboarding comes first": lambda _, value: value("user.level") is None,
    "the profile is complete and saved": lambda _, value: value("user.level") is not None,
    "strong feelings come first": lambda turn, _: any(
        isinstance(event, e.ScopeOpened) and event.scope == "feedback" for event in turn.events
    ),
}
"""When each reason is true. One of a flow that is not in here fails the test."""


def _form(turn: tw.Turn) -> str:
    return next((event.run.status for event in reversed(turn.events) if isinstance(event, e.FormChanged)), "")


def _outcome(turn: tw.Turn) -> str:
    return next((event.outcome for event in turn.events if isinstance(event, e.GivenBack)), "")


INTAKE = ("I am Carla, 48", "yes I agree", "I sleep badly and forget things", "and my joints", "no")
SLIPS = (
    "I am 30",
    "sorry, I am 48",
    "sorry, I am 35",
    "forget my age",
    "I am a man",
    "sorry, I am a woman",
    "ok",
    "that's all",
)
WAYS: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "health_intake": (INTAKE, SLIPS, "turned_away"),
    "with_code": (INTAKE, SLIPS, "turned_away"),
    "call_back": (
        ("a rash", "0151 234567"),
        ("cancel", "start again", "I want to talk to a person", "change the number"),
        PERSON_TIMEOUT,
    ),
    "eligibility": (
        ("Yes", "No", "Referral", "Escalate", "Urgent", "Looks Good"),
        ("change the history to yes", "cancel", "I want to talk to a person", "Unknown", "start again", "Yes"),
        "",
    ),
}
"""Of each flow: what leads to its end, what a user says in between, and its timer."""
OUTCOMES = ("spam", "done")
RARE = {"six messages named too few"}
"""Reasons that need a long run of the same kind of message; the scenarios of the example have them."""


def steps(name: str, seed: int) -> Iterator[Callable[[tw.SyncChat], tw.Turn]]:
    """Yield the steps to the end of a flow, with what the user, the clock or an operator does in between."""
    chance = random.Random(seed)
    way, between, timer = WAYS.get(name, (("go on",), (), ""))
    yield lambda chat: chat.start()
    for said in way:
        while chance.random() < 0.4:
            yield chance.choice(
                [
                    *[lambda chat, text=text: chat.say(text) for text in between * 2],
                    *([lambda chat: chat.fire(timer)] * 2 if timer else []),
                    lambda chat: chat.take_over("Lena"),
                    *[lambda chat, outcome=one: chat.give_back(outcome) for one in OUTCOMES],
                    *([lambda chat: chat.give_back("ok", set={"user.age": 48})] if between is SLIPS else []),
                ]
            )
        yield lambda chat, text=said: chat.say(text)
    if timer and chance.random() < 0.3:
        yield lambda chat: chat.fire(timer)
    yield lambda chat: chat.take_over("Lena")
    yield lambda chat: chat.give_back(chance.choice(OUTCOMES))


def reasons(turn: tw.Turn) -> Iterator[str]:
    """Yield the reasons that are given for the moves of a turn."""
    for decision in turn.decisions:
        taken = decision.candidate(decision.taken) if decision.taken else None
        if taken is not None and taken.because:
            yield taken.because


def reasons_of(flow: Path) -> set[str]:
    """Return the reasons that a flow can give; a mirror is never taken."""
    every = (one for node in tw.load(flow).nodes for one in node.transitions)
    return {one.because for one in every if one.because and not one.mirror}


def _opened(flow: Path) -> tw.SyncApp:
    model = ScriptedModel(["Fine."] * 300)
    if "guard:" in flow.read_text("utf-8"):
        found = run_path(str(flow.parent / "guards.py"))
        return tw.open_sync(flow, guards=[found["route"], found["three_groups"]], model=model)
    return tw.open_sync(flow, model=model)


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name)
def test_a_reason_is_true_whenever_it_is_given(flow: Path) -> None:
    app, given, name = _opened(flow), set[str](), flow.name.partition(".")[0]
    for seed in range(60):
        chat = app.chat(f"c{seed}")
        for step in steps(name, seed):
            try:
                turn = step(chat)
            except tw.TurnwiseError:  # it has ended, or nobody is in charge
                continue
            for reason in reasons(turn):
                given.add(reason)
                assert IS_TRUE[reason](turn, turn.value), (reason, turn.state.values)
    assert given | RARE >= reasons_of(flow) or name not in WAYS


def test_every_reason_of_the_examples_is_examined() -> None:
    assert set.union(*map(reasons_of, FLOWS)) == set(IS_TRUE)
