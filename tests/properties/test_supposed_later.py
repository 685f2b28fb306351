"""What an answer says would have been is what the what-if of the machine says, tried with random machines."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

import turnwise as tw
from properties.test_reasons import opened
from strategies.chance import Chance
from support.random_runs import Run, converse
from turnwise.core.secrets import secret_values
from turnwise.why import Answer

SOME = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
numbers = st.integers(0, 2**40)


@SOME
@given(numbers)
def test_a_decision_would_have_come_out_as_what_if_says(number: int) -> None:
    run, chance = converse(number), Chance(number)

    async def check() -> None:
        chat = (await opened(run)).chat("x")
        for name, field in run.machine.fields.items():
            value = _other(chance, field)
            if value is None:
                continue
            try:
                answer = await chat.why(f"What if {name} had been {value}?")
            except tw.UnknownSubject:
                continue
            await _check(chat, answer)

    asyncio.run(check())


def _other(chance: Chance, field: tw.Field) -> str | None:
    if field.options:
        return chance.choice([option.value for option in field.options])
    return str(chance.choice(range(40))) if field.type in ("integer", "number") else None


@SOME
@given(numbers)
def test_no_answer_about_what_would_have_been_tells_a_secret(number: int) -> None:
    run, chance = converse(number, secrets=0.4), Chance(number)

    async def check() -> None:
        chat = (await opened(run)).chat("x")
        for name, field in run.machine.fields.items():
            for value in (_other(chance, field), *_secrets(run)):
                try:
                    answer = await chat.why(f"What if {name} had been “{value}”?")
                except tw.UnknownSubject:
                    continue
                told = json.dumps([to_builtins(fact) for fact in answer.facts]) + answer.plain
                others = [one for one in _secrets(run) if one != value]
                assert not [one for one in others if one in told], told

    asyncio.run(check())


def _secrets(run: Run) -> set[str]:
    return {value for state in run.states.values() for value in secret_values(run.machine, state)}


async def _check(chat: tw.Chat, answer: Answer) -> None:
    """Check a decision that was judged again: what it took and would take, and each of its candidates."""
    supposed = answer.facts[0]
    if supposed.kind != "supposed":
        assert supposed.kind in ("supposed_stop", "supposed_refused", "supposed_not_tried", "supposed_not_read")
        return
    values: dict[str, Any] = supposed.values
    found = await chat.what_if(turn=supposed.turn, values=values["others"])
    seq = answer.decisions[0].seq
    other = next((one for one in found.otherwise if one.decision.seq == seq), None)
    was = answer.decisions[0].taken
    assert values["was_taken"] == (other.was.transition if other is not None else was)
    assert values["taken"] == (other.would.transition if other is not None else was)
    assert values["differs"] == (other is not None)
    outcomes = {one.id: one.outcome for one in other.decision.candidates} if other is not None else {}
    for fact in answer.facts:
        if fact.kind == "supposed_candidate" and other is not None:
            assert fact.values["outcome"] == outcomes[fact.values["transition"]]
