"""Deleted conversations stay deleted: a late message does not begin them again (K2), in one process and in two."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import turnwise as tw
from support.chats import flow_of
from support.durable.running import run
from support.served import Listening, in_loop, served
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.events import Entry
from turnwise.runner.model_port import ModelReply
from turnwise.stores.memory import MemoryStore

TALK = "flow: talk\nstart: talk\nnodes: {talk: {prompt: Talk.}}"
JSON = {"content-type": "application/json", "accept": "application/json"}


class Gated:
    """A model that replies once its gate is open."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.opened = asyncio.Event()

    async def reply(self, _: ModelRequest) -> ModelReply:
        self.asked.set()
        await self.opened.wait()
        return ModelReply("Yes.")


def test_messages_that_wait_while_the_conversation_is_deleted_are_refused() -> None:
    async def play() -> None:
        model = Gated()
        async with tw.open(flow_of(TALK), model=model) as app:
            chat = app.chat("c")
            running = asyncio.create_task(chat.say("first"))
            await model.asked.wait()
            before = [asyncio.create_task(chat.say(f"before {n}")) for n in range(3)]
            await asyncio.sleep(0)
            deleting = asyncio.create_task(chat.forget())
            await asyncio.sleep(0)
            after = [asyncio.create_task(chat.say(f"after {n}")) for n in range(3)]
            twice = asyncio.create_task(chat.forget())
            await asyncio.sleep(0)
            model.opened.set()
            assert (await running).refused is None
            assert [turn.number for turn in await asyncio.gather(*before)] == [2, 3, 4]
            assert await deleting
            found = await asyncio.gather(*after, return_exceptions=True)
            assert [type(one) for one in found] == [tw.UnknownConversation] * 3
            assert not await twice
            assert await app.conversations() == ()
            assert (await chat.say("a new one")).number == 1

    run(play())


def test_a_chat_of_an_existing_conversation_begins_none() -> None:
    with tw.open_sync(flow_of(TALK), model=tw.ScriptedModel(["Hello.", "Again."])) as app:
        for event in ("start", "say"):
            chat = app.chat("c", existing=True)
            with pytest.raises(tw.UnknownConversation):
                chat.start() if event == "start" else chat.say("hi")
        app.chat("c").say("hi")
        assert app.chat("c", existing=True).say("again").number == 2


