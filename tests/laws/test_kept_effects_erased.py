"""What an undo leaves of effects has no result of a scope whose words were erased (laws 6.4, 6.9)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import turnwise as tw
from support.chats import OneChat, flow_of
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold_all
from turnwise.models.scripted import ScriptedModel, call
from turnwise.stores.memory import MemoryStore
from turnwise.stores.sqlite import SqliteStore

FLOW = """
    flow: lesson
    start: talk
    commands: [cancel, undo, {start: [survey]}]
    records: {feedback: {mood: {type: choice, options: [good, bad]}}}
    tools: {book: {about: books, kind: effect, args: {what: string}}}
    nodes:
      talk: {prompt: Talk., tools: {allow: [book]}}
      survey:
        scope: {keep: 0d, limits: {idle: 1d}, returns: feedback, start: chat, nodes: {
          chat: {prompt: Book., tools: {allow: [book]}, transitions: [
            {at: before, when: 'message.text == "enough"', end: over, set: {feedback.mood: '"good"'}}]}}}
"""


def stores(path: Path) -> dict[str, MemoryStore | SqliteStore]:
    return {"memory": MemoryStore(), "sqlite": SqliteStore(path / "c.db")}


@pytest.mark.law("6.4", "6.9")
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize("way", ["closed", "taken back"])
def test_results_of_undone_effects_inside_go_with_the_words(kind: str, way: str, tmp_path: Path) -> None:
    numbers = iter(["OUTSIDE-1", "INSIDE-2"])

    def book(what: str) -> str:
        return f"{what} " + next(numbers)

    async def talk() -> None:
        replies = [
            "Hello.",
            call("book", what="room"),
            "Booked.",
            "Inside.",
            call("book", what="car"),
            "Booked inside.",
        ]
        model = ScriptedModel([*replies, *["On."] * 9])
        clock = tw.ManualClock(1_700_000_000_000)
        chat = OneChat(
            flow_of(FLOW), store=stores(tmp_path)[kind], model=model, tools=[tw.tool(kind="effect")(book)], clock=clock
        )
        async with chat:
            for text in ("hello", "book it", "undo", "survey", "book it inside"):
                await chat.say(text)
            await chat.undo(to=4 if way == "closed" else 3)
            if way == "closed":
                before = await chat.state()
                assert "INSIDE-2" in str(before.kept_effects)
                await chat.say("enough")
            await chat.app.retain(tw.Retention())
            state, journal = await chat.state(), await chat.journal()
            assert len(state.frames) == 1
            assert "INSIDE-2" not in str(state)
            assert "INSIDE-2" not in str(journal)
            assert "OUTSIDE-1" in str(state.kept_effects)
            assert len(state.kept_effects) == 2
            assert fold_all(journal) == state
            assert await chat.replay()

    asyncio.run(talk())


@pytest.mark.law("6.4")
def test_what_a_phrase_gave_a_scope_inside_goes_with_the_words(tmp_path: Path) -> None:
    flow = FLOW.replace("start: [survey]", "start: [survey, explain]").replace(
        "      survey:",
        """      explain:
        starts: ["explain {word}"]
        scope: {input: {word: string}, start: tell, nodes: {tell: {say: Told., end: told}}}
      survey:""",
    )

    async def talk() -> None:
        chat = OneChat(flow_of(flow), store=stores(tmp_path)["sqlite"], model=ScriptedModel(["On."] * 9))
        async with chat:
            for text in ("hello", "survey", "please explain gooseberry", "enough"):
                await chat.say(text)
            await chat.app.retain(tw.Retention())
            state, journal = await chat.state(), await chat.journal()
            assert [one.event.scope for one in journal if isinstance(one.event, e.ScopeOpened)] == ["survey", "explain"]
            assert "gooseberry" not in f"{state}{journal}"
            assert fold_all(journal) == state
            assert await chat.replay()

    asyncio.run(talk())
