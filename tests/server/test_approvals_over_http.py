"""Approvals over HTTP: the calls that wait, and what users and operators decide about each (law 4.5)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import in_loop, served
from support.tools import FakeTool, made, uses
from turnwise.models.scripted import ScriptedModel
from turnwise.server.access import Identity

pytestmark = pytest.mark.law("4.5")

FLOW = """
flow: depot
start: desk
tools:
  ship: {about: ship a crate, kind: effect, confirm: true, args: {to: {type: string, about: receiver}, crates: {type: integer, max: 9}, pin: {type: string, secret: true, optional: true}}}
  label: {about: print a label, kind: effect, args: {to: string}}
  scrap: {about: scrap a crate, kind: effect, confirm: true, approver: operator, approve_within: 10m, args: {crate: string}}
nodes:
  desk: {prompt: Run the depot., tools: {allow: ['*']}}
"""
START = 1_700_000_000_000
PATH = "/api/conversations/ada/approvals"
AS_OPERATOR = "/api/conversations/ada/person/approvals"
CALLS = uses(
    made("ship", to="Bo", crates=1, pin="4711"), "label", made("ship", to="Cy", crates=2), made("scrap", crate="7")
)


def depot(*then: Any) -> tuple[tw.App, tw.ManualClock, dict[str, FakeTool]]:
    clock = tw.ManualClock(START)
    app = tw.open(flow_of(FLOW), clock=clock, model=ScriptedModel([CALLS, *then]))
    tools = {name: FakeTool(f"{name} done") for name in ("ship", "label", "scrap")}
    app.chat("x").runtime.performer.tools = tools
    return app, clock, tools


async def begun(client: Any) -> list[dict[str, Any]]:
    assert (await client.post("/api/conversations", json={"flow": "depot", "name": "ada"})).status_code == 201
    return (await client.get(PATH)).json()


def choice(call: dict[str, Any], *, approve: bool = True, **more: Any) -> dict[str, Any]:
    return {"call": call["id"], "approve": approve, **more}


async def post(client: Any, path: str, *decisions: dict[str, Any], **more: Any) -> Any:
    return await client.post(path, json={"decisions": decisions, **more})


@in_loop
async def test_the_calls_that_wait_are_listed_without_secrets() -> None:
    app, clock, _ = depot()
    async with served(app, clock=clock) as client:
        bo, cy, scrap = await begun(client)
        assert [(one["tool"], one["is_asked"], one["approver"], one["then"]) for one in (bo, cy, scrap)] == [
            ("ship", True, "user", ["label"]),
            ("ship", False, "user", []),
            ("scrap", False, "operator", []),
        ]
        assert (bo["about"], bo["since_ms"], scrap["due_ms"]) == ("ship a crate", START, START + 600_000)
        assert [(one["title"], one["text"], one["is_secret"]) for one in bo["arguments"]][:2] == [
            ("receiver", "Bo", False),
            ("crates", "1", False),
        ]
        assert bo["arguments"][2]["is_secret"]
        texts = [
            (await client.get(f"/api/conversations/ada{path}")).text for path in ("/approvals", "/state", "/trace")
        ]
        assert not [text for text in texts if "4711" in text]
        state = (await client.get("/api/conversations/ada/state")).json()
        assert [one["id"] for one in state["approvals"]] == [bo["id"], cy["id"], scrap["id"]]


@in_loop
async def test_each_call_is_decided_by_itself_and_by_the_one_who_may() -> None:
    app, clock, tools = depot("All is done.")
    async with served(app, clock=clock) as client:
        bo, cy, scrap = await begun(client)
        refused = await post(client, PATH, choice(scrap))
        assert (refused.status_code, refused.json()["code"]) == (403, "approver")
        refused = await post(client, AS_OPERATOR, choice(bo), operator="Lena")
        assert (refused.status_code, refused.json()["code"]) == (403, "approver")
        first = await post(client, PATH, choice(cy, arguments={"crates": 3}), choice(bo, approve=False, reason="far"))
        assert first.status_code == 200, first.text
        assert [one["id"] for one in (await client.get(PATH)).json()] == [scrap["id"]]
        last = await post(client, AS_OPERATOR, choice(scrap), operator="Lena")
        assert (last.json()["text"], (await client.get(PATH)).json()) == ("All is done.", [])
        assert tools["ship"].calls == [{"to": "Cy", "crates": 3}]
        assert len(tools["scrap"].calls) == 1


@in_loop
async def test_a_wrong_argument_is_named_by_its_place_and_nothing_runs() -> None:
    app, clock, tools = depot()
    async with served(app, clock=clock) as client:
        bo, cy, _ = await begun(client)
        answer = await post(client, PATH, choice(bo), choice(cy, arguments={"crates": 99}))
        assert (answer.status_code, answer.json()["code"]) == (422, "arguments")
        assert [one["at"] for one in answer.json()["errors"]] == ["/decisions/1/arguments/crates"]
        assert (len((await client.get(PATH)).json()), tools["ship"].calls) == (3, [])


@in_loop
async def test_of_two_decisions_at_once_one_counts() -> None:
    app, clock, tools = depot("Well.")
    async with served(app, clock=clock) as client:
        bo, *_ = await begun(client)
        yes, no = await asyncio.gather(post(client, PATH, choice(bo)), post(client, PATH, choice(bo, approve=False)))
        assert sorted([yes.status_code, no.status_code]) == [200, 409]
        assert len(tools["ship"].calls) == (yes.status_code == 200)
        late = no if yes.status_code == 200 else yes
        assert late.json()["code"] == "unknown_call"


@in_loop
async def test_a_repeated_decision_with_its_key_counts_once() -> None:
    app, clock, tools = depot()
    async with served(app, clock=clock) as client:
        bo, *_ = await begun(client)
        for _ in range(2):
            body, key = {"decisions": [choice(bo)]}, {"Idempotency-Key": "one"}
            assert (await client.post(PATH, json=body, headers=key)).status_code == 200
        assert len(tools["ship"].calls) == 1


class Keys:
    """Two callers: one with the scope of users, one with that of operators."""

    credential = "key"

    def identify(self, scope: Any) -> Identity:
        name = dict(scope["headers"]).get(b"x-name", b"ada").decode()
        return Identity(name, frozenset({"operator" if name == "otto" else "chat"}))

    def refusal(self, _: Any) -> Exception:
        return AssertionError("everybody is known")


@in_loop
async def test_the_owner_of_the_key_is_recorded_and_users_are_no_operators() -> None:
    app, clock, _ = depot("Well.")
    async with served(app, clock=clock, access=Keys()) as client:
        answer = await client.post("/api/conversations", json={"flow": "depot", "name": "ada"})
        name = answer.json()["conversation"]["id"]
        bo, cy, scrap = (await client.get(f"/api/conversations/{name}/approvals")).json()
        body = {"decisions": [choice(scrap)], "operator": "somebody"}
        path = f"/api/conversations/{name}/person/approvals"
        assert (await client.post(path, json=body)).status_code == 403
        assert (await client.post(path, json=body, headers={"x-name": "otto"})).status_code == 200
        decided = {"decisions": [choice(bo), choice(cy)]}
        assert (await client.post(f"/api/conversations/{name}/approvals", json=decided)).status_code == 200
        events = [one.event for one in await app.chat(name).journal()]
        assert [one.by for one in events if type(one).__name__ == "CallApproved"] == ["otto", "ada", "ada"]
