"""The port of the engine is all that an app, its chats, its timers and a server know of it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

import turnwise as tw
from support.chats import NOON_MS, flow_of
from support.engines import ForwardingEngine, forward_all
from support.served import in_loop, served
from turnwise.runner.engine import Engine

FLOW = """
flow: f
start: ask
overlays: {calm: {addendum: Be calm.}}
nodes:
  ask: {say: Ready?, transitions: [{id: idle, at: timer, in: 5s, to: left}]}
  left: {say: Bye., end: left}
"""
METHODS = {name for name in vars(Engine) if not name.startswith("_")}


def test_an_engine_with_the_methods_of_the_port_serves_all_calls_of_an_app(monkeypatch: pytest.MonkeyPatch) -> None:
    made = forward_all(monkeypatch)
    clock = tw.ManualClock(NOON_MS)

    async def play() -> None:
        app = tw.open(flow_of(FLOW), clock=clock)
        async with app:
            chat = app.chat("one")
            assert [turn.text for turn in await chat.run()] == ["Ready?"]
            assert [one async for one in chat.stream("well")][-1].number == 2  # type: ignore[union-attr]
            async with aclosing(chat.events()) as entries:
                assert (await anext(entries)).seq == 1
            assert (await chat.force_overlay("calm", True)).is_next
            clock.move_s(5)
            assert await app.tick() == 1
            assert (await chat.state()).node == "left"
            assert await chat.forget()
            assert not await app.conversations()

    asyncio.run(play())
    assert METHODS - set(made[0].calls) == {"cancel_turns", "deliver_turns", "record_missed", "observe", "reset"}, (
        "for one who leaves, a server, a second loop, a process that stops"
    )


@in_loop
async def test_a_server_observes_it_and_starts_without_waiting_for_recovery(monkeypatch: pytest.MonkeyPatch) -> None:
    made = forward_all(monkeypatch)
    async with served() as client:
        assert (await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"})).status_code == 201
    assert {"observe", "submit"} <= set(made[0].calls)


def test_a_second_event_loop_resets_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = forward_all(monkeypatch)
    chat = tw.open(flow_of(FLOW)).chat("one")
    asyncio.run(chat.start())
    asyncio.run(chat.say("well"))
    assert "reset" in made[0].calls


def test_the_engine_of_the_tests_has_nothing_beyond_the_port() -> None:
    assert {name for name in vars(ForwardingEngine) if not name.startswith("_")} - {"calls"} == METHODS
