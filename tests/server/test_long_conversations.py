"""Requests about a long conversation let others have their turn meanwhile.

The measure is how many functions the server calls between two turns of another task, which no other load on the machine
changes. What runs in another thread does not count: the interpreter switches between threads by itself.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

import pytest

import turnwise as tw
from support.served import ROOT, Client, in_loop, served
from turnwise.runner.search import ConversationPage, ConversationQuery
from turnwise.server.service import MOST_LONG_WORK

TURNS = 400
MOST_CALLS = 25_000
"""Some 10 ms. What is not interrupted makes ten times as many at least."""
REST_S = 0.0001
"""How long the other task rests in each turn, so that work in a thread goes on beside it.

A loop that never rests takes the interpreter's lock back before a waiting thread wakes.
"""
WORDS = ("what exactly do I agree to?", "I'm Maria, and I'm thirty-five", "hm", "sorry, I am 48", "I am 35")
READS = (
    *("transcript", "timeline", "edges", "events?limit=1000", "trace", "state", "records", "artefacts", "prompt"),
    *("decisions", "why", "why?subject=user.age", "why?subject=end", "why?against_turn=2", "why?against=copy"),
    *("export", "scenario"),
)


async def longest(client: Client, method: str, path: str, **more: Any) -> int:
    """Return the most functions that are called between two turns of another task, while a request is answered."""
    calls, found, loop = 0, [0], asyncio.get_running_loop()

    def count(_: Any, event: str, __: Any) -> None:
        nonlocal calls
        calls += event == "call"

    def take_turn() -> None:
        nonlocal calls
        found.append(calls)
        calls = 0
        time.sleep(REST_S)
        loop.call_soon(take_turn)

    asking = asyncio.create_task(client.request(method, f"/api/{path}", **more))
    loop.call_soon(take_turn)
    sys.setprofile(count)
    try:
        answer = await asking
    finally:
        sys.setprofile(None)
    assert answer.status_code < 300, answer.text
    return max(*found, calls)


@in_loop
async def test_a_list_of_many_conversations_lets_others_have_their_turn() -> None:
    app = tw.open(ROOT / "examples/health_intake/health_intake.flow.yaml")
    async with served(app, keys=True) as client:
        for number in range(150):
            await app.chat(f"ada:{number}").start()
        await client.get("/api/conversations?limit=1")  # compiles the patterns by which the client checks answers
        for scopes in (("chat",), ("admin",)):
            for path in ("conversations?limit=200", "conversations?limit=200&text=ada"):
                calls = await longest(client, "GET", path, headers=client.as_("ada", *scopes))
                assert calls < MOST_CALLS / 3, (path, scopes, calls)


@in_loop
async def test_a_request_about_a_long_conversation_lets_others_have_their_turn() -> None:
    model = tw.ScriptedModel(["Well, tell me more."] * TURNS * 2)
    app = tw.open(ROOT / "examples/health_intake/health_intake.flow.yaml", model=model)
    async with served(app) as client:
        chat = app.chat("long")
        for number in range(TURNS):
            await chat.say(WORDS[number % len(WORDS)])
        file = (await client.get("/api/conversations/long/export")).content
        found = {"import": await longest(client, "POST", "conversations/import?name=copy", content=file)}
        for path in READS:
            found[path] = await longest(client, "GET", f"conversations/long/{path}")
        for path, body in (("fork", {}), ("what-if", {"values": {"user.age": 3}}), ("turns", {"undo": {"to": 2}})):
            found[path] = await longest(client, "POST", f"conversations/long/{path}", json=body)
        found["flow"] = await longest(client, "GET", "flows/health_intake/edges")
        assert {path: calls for path, calls in found.items() if calls > MOST_CALLS} == {}


@in_loop
async def test_many_searches_at_once_leave_threads_for_the_reads_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    app = tw.open(ROOT / "examples/health_intake/health_intake.flow.yaml")
    async with served(app, keys=True) as client:
        store, go, running = client.server.service.store, asyncio.Event(), list[str]()
        find = store.find

        async def slow(query: ConversationQuery) -> ConversationPage:
            if query.text:
                running.append(query.text)
                await go.wait()
            return await find(query)

        monkeypatch.setattr(store, "find", slow)
        path, scopes = "/api/conversations", (("chat",), ("admin",)) * 4
        searches = [
            asyncio.create_task(client.get(path, params={"text": "hm"}, headers=client.as_("ada", *one)))
            for one in scopes
        ]
        for _ in range(200):  # turns of the loop, in which all of them would begin
            await asyncio.sleep(0)
        assert (await client.get(path, headers=client.as_("ada"))).status_code == 200
        assert len(running) == MOST_LONG_WORK
        go.set()
        assert {one.status_code for one in await asyncio.gather(*searches)} == {200}
