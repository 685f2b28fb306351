"""The stream of decisions as seed 000 describes it: when, for whom, and in which shape."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import turnwise as tw
from support.served import events_of, in_loop, served

ROOT = Path(__file__).parents[2]
HEALTH = ROOT / "examples/health_intake/health_intake.flow.yaml"
NAME = "debug_transition_eval"


async def sent(client: Any, text: str, *, debug: bool = True, **headers: str) -> list[dict[str, str]]:
    """The events of a streamed turn."""
    address = f"/api/conversations/{headers.pop('conversation', 'x')}/turns{'?debug=true' if debug else ''}"
    answer = await client.post(address, json={"text": text}, headers={"accept": "text/event-stream", **headers})
    assert answer.status_code == 200, answer.text
    return list(events_of(answer.text))


@pytest.mark.requirement("000-21", "000-42", "000-43", "000-44")
@in_loop
async def test_each_decision_is_an_event_before_the_turn_ends() -> None:
    async with served(tw.open(HEALTH)) as client:
        await client.post("/api/conversations", json={"flow": "health_intake", "name": "x"})
        events = await sent(client, "I'm Maria, I'm 52, and I agree to the terms")
        names = [one["event"] for one in events]
        assert names[-1] == "turn"
        decisions = [json.loads(one["data"]) for one in events if one["event"] == NAME]
        assert [one["type"] for one in decisions] == [NAME] * len(decisions)
        crews = [(one["data"]["crewName"], one["data"]["didTransition"]) for one in decisions]
        assert crews[0] == ("introduction", True)
        assert ("profiler", False) in crews[1:]
        assert decisions[0]["data"]["transitionTo"] == "profiler"
        stayed = await sent(client, "hm")
        moments = [json.loads(one["data"])["data"] for one in stayed if one["event"] == NAME]
        assert [one["crewName"] for one in moments] == ["profiler", "profiler"]
        schema = json.loads((ROOT / "src/turnwise/schemas/debug_transition_eval.schema.json").read_text("utf-8"))
        for one in decisions:
            one.pop("conversation", None)
            Draft202012Validator(schema).validate(one)


@pytest.mark.requirement("000-46")
@in_loop
async def test_decisions_are_sent_only_to_those_who_ask_and_may() -> None:
    async with served(tw.open(HEALTH), keys=True) as client:
        ada, reader = client.as_("ada"), client.as_("ada", "chat", "debug:read")
        await client.post("/api/conversations", json={"flow": "health_intake", "name": "x"}, headers=ada)
        quiet = await sent(client, "hi", debug=False, conversation="ada:x", **reader)
        assert NAME not in {one["event"] for one in quiet}
        asked = await sent(client, "hi", conversation="ada:x", **reader)
        assert NAME in {one["event"] for one in asked}
        refused = await client.post(
            "/api/conversations/ada:x/turns?debug=true",
            json={"text": "hi"},
            headers={**ada, "accept": "text/event-stream"},
        )
        assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")


@pytest.mark.requirement("000-71")
@in_loop
async def test_no_request_changes_a_flow() -> None:
    async with served() as client:
        paths = (await client.get("/openapi.json")).json()["paths"]
        flows = {path: set(methods) for path, methods in paths.items() if path.startswith("/api/flows")}
        assert flows
        questions = {path: methods for path, methods in flows.items() if not path.endswith("/what-if")}
        settings = {
            path for path in questions if any(part in path for part in ("/overlays/", "/schedules/", "/source"))
        }
        assert set().union(*[methods for path, methods in questions.items() if path not in settings]) == {"get"}
        bodies = json.dumps([one for methods in paths.values() for name, one in methods.items() if name != "get"])
        assert "transitions" not in json.dumps([one.get("requestBody") for one in json.loads(bodies)])
