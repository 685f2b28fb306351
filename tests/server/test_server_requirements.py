"""What the seeds ask of the server: decisions that are streamed live, the same ones later, and rules that stay files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import ROOT, Listening, events_of, in_loop, served
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand

CLOCK = 1_700_000_000_000
EVENT = "debug_transition_eval"
BOTH = """
flow: both
start: home
records: {user: {name: string, age: integer}}
tools: {look: {about: look it up}}
nodes:
  home:
    prompt: Talk.
    tools: {allow: [look]}
    transitions:
      - {id: young, at: before, when: user.age < 18, because: under 18, to: away}
      - {id: named, at: after, when: has(user.name), because: the name is known, to: done}
  away: {say: Sorry., end: refused}
  done: {say: Done., end: completed}
"""


class Waiting:
    """A model that answers when it may."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.asked = asyncio.Event()

    async def stream(self, request: tw.ModelRequest) -> AsyncIterator[Any]:
        self.asked.set()
        await self.go.wait()
        yield tw.TextDelta("Well.")


def reads(message: str, allowed: tw.AllowedInput) -> list[AnyCommand]:
    return []


async def streamed(client: Any, body: dict[str, Any], query: str = "?debug=true", **headers: str) -> Any:
    accept = {"accept": "text/event-stream", **headers}
    return await client.post(f"/api/conversations/x/turns{query}", json=body, headers=accept)


def both(**more: Any) -> tw.App:
    return tw.open(flow_of(BOTH), clock=tw.ManualClock(CLOCK), **more)


@pytest.mark.requirement("000-21", "000-42", "000-43", "000-44")
@in_loop
async def test_each_decision_is_streamed_before_the_turn_ends_and_is_the_same_later() -> None:
    app = both(model=tw.ScriptedModel(["Hello.", "And you?"]))
    async with served(app) as client:
        await app.chat("x").start()
        answer = await streamed(client, {"text": "hello"})
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = list(events_of(answer.text))
        names = [event["event"] for event in events]
        evaluations = [json.loads(event["data"]) for event in events if event["event"] == EVENT]
        assert len(evaluations) == 2
        assert names.index("turn") > max(place for place, name in enumerate(names) if name == EVENT)
        assert all(one["type"] == EVENT and one["data"]["crewName"] == "home" for one in evaluations)
        assert [one["data"]["decision"]["moment"] for one in evaluations] == ["before", "after"]
        trace = (await client.get("/api/conversations/x/trace")).json()
        for one, later in zip(evaluations, trace["decisions"], strict=True):
            assert {key: value for key, value in one["data"].items() if key != "decision"} == later["evaluation"]
            assert one["data"]["decision"] == later["decision"]


@pytest.mark.requirement("000-21")
@in_loop
async def test_a_decision_arrives_while_the_model_still_works() -> None:
    model = Waiting()
    app = both(model=model)
    async with served(app) as client:
        server = client.server.service
        running = asyncio.create_task(app.chat("x").say("hello"))
        await model.asked.wait()
        state = await server.store.load("x")
        assert state is not None
        assert state.doing is not None
        decided = [entry for entry in await server.store.entries("x") if isinstance(entry.event, e.Decided)]
        page = (await client.get("/api/conversations/x/events")).json()
        assert [row["seq"] for row in page["events"] if row["kind"] == "decided"] == [entry.seq for entry in decided]
        assert decided != []
        assert not running.done()
        model.go.set()
        await running


@pytest.mark.requirement("000-21")
@in_loop
async def test_a_decision_is_streamed_in_full_before_the_model_speaks() -> None:
    model = Waiting()
    async with served(both(model=model)) as client:
        model.go.set()
        await client.post("/api/conversations", json={"flow": "both", "name": "x"})
        model.go.clear(), model.asked.clear()
        path = "/api/conversations/x/turns?debug=true"
        tab = Listening(client.server, "/api/stream?conversation=x&debug=true")
        await tab.until(bool)
        turn = Listening(client.server, path, {"content-type": "application/json"}, b'{"text": "hello"}')
        await model.asked.wait()
        for one in (turn, tab):
            await one.until(lambda _: bool(one.named(EVENT)))  # noqa: B023
            assert "delta" not in {event["event"] for event in one.events}
            (first,) = [json.loads(event["data"])["data"] for event in one.named(EVENT)]
            assert first["decision"]["moment"] == "before"
        model.go.set()
        for one in (turn, tab):
            await one.until(lambda _: bool(one.named("turn")))  # noqa: B023
            names = [event["event"] for event in one.named(EVENT, "delta", "turn")]
            assert names == [EVENT, "delta", EVENT, "turn"]
        begun = json.loads(tab.named("entry")[0]["data"])["entry"]["seq"] - 1
        again = Listening(client.server, f"/api/stream?conversation=x&debug=true&after={begun}")
        await again.until(lambda _: bool(again.named("turn")))
        durable = [event for event in tab.named() if event["event"] != "delta"]
        assert [event["data"] for event in again.named()] == [event["data"] for event in durable]
        for one in (tab, again):
            await one.leave()


@pytest.mark.requirement("002-23")
@in_loop
async def test_while_the_model_works_the_conversation_says_so_and_since_when() -> None:
    model, clock = Waiting(), tw.ManualClock(CLOCK)
    app = tw.open(flow_of(BOTH), clock=clock, model=model)
    async with served(app, clock=clock) as client:
        running = asyncio.create_task(app.chat("x").say("hello"))
        await model.asked.wait()
        clock.move_s(5)
        found = (await client.get("/api/conversations/x")).json()
        assert (found["status"], found["waits_for"], found["since_ms"]) == ("working", "model", CLOCK)
        listed = (await client.get("/api/conversations")).json()["conversations"]
        assert [(one["id"], one["status"]) for one in listed] == [("x", "working")]
        model.go.set()
        await running
        found = (await client.get("/api/conversations/x")).json()
        assert (found["status"], found["waits_for"]) == ("waiting", "message")


