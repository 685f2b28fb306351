"""When the loop of timers looks again: what comes due meanwhile does not wait for the longest pause."""

from __future__ import annotations

import asyncio
from typing import Any

import turnwise as tw
from support.chats import NOON_MS
from turnwise.runner.timers import FIRING_S, LONGEST_WAIT_S
from turnwise.stores.memory import MemoryStore

FLOW = """
flow: late
start: a
records: {r: {x: string}}
tools: {work: {about: Works., kind: effect}}
nodes:
  a: {say: Hi., transitions: [{id: t, at: timer, in: 1s, to: b}]}
  b: {tool: {name: work, into: r.x}, transitions: [{to: c}]}
  c: {say: Fired., end: done}
"""


class SlowStore(MemoryStore):
    """A store whose question for the next timer takes 5 ms of the clock."""

    def __init__(self, clock: tw.ManualClock) -> None:
        super().__init__()
        self.clock = clock

    async def next_due(self, *arguments: Any) -> int | None:
        self.clock.set_ms(self.clock.now_ms() + 5)
        return await super().next_due(*arguments)


def opened(clock: tw.ManualClock, gate: asyncio.Event, begun: list[str]) -> tw.App:
    @tw.tool(kind="effect")
    async def work() -> str:
        begun.append("work")
        await gate.wait()
        return "done"

    return tw.open(tw.loads(FLOW), store=SlowStore(clock), tools=[work], clock=clock)


def test_a_timer_that_comes_due_while_the_store_is_asked_is_looked_for_at_once() -> None:
    async def play() -> None:
        clock = tw.ManualClock(NOON_MS)
        app: Any = opened(clock, asyncio.Event(), [])
        await app.chat("a").start()
        clock.set_ms(NOON_MS + 999)
        assert await app.runtime.engine._timers._look() <= 0.01
        await app.close()

    asyncio.run(play())


def test_what_is_due_next_is_looked_for_soon_while_a_timer_fires_and_at_once_after_it() -> None:
    async def play() -> None:
        clock, gate, begun = tw.ManualClock(NOON_MS), asyncio.Event(), list[str]()
        app: Any = opened(clock, gate, begun)
        timers = app.runtime.engine._timers
        await app.chat("a").start()
        clock.set_ms(NOON_MS + 1_000)
        assert await timers._look() == FIRING_S
        while not begun:
            await asyncio.sleep(0)
        assert await timers._look() == FIRING_S
        timers._woken.clear()
        gate.set()
        async with asyncio.timeout(10):
            await timers._woken.wait()
        assert await timers._look() == LONGEST_WAIT_S
        assert begun == ["work"]
        await app.close()

    asyncio.run(play())
