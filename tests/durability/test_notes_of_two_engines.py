"""Two engines share a store, and one writes a conversation while the other records a fact between two turns of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import turnwise as tw
from support.durable.booking import BOOK, Booking
from support.engines import local
from support.served import in_loop
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.turn import Refusal

FLOW = """
flow: desk
start: ask
records: {u: {age: {type: integer, max: 120}, name: string}}
nodes:
  ask:
    form: {fields: [{field: u.name, ask: "Name?"}, {field: u.age, ask: "Age?"}]}
    transitions: [{id: on, at: after, to: rest}]
  rest: {say: Rest.}
"""


@asynccontextmanager
async def two(path: Path) -> AsyncIterator[tuple[tw.Chat, tw.Chat]]:
    """One conversation, as two engines have it; the first has cached its state."""
    store = f"sqlite:///{path / 'a.db'}"
    async with tw.open(tw.loads(FLOW), store=store) as one, tw.open(tw.loads(FLOW), store=store) as other:
        await one.chat("x").start()
        yield one.chat("x"), other.chat("x")


@in_loop
async def _a_caller_who_left(path: Path) -> None:
    async with two(path) as (here, there):
        await there.say("Ann")
        here.runtime.engine.record_missed("x", 1)
        turn = await here.say("30")
        assert (turn.refused, turn.node) == (None, "rest")
        assert [one.number for one in turn.recovered] == [1]
        assert (await here.say("more")).recovered == ()


def test_a_caller_who_left_is_recorded_although_another_engine_wrote(tmp_path: Path) -> None:
    _a_caller_who_left(tmp_path)


@in_loop
async def _refused_values(path: Path) -> None:
    async with two(path) as (here, there):
        await here.take_over("Lena")
        refusals, store = local(here).refusals, here.runtime.store
        load, note_refused, is_noting = store.load, refusals.note, False

        async def noting(conversation: str, event: e.OutsideEvent | None, refusal: Refusal) -> None:
            nonlocal is_noting
            is_noting = True
            await note_refused(conversation, event, refusal)

        async def load_before_the_other_writes(conversation: str) -> State | None:
            nonlocal is_noting
            found = await load(conversation)
            if is_noting:
                is_noting = False
                await there.say("hello?")
            return found

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(refusals, "note", noting)
            patch.setattr(store, "load", load_before_the_other_writes)
            turn = await here.give_back("ok", set={"u.age": 400})
        assert turn.refused == "value_refused"
        kinds = [type(entry.event) for entry in await store.entries("x")]
        assert (kinds[-1], kinds.count(e.GiveBackRefused), kinds.count(e.UserSaid)) == (e.GiveBackRefused, 1, 1)


def test_refused_values_are_recorded_although_another_engine_wrote(tmp_path: Path) -> None:
    _refused_values(tmp_path)


@in_loop
async def _a_caller_who_left_during_a_turn_elsewhere(path: Path, *, is_recorded_with_an_event: bool) -> None:
    tool, looked = Booking(), asyncio.Event()
    options = {"store": f"sqlite:///{path / 'a.db'}", "tools": {"book": tool.book}}
    async with tw.open(tw.loads(BOOK), **options) as one, tw.open(tw.loads(BOOK), **options) as other:
        here, engine = one.chat("x"), local(one)
        await here.start()
        booking = asyncio.create_task(other.chat("x").say("yes"))
        await tool.asked.wait()
        finish = engine.turns.finish

        async def finish_and_note(conversation: str, *, waits: bool = False) -> object:
            asyncio.get_running_loop().call_soon(looked.set)
            return await finish(conversation, waits=waits)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine.turns, "finish", finish_and_note)
            engine.record_missed("x", 1)
            if is_recorded_with_an_event:
                assert (await here.say("early")).refused == "busy"
            await looked.wait()
        tool.opened.set()
        assert (await booking).text == "It is booked."
        async with asyncio.timeout(60):
            async for entry in here.events():
                if isinstance(entry.event, e.CallerLeft):
                    break
        assert [turn.number for turn in (await other.chat("x").say("more")).recovered] == [1]


@pytest.mark.parametrize("is_recorded_with_an_event", [True, False])
def test_a_caller_who_left_is_recorded_after_a_turn_of_another_engine(
    tmp_path: Path, *, is_recorded_with_an_event: bool
) -> None:
    _a_caller_who_left_during_a_turn_elsewhere(tmp_path, is_recorded_with_an_event=is_recorded_with_an_event)
