"""The port of background work, on memory and SQLite: all of it begins with `start`, and none of it after `drain`.

Another implementation runs the same tests: it is named in `MADE`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.durable.running import run
from support.engines import local
from turnwise.api import open as opening
from turnwise.api.runtime import Runtime
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.core.step import step
from turnwise.core.step.receive import awaits_continuation
from turnwise.core.turn import Step
from turnwise.runner.background import Background, LocalBackground
from turnwise.runner.ports import Commit, Store
from turnwise.stores.memory import MemoryStore
from turnwise.stores.sqlite import SqliteStore

NOON_MS = 1_767_960_000_000
DAY_S = 86_400
FLOW = """
flow: f
start: a
records: {r: {n: integer}}
nodes:
  a: {prompt: Talk., transitions: [{id: remind, at: timer, in: 1h, to: b}]}
  b: {say: Are you there?, transitions: [{at: timer, in: 90d, to: a}]}
  survey: {scope: {returns: r}, form: {fields: [{field: r.n, ask: How many?}]}}
schedules:
  daily: {at: "18:00", call: survey}
"""
RUN = """
flow: run
start: a
autonomous: true
nodes:
  a: {prompt: Write., transitions: [{at: after, to: b}]}
  b: {prompt: Review., transitions: [{at: after, to: c}]}
  c: {say: Three., end: done}
"""


class ForwardingBackground:
    """Background work with the methods of the port and nothing else."""

    def __init__(self, *parts: Any) -> None:
        self._behind: Background = LocalBackground(*parts)
        self.calls: list[str] = []

    async def start(self, **how: Any) -> None:
        self.calls.append("start")
        await self._behind.start(**how)

    async def tick(self) -> int:
        self.calls.append("tick")
        return await self._behind.tick()

    async def drain(self) -> None:
        self.calls.append("drain")
        await self._behind.drain()

    def deliver(self, deliveries: Any) -> None:
        self.calls.append("deliver")
        self._behind.deliver(deliveries)

    def wake(self) -> None:
        self.calls.append("wake")
        self._behind.wake()

    def reset(self) -> None:
        self.calls.append("reset")
        self._behind.reset()


MADE = {"local": LocalBackground, "forwarding": ForwardingBackground}


@pytest.fixture(params=MADE)
def made(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which background work each app has that is opened from now on."""
    monkeypatch.setattr(opening, "Runtime", partial(Runtime, make_background=MADE[request.param]))
    return request.param


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path, made: str) -> Store:
    return MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "a.db")


def opened(store: Store, *replies: str, flow: str = FLOW, **more: Any) -> tuple[tw.App, tw.ManualClock]:
    clock = tw.ManualClock(NOON_MS)
    model = tw.ScriptedModel(list(replies)) if replies else None
    return tw.open(tw.loads(flow), store=store, clock=clock, model=model, **more), clock


