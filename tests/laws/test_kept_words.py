"""Law 6.4: the words inside a closed scope are kept as long as its `keep` says, and then erased everywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import NOON_MS, OneChat, flow_of
from turnwise.core.replay import difference
from turnwise.core.state import events as e
from turnwise.core.state.fold import fold_all
from turnwise.errors import StoreUnavailable, UnknownTurn
from turnwise.models.scripted import ScriptedModel, call
from turnwise.runner.clocks import ManualClock
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore
from turnwise.stores.sqlite import SqliteStore
from turnwise.testing.recorded import record_scenario

FLOW = """
flow: lesson
start: talk
commands: [cancel, undo, {start: [survey]}]
records:
  feedback: {mood: {type: choice, options: [good, bad]}}
tools: {look: {about: look it up, args: {what: string}}}
nodes:
  talk: {prompt: Talk.}
  survey:
    scope:
      keep: 0d
      returns: feedback
      summary: "The lesson was {{ feedback.mood }}."
      records: {own: {age: integer, day: date, reason: string}}
      start: ask
      nodes:
        ask:
          form:
            fields:
              - {field: feedback.mood, ask: How was it?}
              - {field: own.age, ask: How old are you?}
              - {field: own.day, ask: Which day?}
              - {field: own.reason, ask: What is the reason?}
          transitions: [{to: chat}]
        chat:
          prompt: Ask more.
          tools: {allow: [look]}
          transitions: [{id: nested, at: before, when: 'message.text == "deeper"', to: deep}, {id: over, at: before, when: 'message.text == "over and out"', return: true}]
        deep:
          scope: {summary: "quite private"}
          prompt: Dig.
          transitions: [{to: chat}]
