"""Turns over HTTP: plain and as events, once per key, beyond the life of their connection."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import ELIGIBILITY, Client, Listening, in_loop, served
from turnwise.server.limits import ServerLimits

pytestmark = pytest.mark.usefixtures("any_engine")


class Slow:
    """A model that says three words, and waits for `go` before each."""

    def __init__(self) -> None:
        self.go = asyncio.Semaphore(0)
        self.calls = 0

    async def stream(self, request: tw.ModelRequest) -> AsyncIterator[Any]:
        self.calls += 1
        for word in ("one ", "two ", "three"):
            await self.go.acquire()
            yield tw.TextDelta(word)


def speaking() -> tw.Flow:
    return tw.Flow("talk", start="a", nodes=(tw.Node("a", prompt="Speak."),))


async def begun(client: Client, flow: str, name: str = "x", **more: Any) -> str:
    answer = await client.post("/api/conversations", json={"flow": flow, "name": name}, **more)
    assert answer.status_code == 201, answer.text
    return answer.json()["conversation"]["id"]


async def send(client: Client, body: dict[str, Any], name: str = "x", **headers: str) -> Any:
    return await client.post(f"/api/conversations/{name}/turns", json=body, headers=headers)


@in_loop
async def test_a_message_is_answered_with_its_turn() -> None:
    async with served() as client:
        await begun(client, "eligibility")
        turn = (await send(client, {"text": "hello"})).json()
        assert turn["number"] == 2
        assert turn["messages"][0] == {**turn["messages"][0], "by": "user", "text": "hello"}
        assert turn["text"] == turn["messages"][-1]["text"]
        again = (await client.get("/api/conversations/x/turns/2")).json()
        assert again == turn
        none = await client.get("/api/conversations/x/turns/9")
        assert (none.status_code, none.json()["code"]) == (404, "unknown_turn")


@in_loop
async def test_a_key_counts_once() -> None:
    async with served() as client:
        await begun(client, "eligibility")
        first = (await send(client, {"text": "we have some"}, **{"idempotency-key": "k1"})).json()
        again = (await send(client, {"text": "we have some"}, **{"idempotency-key": "k1"})).json()
        assert again == {**first, "is_duplicate": True}
        other = await send(client, {"text": "another"}, **{"idempotency-key": "k1"})
        assert (other.status_code, other.json()["code"]) == (409, "key_reused")
        assert other.json()["turn"]["refused"] == "key_reused"


@in_loop
async def test_a_key_begins_one_conversation() -> None:
    eligibility, clock = tw.open(ELIGIBILITY), tw.ManualClock(0)
    other = tw.open(tw.Flow("other", start="a", nodes=(tw.Node("a", prompt="?"),)), store=eligibility.runtime.store)
    async with served(eligibility, other, keys=True, clock=clock, limits=ServerLimits(conversations=2)) as client:
        ada, bob = ({**client.as_(name), "idempotency-key": "k1"} for name in ("ada", "bob"))

        async def begin(headers: dict[str, str], **body: str) -> Any:
            return await client.post("/api/conversations", json={"flow": "eligibility", **body}, headers=headers)

        first, again = await begin(ada), await begin(ada)
        assert (first.status_code, again.status_code) == (201, 201)
        assert again.json() == {**first.json(), "turn": {**first.json()["turn"], "is_duplicate": True}}
        for body in ({"time_zone": "Europe/Oslo"}, {"flow": "other"}):
            refused = await begin(ada, **body)
            assert (refused.status_code, refused.json()["code"]) == (409, "key_reused"), body
        assert (await begin(bob)).json()["conversation"]["id"] != first.json()["conversation"]["id"]
        named = [await begin({**ada, "idempotency-key": "k2"}, name="x") for _ in range(2)]
        assert [one.json()["turn"]["is_duplicate"] for one in named] == [False, True]
        assert (await begin(ada, name="x")).json()["code"] == "conversation_exists"
        listed = (await client.get("/api/conversations", headers=ada)).json()
        assert listed["total"] == 2


@in_loop
async def test_a_key_makes_one_copy_and_imports_once() -> None:
    async with served(keys=True, limits=ServerLimits(conversations=2)) as client:
        ada = {**client.as_("ada", "chat", "debug:read", "admin"), "idempotency-key": "k1"}
        await begun(client, "eligibility", headers=client.as_("ada"))
        path = "/api/conversations/ada:x/fork"

        async def fork(**body: Any) -> Any:
            return await client.post(path, json=body, headers=ada)

        first, again = await fork(), await fork()
        assert (first.status_code, again.status_code) == (201, 201)
        assert again.json() == first.json()
        at_once = await asyncio.gather(*[client.post(path, json={"turn": 1}, headers=ada) for _ in range(2)])
        assert [(one.status_code, one.json()["code"]) for one in at_once] == [(409, "key_reused")] * 2
        listed = (await client.get("/api/conversations", headers=ada)).json()
        assert listed["total"] == 2
        file = (await client.get("/api/conversations/ada:x/export", headers=ada)).content
        lines = {**ada, "content-type": "application/x-ndjson"}
        sent = [
            await client.post("/api/conversations/import?name=ada:y", content=file, headers=lines) for _ in range(2)
        ]
        assert [one.status_code for one in sent] == [201, 201], sent[1].text
        assert sent[0].json() == sent[1].json()


@in_loop
async def test_two_equal_forks_at_once_make_one_copy() -> None:
    async with served() as client:
        await begun(client, "eligibility")
        headers = {"idempotency-key": "k1"}
        path = "/api/conversations/x/fork"
        sent = await asyncio.gather(*[client.post(path, json={"name": "y"}, headers=headers) for _ in range(5)])
        assert {one.status_code for one in sent} == {201}
        assert len({one.content for one in sent}) == 1


@pytest.mark.parametrize(
    ("body", "status", "code", "said"),
    [
        ({}, 422, "invalid", "exactly one of"),
        ({"text": "a", "button": "b"}, 422, "invalid", "there are text and button"),
        ({"undo": {}, "position": 3}, 422, "invalid", "belongs to text or button"),
        ({"text": ""}, 422, "message_empty", ""),
        ({"text": "x" * 30_000}, 413, "body_too_large", "message_chars"),
        ({"button": "no such"}, 422, "unknown_button", ""),
        ({"timer": {"transition": "none"}}, 422, "unknown_timer", ""),
        ({"undo": {"to": 99}}, 404, "unknown_turn", ""),
        ({"commands": [{"type": "fly"}]}, 422, "invalid", "/commands"),
        ({"tool": {"name": "none"}}, 422, "unknown_tool", ""),
        ({"texts": "a"}, 422, "invalid", "/texts: there is no such key"),
    ],
)
def test_an_event_that_does_not_fit_is_refused_with_its_code(body: Any, status: int, code: str, said: str) -> None:
    @in_loop
    async def sends() -> None:
        async with served() as client:
            await begun(client, "eligibility")
            answer = await send(client, body)
            assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
            assert said in answer.json()["detail"]

    sends()


@in_loop
async def test_commands_tools_and_timers_need_admin() -> None:
    async with served(keys=True) as client:
        await begun(client, "eligibility", headers=client.as_("ada"))
        for body in ({"commands": []}, {"tool": {"name": "t"}}, {"timer": {"transition": "t"}}):
            answer = await send(client, body, "ada:x", **client.as_("ada", "chat", "debug:read"))
            assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope"), body
        debug = await client.post(
            "/api/conversations/ada:x/turns?debug=true", json={"text": "a"}, headers=client.as_("ada")
        )
        assert debug.status_code == 403


@in_loop
async def test_a_turn_comes_as_events_and_ends_with_the_same_result() -> None:
    model = Slow()
    app = tw.open(speaking(), model=model)
    async with served(app) as client:
        model.go.release(), model.go.release(), model.go.release()
        await begun(client, "talk")
        listening = Listening(
            client.server,
            "/api/conversations/x/turns?debug=true",
            {"content-type": "application/json"},
            json.dumps({"text": "go on"}).encode(),
        )
        for _ in range(3):
            model.go.release()
        await listening.ended()
        names = [event["event"] for event in listening.events]
        assert [json.loads(one["data"])["text"] for one in listening.named("delta")] == ["one ", "two ", "three"]
        assert names[-1] == "turn"
        assert {"entry", "message", "delta"} <= set(names)
        result = json.loads(listening.events[-1]["data"])["turn"]
        assert result == (await client.get("/api/conversations/x/turns/2")).json()
        assert result["messages"][-1] == {**result["messages"][-1], "text": "one two three", "by": "model"}


@in_loop
async def test_a_refused_event_and_a_failed_turn_end_the_stream_with_their_reason() -> None:
    async with served() as client:
        await begun(client, "eligibility")
        body = json.dumps({"button": "none"}).encode()
        listening = Listening(client.server, "/api/conversations/x/turns", {"content-type": "application/json"}, body)
        await listening.ended()
        assert [event["event"] for event in listening.events] == ["turn"]
        assert json.loads(listening.events[0]["data"])["turn"]["refused"] == "unknown_button"


@in_loop
async def test_a_turn_outlives_its_connection_and_the_next_one_reports_it() -> None:
    model = Slow()
    async with served(tw.open(speaking(), model=model)) as client:
        for _ in range(3):
            model.go.release()
        await begun(client, "talk")
        post = Listening(
            client.server,
            "/api/conversations/x/turns",
            {"content-type": "application/json", "accept": "application/json"},
            json.dumps({"text": "go on"}).encode(),
        )
        model.go.release()
        await asyncio.sleep(0.4)
        post._has_left.set()
        await asyncio.sleep(0.05)
        model.go.release(), model.go.release()
        await post.ended()
        assert (await client.get("/api/conversations/x")).json()["turn"] == 2
        for _ in range(3):
            model.go.release()
        following = (await send(client, {"text": "what?"})).json()
        assert [one["number"] for one in following["recovered"]] == [2]
        assert following["recovered"][0]["text"] == "one two three"


@in_loop
async def test_a_client_that_takes_nothing_of_a_turn_is_let_go_and_the_next_turn_has_it() -> None:
    model = Slow()
    limits = ServerLimits(stalled_s=0.1, requests_per_minute=0)
    async with served(tw.open(speaking(), model=model), limits=limits) as client:
        for _ in range(3):
            model.go.release()
        await begun(client, "talk")
        path, headers = "/api/conversations/x/turns", {"content-type": "application/json"}
        stalled = Listening(client.server, path, headers, b'{"text": "go on"}', most=1)
        model.go.release()
        await stalled.until(lambda _: bool(stalled.named("delta")))
        model.go.release()
        async with asyncio.timeout(60):
            while client.server.service.hub.feeds.watched("x"):
                await asyncio.sleep(0.01)
        model.go.release()
        async with asyncio.timeout(60):
            while (await client.get("/api/conversations/x")).json()["status"] == "working":
                await asyncio.sleep(0.01)
        for _ in range(3):
            model.go.release()
        following = (await send(client, {"text": "and now?"})).json()
        assert [one["number"] for one in following["recovered"]] == [2]
        stalled._most = 0
        await stalled.ended()
        assert stalled.is_complete, "servers log an error for a response that is not complete"
        assert not stalled.named("turn")


@in_loop
async def test_two_tabs_answer_the_same_question_at_once_and_both_are_told_what_became_of_it() -> None:
    async with served() as client:
        first = await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"})
        turn = first.json()["turn"]
        button = turn["buttons"][0]["value"]
        body = {"button": button, "position": turn["position"]}
        one, two = await asyncio.gather(send(client, body), send(client, body))
        assert sorted(answer.status_code for answer in (one, two)) == [200, 200]
        warned = [answer.json()["warnings"] for answer in (one, two)]
        assert sum(any(w["code"] == "stale_button" for w in found) for found in warned) == 1


TWO = """
flow: two
start: ask
records: {u: {first: string, last: string}}
nodes:
  ask:
    form: {fields: [{field: u.first, ask: Your first name?}, {field: u.last, ask: Your last name?}]}
    transitions: [{at: after, when: form.status == "confirmed", to: done}]
  done: {say: "Hello {{ u.first }} {{ u.last }}.", end: done}
