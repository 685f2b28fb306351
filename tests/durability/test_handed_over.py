"""A process that is stopped leaves the turns that take too long to another one, at once and whole."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

import turnwise as tw
from support.chats import machine_of
from support.durable.running import run
from support.postgres import fresh_store, server
from turnwise.api.open import open_store
from turnwise.core.prompts import ModelRequest
from turnwise.runner.model_port import ModelReply

TALK = """
    flow: talk
    start: a
    persona: You talk.
    nodes: {a: {prompt: Talk.}}
"""


class Slow:
    """A model that answers after a while."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.asked = asyncio.Event()

    async def reply(self, _request: ModelRequest) -> ModelReply:
        """Reply."""
        self.asked.set()
        await asyncio.sleep(self.seconds)
        return ModelReply(f"after {self.seconds:g} s")


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/talks.db" if request.param == "sqlite" else server().fresh()


@pytest.mark.law("3.8")
def test_a_turn_that_takes_longer_than_the_drain_goes_on_elsewhere_within_two_seconds(address: str) -> None:
    async def play() -> None:
        slow, fast = Slow(3600), Slow(0)
        leaving = tw.open(machine_of(TALK), store=open_store(address), model=slow)
        staying = tw.open(machine_of(TALK), store=open_store(address), model=fast)
        await leaving.__aenter__()
        async with staying:
            caller = asyncio.ensure_future(leaving.chat("a").say("hello", key="1"))
            await slow.asked.wait()
            begun = time.monotonic()
            await leaving.close(drain_s=0.1)
            with pytest.raises(asyncio.CancelledError):
                await caller
            turn = await staying.chat("a").say("hello", key="1")
            assert (turn.text, turn.is_duplicate) == ("after 0 s", True)
            assert time.monotonic() - begun < 0.1 + 2

    run(play())


def test_a_turn_that_ends_within_the_drain_has_its_caller(address: str) -> None:
    async def play() -> None:
        slow = Slow(0.3)
        async with tw.open(machine_of(TALK), store=open_store(address), model=slow) as leaving:
            caller = asyncio.ensure_future(leaving.chat("a").say("hello"))
            await slow.asked.wait()
            await leaving.close(drain_s=20)
            assert (await caller).text == "after 0.3 s"

    run(play())


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_a_tool_that_ignores_its_cancellation_does_not_keep_an_app_from_closing(kind: str, tmp_path: Path) -> None:
    async def play() -> None:
        begun = asyncio.Event()

        @tw.tool(kind="effect")
        async def pay() -> str:
            """Pay, and wait for ever."""
            begun.set()
            while True:
                try:
                    await asyncio.sleep(3600)
                except asyncio.CancelledError:
                    ignored.append(time.monotonic())
                    if len(ignored) > 1:
                        raise

        ignored: list[float] = []
        flow = """
            flow: paying
            start: a
            records: {bill: {receipt: string}}
            tools: {pay: {about: pay, kind: effect}}
            nodes: {a: {tool: {name: pay, into: bill.receipt}, transitions: [{to: b}]}, b: {say: Paid., end: done}}
        """
        app = tw.open(machine_of(flow), store=fresh_store(kind, tmp_path / "talks.db"), tools=[pay])
        caller = asyncio.ensure_future(app.chat("a").say("hello"))
        await begun.wait()
        before = time.monotonic()
        await app.close(drain_s=0)
        assert (len(ignored), time.monotonic() - before < 2) == (1, True)
        caller.cancel()

    run(play())
