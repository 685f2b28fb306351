"""Seed 000's introduction as rules and as a Python guard: both route as an oracle says that knows neither."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace as changed

import pytest
from msgspec.structs import replace

from support import code
from support.chats import INTAKE, at_rest
from support.intake import Fields, expected, random_fields
from turnwise.api.open import load
from turnwise.core.decision.judge import judge
from turnwise.core.guards import env_of
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.state import FieldValue, State
from turnwise.core.state import events as e
from turnwise.core.state.commands import Set
from turnwise.core.step import step
from turnwise.core.turn import Step
from turnwise.core.values import Refused, read_value
from turnwise.flow.model import Flow, Transition

COUNT = 100_000 if os.environ.get("TURNWISE_SOAK") == "1" else 10_000
SEED = 20_261_120


def by_rules() -> Machine:
    return link(load(INTAKE))


def by_code() -> Machine:
    return link(_with_code(load(INTAKE)), [code.route])


def _with_code(flow: Flow) -> Flow:
    """The flow with one Python guard in place of the rules of its introduction."""
    first, *others = flow.nodes
    routed = changed(first, transitions=(Transition("route", "before", guard="route"),))
    return changed(flow, nodes=(routed, *others))


def by_step(machine: Machine, state: State, fields: Fields) -> str:
    """The node after a turn whose commands set these fields."""
    commands = tuple(Set(field=f"user.{name}", value=value) for name, value in fields.items() if value is not None)
    done = step(machine, state, e.Commands(commands), 1)
    assert isinstance(done, Step)
    return done.state.node


def by_judge(machine: Machine, state: State, fields: Fields) -> str:
    """The target of the decision alone, on a state that has these fields."""
    found: dict[str, FieldValue] = {}
    for name, raw in fields.items():
        value = read_value(machine.fields[f"user.{name}"], raw, machine.rules)
        if not isinstance(value, Refused):
            found[f"user.{name}"] = FieldValue(value, "command", 1, 0)
    candidates = machine.candidates("introduction", "before")
    on = replace(state, values=found)
    judged = judge(candidates, env_of(on), machine, on)
    return candidates.all[judged.winner].target if judged.winner >= 0 else "introduction"


@pytest.mark.requirement("000-12", "000-07", "000-08", "000-09", "000-10")
@pytest.mark.law("2.4", "2.10", "2.13")
def test_rules_and_code_route_as_the_oracle_on_ten_thousand_random_field_sets() -> None:
    rules, code_ = by_rules(), by_code()
    on_rules, on_code = at_rest(rules), at_rest(code_)
    routes: Counter[str] = Counter()
    for fields in random_fields(COUNT, SEED):
        route = expected(fields)
        routes[route] += 1
        found = {
            "rules by step": by_step(rules, on_rules, fields),
            "code by step": by_step(code_, on_code, fields),
            "rules by judge": by_judge(rules, on_rules, fields),
            "code by judge": by_judge(code_, on_code, fields),
        }
        assert found == dict.fromkeys(found, route), fields
    assert set(routes) == {"ineligible", "introduction", "profiler"}
    assert min(routes.values()) >= 500, routes
