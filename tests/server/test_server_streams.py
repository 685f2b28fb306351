"""Streams: each event once and in order, however often a client is cut, and however slow it is."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import Client, Listening, in_loop, served
from turnwise.server.limits import LOCAL_LIMITS, ServerLimits
from turnwise.server.streams import tab
from turnwise.server.streams.items import Position, read_cursor
from turnwise.server.streams.waiting import MOST_PENDING_EVENTS

ONE = "/api/conversations/x/events"


def echo(**more: Any) -> tw.Flow:
    """A flow whose turn is one short reply."""
    return tw.Flow("echo", start="a", nodes=(tw.Node("a", prompt="Say ok."),), **more)


class Ok:
    """A model that says ok."""

    async def reply(self, request: tw.ModelRequest) -> tw.ModelReply:
        return tw.ModelReply("ok")


def open_echo(**more: Any) -> tw.App:
    return tw.open(echo(), model=Ok(), clock=tw.ManualClock(1_700_000_000_000), **more)


async def begun(client: Client, *names: str, flow: str = "echo") -> None:
    for name in names:
        assert (await client.post("/api/conversations", json={"flow": flow, "name": name})).status_code == 201


def seqs(events: list[dict[str, str]]) -> list[int]:
    return [json.loads(one["data"])["seq"] for one in events]


@in_loop
async def test_a_client_that_is_cut_every_seven_events_receives_2000_once_and_in_order() -> None:
    async with served(open_echo()) as client:
        await begun(client, "x")
        chat = client.server.service.apps["echo"].chat("x")

        async def talks() -> None:
            while (await chat.say("hello")).state.seq < 2_010:
                await asyncio.sleep(0)

        talking = asyncio.ensure_future(talks())
        received: list[int] = []
        while len(received) < 2_000:
            last = {"last-event-id": str(received[-1])} if received else {}
            listening = Listening(client.server, ONE, last, most=7)
            events = await listening.count(7)
            await listening.leave()
            assert [event["id"] for event in events] == [str(seq) for seq in seqs(events)]
            received += seqs(events[:7])
        await talking
        assert received[:2_000] == list(range(1, 2_001))


@pytest.mark.parametrize("debug", [False, True])
def test_a_tab_that_is_cut_anywhere_receives_the_same_as_one_that_is_not(debug: bool) -> None:
    """Two conversations in one stream; cut after one, two, three … events, while both go on."""

    @in_loop
    async def listens() -> None:
        async with served(open_echo()) as client:
            await begun(client, "x", "y")
            path = f"/api/stream?conversation=x&conversation=y&after=0&after=0&debug={str(debug).lower()}"
            whole = Listening(client.server, path)
            chats = [client.server.service.apps["echo"].chat(name) for name in ("x", "y")]
            parts: list[dict[str, str]] = []
            cursor = ""
            for number in range(1, 25):
                if number <= 12:
                    await asyncio.gather(*(chat.say(f"message {number}") for chat in chats))
                cut = Listening(client.server, f"{path}&cursor={cursor}" if cursor else path)
                found = (await _rest(cut))[: number if number < 16 else None]
                await cut.leave()
                parts += found
                cursor = parts[-1]["id"]
            for name in ("x", "y"):
                await whole.until(lambda events: len(_of(name, whole.named())) >= len(_of(name, parts)))  # noqa: B023
                assert [_kind(one) for one in _of(name, parts)] == [_kind(one) for one in _of(name, whole.named())]
                assert len(_of(name, parts)) > (60 if debug else 30)
            await whole.leave()

    listens()


async def _rest(listening: Listening) -> list[dict[str, str]]:
    """Return what comes until nothing more does."""
    while True:
        count = len(listening.events)
        await asyncio.sleep(0.05)
        if len(listening.events) == count:
            return [one for one in listening.named() if one["event"] != "delta"]


def _of(name: str, events: list[dict[str, str]]) -> list[dict[str, str]]:
    durable = [one for one in events if one["event"] not in ("delta", "ping")]
    return [one for one in durable if json.loads(one["data"]).get("conversation") == name]


def _kind(event: dict[str, str]) -> tuple[str, str]:
    return event["event"], event["data"]


@in_loop
async def test_a_slow_reader_needs_no_memory_and_still_receives_everything() -> None:
    async with served(open_echo()) as client:
        await begun(client, "x")
        chat = client.server.service.apps["echo"].chat("x")
        listening = Listening(client.server, ONE)
        await listening.count(3)
        listening.paused = True
        for number in range(400):
            await chat.say(f"message {number}")
        (stream,) = client.server.service.hub._streams
        assert len(stream._pending) <= MOST_PENDING_EVENTS
        listening.paused = False
        last = (await chat.state()).seq
        events = await listening.count(last)
        assert seqs(events) == list(range(1, last + 1))
        await listening.leave()


@in_loop
async def test_a_client_that_takes_nothing_is_cut_and_resumes() -> None:
    limits = ServerLimits(stalled_s=0.2, requests_per_minute=0)
    async with served(open_echo(), limits=limits) as client:
        await begun(client, "x")
        chat = client.server.service.apps["echo"].chat("x")
        listening = Listening(client.server, ONE)
        got = await listening.count(3)
        listening.paused = True
        await chat.say("hello")
        async with asyncio.timeout(60):
            while len(client.server.service.hub):
                await asyncio.sleep(0.01)
        assert not client.server.service.hub.feeds.watched(None), "nothing is kept for it"
        listening.paused = False
        await listening.ended()
        assert listening.is_complete, "servers log an error for a response that is not complete"
        again = Listening(client.server, ONE, {"last-event-id": got[-1]["id"]})
        last = (await chat.state()).seq
        assert seqs(await again.count(last - len(got))) == list(range(len(got) + 1, last + 1))
        await again.leave()


@in_loop
async def test_one_who_joins_in_the_middle_of_a_reply_receives_its_text_so_far() -> None:
    from server.test_turns import Slow, speaking

    model = Slow()
    for _ in range(3):
        model.go.release()
    async with served(tw.open(speaking(), model=model)) as client:
        await begun(client, "x", flow="talk")
        early = Listening(client.server, "/api/stream?conversation=x")
        await early.until(bool)
        saying = asyncio.ensure_future(client.server.service.apps["talk"].chat("x").say("go on"))
        model.go.release(), model.go.release()
        await early.until(lambda _: len(early.named("delta")) == 2)
        late = Listening(client.server, "/api/stream?conversation=x")
        await late.until(lambda _: bool(late.named("delta")))
        (whole,) = [json.loads(one["data"]) for one in late.named("delta")]
        assert (whole["text"], whole["is_whole"]) == ("one two ", True)
        model.go.release()
        for listening in (early, late):
            await listening.until(lambda _: bool(listening.named("turn")))  # noqa: B023
            said = json.loads(listening.named("message")[-1]["data"])["message"]
            assert (said["text"], said["by"]) == ("one two three", "model")
            await listening.leave()
        await saying
        assert [json.loads(one["data"])["text"] for one in early.named("delta")] == ["one ", "two ", "three"]


@in_loop
async def test_the_list_is_told_of_every_conversation_that_its_client_may_see() -> None:
    async with served(open_echo(), keys=True) as client:
        ada, bob, root = client.as_("ada"), client.as_("bob"), client.as_("root", "admin")
        lists = {
            name: Listening(client.server, "/api/stream?list=true", header)
            for name, header in (("ada", ada), ("bob", bob), ("root", root))
        }
        for listening in lists.values():
            await listening.until(bool)
        await client.post("/api/conversations", json={"flow": "echo", "name": "x"}, headers=ada)
        for name in ("ada", "root"):
            await lists[name].until(lambda _: bool(lists[name].named("summary")))  # noqa: B023
            summary = json.loads(lists[name].named("summary")[0]["data"])["summary"]
            assert summary["id"] == "ada:x"
        await client.delete("/api/conversations/ada:x", headers=ada)
        await lists["ada"].until(lambda _: bool(lists["ada"].named("forgotten")))
        assert lists["bob"].named() == []
        for listening in lists.values():
            await listening.leave()


@in_loop
async def test_a_stream_needs_the_scope_and_the_owner() -> None:
    async with served(open_echo(), keys=True) as client:
        ada, bob = client.as_("ada"), client.as_("bob")
        await client.post("/api/conversations", json={"flow": "echo", "name": "x"}, headers=ada)
        for path, header, status in (
            ("/api/stream?conversation=ada:x", bob, 404),
            ("/api/stream?conversation=ada:x&debug=true", ada, 403),
            ("/api/conversations/ada:x/events", ada, 403),
            ("/api/stream?conversation=ada:x&after=1&after=2", ada, 422),
            ("/api/stream?conversation=ada:x&cursor=junk", ada, 422),
            ("/api/stream?conversation=ada:x&curser=c", ada, 422),
        ):
            listening = Listening(client.server, path, header)
            await listening.ended()
            assert listening.status == status, (path, listening.text)


@in_loop
async def test_open_streams_are_limited_per_owner_and_the_limit_is_named() -> None:
    async with served(open_echo(), keys=True, limits=ServerLimits(open_streams=2)) as client:
        ada = client.as_("ada")
        first, second = (Listening(client.server, "/api/stream", ada) for _ in range(2))
        await first.until(bool)
        await second.until(bool)
        third = Listening(client.server, "/api/stream", ada)
        await third.ended()
        assert (third.status, json.loads(third.text)["limit"]) == (429, "open_streams")
        await first.leave()
        again = Listening(client.server, "/api/stream", ada)
        await again.until(bool)
        await again.leave()
        await second.leave()


@in_loop
async def test_secrets_are_on_no_stream() -> None:
    class P(tw.Record):
        pin: str | None = tw.field(default=None, secret=True)
        name: str | None = None

    form = tw.Form(fields=(tw.FormField("p.pin", ask="Your PIN?"), tw.FormField("p.name", ask="Your name?")))
    flow = tw.Flow("bank", start="a", records=[P], nodes=(tw.Node("a", form=form),))
    app = tw.open(flow, clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        await begun(client, "x", flow="bank")
        paths = ("/api/stream?conversation=x", "/api/stream?conversation=x&debug=true", ONE)
        live = [Listening(client.server, path) for path in paths]
        for listening in live:
            await listening.until(bool)
        await client.post("/api/conversations/x/turns", json={"text": "4711-secret"})
        await client.post("/api/conversations/x/turns", json={"text": "Ada"})
        stored = [Listening(client.server, f"{path}{'&' if '?' in path else '?'}after=0") for path in paths]
        for listening in (*live, *stored):
            await listening.until(lambda _: "Ada" in listening.text)  # noqa: B023
            assert "4711" not in listening.text
            await listening.leave()
        page = await client.get("/api/conversations/x/events?after=0&limit=1000")
        assert "4711" not in page.text
        assert "Ada" in page.text


@in_loop
async def test_what_another_process_writes_comes_too() -> None:
    store = tw.MemoryStore()
    store.is_shared = lambda: True  # type: ignore[method-assign]
    async with served(open_echo(store=store)) as client, open_echo(store=store) as other:
        await begun(client, "x")
        listening = Listening(client.server, "/api/stream?conversation=x")
        await listening.until(bool)
        await other.chat("x").say("from elsewhere")
        found = await listening.count(3)
        assert "from elsewhere" in found[0]["data"]
        await listening.leave()


@in_loop
async def test_what_another_process_deletes_is_reported_and_only_what_changed_is_loaded(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'x.db'}"
    async with served(open_echo(store=address)) as client, open_echo(store=address) as other:
        await other.chat("elsewhere").start()
        for name in ("x", "y"):
            await begun(client, name)
        listening = Listening(client.server, "/api/stream?conversation=x&conversation=y")
        await listening.until(bool)
        await other.chat("x").say("one more")
        await listening.until(lambda _: "one more" in listening.text)
        store, loaded = client.server.service.store, list[str]()
        load = store.load

        async def counted(conversation: str) -> Any:
            loaded.append(conversation)
            return await load(conversation)

        store.load = counted  # type: ignore[method-assign]
        await other.chat("x").say("from elsewhere")
        await listening.until(lambda _: "from elsewhere" in listening.text)
        assert "y" not in loaded
        await other.chat("x").forget()
        await listening.until(lambda _: bool(listening.named("forgotten")))
        await listening.leave()


@in_loop
async def test_a_quiet_stream_sends_pings_and_a_draining_server_asks_to_come_back() -> None:
    limits = ServerLimits(ping_s=0.5, requests_per_minute=0)
    async with served(open_echo(), limits=limits) as client:
        await begun(client, "x")
        listening = Listening(client.server, "/api/stream?conversation=x")
        await listening.until(lambda events: len(events) >= 2)
        assert {event["event"] for event in listening.events} == {"ping"}
        assert all(event["id"].startswith("c.") for event in listening.events)
        client.server.service.hub.drain()
        await listening.ended()
        assert listening.events[-1]["event"] == "draining"
        assert listening.is_complete


def test_a_cursor_of_another_mode_or_of_other_conversations_is_understood() -> None:
    assert read_cursor("c", ("x",), "chat") == {}
    cursor = str(tab.Cursor("debug", {"x": Position(7, 2), "gone": Position(1, 1)}))
    assert read_cursor(cursor, ("x", "new"), "debug") == {"x": Position(7, 2)}
    assert read_cursor(cursor, ("x",), "chat")["x"] > Position(7, 2)
    assert LOCAL_LIMITS.open_streams == 0


ORDER = """
flow: order
start: ask
records: {order: {size: {type: choice, options: [small, large]}, name: string}}
nodes:
  ask:
    form: {fields: [{field: order.size, ask: Which size?}, {field: order.name, ask: For whom?}], confirm: {}}
    transitions: [{id: on, at: after, to: thanks}]
  thanks: {say: "Thank you, {{ order.name }}."}
