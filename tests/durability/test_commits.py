"""What a turn gives its store to write, and when: steps that follow each other without a wait are one commit."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import NOON_MS, OneChat
from support.postgres import fresh_store
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import events as e
from turnwise.errors import StoreUnavailable, Superseded
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import CallMade, ModelReply
from turnwise.runner.ports import Commit
from turnwise.stores.memory import MemoryStore
from turnwise.testing.store_support import Journal, holds, refused


class Noting(MemoryStore):
    """A store that notes what it is given; `fails_at` is a commit that it takes no more."""

    def __init__(self, fails_at: int = 0) -> None:
        super().__init__()
        self.commits: list[Commit] = []
        self.fails_at = fails_at

    def commit(self, conversation: str, commit: Commit) -> Any:
        """Note it, then write it."""
        self.commits.append(commit)
        if len(self.commits) == self.fails_at:
            raise StoreUnavailable("a store", "it is away")
        return super().commit(conversation, commit)

    def told(self) -> list[list[str]]:
        """The names of the results and ends of turns in each commit."""
        wanted = (e.UserSaid, e.ModelReplied, e.ToolReturned, e.TurnEnded)
        return [
            [type(entry.event).__name__ for entry in commit.entries if isinstance(entry.event, wanted)]
            for commit in self.commits
        ]


class Model:
    """Calls a tool and then says something; `waits` as a model does that is somewhere else."""

    def __init__(self, *, waits: bool) -> None:
        self.waits = waits
        self.shown: list[str] = []
        """The texts of the last request."""

    async def reply(self, request: ModelRequest) -> ModelReply:
        """A call after a message, words after a result."""
        self.shown = [message.text or message.role for message in request.transcript]
        if self.waits:
            await asyncio.sleep(0)
        if request.transcript[-1].role == "user":
            return ModelReply(calls=(CallMade("work", {}),))
        return ModelReply("Done.")


def chat_over(
    store: Noting, model: Model | None = None, *, waits: bool = False, kind: str = "read", seen: list[int] | None = None
) -> OneChat:
    """A chat whose tool notes how many commits there were when it ran."""

    @tw.tool(kind=kind)
    async def work() -> str:
        """Work."""
        if seen is not None:
            seen.append(len(store.commits))
        return "done"

    talk = tw.Node("talk", prompt="Talk.", tools=tw.ToolPolicy(allow=["work"]))
    flow = tw.Flow("f", start="talk", tools=[work], nodes=(talk,))
    return OneChat(flow, store=store, model=model or Model(waits=waits), clock=ManualClock(NOON_MS))


@pytest.mark.law("3.8")
def test_a_turn_in_which_nothing_waits_is_one_commit_with_its_state() -> None:
    async def play() -> None:
        store = Noting()
        turn = await chat_over(store).say("hello")
        assert store.told() == [["UserSaid", "ModelReplied", "ToolReturned", "ModelReplied", "TurnEnded"]]
        assert (store.commits[0].part, store.commits[0].state) == ("first", turn.state)

    asyncio.run(play())


@pytest.mark.law("3.8")
def test_what_was_decided_is_given_to_the_store_before_a_model_is_waited_for() -> None:
    async def play() -> None:
        store = Noting()
        turn = await chat_over(store, waits=True).say("hello")
        assert store.told() == [["UserSaid"], ["ModelReplied", "ToolReturned"], ["ModelReplied", "TurnEnded"]]
        assert [commit.part for commit in store.commits] == ["first", "next", "next"]
        assert [commit.state for commit in store.commits] == [None, None, turn.state]

    asyncio.run(play())


@pytest.mark.law("3.8")
def test_an_effect_runs_behind_its_intent_and_its_result_is_given_to_the_store_at_once() -> None:
    async def play() -> None:
        store, seen = Noting(), list[int]()
        await chat_over(store, kind="effect", seen=seen).say("hello")
        assert store.told() == [["UserSaid", "ModelReplied"], ["ToolReturned"], ["ModelReplied", "TurnEnded"]]
        assert seen == [1], "the intent was there before the tool ran"
        assert isinstance(store.commits[0].entries[-1].event, e.EffectAsked)

    asyncio.run(play())


@pytest.mark.law("3.8")
@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("kind", ["read", "effect"])
def test_a_store_that_takes_no_commit_refuses_the_turn_whenever_that_is(at: int, kind: str) -> None:
    async def play() -> None:
        chat = chat_over(Noting(fails_at=at), waits=True, kind=kind)
        refused = await chat.say("hello")
        assert refused.refused == "store_unavailable"
        turn = await chat.say("hello again")
        assert turn.text == "Done."
        assert await chat.replay()

    asyncio.run(play())


@pytest.mark.law("3.6", "3.8")
def test_what_a_turn_said_that_was_not_kept_is_shown_to_no_model() -> None:
    async def play() -> None:
        model, store = Model(waits=False), Noting(fails_at=2)
        chat = chat_over(store, model)
        await chat.say("first")
        assert (await chat.say("lost")).refused == "store_unavailable"
        await chat_over(store).say("other")  # elsewhere, up to the same position
        await chat.say("third")
        said = ["first", "agent", "tool", "Done.", "other", "agent", "tool", "Done.", "third", "agent", "tool"]
        assert model.shown == said

    asyncio.run(play())


@pytest.mark.law("3.8")
@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_of_a_turn_whose_first_commit_was_refused_nothing_more_is_kept(kind: str, tmp_path: Path) -> None:
    """Its later commits may fit the positions of the turn that came first."""

    async def play() -> None:
        store = fresh_store(kind, tmp_path / "x.db")
        first = Journal()
        await store.commit("a", first.begin())
        second = first.copy()
        await store.commit("a", first.open("pay 5"))
        await refused(store, "a", second.open("never mind", "b"))
        await refused(store, "a", second.go_on("To never mind."), Superseded)
        await store.commit("a", first.go_on("paid"))
        await refused(store, "a", second.end(), Superseded)
        await store.commit("a", first.end())
        await holds(store, "a", first)
        await store.close()

    asyncio.run(play())
