"""What holds for every answer to a question of why, tried with random machines: nothing that happened goes unsaid,
nothing is said that is secret, a way leads where it says, and asking changes nothing.
"""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import convert, to_builtins

import turnwise as tw
from support.pure_guards import GUARDS
from support.random_runs import Run, converse
from turnwise.core.secrets import secret_values, together
from turnwise.core.state import events as e
from turnwise.core.state.events import OutsideEvent
from turnwise.core.step import step
from turnwise.core.turn import Step
from turnwise.runner.ports import Commit
from turnwise.stores.memory import MemoryStore
from turnwise.why.answer import Answer, Fact, Subject
from turnwise.why.kinds import words
from turnwise.why.reading import subjects
from turnwise.why.ways import ways_to
from turnwise.why.ways.acts import Acts
from turnwise.why.ways.running import run as run_act

numbers = st.integers(0, 2**40)
FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


async def opened(run: Run) -> tw.App:
    """An app with the conversation `x` of a run."""
    app = tw.open(run.flow, guards=GUARDS, store=MemoryStore())
    store = app.runtime.store
    for number in run.states:
        own = tuple(entry for entry in run.entries if entry.turn == number)
        writing = store.commit("x", Commit(own, state=run.states[number]))
        await writing
    return app


CHANGES: tuple[tuple[type, Any], ...] = (
    (e.FieldSet, lambda event: Subject("field", event.field)),
    (e.FieldCleared, lambda event: Subject("field", event.field)),
    (e.NothingSet, lambda event: Subject("field", event.field)),
    (e.FieldShelved, lambda event: Subject("field", event.field)),
    (e.FieldRevived, lambda event: Subject("field", event.field)),
    (e.Moved, lambda event: Subject("node", event.target)),
    (e.ToolReturned, lambda event: Subject("tool", event.tool)),
    (e.ToolFailed, lambda event: Subject("tool", event.tool)),
    (e.CallRefused, lambda event: Subject("tool", event.tool)),
    (e.TimerFired, lambda event: Subject("timer", event.timer)),
    (e.PersonAwaited, lambda _event: Subject("person")),
    (e.TakenOver, lambda _event: Subject("person")),
)
"""Events that change something, and the subject whose `why` must reach them."""


def reached(answer: Answer) -> set[int]:
    return {fact.seq for fact in walk(answer.facts)}


def walk(facts: tuple[Fact, ...]) -> list[Fact]:
    return [one for fact in facts for one in fact.walk()]


@FEW
@given(numbers)
def test_every_change_is_reached_by_a_why_of_its_subject(number: int) -> None:
    run = converse(number)

    async def check() -> None:
        app = await opened(run)
        known = set(_subjects(run))
        for entry in run.entries:
            subject = next((of(entry.event) for kind, of in CHANGES if type(entry.event) is kind), None)
            if subject is not None and subject in known:
                answer = await app.chat("x").why(str(subject), turn=entry.turn)
                assert entry.seq in reached(answer), (subject, entry)

    asyncio.run(check())


def _subjects(run: Run) -> list[Subject]:
    return [*subjects(run.machine), Subject("person")]


@FEW
@given(numbers)
def test_every_answer_is_in_words_made_from_its_values_and_tells_no_secret(number: int) -> None:
    run = converse(number)

    async def check() -> None:
        app = await opened(run)
        hidden = together(*(secret_values(run.machine, state) for state in run.states.values()))
        for subject in _subjects(run)[:20]:
            answer = await app.chat("x").why(str(subject))
            assert answer.line == answer.facts[0].text
            assert answer.plain
            shown = str(to_builtins(answer)).casefold()
            assert not [value for value in hidden if value.casefold() in shown], subject
            for fact in walk(answer.facts):
                assert fact.text == words(fact.kind, fact.values), fact
                assert fact.text

    asyncio.run(check())


@FEW
@given(numbers)
def test_asking_changes_nothing(number: int) -> None:
    run = converse(number)

    async def check() -> None:
        app = await opened(run)
        before = await app.chat("x").journal(), await app.chat("x").state()
        for subject in _subjects(run)[:8]:
            await app.chat("x").why(str(subject))
        await app.chat("x").ways_to(next(iter(run.machine.nodes)), most_steps=2)
        assert (await app.chat("x").journal(), await app.chat("x").state()) == before

    asyncio.run(check())


@FEW
@given(numbers)
def test_each_way_leads_where_it_says(number: int) -> None:
    """Its events, given to the machine, with the results that it supposes, enter the node."""
    run = converse(number)
    for target in list(run.machine.nodes)[:4]:
        for way in ways_to(run.machine, run.state, target, 2).ways:
            state, acts, entered = run.state, Acts(run.machine, frozenset(run.machine.nodes)), set[str]()
            outcomes = [state]
            for act in way.acts:
                event: Any = convert(to_builtins(act.event), OutsideEvent)
                assert isinstance(step(run.machine, outcomes[0], event, outcomes[0].at_ms + act.after_ms), Step)
                done = [one for before in outcomes for one in run_act(run.machine, before, act, acts)]
                entered.update(node for one in done for node in one.entered)
                outcomes = [one.state for one in done]
            assert target in entered