"""


@in_loop
async def test_a_turn_is_answered_with_the_result_that_its_stream_has_made(monkeypatch: pytest.MonkeyPatch) -> None:
    app = tw.open(flow_of(ORDER), clock=tw.ManualClock(1_700_000_000_000))
    async with served(app) as client:
        await begun(client, "x", "y", flow="order")
        listening = Listening(client.server, "/api/stream?conversation=x")
        await listening.until(bool)
        made, of = list[str](), app.runtime.turns.turn_of

        async def counted(conversation: str, *more: Any) -> tw.Turn:
            made.append(conversation)
            return await of(conversation, *more)

        monkeypatch.setattr(app.runtime.turns, "turn_of", counted)
        monkeypatch.setattr("turnwise.api.chat.LISTENERS", [])  # of the plugin that runs these tests
        for text in ("small, please", "Ada", "change the name to Eve"):
            body = {"text": text}
            watched, alone = [await client.post(f"/api/conversations/{name}/turns", json=body) for name in ("x", "y")]
            assert watched.json() == {**alone.json(), "conversation": "x", "number": watched.json()["number"]}
        assert made == ["y"] * 3
        app.runtime.engine.record_missed("x", 2)
        app.runtime.engine.record_missed("y", 2)
        late = [await client.post(f"/api/conversations/{name}/turns", json={"text": "yes"}) for name in ("x", "y")]
        assert [answer.json()["text"] for answer in late] == ["Thank you, Eve."] * 2
        assert [[one["number"] for one in answer.json()["recovered"]] for answer in late] == [[2], [2]]
        await listening.leave()
