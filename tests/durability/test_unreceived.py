"""Words of turns that no caller received: a refusal reports them once too, and so does the next turn after a timer
(law 3.8).
"""

from __future__ import annotations

import asyncio

import pytest

import turnwise as tw
from support.chats import NOON_MS, OneChat, flow_of
from support.durable.booking import BOOK_AND_END, Booking
from support.durable.running import run
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.events import UserSaid
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import ModelReply
from turnwise.stores.memory import MemoryStore

pytestmark = pytest.mark.usefixtures("any_engine")

TALK = "flow: f\nstart: talk\nnodes: {talk: {prompt: Talk.}}"
NUDGE = """
flow: f
start: ask
nodes:
  ask: {say: Ready?, transitions: [{id: idle, at: timer, in: 5s, to: nudge}]}
  nudge: {say: Are you still there?, transitions: [{id: on, to: talk, reply: next}]}
  talk: {prompt: Talk.}
"""
LEAVE = """
flow: f
start: ask
nodes:
  ask: {say: Ready?, transitions: [{id: idle, at: timer, in: 5s, to: left}]}
  left: {say: We close now., end: left}
"""


def texts(turns: tuple[tw.Turn, ...]) -> list[str]:
    return [turn.text for turn in turns]


async def leave(chat: OneChat, text: str, asked: asyncio.Event, opened: asyncio.Event) -> None:
    """Send a message, and leave while its turn waits."""
    caller = asyncio.create_task(chat.say(text))
    await asked.wait()
    caller.cancel()
    await asyncio.sleep(0.002)
    opened.set()
    await asyncio.sleep(0.01)


@pytest.mark.law("3.8")
def test_a_refusal_after_the_end_reports_once_the_turn_that_ended_the_conversation() -> None:
    async def play() -> None:
        booking = Booking()
        chat = OneChat(flow_of(BOOK_AND_END), tools={"book": booking.book})
        await chat.start()
        await leave(chat, "yes", booking.asked, booking.opened)
        refused = await chat.say("hello?")
        assert (refused.refused, texts(refused.recovered)) == ("conversation_ended", ["It is booked."])
        again = await chat.say("hello??")
        assert (again.refused, again.recovered) == ("conversation_ended", ())
        assert await chat.replay()

    run(play())


class Model:
    """Answers after a gate."""

    def __init__(self) -> None:
        self.asked, self.opened = asyncio.Event(), asyncio.Event()

    async def reply(self, request: ModelRequest) -> ModelReply:
        self.asked.set()
        await self.opened.wait()
        return ModelReply(f"To {request.transcript[-1].text}.")


@pytest.mark.law("3.8")
@pytest.mark.parametrize(("text", "key", "code"), [(" ", None, "message_empty"), ("other", "a", "key_reused")])
def test_every_refusal_reports_what_nobody_received(text: str, key: str | None, code: str) -> None:
    async def play() -> None:
        model = Model()
        chat = OneChat(flow_of(TALK), model=model)
        model.opened.set()
        await chat.say("hi", key="a")
        model.asked.clear()
        model.opened.clear()
        await leave(chat, "second", model.asked, model.opened)
        refused = await chat.say(text, key=key)
        assert (refused.refused, texts(refused.recovered)) == (code, ["To second."])
        assert (await chat.say("third")).recovered == ()
        assert await chat.replay()

    run(play())


@pytest.mark.law("3.8")
def test_a_refusal_that_nobody_receives_leaves_the_report_to_the_next_call() -> None:
    async def play() -> None:
        model = Model()
        chat = OneChat(flow_of(TALK), model=model)
        await leave(chat, "first", model.asked, model.opened)
        done = await chat.runtime.engine.submit(chat.name, UserSaid(" "))
        chat.runtime.engine.record_missed(chat.name, done)
        assert texts((await chat.say("second")).recovered) == ["To first."]

    run(play())


@pytest.mark.law("3.8")
def test_the_next_turn_reports_once_what_a_timer_said() -> None:
    async def play() -> None:
        clock = ManualClock(NOON_MS)
        model = Model()
        model.opened.set()
        chat = OneChat(flow_of(NUDGE), clock=clock, model=model)
        await chat.start()
        clock.set_ms(NOON_MS + 5000)
        assert await chat.app.tick() == 1
        turn = await chat.say("yes", key="k")
        assert (texts(turn.unprompted), turn.recovered) == (["Are you still there?"], ())
        assert (await chat.say("and?")).unprompted == ()
        again = await chat.say("yes", key="k")
        assert texts(again.unprompted) == ["Are you still there?"], "the same key gives the same turn"
        assert texts((await chat.turn(3)).unprompted) == ["Are you still there?"]
        assert await chat.replay()

    run(play())


@pytest.mark.law("3.8")
def test_a_refusal_reports_what_a_timer_said_at_the_end() -> None:
    async def play() -> None:
        clock = ManualClock(NOON_MS)
        chat = OneChat(flow_of(LEAVE), clock=clock)
        await chat.start()
        clock.set_ms(NOON_MS + 5000)
        await chat.app.tick()
        refused = await chat.say("yes")
        assert (refused.refused, texts(refused.unprompted)) == ("conversation_ended", ["We close now."])
        assert (await chat.say("yes")).unprompted == ()

    run(play())


@pytest.mark.law("3.8")
def test_a_caller_who_leaves_does_not_lose_what_a_timer_said_before() -> None:
    async def play() -> None:
        clock, model = ManualClock(NOON_MS), Model()
        chat = OneChat(flow_of(NUDGE), clock=clock, model=model, store=MemoryStore())
        await chat.start()
        clock.set_ms(NOON_MS + 5000)
        await chat.app.tick()
        await leave(chat, "yes", model.asked, model.opened)
        turn = await chat.say("hello?")
        assert (texts(turn.recovered), texts(turn.unprompted)) == (["To yes."], ["Are you still there?"])

    run(play())
