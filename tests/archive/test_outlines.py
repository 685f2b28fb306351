"""Outlines and counts of transitions: made once, extended by what has come since, and the same as made anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import NOON_MS, flow_of
from support.stored import INTAKE, reads_of
from turnwise.api.app import App
from turnwise.api.open import open_store
from turnwise.archive.edge_counts import EdgeCounts
from turnwise.archive.outline import Outline, Outlines
from turnwise.cli.inputs import code_of
from turnwise.core.state.retention import Retention
from turnwise.runner.clocks import ManualClock

EXAMPLES = Path(__file__).parents[2] / "examples"
WORDS = ("Ada", "30", "Plus", "change my age", "12", "what?", "yes", "I am Eve and 40")


def with_app(work: Callable[[App], Coroutine[Any, Any, None]], path: Path) -> None:
    async def run() -> None:
        async with tw.open(flow_of(INTAKE), store=f"sqlite:///{path}", clock=ManualClock(NOON_MS)) as app:
            await work(app)

    asyncio.run(run())


def outlines(app: App) -> Outlines:
    return Outlines(app.runtime.store, app.runtime.machines)


def as_data(outline: Outline) -> dict[str, Any]:
    hidden = ("tally", "_known")
    found = {name: value for name, value in vars(outline).items() if name not in hidden}
    return found | {"edges": outline.tally.edges(), "frames": outline.frames.found}


def test_an_outline_that_is_extended_is_the_one_that_is_made_anew(tmp_path: Path) -> None:
    async def work(app: App) -> None:
        chat, kept = app.chat("x"), outlines(app)
        await chat.start()
        for word in WORDS:
            await chat.say(word)
            if word == "what?":
                await chat.undo()
            assert as_data(await kept.outline("x")) == as_data(await outlines(app).outline("x"))
        found = await kept.outline("x")
        assert found.undone == {6}
        assert [turn.began for turn in found.turns[:3]] == ["started", "said", "said"]
        assert found.seq == (await chat.state()).seq
        assert {edge.transition: edge.judged for edge in found.tally.edges()} == {
            edge.transition: edge.judged for edge in await chat.history()
        }

    with_app(work, tmp_path / "c.db")


def test_an_outline_of_a_conversation_that_was_begun_anew_or_erased_is_made_anew(tmp_path: Path) -> None:
    async def work(app: App) -> None:
        chat, kept = app.chat("x"), outlines(app)
        clock = app.runtime.clock
        assert isinstance(clock, ManualClock)
        await chat.say("Ada")
        await kept.outline("x")
        await chat.forget()
        with pytest.raises(tw.UnknownConversation):
            await kept.outline("x")
        clock.move_s(60)
        await chat.say("Eve")
        clock.move_s(9 * 86_400)
        await chat.say("30")
        assert not (await kept.outline("x")).is_cut
        await app.retain(Retention(events_days=5))
        found = await kept.outline("x")
        assert found.is_cut
        assert {line.turn for line in found.decisions} == {2}
        assert as_data(found) == as_data(await outlines(app).outline("x"))

    with_app(work, tmp_path / "c.db")


def test_questions_at_the_same_time_read_a_conversation_once(tmp_path: Path) -> None:
    async def work(app: App) -> None:
        chat, kept = app.chat("x"), outlines(app)
        for word in WORDS:
            await chat.say(word)
        alone = reads_of(app.runtime.store)
        await outlines(app).outline("x")
        first = len(alone)
        alone.clear()
        found = await asyncio.gather(*[kept.outline("x") for _ in range(4)])
        assert len({id(one) for one in found}) == 1
        rest = len(alone)
        alone.clear()
        await kept.outline("x")
        assert rest == first + 3 * len(alone)

    with_app(work, tmp_path / "c.db")


def test_an_outline_has_no_words_and_no_values(tmp_path: Path) -> None:
    async def work(app: App) -> None:
        chat = app.chat("x")
        await chat.start()
        for word in ("Zebulon", "77", "Plus"):
            await chat.say(word)
        text = str(as_data(await outlines(app).outline("x")))
        assert "Zebulon" not in text
        assert "77" not in text

    with_app(work, tmp_path / "c.db")


def test_counts_over_all_conversations_are_those_of_the_history(tmp_path: Path) -> None:
    async def work(app: App) -> None:
        counts = EdgeCounts(app.runtime.store, app.runtime.machines)
        reads = reads_of(app.runtime.store)

        async def agrees(most_reads: int) -> None:
            reads.clear()
            await counts.refresh()
            assert len(reads) <= most_reads, reads
            expected = {(edge.node, edge.moment, edge.transition): edge.outcomes for edge in await app.history()}
            assert {
                (edge.node, edge.moment, edge.transition): edge.outcomes
                for edge in await counts.edges("intake", app.machine)
            } == expected

        for number in range(12):
            chat = app.chat(f"c{number}")
            await chat.start()
            for word in WORDS[: number % 5]:
                await chat.say(word)
        await agrees(40)
        await agrees(0)
        await app.chat("c3").say("hello")
        await agrees(2)
        await app.chat("c4").fork("copy")
        await app.chat("copy").say("again")
        await agrees(3)
        await app.chat("c5").forget()
        await counts.refresh()
        assert (await counts.flow_counts("intake")).conversations() == 12
        assert (await counts.flow_counts("intake")).visits() == {"ask": 11}

    with_app(work, tmp_path / "c.db")


def test_decisions_of_another_flow_with_python_guards_are_counted(tmp_path: Path) -> None:
    async def run() -> None:
        code = code_of(EXAMPLES / "health_intake" / "guards.py")
        store = open_store(f"sqlite:///{tmp_path}/store.db")
        async with (
            tw.open(EXAMPLES / "health_intake" / "with_code.flow.yaml", store=store, guards=code.guards) as app,
            tw.open(flow_of(INTAKE), store=store) as other,
        ):
            await app.chat("nora").say("I'm Nora, and I'm 35")
            counts = EdgeCounts(store, other.runtime.machines)
            await counts.refresh()
            assert sum(edge.judged for edge in await counts.edges("health_intake_with_code")) > 0

    asyncio.run(run())


def test_two_refreshes_at_once_count_each_decision_once(tmp_path: Path) -> None:
    async def work(app: App) -> None:
        for name in ("a", "b"):
            await app.chat(name).say("hello")
        counts = EdgeCounts(app.runtime.store, app.runtime.machines)
        await asyncio.gather(*[counts.refresh() for _ in range(5)])
        flow = app.machine.flow.name
        assert [edge.outcomes for edge in await counts.edges(flow, app.machine)] == [
            edge.outcomes for edge in await app.history()
        ]
        assert (await counts.flow_counts(flow)).conversations() == 2

    with_app(work, tmp_path / "c.db")
