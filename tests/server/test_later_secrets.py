"""Words that became secret after they were said are hidden wherever clients look, in the past and in streams."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from support.served import Client, Listening, in_loop, served
from turnwise.server.limits import LOCAL_LIMITS

FLOW = """
flow: door
start: ask
records:
  user: {name: string, pin: {type: string, secret: true, pattern: "[A-Z0-9]{4}"}, age: integer}
nodes:
  ask: {form: {fields: [{field: user.name}, {field: user.pin}, {field: user.age}]}, transitions: [{to: rest}]}
  rest: {say: Thank you., transitions: [{to: ask, when: "turns > 90"}]}
"""
WORD = "QX77"
LATER = "ZK31"


async def told(client: Client) -> None:
    """Say a word, make it the secret, and replace the secret by another."""
    await client.post("/api/conversations", json={"flow": "door", "name": "c"})
    for text in ("Ada", "1234", f"it is {WORD}"):
        await client.post("/api/conversations/c/turns", json={"text": text})
    for secret in (WORD, LATER):
        answer = await client.patch("/api/conversations/c/records", json={"set": {"user.pin": secret}})
        assert answer.status_code == 200, answer.text
    await client.post("/api/conversations/c/turns", json={"text": "hello there"})


@in_loop
async def test_it_is_hidden_in_whatever_a_client_asks_for() -> None:
    async with served(tw.open(flow_of(FLOW))) as client:
        await told(client)
        chat = "/api/conversations/c"
        last = (await client.get(chat)).json()["turn"]
        paths = [f"turns/{turn}" for turn in range(1, last + 1)]
        paths += [
            f"{kind}?turn={turn}" for kind in ("trace", "state", "decisions", "prompt") for turn in range(1, last + 1)
        ]
        paths += [f"why?question=why&turn={turn}" for turn in range(1, last + 1)]
        paths += [
            "transcript",
            "events",
            "state",
            "timeline",
            "artefacts",
            "why",
            "records",
            "timers",
            "edges",
            "approvals",
        ]
        seen = 0
        for path in paths:
            answer = await client.get(f"{chat}/{path}")
            assert WORD not in answer.text, path
            assert LATER not in answer.text, path
            seen += answer.status_code == 200
        assert seen > 20
        for path in ("/api/conversations", f"/api/conversations?text={WORD}", "/api/conversations?text=it"):
            assert WORD not in (await client.get(path)).text.replace(f"text={WORD}", "")


@pytest.mark.parametrize(
    "path",
    [
        "/api/conversations/c/events?after=0",
        "/api/stream?conversation=c&after=0",
        "/api/stream?conversation=c&after=0&debug=true&list=true",
    ],
)
@in_loop
async def test_it_is_hidden_in_streams_of_the_past(path: str) -> None:
    async with served(tw.open(flow_of(FLOW)), limits=LOCAL_LIMITS) as client:
        await told(client)
        listening = Listening(client.server, path)
        last = (await client.get("/api/conversations/c")).json()["turn"]
        await listening.until(lambda events: f'"turn":{last}' in str([_data(one) for one in events]).replace(" ", ""))
        await asyncio.sleep(0.1)
        assert "Ada" in listening.text
        assert WORD not in listening.text
        assert LATER not in listening.text
        await listening.leave()


def _data(event: dict[str, str]) -> Any:
    return json.dumps(json.loads(event["data"]))
