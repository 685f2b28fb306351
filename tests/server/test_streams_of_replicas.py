"""Streams of one server show what another server over the same database does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import turnwise as tw
from support.postgres import server
from support.served import Listening, in_loop, served
from turnwise.runner.model_port import Delta
from turnwise.runner.shared_texts import Piece
from turnwise.stores.postgres import PostgresStore
from turnwise.stores.postgres.changes import POLL_S
from turnwise.stores.postgres.texts import read_message

WORDS = ("one ", "two ", "three ", "four ", "five ", "six")
TURN = json.dumps({"text": "hello"}).encode()
POST = {"content-type": "application/json"}


class Speaks:
    """A model that says its words a while apart."""

    async def stream(self, _request: tw.ModelRequest) -> AsyncIterator[Any]:
        for word in WORDS:
            yield tw.TextDelta(word)
            await asyncio.sleep(0.1)


@pytest.fixture
def address() -> str:
    return server().fresh() + "&dead_after=400ms"


@asynccontextmanager
async def replicas(address: str) -> AsyncIterator[tuple[Any, Any]]:
    """Two servers, each with a store of its own."""
    flow = tw.Flow("talk", start="a", nodes=(tw.Node("a", prompt="Speak."),))
    apps = [tw.open(flow, model=Speaks(), store=PostgresStore(address)) for _ in range(2)]
    clock = apps[0].runtime.clock
    async with served(apps[0], clock=clock) as one, served(apps[1], clock=clock) as other:
        answer = await one.post("/api/conversations", json={"flow": "talk", "name": "x"})
        assert answer.status_code == 201
        yield one, other


def data_of(events: list[dict[str, str]]) -> list[Any]:
    return [json.loads(one["data"]) for one in events]


def turns_of(events: list[dict[str, str]]) -> list[str]:
    return [event["data"] for event in events if event["event"] == "turn"]


def store_of(client: Any) -> PostgresStore:
    store: Any = next(iter(client.server.service.apps.values())).runtime.store
    return store


async def listens(client: Any, other: Any) -> None:
    """Wait until a server follows what another one does, and this one knows that it is not alone."""
    while not store_of(client)._listener._listens.is_set() or store_of(other).process.alive < 2:
        await asyncio.sleep(0.05)


@in_loop
async def test_the_pieces_of_a_text_reach_the_clients_of_another_server_before_the_message(address: str) -> None:
    async with replicas(address) as (one, other):
        stream = Listening(other.server, "/api/stream?conversation=x")
        await listens(other, one)
        turn = Listening(one.server, "/api/conversations/x/turns", POST, TURN)
        await stream.until(lambda events: any(event["event"] == "turn" for event in events))
        await turn.ended()
        names = [event["event"] for event in stream.named("delta", "message")]
        deltas = data_of(stream.named("delta"))
        assert len(deltas) >= 3, "they come while the model speaks"
        assert names.index("delta") < len(names) - 1
        assert names[-1] == "message"
        whole = "".join(WORDS)
        assert whole.startswith("".join(delta["text"] for delta in deltas))
        assert data_of(stream.named("message"))[-1]["message"]["text"] == whole
        late = Listening(other.server, "/api/stream?conversation=x")
        await asyncio.sleep(0.1)
        assert late.named("delta") == [], "what was said is stored, and no piece of it stays"
        await stream.leave()
        await late.leave()


@in_loop
async def test_a_message_whose_pieces_were_lost_comes_whole(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with replicas(address) as (one, other):
        stream = Listening(other.server, "/api/stream?conversation=x")
        await listens(other, one)
        monkeypatch.setattr(store_of(one).process.texts, "send", lambda *_: None)
        await Listening(one.server, "/api/conversations/x/turns", POST, TURN).ended()
        await stream.until(lambda events: any(event["event"] == "turn" for event in events))
        assert stream.named("delta") == []
        assert data_of(stream.named("message"))[-1]["message"]["text"] == "".join(WORDS)
        await stream.leave()


@in_loop
async def test_a_stream_goes_on_where_this_server_wrote_while_it_looked_at_what_another_one_wrote(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, goes_on = asyncio.Event(), asyncio.Event()

    async def late(*given: Any) -> Any:
        found = await entries(*given)
        task = asyncio.current_task()
        if task is not None and task.get_name().startswith("turnwise-feed"):
            looks.set()
            await goes_on.wait()
        return found

    async with replicas(address) as (one, other):
        stream = Listening(other.server, "/api/stream?conversation=x")
        await listens(other, one)
        entries = store_of(other).entries
        monkeypatch.setattr(store_of(other), "entries", late)
        await Listening(one.server, "/api/conversations/x/turns", POST, TURN).ended()
        await looks.wait()
        before = await store_of(one).load("x")
        second = Listening(other.server, "/api/conversations/x/turns", POST, TURN)
        while (now := await store_of(one).load("x")) is None or now.turn == before.turn or now.doing is not None:
            await asyncio.sleep(0.02)
        goes_on.set()
        await second.ended()
        await Listening(other.server, "/api/conversations/x/turns", POST, TURN).ended()
        await stream.until(lambda events: len(turns_of(events)) >= 3)
        assert stream.named("forgotten") == []
        await stream.leave()


@in_loop
async def test_a_conversation_that_is_read_slowly_holds_up_no_other_stream(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = asyncio.Event()

    def late(read: Any) -> Any:
        async def reads(conversation: str, *given: Any) -> Any:
            task = asyncio.current_task()
            if (
                conversation == "x"
                and task is not None
                and task.get_name().startswith(("turnwise-feed", "turnwise-changes"))
            ):
                await goes_on.wait()
            return await read(conversation, *given)

        return reads

    async with replicas(address) as (one, other):
        assert (await one.post("/api/conversations", json={"flow": "talk", "name": "y"})).status_code == 201
        slow, stream = [Listening(other.server, f"/api/stream?conversation={name}") for name in "xy"]
        await listens(other, one)
        for method in ("load", "entries"):
            monkeypatch.setattr(store_of(other), method, late(getattr(store_of(other), method)))
        for name in "xy":
            await Listening(one.server, f"/api/conversations/{name}/turns", POST, TURN).ended()
        await stream.until(lambda events: len(turns_of(events)) >= 1)
        assert turns_of(slow.events) == []
        goes_on.set()
        await slow.until(lambda events: len(turns_of(events)) >= 1)
        await slow.leave()
        await stream.leave()


@in_loop
async def test_the_list_of_conversations_follows_another_server(address: str) -> None:
    async with replicas(address) as (one, other):
        stream = Listening(other.server, "/api/stream?list=true")
        await listens(other, one)
        await one.post("/api/conversations", json={"flow": "talk", "name": "y"})
        await stream.until(lambda events: any('"y"' in event["data"] for event in events))
        (summary, *_) = data_of(stream.named("summary"))
        assert summary["summary"]["id"] == "y"
        assert (await one.delete("/api/conversations/y")).status_code == 204
        await stream.until(lambda events: any(event["event"] == "forgotten" for event in events))
        assert data_of(stream.named("forgotten"))[0]["conversation"] == "y"
        await stream.leave()


@in_loop
async def test_a_change_of_the_list_whose_hint_was_lost_is_noticed(address: str) -> None:
    async with replicas(address) as (one, other):
        stream = Listening(other.server, "/api/stream?list=true")
        await listens(other, one)
        await one.post("/api/conversations", json={"flow": "talk", "name": "first"})
        await stream.until(lambda events: any('"first"' in event["data"] for event in events))
        store_of(one).process.hints.send = lambda _: None  # type: ignore[method-assign]
        begun = asyncio.get_running_loop().time()
        await one.post("/api/conversations", json={"flow": "talk", "name": "y"})
        await stream.until(lambda events: any('"y"' in event["data"] for event in events))
        assert asyncio.get_running_loop().time() - begun < 2 * POLL_S + 1.5
        await stream.leave()


@in_loop
async def test_a_stream_goes_on_at_another_server_from_its_last_event(address: str) -> None:
    async with replicas(address) as (one, other):
        stream = Listening(one.server, "/api/stream?conversation=x&after=0")
        await Listening(one.server, "/api/conversations/x/turns", POST, TURN).ended()
        await stream.until(lambda events: any(event["event"] == "turn" for event in events))
        await stream.leave()
        seen = [event for event in stream.named() if "id" in event]
        await Listening(other.server, "/api/conversations/x/turns", POST, TURN).ended()
        resumed = Listening(other.server, "/api/stream?conversation=x", {"last-event-id": seen[-1]["id"]})
        await resumed.until(lambda events: len(turns_of([*seen, *events])) == 3)
        afresh = Listening(one.server, "/api/stream?conversation=x&after=0")
        await afresh.until(lambda events: len(turns_of(events)) == 3)
        stored = [event["data"] for event in (*seen, *resumed.named()) if event["event"] in ("message", "turn")]
        assert stored == [event["data"] for event in afresh.named("message", "turn")]
        await resumed.leave()
        await afresh.leave()


@in_loop
async def test_open_streams_ask_the_database_nothing_while_nothing_happens() -> None:
    """Whatever their number: the one look for lost hints is of the server, not of a stream."""
    address, open_ = server().fresh(), 2_000

    async with replicas(address) as (one, other):
        streams = [Listening(other.server, "/api/stream?conversation=x") for _ in range(open_)]
        while not store_of(other)._listener._listens.is_set():
            await asyncio.sleep(0.1)
        await asyncio.sleep(3)
        stores, seconds = (store_of(one), store_of(other)), 4.0
        before = sum(store.round_trips for store in stores)
        await asyncio.sleep(seconds)
        looks, timers = seconds / POLL_S, 2 * 4 * seconds  # of both servers
        asked = sum(store.round_trips for store in stores) - before
        assert 0 < asked <= 2 * (looks + timers)
        await asyncio.gather(*[stream.leave() for stream in streams])


def test_pieces_are_joined_and_go_in_messages_that_the_server_takes() -> None:
    from turnwise.stores.postgres.texts import WaitingTexts

    class Sent:
        def __init__(self) -> None:
            self.messages: list[str] = []

        def execute(self, _sql: str, values: tuple[str, str]) -> None:
            assert len(values[1].encode()) < 8000
            self.messages.append(values[1])

    waiting, db = WaitingTexts(), Sent()
    assert waiting.add(Piece("a", Delta("n", "1.1", "void", 1)))
    assert not waiting.add(Piece("a", Delta("n", "1.1", "ä" * 9000, 1, is_whole=True)))
    waiting.add(Piece("a", Delta("n", "1.1", "b\x00" * 4000, 1)))
    waiting.add(Piece("dropped", Delta("n", "1.1", "c", 1)))
    waiting.add(Piece("n" * 2600, Delta("n", "1.1", "d", 1)))
    waiting.drop("dropped")
    waiting.send(db, 7)  # type: ignore[arg-type]
    assert db.messages == [], "they wait for others"
    waiting._due_s = 0.0
    waiting.send(db, 7)  # type: ignore[arg-type]
    found = [piece for message in db.messages for piece in read_message(message, 8)]
    assert "".join(one.delta.text for one in found if one.conversation == "a") == "ä" * 9000 + "b\x00" * 4000
    assert [one.delta.is_whole for one in found if one.conversation == "a"].count(True) == 1
    assert found[0].delta.is_whole
    assert [one.delta.text for one in found if one.conversation != "a"] == ["d"]
    assert read_message(db.messages[0], 7) == read_message("nonsense", 8) == []
