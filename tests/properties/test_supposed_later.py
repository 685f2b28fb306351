"""No answer to what would have been with another value tells a secret, tried with random machines."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import to_builtins

import turnwise as tw
from properties.test_reasons import opened
from strategies.chance import Chance
from support.random_runs import Run, converse
from turnwise.core.secrets import secret_values
from turnwise.errors import TurnwiseError

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
SOME = settings(max_examples=2000 if IS_SOAK else 10, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SOME
@given(st.integers(0, 2**40))
def test_no_answer_about_what_would_have_been_tells_a_secret(number: int) -> None:
    run, chance = converse(number, secrets=0.4), Chance(number)
    secrets = _secrets(run)

    async def check() -> None:
        chat = (await opened(run)).chat("x")
        for name, field in run.machine.fields.items():
            for value in (_other(chance, field), *secrets):
                with suppress(TurnwiseError):  # the field takes no such value
                    told = json.dumps(to_builtins(await chat.what_if(values={name: value})))
                    assert not [one for one in secrets if one != value and one in told], told

    asyncio.run(check())


def _other(chance: Chance, field: tw.Field) -> str:
    return chance.choice([option.value for option in field.options]) if field.options else str(chance.choice(range(40)))


def _secrets(run: Run) -> set[str]:
    return {value for state in run.states.values() for value in secret_values(run.machine, state)}
