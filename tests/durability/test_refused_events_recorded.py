"""Refused events are recorded once, whichever process refuses them, during turns, and where a process or disk fails."""

from __future__ import annotations

import asyncio
import logging
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.durable.booking import BOOK, Booking
from support.served import in_loop
from support.shell import environment
from turnwise.core.state import events as e

FLOW = """
flow: desk
start: ask
records: {u: {colour: {type: choice, options: [red, blue]}, name: string}}
nodes:
  ask: {form: {fields: [{field: u.colour, ask: "Colour?"}, {field: u.name, ask: "Name?"}]}}
"""


@asynccontextmanager
async def two(path: Path, flow: str = FLOW, **options: Any) -> AsyncIterator[tuple[tw.Chat, tw.Chat]]:
    """One conversation, as two engines have it; both have cached its state."""
    options |= {"store": f"sqlite:///{path / 'a.db'}"}
    async with tw.open(tw.loads(flow), **options) as one, tw.open(tw.loads(flow), **options) as other:
        await one.chat("x").start()
        await other.chat("x").start()
        yield one.chat("x"), other.chat("x")


async def refused(chat: tw.Chat) -> list[tuple[str, str]]:
    return [(one.event.code, one.event.name) for one in await chat.journal() if isinstance(one.event, e.EventRefused)]


@in_loop
async def _at_once(path: Path) -> None:
    async with two(path) as (here, there):
        turns = await asyncio.gather(*[chat.choose("green") for chat in (here, there) * 4])
        assert {turn.refused for turn in turns} == {"unknown_button"}
        assert await refused(here) == [("unknown_button", "green")]
        pressed = await asyncio.gather(here.choose("red"), there.choose("purple"), there.take_over(" "))
        assert [turn.refused for turn in pressed if turn.refused is None] == [None]
        assert (await here.replay(), await there.replay()) == (True, True)
        assert (await there.say("Ann")).refused is None


def test_two_engines_record_the_same_refusal_once_and_both_go_on(tmp_path: Path) -> None:
    _at_once(tmp_path)


@in_loop
async def _during_a_turn(path: Path, *, is_elsewhere: bool) -> None:
    tool = Booking()
    async with two(path, BOOK, tools={"book": tool.book}) as (here, there):
        booking = asyncio.create_task(here.say("yes"))
        await tool.asked.wait()
        other = there if is_elsewhere else here
        for _ in range(3):
            assert (await other.say("early")).refused == "busy"
        assert (await other.take_over("Max")).refused == "busy"
        tool.opened.set()
        assert (await booking).text == "It is booked."
        assert (await here.say("more")).refused is None  # nothing is refused for what is to be recorded
        async with asyncio.timeout(60):
            found: list[tuple[str, str]] = []
            async for entry in other.events():
                if isinstance(entry.event, e.EventRefused):
                    found.append((entry.event.kind, entry.event.code))
                if len(found) == 2:
                    break
        assert sorted(found) == [("said", "busy"), ("taken_over", "busy")]
        told = [str(fact) for turn in (2, 3) for fact in (await here.why("message", turn=turn)).facts]
        assert any("a message was refused, because another event was being processed" in one for one in told), told
        assert await here.replay()


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_what_is_refused_during_a_turn_is_recorded_after_it(tmp_path: Path, *, is_elsewhere: bool) -> None:
    _during_a_turn(tmp_path, is_elsewhere=is_elsewhere)


@in_loop
async def _closed_during_a_turn_elsewhere(path: Path) -> None:
    tool = Booking()
    async with tw.open(tw.loads(BOOK), tools={"book": tool.book}, store=f"sqlite:///{path / 'a.db'}") as one:
        await one.chat("x").start()
        booking = asyncio.create_task(one.chat("x").say("yes"))
        await tool.asked.wait()
        async with asyncio.timeout(60):
            async with tw.open(tw.loads(BOOK), tools={"book": tool.book}, store=f"sqlite:///{path / 'a.db'}") as other:
                assert (await other.chat("x").say("early")).refused == "busy"
        tool.opened.set()
        assert (await booking).text == "It is booked."