async def until(is_so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(60):
        while not await is_so():
            await asyncio.sleep(0.01)


async def turns(chat: tw.Chat) -> int:
    return (await chat.state()).turn


def test_a_turn_that_was_cut_off_is_finished_at_the_start(store: Store) -> None:
    async def play() -> None:
        app, _ = opened(store, "One.", "Two.")
        chat = app.chat("main")
        await chat.say("one")
        begun = step(app.machine, await chat.state(), e.UserSaid("two"), NOON_MS)
        assert isinstance(begun, Step)
        await store.commit("main", Commit(begun.entries))
        again, _ = opened(store, "Two.")
        await again.runtime.background.start(retention=None, waits=True)
        assert await store.claim("main") is None
        assert (await again.chat("main").turn(2)).text == "Two."
        await again.runtime.background.drain()
        await again.close()

    run(play())


def test_timers_and_schedules_fire_from_the_start_to_the_drain(store: Store) -> None:
    async def play() -> None:
        app, clock = opened(store, "One.", "One.")
        chat = app.chat("main")
        await chat.say("one")
        clock.move_s(3600)
        await asyncio.sleep(0.05)
        assert await turns(chat) == 1, "it was not started"
        await app.runtime.background.start(retention=None, waits=False)
        await until(lambda: reached(chat, 2))
        clock.move_s(5 * 3600 + 60)
        await until(lambda: in_scope(chat))
        await app.runtime.background.drain()
        later = app.chat("later")
        await later.say("one")
        clock.move_s(3600)
        await asyncio.sleep(0.05)
        assert await turns(later) == 1
        assert await app.runtime.background.tick() == 1, "by hand it goes on"
        assert await turns(later) == 2
        await app.close()

    run(play())


async def reached(chat: tw.Chat, turn: int) -> bool:
    return await turns(chat) >= turn


async def in_scope(chat: tw.Chat) -> bool:
    return len((await chat.state()).frames) > 1


def test_an_autonomous_run_that_was_cut_off_goes_on(store: Store) -> None:
    async def play() -> None:
        gone, _ = opened(store, "One.", flow=RUN)
        await local(gone).turns.run("main", None, None, None)
        app, clock = opened(store, "One.", "Two.", "Three.", flow=RUN)
        assert awaits_continuation(await store.load("main"))
        clock.move_s(DAY_S)
        await app.runtime.background.start(retention=None, waits=False)
        await until(lambda: ended(app.chat("main")))
        await app.close()

    run(play())


async def ended(chat: tw.Chat) -> bool:
    return isinstance((await chat.state()).status, Ended)


def test_deliveries_are_sent_from_the_start_and_awaited_by_the_drain(store: Store) -> None:
    async def play() -> None:
        got, reached_it, may_answer = list[str](), asyncio.Event(), asyncio.Event()

        async def receive(delivery: tw.Delivery) -> None:
            got.append(delivery.messages[0].text)
            reached_it.set()
            await may_answer.wait()

        app, clock = opened(store, "One.", deliver=receive)
        background = app.runtime.background
        await app.chat("main").say("one")
        await background.start(retention=None, waits=False)
        clock.move_s(3600)
        await asyncio.wait_for(reached_it.wait(), 60)
        draining = asyncio.create_task(background.drain())
        await asyncio.sleep(0.05)
        assert not draining.done()
        may_answer.set()
        await draining
        assert [one.status for one in await app.deliveries()] == ["delivered"]
        (row,) = await app.deliveries()
        await app.send_again(row.id)
        await asyncio.sleep(0.05)
        assert got == ["Are you there?"], "nothing is begun after the drain"
        await background.tick()
        assert len(got) == 2
        await app.close()

    run(play())


def test_old_events_are_erased(store: Store) -> None:
    async def play() -> None:
        app, clock = opened(store, "One.", "Two.")
        chat = app.chat("main")
        await chat.say("one")
        clock.move_s(60)
        await chat.say("two")
        clock.move_s(9 * DAY_S)
        await app.runtime.background.start(retention=tw.Retention(events_days=5), waits=False)

        async def is_erased() -> bool:
            return any(isinstance(one.event, e.Erased) for one in await store.entries("main"))

        await until(is_erased)
        await app.close()

    run(play())


def test_it_is_started_again_after_a_drain_and_in_another_event_loop(store: Store) -> None:
    app, clock = opened(store, "One.")

    async def first() -> None:
        await app.chat("main").say("one")
        await app.runtime.background.start(retention=None, waits=False)
        await app.runtime.background.drain()
        await app.runtime.background.start(retention=None, waits=False)

    async def second() -> None:
        app.runtime.check_open()
        await app.runtime.background.start(retention=None, waits=False)
        clock.move_s(3600)
        await until(lambda: reached(app.chat("main"), 2))
        await app.close()

    run(first())
    run(second())


def test_an_app_uses_the_port_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "Runtime", partial(Runtime, make_background=ForwardingBackground))

    async def play() -> None:
        got = list[tw.Delivery]()
        app, clock = opened(SqliteStore(tmp_path / "a.db"), "One.", deliver=got.append)
        background: Any = app.runtime.background
        async with app:
            await app.chat("main").say("one")
            clock.move_s(3600)
            await app.tick()
        assert [call for call in background.calls if call != "wake"] == ["deliver", "start", "tick", "drain"]

    run(play())
