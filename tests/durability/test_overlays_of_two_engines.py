"""Two engines share a file: what one forces, the other speaks by with its next turn (law 6.6)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import turnwise as tw
from support.served import in_loop

pytestmark = pytest.mark.law("6.6")

FLOW = """
flow: tutor
start: chat
persona: You are Maya.
overlays:
  vikings: {name: Ragnar, persona: You are Ragnar.}
  holiday: {addendum: The school is closed.}
nodes: {chat: {prompt: Teach German.}}
"""


@asynccontextmanager
async def two(path: Path) -> AsyncIterator[tuple[tw.App, tw.App, tw.ScriptedModel]]:
    """Two apps on one file, which speak by one model; both have cached the state of one conversation."""
    store, model = f"sqlite:///{path / 'a.db'}", tw.ScriptedModel(["…"] * 99)
    async with (
        tw.open(tw.loads(FLOW), store=store, model=model) as one,
        tw.open(tw.loads(FLOW), store=store, model=model) as other,
    ):
        await one.chat("x").start()
        await other.chat("x").say("hello")
        await one.chat("x").say("hello")
        yield one, other, model


@in_loop
async def _forced_elsewhere(path: Path) -> None:
    async with two(path) as (one, other, model):
        await one.force_overlay("vikings", True, by="Lena")
        turn = await other.chat("x").say("hello")
        assert (turn.refused, model.calls[-1].instructions[0]) == (None, "You are Ragnar.")
        await one.chat("x").force_overlay("vikings", False)
        assert [item.is_next for item in await other.chat("x").overlays()] == [False, False]
        await other.chat("x").say("hello")
        assert model.calls[-1].instructions[0] == "You are Maya."
        assert (await one.chat("x").rerun()).difference is None


def test_what_another_engine_forced_holds_from_the_next_turn_on(tmp_path: Path) -> None:
    _forced_elsewhere(tmp_path)


@in_loop
async def _at_once(path: Path) -> None:
    async with two(path) as (one, other, _):
        work = [chat.say(f"{n}") for n in range(6) for chat in (one.chat("x"), other.chat("x"))]
        forced = [app.chat("x").force_overlay(name, True) for app, name in ((one, "vikings"), (other, "holiday"))]
        done = await asyncio.gather(one.force_overlay("holiday", False), *forced, *work)
        assert not [turn for turn in done if isinstance(turn, tw.Turn) and turn.refused]
        overlays = {item.name: item.is_next for item in await one.chat("x").overlays()}
        assert overlays == {"vikings": True, "holiday": True}  # a conversation goes before all
        for app in (one, other):
            replayed = await app.chat("x").rerun()
            assert (replayed.folds, replayed.difference) == (True, None)


def test_forcing_while_two_engines_serve_messages_loses_nothing(tmp_path: Path) -> None:
    _at_once(tmp_path)


@in_loop
async def _after_a_restart(path: Path) -> None:
    store = f"sqlite:///{path / 'a.db'}"
    for number in range(3):
        model = tw.ScriptedModel(["…"] * 3)
        async with tw.open(tw.loads(FLOW), store=store, model=model) as app:
            if not number:
                await app.force_overlay("holiday", True, by="Max")
                await app.chat("x").start()
                await app.chat("x").force_overlay("vikings", True, by="Lena")
            await app.chat("x").say("hello")
            assert model.calls[-1].instructions[0] == "You are Ragnar."
            assert "The school is closed." in model.calls[-1].instructions[1]
            by = {item.name: item.forced.by for item in await app.chat("x").overlays() if item.forced is not None}
            assert by == {"vikings": "Lena", "holiday": "Max"}


def test_what_is_forced_is_there_after_a_restart(tmp_path: Path) -> None:
    _after_a_restart(tmp_path)