@pytest.mark.requirement("000-46")
@in_loop
async def test_evaluations_come_only_to_those_who_asked_and_may() -> None:
    app = both(model=tw.ScriptedModel(["Hello."] * 5))
    async with served(app, keys=True) as client:
        ada, reader = client.as_("ada"), client.as_("ada", "chat", "debug:read")
        begun = await client.post("/api/conversations", json={"flow": "both", "name": "x"}, headers=ada)
        name = begun.json()["conversation"]["id"]

        async def names(query: str, headers: dict[str, str]) -> tuple[int, set[str]]:
            accept = {"accept": "text/event-stream", **headers}
            url = f"/api/conversations/{name}/turns{query}"
            answer = await client.post(url, json={"text": "hello"}, headers=accept)
            return answer.status_code, {event["event"] for event in events_of(answer.text) if "event" in event}

        status, plain = await names("", reader)
        assert status == 200
        assert EVENT not in plain
        assert (await names("?debug=true", reader))[1] >= {EVENT, "entry", "turn"}
        assert (await names("?debug=true", ada))[0] == 403


@pytest.mark.requirement("000-71")
@in_loop
async def test_no_request_changes_the_rules_of_a_flow() -> None:
    app = both(model=tw.ScriptedModel(["Hello."] * 5))
    async with served(app) as client:
        paths = (await client.get("/openapi.json")).json()["paths"]
        writing = {"put", "post", "patch", "delete"}
        changed = [(path, method) for path, found in paths.items() for method in found if method in writing]
        of_flows = [path for path, _ in changed if "/flows" in path and not path.endswith("/what-if")]
        # what is forced of an overlay, and the input of a schedule, are settings beside the flow
        documents = [path for path in of_flows if "/source" in path]  # each is refused unless the server may edit
        beside = [path for path in of_flows if "/overlays/" in path or "/schedules/" in path]
        assert set(of_flows) == {*documents, *beside}
        body = {"file": "a.flow.yaml", "text": "flow: a", "sha256": "0" * 64}
        refused = await client.put(f"/api/flows/{app.machine.flow.name}/source", json=body)
        assert (refused.status_code, refused.json()["code"]) == (409, "editing_off")
        assert changed != []
        fingerprint = app.machine.fingerprint
        rules = {"rules": {"young": "user.age < 99"}}
        await app.chat("x").say("hello")
        assert (await client.post("/api/conversations/x/what-if", json=rules)).status_code == 200
        assert app.machine.fingerprint == fingerprint == (await client.get("/api/flows")).json()[0]["fingerprint"]
        for method in ("put", "patch", "delete", "post"):
            assert (await client.request(method, "/api/flows/both", json={})).status_code == 405


@pytest.mark.requirement("001-18")
@in_loop
async def test_a_client_can_read_which_tools_were_used_in_which_order() -> None:
    app = both(model=tw.ScriptedModel(["Hello."] * 5))
    async with served(app) as client:
        await app.chat("x").say("hello")
        for _ in range(2):
            await app.chat("x").tool_used("look", {}, 1)
        state = (await client.get("/api/conversations/x/state")).json()
        assert state["tools"] == {"look": 2}
        assert [(use[0], use[1], use[2]) for use in state["last_tools"]] == [("look", 2, "home"), ("look", 3, "home")]


@pytest.mark.requirement("000-57")
@in_loop
async def test_the_evaluation_of_an_old_message_is_kept_also_when_the_server_was_restarted(tmp_path: Any) -> None:
    store = f"sqlite:///{tmp_path}/c.db"
    path = ROOT / "examples/health_intake/health_intake.flow.yaml"
    found: list[Any] = []
    for number in range(2):
        app = tw.open(path, clock=tw.ManualClock(CLOCK), store=store)
        async with served(app) as client:
            if not number:
                for message in ("I'm Maria, and I'm thirty-five", "sorry, I am 48", "yes"):
                    await app.chat("x").say(message)
            await client.get("/api/flows/health_intake/edges")  # waits for the counts that a trace shows
            found.append((await client.get("/api/conversations/x/trace?turn=1")).json())
    assert found[0] == found[1]
    assert found[0]["decisions"][0]["evaluation"]["transitionTo"] == "ineligible"


@in_loop
async def test_every_question_is_answered_while_a_turn_is_under_way() -> None:
    model = Waiting()
    app = both(model=model)
    async with served(app) as client:
        running = asyncio.create_task(app.chat("x").say("hello"))
        await model.asked.wait()
        answers = ("transcript", "trace", "timeline", "edges", "state", "prompt", "decisions", "records", "timers")
        for path in ("", *(f"/{name}" for name in (*answers, "artefacts", "events"))):
            answer = await client.get(f"/api/conversations/x{path}")
            assert answer.status_code == 200, (path, answer.text)
        tried = await client.post("/api/conversations/x/dry-run", json={"text": "hello"})
        assert tried.json()["refused"] == "busy"
        for path in ("export", "scenario"):
            answer = await client.get(f"/api/conversations/x/{path}")
            assert (answer.status_code, answer.json()["code"]) == (409, "conflict"), path
        model.go.set()
        await running