"""
WORDS = ("sourdough", "rhubarb", "vinegar", "gooseberry", "1987", "quite private", "elderflower", "over and out")
ANSWERS = ("good", "1987", "2026-03-04", "my sourdough burned")


def look(what: str) -> str:
    return f"{what}: vinegar"


def planned() -> ScriptedModel:
    return ScriptedModel(
        [
            "Hello.",
            "Tell me more of the rhubarb.",
            call("look", what="rhubarb"),
            "It is gooseberry.",
            "Why deeper?",
            call("finish_deep"),
            "Again the elderflower?",
            "Back to German.",
            "More German.",
            "Even more.",
        ]
    )


TALK = ("hello", "survey", *ANSWERS, "look at the rhubarb", "deeper", "elderflower", "over and out")


def store_of(kind: str, path: Path) -> Store:
    return MemoryStore() if kind == "memory" else SqliteStore(path / "c.db")


async def talked(chat: OneChat, *more: str) -> None:
    for text in (*TALK, *more):
        await chat.say(text)


def run(
    kind: str, path: Path, work: Callable[[OneChat, ManualClock], Coroutine[Any, Any, None]], flow: str = FLOW
) -> None:
    async def whole() -> None:
        clock = ManualClock(NOON_MS)
        chat = OneChat(flow_of(flow), store=store_of(kind, path), model=planned(), tools=[look], clock=clock)
        async with chat:
            await work(chat, clock)

    asyncio.run(whole())


def words_in(entries: tuple[e.Entry, ...]) -> list[str]:
    return [f"{word}: {entry}" for entry in entries for word in WORDS if word in str(entry)]


both = pytest.mark.parametrize("kind", ["memory", "sqlite"])


@both
@pytest.mark.law("6.4")
@pytest.mark.requirement("003-04")
def test_after_closing_the_words_inside_are_nowhere_and_replay_gives_the_same_state(kind: str, tmp_path: Path) -> None:
    async def work(chat: OneChat, _clock: ManualClock) -> None:
        await talked(chat)
        state, journal = await chat.state(), await chat.journal()
        assert [frame.node for frame in state.frames] == ["talk"]
        assert words_in(journal) == []
        assert "\n".join(map(str, await chat.export())).count("sourdough") == 0
        assert fold_all(journal) == state
        assert state.values["feedback.mood"].value == "good"
        assert await chat.replay()
        assert difference(chat.runtime.machines.current, journal) is None
        closed = [one.event for one in journal if isinstance(one.event, e.ScopeClosed) and one.frame == 0]
        assert [one.summary for one in closed] == ["The lesson was good."]
        assert "hello" in str(journal)
        assert "Back to German." in str(journal)
        await chat.say("and on")
        assert fold_all(await chat.journal()) == await chat.state()
        assert await chat.replay()

    run(kind, tmp_path, work)
    if kind == "sqlite":
        asyncio.run(_holds_no_words(tmp_path / "c.db"))


async def _holds_no_words(path: Path) -> None:
    store = SqliteStore(path)
    await store.vacuum()
    await store.close()
    kept = await asyncio.to_thread(path.read_bytes)
    of_the_flow = ("quite private", "over and out")
    assert [word for word in WORDS if word not in of_the_flow and word.encode() in kept] == []


@both
@pytest.mark.law("6.4")
def test_a_duration_keeps_them_so_long(kind: str, tmp_path: Path) -> None:
    async def work(chat: OneChat, clock: ManualClock) -> None:
        await talked(chat)
        assert words_in(await chat.journal())
        clock.move_s(2 * 86_400)
        await chat.app.retain(tw.Retention())
        assert words_in(await chat.journal())
        clock.move_s(86_401)
        await chat.app.retain(tw.Retention())
        assert words_in(await chat.journal()) == []
        before = await chat.journal()
        await chat.app.retain(tw.Retention())
        assert await chat.journal() == before
        assert await chat.replay()

    run(kind, tmp_path, work, FLOW.replace("keep: 0d", "keep: 3d"))


@pytest.mark.law("6.4")
def test_without_keep_they_stay_as_long_as_the_conversation(tmp_path: Path) -> None:
    async def work(chat: OneChat, clock: ManualClock) -> None:
        await talked(chat)
        clock.move_s(900 * 86_400)
        await chat.app.retain(tw.Retention())
        assert words_in(await chat.journal())

    run("memory", tmp_path, work, FLOW.replace("      keep: 0d\n", "").replace("      keep: 0d\n", ""))


@both
@pytest.mark.law("6.9")
def test_an_undo_goes_neither_into_nor_behind_what_was_erased(kind: str, tmp_path: Path) -> None:
    async def work(chat: OneChat, _clock: ManualClock) -> None:
        await talked(chat)
        for to in (None, 1, 5):
            turn = await chat.undo(to=to)
            assert "no earlier answer" in turn.text.lower() or "undo" in turn.text.lower(), turn.text
            assert (await chat.state()).node == "talk"
        with pytest.raises(tw.TurnwiseError):
            await chat.fork("copy", turn=5)

    run(kind, tmp_path, work)


@pytest.mark.law("6.4")
def test_what_an_undo_opened_again_is_erased_when_it_closes_again(tmp_path: Path) -> None:
    async def work(chat: OneChat, clock: ManualClock) -> None:
        await talked(chat)
        await chat.undo()
        assert len((await chat.state()).frames) == 2
        clock.move_s(4 * 86_400)
        before = await chat.journal()
        await chat.app.retain(tw.Retention())
        assert (await chat.state()).values["survey/own.reason"].value == "my sourdough burned"
        assert await chat.journal() == before
        await chat.say("over and out")
        clock.move_s(4 * 86_400)
        await chat.app.retain(tw.Retention())
        journal = await chat.journal()
        assert words_in(journal) == []
        assert fold_all(journal) == await chat.state()
        assert await chat.replay()

    run("sqlite", tmp_path, work, FLOW.replace("keep: 0d", "keep: 3d"))


@both
@pytest.mark.law("6.4")
def test_a_scope_whose_opening_was_taken_back_is_erased_after_its_keep(kind: str, tmp_path: Path) -> None:
    async def work(chat: OneChat, clock: ManualClock) -> None:
        for text in ("hello", "survey", *ANSWERS, "look at the rhubarb", "deeper", "elderflower"):
            await chat.say(text)
        await chat.undo(to=1)
        state, before = await chat.state(), await chat.journal()
        assert len(state.frames) == 1
        assert words_in(before)
        (undone,) = [one.event for one in before if isinstance(one.event, e.Undone)]
        assert [(one.scope, one.ms) for one in undone.closed] == [("survey", 3 * 86_400_000)]
        clock.move_s(2 * 86_400)
        await chat.app.retain(tw.Retention())
        assert await chat.journal() == before
        clock.move_s(2 * 86_400)
        await chat.app.retain(tw.Retention())
        journal = await chat.journal()
        assert words_in(journal) == []
        assert fold_all(journal) == await chat.state() == state
        assert [one.seq for one in journal] == [one.seq for one in before]
        assert await chat.replay()
        assert "erased" in str(await chat.why("survey", turn=2))
        assert [one.is_erased for one in await chat.frames() if one.scope == "survey"] == [True]
        await chat.say("and on")
        assert "nothing to undo" in (await chat.undo(to=4)).text

    run(kind, tmp_path, work, FLOW.replace("keep: 0d", "keep: 3d"))


@both
@pytest.mark.law("6.4")
def test_of_scopes_that_one_undo_takes_back_each_is_erased_after_its_own_keep(kind: str, tmp_path: Path) -> None:
    async def work(chat: OneChat, clock: ManualClock) -> None:
        for text in ("hello", "survey", *ANSWERS, "look at the rhubarb", "deeper"):
            await chat.say(text)
        assert [frame.scope.name for frame in (await chat.state()).outer[1:] if frame.scope] == ["survey"]
        await chat.undo(to=1)
        journal = await chat.journal()
        assert "Why deeper?" not in str(journal)
        assert "sourdough" in str(journal)
        clock.move_s(4 * 86_400)
        await chat.app.retain(tw.Retention())
        assert words_in(await chat.journal()) == []
        assert fold_all(await chat.journal()) == await chat.state()
        assert await chat.replay()

    flow = FLOW.replace("keep: 0d", "keep: 3d").replace("scope: {summary: ", "scope: {keep: 0d, summary: ")
    run(kind, tmp_path, work, flow)


@both
@pytest.mark.law("6.4")
def test_an_undone_opening_that_a_later_undo_opens_again_keeps_its_words(kind: str, tmp_path: Path) -> None:
    async def work(chat: OneChat, clock: ManualClock) -> None:
        for text in ("hello", "survey", *ANSWERS):
            await chat.say(text)
        await chat.undo(to=1)
        await chat.undo(to=5)
        assert len((await chat.state()).frames) == 2
        clock.move_s(4 * 86_400)
        before = await chat.journal()
        await chat.app.retain(tw.Retention())
        assert await chat.journal() == before
        await chat.undo(to=1)
        clock.move_s(4 * 86_400)
        await chat.app.retain(tw.Retention())
        journal = await chat.journal()
        assert words_in(journal) == []
        assert fold_all(journal) == await chat.state()
        assert await chat.replay()

    run(kind, tmp_path, work, FLOW.replace("keep: 0d", "keep: 3d"))


@both
@pytest.mark.law("6.4")
def test_who_asks_why_hears_that_the_words_were_erased(kind: str, tmp_path: Path) -> None:
    async def work(chat: OneChat, _clock: ManualClock) -> None:
        await talked(chat, "and on")
        answer = await chat.why("field feedback.mood")
        assert "[erased]" in str(answer)
        closed = await chat.why("node survey")
        assert "the words inside were erased on 2026-01-09" in str(closed)
        number = (await chat.state()).turn
        for turn in range(1, number + 1):
            for question in ("node survey", "field feedback.mood", "model", "turn", "field survey/own.day"):
                told = str(await chat.why(question, turn=turn))
                assert not [word for word in WORDS if word in told], told
        for turn in range(1, number + 1):
            found = await chat.turn(turn)
            assert found.decisions is not None
            assert not [word for word in WORDS if word in f"{found.text} {found.form} {found.decisions}"]
        with pytest.raises(tw.TurnwiseError, match="the words inside the scope 'survey' were erased"):
            await record_scenario(chat.runtime.archive, "main")
        judged = await chat.what_if(values={"feedback.mood": "bad"})
        assert judged.skipped > 0

    run(kind, tmp_path, work)


def test_a_turn_that_was_erased_by_retention_too_is_erased(tmp_path: Path) -> None:
    async def work(chat: OneChat, clock: ManualClock) -> None:
        await talked(chat)
        clock.move_s(10 * 86_400)
        await chat.say("and on")
        await chat.app.retain(tw.Retention(events_days=5))
        assert words_in(await chat.journal()) == []
        with pytest.raises(UnknownTurn):
            await chat.turn(3)
        assert await chat.replay()

    run("sqlite", tmp_path, work)


class Failing(MemoryStore):
    """A store that cannot erase words at first."""

    fails = True

    async def erase_words(self, now_ms: int, conversation: str | None = None) -> int:
        if self.fails:
            raise StoreUnavailable("memory", "it is locked")
        return await super().erase_words(now_ms, conversation)


@pytest.mark.law("6.4")
def test_what_could_not_be_erased_at_the_closing_is_erased_by_the_next_app() -> None:
    store, flow, clock = Failing(), flow_of(FLOW), ManualClock(NOON_MS)

    async def whole() -> None:
        async with OneChat(flow, store=store, model=planned(), tools=[look], clock=clock) as chat:
            await talked(chat)
            assert words_in(await chat.journal())
        store.fails = False
        async with OneChat(flow, store=store, model=planned(), tools=[look], clock=clock) as chat:
            await asyncio.sleep(0.05)
            assert words_in(await chat.journal()) == []

    asyncio.run(whole())
