"""A yes that is repeated after a turn was cut off approves nothing that its sender has not seen (laws 3.8 and 4.5)."""

from __future__ import annotations

import asyncio

import pytest

import turnwise as tw
from support.engines import local
from turnwise.core.state.events import UserSaid
from turnwise.core.step import step
from turnwise.core.turn import Step
from turnwise.runner.ports import Commit
from turnwise.stores.memory import MemoryStore

FLOW = """
flow: trip
start: seats
records: {trip: {guests: {type: integer, about: guests}, window: {type: boolean, about: window seat}, total: number}}
tools:
  price: {about: price, args: {guests: integer}}
  book: {about: book, kind: effect, APPROVED args: {guests: integer}}
nodes:
  seats:
    form: {fields: [{field: trip.guests, ask: How many?}, {field: trip.window, ask: At the window?}]}
    transitions: [{to: price}]
  price: {tool: {name: price, with: {guests: trip.guests}, into: trip}, transitions: [{to: NEXT}]}
  sum:
    form: {fields: [{field: trip.guests, ask: How many?}], statement: "{{ trip.total }} in all.", confirm: {}}
    transitions: [{when: form.status == "confirmed", to: book}]
  book: {tool: {name: book, with: {guests: trip.guests}}, transitions: [{to: done}]}
  done: {say: Booked., end: done}
"""
SUMMARY = FLOW.replace("NEXT", "sum").replace("APPROVED", "")
APPROVAL = FLOW.replace("NEXT", "book").replace("APPROVED", "confirm: true,")


async def cut(chat: tw.Chat, text: str) -> None:
    """Begin a turn as a process that ends before the turn does."""
    begun = step(chat.machine, await chat.state(), UserSaid(text), 0)
    assert isinstance(begun, Step)
    await chat.runtime.store.commit("c", Commit(begun.entries))
    local(chat).turns.states.drop("c")


async def played(text: str, retry: str, *, is_new: bool = False) -> tuple[list[int], list[tw.Turn]]:
    booked: list[int] = []

    def book(guests: int) -> str:
        booked.append(guests)
        return "ok"

    def price(guests: int) -> dict[str, int]:
        return {"total": 100 * guests}

    async with tw.open(tw.loads(text), tools={"book": book, "price": price}, store=MemoryStore()) as app:
        chat = app.chat("c")
        await chat.start()
        await chat.say("4")
        await cut(chat, "yes")
        if is_new:
            await app.runtime.engine.recover(waits=True)
            return booked, [await chat.say(retry, position=(await chat.state()).seq)]
        turns = [await chat.say(retry)]
        assert booked == []
        turns.append(await chat.say("yes"))
        return booked, turns


@pytest.mark.law("3.8", "4.5")
@pytest.mark.parametrize("text", [SUMMARY, APPROVAL], ids=["summary", "approval"])
@pytest.mark.parametrize("retry", ["yes", "yes please", "no", "cancel"])
def test_a_repeated_message_decides_nothing_about_a_question_that_was_not_received(text: str, retry: str) -> None:
    booked, (late, seen) = asyncio.run(played(text, retry))
    assert [one.number for one in late.recovered] == [late.number - 1]
    assert late.text.startswith("This came up in the meantime:")
    assert [warning.code for warning in late.warnings] == ["late"]
    assert (booked, seen.node) == ([4], "done")


@pytest.mark.law("3.8")
@pytest.mark.parametrize("text", [SUMMARY, APPROVAL], ids=["summary", "approval"])
def test_a_client_that_showed_the_question_is_believed(text: str) -> None:
    booked, _ = asyncio.run(played(text, "yes", is_new=True))
    assert booked == [4]
