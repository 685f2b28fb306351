"""Every route: without a key, without its scope, and with the conversation of somebody else. HTML is never executed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import turnwise as tw
from support.served import Client, Listening, in_loop, served
from turnwise.server.app import PREFIX, ROUTES
from turnwise.server.operation import Operation

OPERATIONS = [one for operations in ROUTES for one in operations]
OF_A_CONVERSATION = [one for one in OPERATIONS if "{id}" in one.path and one.scope != "admin"]
"""What an admin may do needs that scope, and an admin may see all conversations."""
_SCOPES = ("chat", "debug:read", "admin")


async def asked(client: Client, one: Operation, headers: dict[str, str], conversation: str = "ada:x") -> Any:
    """Send a request to an operation, with a body of its own examples."""
    path = one.path.replace("{id}", conversation).replace("{n}", "1").replace("{flow}", "eligibility")
    content: dict[str, Any] = {}
    if one.body is not None:
        content = {"json": next(iter(one.examples.values()))}
    elif one.method == "POST":
        content = {"content": b"x"}
    if one.path == "/stream":
        path += f"?conversation={conversation}"
    return await client.request(one.method, PREFIX + path, headers=headers, **content)


async def begun(client: Client) -> None:
    for owner in ("ada", "bob"):
        answer = await client.post(
            "/api/conversations", json={"flow": "eligibility", "name": "x"}, headers=client.as_(owner)
        )
        assert answer.status_code == 201


@pytest.mark.parametrize("one", [one for one in OPERATIONS if one.scope], ids=lambda one: f"{one.method} {one.path}")
def test_an_operation_needs_a_key_with_its_scope(one: Operation) -> None:
    @in_loop
    async def asks() -> None:
        async with served(keys=True) as client:
            await begun(client)
            nobody = await asked(client, one, {})
            assert (nobody.status_code, nobody.json()["code"]) == (401, "unauthenticated")
            assert nobody.headers["www-authenticate"].startswith("Bearer")
            others = [scope for scope in _SCOPES if scope not in (one.scope, "admin")]
            lacking = await asked(client, one, client.as_("ada", *others))
            assert (lacking.status_code, lacking.json()["code"]) == (403, "missing_scope"), lacking.text

    asks()


@pytest.mark.parametrize("one", OF_A_CONVERSATION, ids=lambda one: f"{one.method} {one.path}")
def test_the_conversation_of_somebody_else_is_not_there(one: Operation) -> None:
    """Neither that it exists nor anything of it can be seen: the answer is that for one that does not exist."""

    @in_loop
    async def asks() -> None:
        async with served(keys=True) as client:
            await begun(client)
            bob = client.as_("bob", "chat", "debug:read")
            found = await asked(client, one, bob, "ada:x")
            unknown = await asked(client, one, bob, "ada:none")
            assert (found.status_code, found.json()["code"]) == (404, "unknown_conversation"), found.text
            assert found.json() == json.loads(unknown.text.replace("ada:none", "ada:x"))
            own = await asked(client, one, bob, "bob:x")
            assert own.status_code != 404 or own.json()["code"] != "unknown_conversation", own.text

    asks()


@in_loop
async def test_the_stream_of_somebody_elses_conversation_is_not_there() -> None:
    async with served(keys=True) as client:
        await begun(client)
        for path in ("/api/stream?conversation=ada:x", "/api/stream?conversation=bob:x&conversation=ada:x"):
            listening = Listening(client.server, path, client.as_("bob"))
            await listening.ended()
            assert (listening.status, json.loads(listening.text)["code"]) == (404, "unknown_conversation")


HTML = "<script>alert(1)</script><img src=x onerror=alert(2)>"


@in_loop
async def test_html_in_a_name_a_message_or_an_error_is_never_sent_as_a_page() -> None:
    async with served() as client:
        name = HTML.replace("/", "%2F")
        await client.post("/api/conversations", json={"flow": "eligibility", "name": HTML})
        turn = await client.post(f"/api/conversations/{name}/turns", json={"text": HTML})
        assert turn.status_code == 200
        answers = [
            turn,
            await client.get(f"/api/conversations/{name}"),
            await client.get(f"/api/conversations/{name}/transcript"),
            await client.get(f"/api/conversations/{name}/events"),
            await client.get(f"/api/conversations/{HTML}x"),
            await client.get(f"/api/flows/{name}"),
            await client.get(f"/{name}", headers={"accept": "text/html"}),
            await client.get(f"/api/{name}", headers={"accept": "text/html"}),
            await client.post("/api/conversations", content=HTML, headers={"content-type": "text/html"}),
            await client.get("/api/me", headers={"host": HTML}),
        ]
        for answer in answers:
            kind = answer.headers["content-type"]
            assert kind.startswith(("application/json", "application/problem+json")) or HTML not in answer.text, kind
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "unsafe-inline" not in answer.headers["content-security-policy"]
            assert re.search(r"script-src 'self'|default-src 'none'", answer.headers["content-security-policy"])


@in_loop
async def test_a_line_break_in_a_value_cannot_forge_an_event() -> None:
    """What a user or a model says stands in the JSON of one `data:` line, whatever is in it."""
    async with served() as client:
        await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"})
        listening = Listening(client.server, "/api/stream?conversation=x")
        await listening.until(bool)
        forged = "a\n\nevent: draining\ndata: {}\nid: 9\n\n\r\rdata: x\u2028 end"
        await client.post("/api/conversations/x/turns", json={"text": forged})
        await listening.until(lambda _: bool(listening.named("turn")))
        assert not listening.named("draining")
        said = json.loads(listening.named("message")[0]["data"])["message"]["text"]
        assert said == forged
        await listening.leave()


def test_no_scope_is_without_an_operation() -> None:
    assert {one.scope for one in OPERATIONS} == {None, *_SCOPES}
    assert {one.path for one in OPERATIONS if one.scope is None} == {"/health", "/ready"}


@in_loop
async def test_a_flow_with_code_of_the_user_does_not_show_it_without_debug() -> None:
    app = tw.open(tw.Flow("f", start="a", nodes=(tw.Node("a", end="done"),)))
    async with served(app, keys=True) as client:
        page = (await client.get("/api/flows/f", headers=client.as_("ada"))).json()
        assert (page["source"], page["coverage"], page["parked"]) == (None, None, {})
