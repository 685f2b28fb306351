"""Whatever is erased, deleted, begun anew or stored between two reads of a question, its answer is that of before or
that of after, or an error says what is missing.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import turnwise as tw
from strategies.chance import Chance
from strategies.random_events import RandomEvents
from support.pure_guards import GUARDS
from support.random_runs import Conversing, Run, converse
from turnwise.errors import UnknownConversation, UnknownTurn
from turnwise.runner.ports import Commit
from turnwise.stores.memory import MemoryStore
from turnwise.why import Answer
from turnwise.why.names import subjects

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
numbers = st.integers(0, 2**40)
MISSING = (UnknownConversation, UnknownTurn)
MOST_READS = 8
READS = ("load", "entries", "turn", "at", "snapshot", "window")

Change = Callable[["ChangingStore", Run, Run], Awaitable[object]]


class ChangingStore(MemoryStore):
    """A store in which something changes just before a read."""

    def __init__(self) -> None:
        super().__init__()
        self.change: Callable[[], Awaitable[object]] | None = None
        self.reads_before = 0

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return self._changing(found) if name in READS else found

    def _changing(self, read: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def of(*args: Any) -> Any:
            change, self.reads_before = self.change, self.reads_before - 1
            if change is not None and self.reads_before < 0:
                self.change = None
                await change()
            return await read(*args)

        return of


async def fill(store: MemoryStore, run: Run, turns: Iterable[int]) -> None:
    for number in turns:
        own = tuple(entry for entry in run.entries if entry.turn == number)
        await store.commit("x", Commit(own, state=run.states[number]))


async def _deleted(store: ChangingStore, _run: Run, _other: Run) -> None:
    await store.forget("x")


async def _begun_anew(store: ChangingStore, _run: Run, other: Run) -> None:
    await store.forget("x")
    await fill(store, other, sorted(other.states))


async def _erased_in_part(store: ChangingStore, run: Run, _other: Run) -> None:
    middle = sorted(run.states)[len(run.states) // 2]
    at_ms = next(entry.at_ms for entry in run.entries if entry.turn == middle)
    await store.retain(tw.Retention(events_days=0), at_ms + 1)


async def _erased(store: ChangingStore, run: Run, _other: Run) -> None:
    await store.retain(tw.Retention(events_days=0), run.entries[-1].at_ms + 1)


async def _went_on(store: ChangingStore, run: Run, _other: Run) -> None:
    await fill(store, run, sorted(run.states)[-1:])


async def _is_under_way(store: ChangingStore, run: Run, _other: Run) -> None:
    last = tuple(entry for entry in run.entries if entry.turn == run.state.turn)
    await store.commit("x", Commit(last[: len(last) // 2 + 1], part="first", fence=1))


CHANGES: tuple[Change, ...] = (_deleted, _begun_anew, _erased_in_part, _erased, _went_on, _is_under_way)
LATER = (_went_on, _is_under_way)


def another(run: Run, number: int) -> Run:
    """Another conversation with the same flow."""
    talking = Conversing(number)
    talking.run, talking.chance = Run(run.flow, run.machine), Chance(number + 1)
    talking.random_events, talking.at_ms = RandomEvents(talking.chance, run.machine), talking.at_ms + 7
    talking.begin()
    for _ in range(number % 13):
        talking.go_on()
    return talking.run


def asked(run: Run, chance: Chance, last: int) -> Callable[[tw.Chat], Awaitable[Any]]:
    """A question to a conversation, of any kind."""
    turn, other = chance.choice((None, chance.randint(1, last))), chance.randint(1, last)
    subject = str(chance.choice(subjects(run.machine)))
    kinds: tuple[Callable[[tw.Chat], Awaitable[Any]], ...] = (
        lambda chat: chat.compare(turn=turn, other_turn=other),
        lambda chat: chat.turn(turn),
        lambda chat: chat.explain(turn=turn),
        lambda chat: chat.what_if(turn=other, values={"user.age": 7}),
        lambda chat: chat.replay(),
        lambda chat: chat.fork(f"y{id(chat)}", turn=turn),
    )
    return chance.choice(kinds) if chance.is_lucky(0.4) else lambda chat: chat.why(subject, turn=turn)


async def outcome(ask: Callable[[tw.Chat], Awaitable[Any]], chat: tw.Chat) -> Any:
    """An answer, or `None` where the conversation or the turn is missing."""
    try:
        return await ask(chat)
    except MISSING:
        return None


@settings(max_examples=2000 if IS_SOAK else 8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(numbers)
def test_what_changes_between_two_reads_makes_no_answer_of_both(number: int) -> None:
    run, chance = converse(number), Chance(number)
    other = another(run, number)

    async def check(change: Change) -> None:
        turns = sorted(run.states)[: -1 if change in LATER else None] or sorted(run.states)
        ask = asked(run, chance, turns[-1])
        answers: list[Any] = []
        for reads_before in (None, chance.randint(1, MOST_READS), 0):
            store = ChangingStore()
            chat = tw.open(run.flow, guards=GUARDS, store=store).chat("x")
            await fill(store, run, turns)
            if reads_before is not None and (change not in LATER or turns != sorted(run.states)):
                store.reads_before, store.change = reads_before, partial(change, store, run, other)
            answers.append(await outcome(ask, chat))
        before, meanwhile, after = answers
        if isinstance(meanwhile, Answer) and not meanwhile.erased:
            assert meanwhile in (before, after), (change.__name__, before, meanwhile, after)

    for change in CHANGES:
        asyncio.run(check(change))