"""


@in_loop
async def test_of_two_tabs_that_send_the_same_text_at_once_one_is_taken() -> None:
    async with served(tw.open(flow_of(TWO))) as client:
        begun = await client.post("/api/conversations", json={"flow": "two", "name": "x"})
        body = {"text": "Ada", "position": begun.json()["turn"]["seq"]}
        path = "/api/conversations/x/turns"
        first, second = await asyncio.gather(client.post(path, json=body), client.post(path, json=body))
        taken, lost = sorted((first, second), key=lambda answer: answer.status_code)
        assert (taken.status_code, taken.json()["text"]) == (200, "Your last name?")
        assert (lost.status_code, lost.json()["code"]) == (409, "stale")
        assert lost.json()["turn"]["seq"] == taken.json()["seq"] + 1  # the refusal is recorded
        records = (await client.get("/api/conversations/x/records")).json()["values"]
        assert {one["field"]: one["value"] for one in records} == {"u.first": "Ada", "u.last": None}
        again = await client.post(path, json={"text": "Lovelace", "position": lost.json()["turn"]["seq"]})
        assert again.json()["text"] == "Hello Ada Lovelace."


@in_loop
async def test_a_text_with_the_same_key_is_no_stale_one_and_what_the_machine_said_makes_none_stale() -> None:
    clock = tw.ManualClock(1_700_000_000_000)
    nudge = "{id: nudge, at: timer, in: 1m, stay: true}"
    flow = TWO.replace("    transitions: [", f"    transitions: [{nudge}, ")
    app = tw.open(flow_of(flow), clock=clock)
    async with served(app, clock=clock) as client:
        begun = await client.post("/api/conversations", json={"flow": "two", "name": "x"})
        body, path = {"text": "Ada", "position": begun.json()["turn"]["seq"]}, "/api/conversations/x/turns"
        for is_duplicate in (False, True):
            answer = await client.post(path, json=body, headers={"idempotency-key": "k"})
            assert (answer.status_code, answer.json()["is_duplicate"]) == (200, is_duplicate)
        seen = answer.json()["seq"]
        clock.move_s(61)
        assert await app.tick() == 1
        assert (await client.get("/api/conversations/x")).json()["seq"] > seen
        answer = await client.post(path, json={"text": "Lovelace", "position": seen})
        assert answer.status_code == 200, answer.text
        undone = await client.post(path, json={"undo": {}, "position": 1})
        assert (undone.status_code, undone.json()["errors"][0]["at"]) == (422, "/position")


@in_loop
async def test_a_turn_leaves_nothing_to_the_garbage_collector() -> None:
    """Else the states of many turns stay in memory, until the collector finds them."""
    async with served() as client:
        await begun(client, "eligibility")
        await send(client, {"text": "hello"})
        with unreachable() as found:
            await send(client, {"text": "we have some"})
    assert [one for one in found if type(one).__module__.startswith("turnwise")] == []


@contextmanager
def unreachable() -> Generator[list[object]]:
    """Yield a list, which has at the end the objects that only the garbage collector could free."""
    found: list[object] = []
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        found += gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