@in_loop
async def _pressed_twice_at_a_secret_question(path: Path) -> None:
    tool = Booking()
    form = "{fields: [{field: u.answer, ask: Shall I book?}]}, transitions: [{id: go, at: after, to: booking}]"
    secret = "records: {u: {answer: {type: choice, options: [alpha, omega], secret: true}}}"
    ask = "{say: Shall I book?, transitions: [{id: go, to: booking, when: turns >= 1}]}"
    flow = BOOK.replace("nodes:", f"{secret}\nnodes:").replace(ask, f"{{form: {form}}}")
    async with two(path, flow, tools={"book": tool.book}) as (here, there):
        booking = asyncio.create_task(here.choose("omega"))
        await tool.asked.wait()
        assert (await there.choose("omega")).refused == "busy"
        tool.opened.set()
        await booking
        async for entry in here.events():
            if isinstance(entry.event, e.EventRefused):
                assert (entry.event.code, entry.event.name) == ("busy", "[secret]")
                break


def test_a_press_at_a_secret_question_during_a_turn_is_recorded_without_its_value(tmp_path: Path) -> None:
    _pressed_twice_at_a_secret_question(tmp_path)


def test_an_app_closes_while_another_process_runs_the_turn(tmp_path: Path) -> None:
    _closed_during_a_turn_elsewhere(tmp_path)


@in_loop
async def _full(path: Path) -> None:
    async with tw.open(tw.loads(FLOW), store=f"sqlite:///{path / 'a.db'}", store_retry_s=0.05) as app:
        chat, store = app.chat("x"), app.runtime.store
        await chat.start()
        await store.write(lambda db: db.execute("PRAGMA max_page_count = 1"))  # type: ignore[attr-defined]
        turns = [await chat.choose("green" * 12 + str(number)) for number in range(60)]
        assert {turn.refused for turn in turns} == {"unknown_button"}
        await store.write(lambda db: db.execute("PRAGMA max_page_count = 1000000"))  # type: ignore[attr-defined]
        assert (await chat.choose("red")).refused is None
        assert (await chat.choose("green")).refused == "unknown_button"
        assert (await refused(chat))[-1] == ("unknown_button", "green")
        assert await chat.replay()


def test_a_full_disk_keeps_no_reason_from_the_sender(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "turnwise.runner"):
        _full(tmp_path)
    assert "a refused event is not recorded" in caplog.text


KILLED = """
import os, signal, sys
import turnwise as tw
from turnwise.runner.refusals import Refusals

note = Refusals.note

async def then_die(self, *event):
    if sys.argv[2] == "after":
        await note(self, *event)
    os.kill(os.getpid(), signal.SIGKILL)

Refusals.note = then_die
with tw.open_sync(tw.loads(sys.argv[3]), store=sys.argv[1]) as app:
    app.chat("x").start()
    app.chat("x").choose("green", key="k")
"""


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_process_that_is_killed_beside_the_note_leaves_one(tmp_path: Path, when: str) -> None:
    store = f"sqlite:///{tmp_path / 'a.db'}"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, store, when, FLOW], env=environment(), timeout=120, check=False
    )
    assert done.returncode == -signal.SIGKILL
    with tw.open_sync(tw.loads(FLOW), store=store) as app:
        chat = app.chat("x")
        found = [one.event for one in chat.journal() if isinstance(one.event, e.EventRefused)]
        assert len(found) == (when == "after")
        assert chat.choose("green", key="k").refused == "unknown_button"
        assert "green" in chat.why("why was my button refused?").line
        assert len([one for one in chat.journal() if isinstance(one.event, e.EventRefused)]) == 1
        assert not chat.choose("red", key="k").refused
        assert chat.rerun().agrees
