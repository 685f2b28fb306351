"""A clock that jumps: times in a journal never go back, a timer fires once, and claims ask another clock."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import NOON_MS, OneChat, flow_of
from turnwise.core.state import events as e
from turnwise.core.state.retention import DAY_MS
from turnwise.models.scripted import ScriptedModel
from turnwise.runner.ports import Claim
from turnwise.testing.store_support import Journal, leads_to, written

FLOW = """
flow: talk
start: home
nodes:
  home:
    say: Welcome.
    transitions:
      - {id: idle, at: timer, in: 30m, to: late}
      - {id: done, at: before, when: message.text == "done", to: late}
  late: {prompt: You are late.}
"""
YEAR_MS = 365 * DAY_MS
JUMPS = [0, -1, YEAR_MS, -YEAR_MS, 60_000, -NOON_MS, 5]


@pytest.fixture(params=["memory", "sqlite"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return "memory://" if request.param == "memory" else f"sqlite:///{tmp_path / 'x.db'}"


def opened(address: str, clock: tw.ManualClock) -> OneChat:
    model = ScriptedModel(["…"] * 50)
    return OneChat(flow_of(FLOW), store=address, understand=lambda _m, _e: (), model=model, clock=clock)


def test_times_never_go_back(address: str) -> None:
    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        async with opened(address, clock) as chat:
            await chat.start()
            for jump in JUMPS:
                clock.set_ms(NOON_MS + jump)
                assert (await chat.say("hello")).refused is None
            times = [one.at_ms for one in await chat.journal()]
            assert all(before <= after for before, after in pairwise(times))
            assert (times[0], times[-1]) == (NOON_MS, NOON_MS + YEAR_MS)
            assert await chat.replay()

    asyncio.run(whole())


def fired(entries: tuple[e.Entry, ...]) -> list[str]:
    return [one.event.timer for one in entries if isinstance(one.event, e.TimerFired)]


def test_a_timer_fires_once_however_the_clock_jumps(address: str) -> None:
    """Forward past it, back before it, and forward again."""

    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        chat = opened(address, clock)
        await chat.start()
        counts: list[int] = []
        for jump in [-YEAR_MS, 29 * 60_000, 30 * 60_000, 0, YEAR_MS, -YEAR_MS, 2 * YEAR_MS]:
            clock.set_ms(NOON_MS + jump)
            counts.append(await chat.app.tick())
        assert counts == [0, 0, 1, 0, 0, 0, 0]
        assert fired(await chat.journal()) == ["idle"]
        assert (await chat.state()).node == "late"
        await chat.close()

    asyncio.run(whole())


def test_a_timer_that_is_armed_while_the_clock_stands_too_early_is_not_early(address: str) -> None:
    """It counts from the conversation's own time, which never goes back."""

    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        chat = opened(address, clock)
        await chat.start()
        clock.set_ms(NOON_MS - DAY_MS)
        await chat.say("hello")
        clock.set_ms(NOON_MS + 29 * 60_000)
        assert await chat.app.tick() == 0
        clock.set_ms(NOON_MS + 30 * 60_000)
        assert await chat.app.tick() == 1
        await chat.close()

    asyncio.run(whole())


def test_a_claim_does_not_age_with_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the time of day is set to, a turn that goes on is nobody else's."""

    async def whole() -> None:
        one, other = (tw.SqliteStore(tmp_path / "x.db", claim_timeout_s=5) for _ in range(2))
        journal = Journal()
        await written(one, "a", [journal.open("a")])
        for jump in JUMPS:
            monkeypatch.setattr("time.time", lambda jump=jump: (NOON_MS + jump) / 1000)
            monkeypatch.setattr("time.time_ns", lambda jump=jump: (NOON_MS + jump) * 1_000_000)
            await one.write(one.process.beat)
            assert await other.claim("a") == Claim(is_mine=False, is_alive=True)
            assert await other.cut_off() == ()
        await written(one, "a", [journal.end()])
        await leads_to(other, "a", journal.state)
        await one.close()
        await other.close()

    asyncio.run(whole())


def test_old_and_new_events_are_told_apart_though_the_clock_jumped(address: str) -> None:
    """Retention goes by the journal's times, which never go back: what came later is kept longer."""

    async def whole() -> None:
        clock = tw.ManualClock(NOON_MS)
        chat = opened(address, clock)
        for jump in (0, 5 * DAY_MS, 1, 2):
            clock.set_ms(NOON_MS + jump)
            await chat.say("hello")
        clock.set_ms(NOON_MS + 6 * DAY_MS)
        await chat.app.retain(tw.Retention(events_days=3))
        kinds: list[Any] = [(one.turn, type(one.event)) for one in await chat.journal()]
        assert {turn for turn, kind in kinds if kind is e.Erased} == {1}
        assert [turn for turn, kind in kinds if kind is e.UserSaid] == [2, 3, 4]
        assert await chat.replay()
        await chat.close()

    asyncio.run(whole())
