"""What an answer says of undos, tried with random machines: a move is undone where its turn is not in force, and only
there.
"""

from __future__ import annotations

import asyncio
import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from properties.test_reasons import opened, walk
from support.random_runs import Conversing, Run
from turnwise.core.state import events as e
from turnwise.why.names import subjects

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
SOME = settings(max_examples=1000 if IS_SOAK else 6, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def going_back(seed: int) -> Run:
    """A random conversation in which every second turn is an undo, often of an undo."""
    talking = Conversing(seed)
    talking.begin()
    for _ in range(6):
        talking.go_on()
        if talking.run.states:
            talking.take(e.UndoAsked(to=talking.chance.choice(sorted(talking.run.states))))
    return talking.run


def in_force(run: Run, last: int) -> set[int]:
    """The turns up to one that no undo took back, or whose undo was taken back itself."""
    found: set[int] = set()
    for entry in run.entries:
        if entry.turn <= last:
            found.add(entry.turn)
        if entry.turn <= last and isinstance(entry.event, e.Undone):
            found = {*in_force(run, entry.event.to), entry.turn}
    return found


@SOME
@given(st.integers(0, 2**40))
def test_a_move_is_said_to_be_undone_where_its_turn_is_not_in_force(number: int) -> None:
    run = going_back(number)

    async def check() -> None:
        chat = (await opened(run)).chat("x")
        names = [str(subject) for subject in subjects(run.machine) if subject.kind in ("transition", "node")]
        for turn in sorted(run.states)[-4:]:
            live = in_force(run, turn)
            for name in names:
                answer = await chat.why(name, turn=turn)
                for fact in walk(answer.facts):
                    if fact.kind == "transition_was_taken":
                        assert (fact.values["undone"] is None) == (fact.values["turn"] in live), (name, turn, fact.text)

    asyncio.run(check())