@in_loop
async def test_a_message_to_a_second_server_does_not_begin_a_deleted_conversation(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/c.db"
    one, two = (tw.open(flow_of(TALK), model=tw.ScriptedModel(["Hello."] * 4), store=store) for _ in range(2))
    async with served(one) as first, served(two) as second:
        await first.post("/api/conversations", json={"flow": "talk", "name": "c"})
        turns = "/api/conversations/c/turns"
        assert (await second.post(turns, json={"text": "a"})).status_code == 200
        assert (await first.delete("/api/conversations/c")).status_code == 204
        for body in ({"text": "hello?"}, {"undo": {}}, {"commands": []}):
            answer = await second.post(turns, json=body, headers={"idempotency-key": str(body)[:9]})
            assert (answer.status_code, answer.json()["code"]) == (404, "unknown_conversation"), body
        assert (await second.get("/api/conversations/c/transcript")).status_code == 404
        assert await two.conversations() == ()


@in_loop
async def test_messages_around_a_deletion_do_not_begin_the_conversation_again() -> None:
    model = Gated()
    model.opened.set()
    app = tw.open(flow_of(TALK), model=model)
    async with served(app) as client:
        await client.post("/api/conversations", json={"flow": "talk", "name": "c"})
        model.opened.clear()
        body = {"text": "hello"}
        path = "/api/conversations/c"
        posts = [client.post(f"{path}/turns", json=body) for _ in range(20)]
        later = [client.post(f"{path}/turns", json=body) for _ in range(20)]
        asyncio.get_running_loop().call_later(0.05, model.opened.set)
        found = await asyncio.gather(*posts, client.delete(path), *later)
        assert found[20].status_code == 204
        assert {one.status_code for one in found} <= {200, 204, 404}
        assert await app.conversations() == ()


@in_loop
@pytest.mark.law("3.8")
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_message_that_waits_behind_a_turn_whose_client_left_reports_it(accept: str) -> None:
    model = Gated()
    async with served(tw.open(flow_of(TALK), model=model)) as client:
        model.opened.set()
        await client.post("/api/conversations", json={"flow": "talk", "name": "c"})
        model.opened.clear()
        model.asked.clear()
        path = "/api/conversations/c/turns"
        slow = Listening(client.server, path, {**JSON, "accept": accept}, b'{"text": "slow"}')
        await model.asked.wait()
        await asyncio.sleep(0.25)  # a plain turn watches its client after 0.2 s
        slow._has_left.set()
        waiting = asyncio.create_task(client.post(path, json={"text": "next"}))
        await asyncio.sleep(0.02)
        model.opened.set()
        answer = (await waiting).json()
        assert [one["number"] for one in answer["recovered"]] == [answer["number"] - 1]
        last = (await client.post(path, json={"text": "last"})).json()
        assert last["recovered"] == []


@pytest.mark.law("3.8")
def test_a_message_that_waits_behind_a_stream_that_was_closed_reports_its_turn() -> None:
    async def play() -> None:
        model = Gated()
        async with tw.open(flow_of(TALK), model=model) as app:
            chat = app.chat("c")

            async def listen() -> None:
                async for _ in chat.stream("slow"):
                    pass

            listening = asyncio.create_task(listen())
            await model.asked.wait()
            listening.cancel()
            waiting = asyncio.create_task(chat.say("next"))
            await asyncio.sleep(0.01)
            model.opened.set()
            assert [turn.number for turn in (await waiting).recovered] == [1]
            assert (await chat.say("last")).recovered == ()

    run(play())


def test_turns_that_nobody_received_are_reported_without_those_that_they_reported() -> None:
    """Else each retry of a caller with a short timeout makes twice as many turns as the one before (L1)."""

    async def play() -> None:
        model = Gated()
        async with tw.open(flow_of(TALK), model=model) as app:
            chat = app.chat("c")
            for _ in range(6):
                model.asked.clear()
                model.opened.clear()
                caller = asyncio.create_task(chat.say("hi"))
                await model.asked.wait()
                caller.cancel()
                await asyncio.sleep(0)
                model.opened.set()
                await asyncio.sleep(0.005)
            turn = await chat.say("and now?")
            assert [one.number for one in turn.recovered] == [1, 2, 3, 4, 5, 6]
            assert all(one.recovered == () for one in turn.recovered)
            assert [one.number for one in (await chat.turn(6)).recovered] == [1, 2, 3, 4, 5]

    run(play())


class CountedStore(MemoryStore):
    """A store that counts how often entries are read."""

    reads = 0

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        self.reads += 1
        return await super().entries(conversation, after, until)


@pytest.mark.parametrize("missed", [3, 12])
def test_turns_that_nobody_received_are_read_together(missed: int) -> None:
    """Else the answer to a retry takes longer than its caller waits, again and again (L1)."""

    async def play() -> None:
        model, store = Gated(), CountedStore()
        async with tw.open(flow_of(TALK), model=model, store=store) as app:
            chat = app.chat("c")
            for number in range(missed):
                model.asked.clear()
                model.opened.clear()
                caller = asyncio.create_task(chat.say(f"hi {number}"))
                await model.asked.wait()
                caller.cancel()
                await asyncio.sleep(0)
                model.opened.set()
                await asyncio.sleep(0.005)
            await chat.say("and now?", key="k")
            store.reads = 0
            again = await chat.say("and now?", key="k")
            assert store.reads <= 3
            assert again.is_duplicate
            alone = [await chat.turn(number) for number in range(1, missed + 1)]
            assert [turn.number for turn in again.recovered] == list(range(1, missed + 1))
            for one, other in zip(again.recovered, alone, strict=True):
                assert (one.entries, one.before, one.state) == (other.entries, other.before, other.state)
                assert one.recovered == ()

    run(play())
