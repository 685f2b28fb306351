"""Every route: without a key, without its scope, and with the conversation of somebody else. HTML is never executed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace

import turnwise as tw
from support.chats import flow_of
from support.served import Client, Listening, Names, in_loop, served
from turnwise.server.access import Identity
from turnwise.server.app import PREFIX, ROUTES
from turnwise.server.operation import Operation

OPERATIONS = [one for operations in ROUTES for one in operations]
OF_A_CONVERSATION = [
    one for one in OPERATIONS if "{id}" in one.path and one.scope not in ("operator", "events", "admin")
]
"""Operators, other systems and admins reach the conversations of others."""
OPEN_TO_OPERATORS = {
    *(
        "summary",
        "transcript",
        "frames",
        "trace",
        "ledger",
        "timeline",
        "edges",
        "state",
        "prompt",
        "decisions",
        "why",
        "records",
    ),
    *("edit", "artefacts", "timers", "spending", "turn", "events", "take_over", "say", "give_back", "preview"),
    *("approvals", "decide_as_operator", "time", "force_overlay", "deliveries", "send_again"),
}
"""What operators may do in the conversations of others."""
_SCOPES = ("chat", "debug:read", "operator", "events", "edit", "metrics", "admin")


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
            granting = {one.scope, "admin", "operator" if one.scope == "chat" else ""}
            others = [scope for scope in _SCOPES if scope not in granting]
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


@pytest.mark.parametrize("one", [one for one in OPERATIONS if "{id}" in one.path], ids=lambda one: one.name)
def test_an_operator_reads_every_conversation_and_acts_as_a_person_and_nothing_else(one: Operation) -> None:
    @in_loop
    async def asks() -> None:
        async with served(keys=True) as client:
            await begun(client)
            answer = await asked(client, one, client.as_("lena", "operator", "debug:read"), "ada:x")
            code = answer.json()["code"] if answer.is_error else ""
            if one.name in OPEN_TO_OPERATORS:
                in_charge = ("say", "give_back")
                expected = {
                    "edit": "missing_scope",
                    "decide_as_operator": "unknown_call",
                    "force_overlay": "invalid",
                    "send_again": "unknown_delivery",
                }
                expected |= dict.fromkeys(in_charge, "no_person")
                assert code == expected.get(one.name, ""), answer.text
            else:
                assert code == ("missing_scope" if one.scope in ("admin", "events") else "unknown_conversation"), (
                    answer.text
                )
            without = await asked(client, one, client.as_("lena", "operator"), "ada:x")
            if one.scope == "debug:read":
                assert (without.status_code, without.json()["code"]) == (403, "missing_scope")

    asks()


@in_loop
async def test_an_operator_sees_the_list_the_queue_and_the_stream_of_all_and_deletes_nothing() -> None:
    async with served(keys=True) as client:
        await begun(client)
        lena, key = client.as_("lena", "operator"), client.as_("ada", "operator")
        me = (await client.get("/api/me", headers=lena)).json()
        assert me["scopes"] == ["chat", "operator"]
        found = (await client.get("/api/conversations", headers=lena)).json()
        assert sorted(one["id"] for one in found["conversations"]) == ["ada:x", "bob:x"]
        listening = Listening(client.server, "/api/stream?list=true&conversation=ada:x", lena)
        await listening.until(bool)
        taken = await client.post("/api/conversations/ada:x/person/take-over", json={"operator": "Lena"}, headers=lena)
        assert taken.status_code == 200, taken.text
        assert [one["conversation"]["id"] for one in (await client.get("/api/queue", headers=lena)).json()] == ["ada:x"]
        await listening.until(lambda _: bool(listening.named("summary") and listening.named("turn")))
        await listening.leave()
        debug = await client.get("/api/stream?conversation=ada:x&debug=true", headers=lena)
        assert (debug.status_code, debug.json()["code"]) == (403, "missing_scope")
        assert (await client.delete("/api/conversations/ada:x", headers=lena)).status_code == 404
        assert (await client.delete("/api/conversations/ada:x", headers=key)).status_code == 204


@in_loop
async def test_an_operator_of_some_flows_sees_no_others() -> None:
    class OfOneFlow:
        def identify(self, scope: Any) -> Identity | None:
            found = Names().identify(scope)
            is_lena = found is not None and found.owner == "lena"
            return replace(found, flows=frozenset({"other"})) if found is not None and is_lena else found

    async with served(access=OfOneFlow()) as client:
        await begun(client)
        lena = client.as_("lena", "operator")
        assert (await client.get("/api/conversations", headers=lena)).json()["conversations"] == []
        await client.post(
            "/api/conversations/ada:x/person/take-over", json={"operator": "x"}, headers=client.as_("a", "admin")
        )
        assert (await client.get("/api/queue", headers=lena)).json() == []
        answer = await client.get("/api/conversations/ada:x", headers=lena)
        assert (answer.status_code, answer.json()["code"]) == (409, "flow_not_served")


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


# what the scopes see inside of a conversation ----------------------------------------------------

WAITING = """
flow: desk
start: ask
commands: [hand_over]
person: {queue: billing, about: a rude customer}
records: {u: {age: {type: integer, min: 0}, score: {type: integer, value: u.age * 2}}}
nodes:
  ask:
    say: How old are you?
    collect: [u.age]
    transitions:
      - {id: low_value, at: before, when: u.score > 60, to: slow}
      - {id: nudge, at: timer, in: 1h, because: keep them busy, to: slow}
  slow: {say: Please wait., end: slow}
"""


@in_loop
async def test_a_key_with_chat_alone_sees_nothing_of_how_the_flow_decides() -> None:
    async with served(tw.open(flow_of(WAITING), clock=tw.ManualClock(1_700_000_000_000)), keys=True) as client:
        ada, reader, lena = client.as_("ada"), client.as_("ada", "chat", "debug:read"), client.as_("lena", "operator")
        await client.post("/api/conversations", json={"flow": "desk", "name": "x"}, headers=ada)
        path = "/api/conversations/ada:x"
        body = {"text": "40"}
        tried = (await client.post(f"{path}/dry-run", json=body, headers=ada)).json()
        assert (tried["is_known"], tried["text"], tried["moves"], tried["values"]) == (True, "Please wait.", [], {})
        inside = (await client.post(f"{path}/dry-run", json=body, headers=reader)).json()
        assert (inside["moves"], inside["values"]) == (["low_value"], {"u.age": 40, "u.score": 80})
        commands = {"commands": [{"type": "set", "field": "u.age", "value": 40}]}
        refused = await client.post(f"{path}/dry-run", json=commands, headers=ada)
        assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
        assert (await client.post(f"{path}/dry-run", json=commands, headers=reader)).status_code == 200
        assert (await client.get(f"{path}/timers", headers=ada)).json()["code"] == "missing_scope"
        assert [one["transition"] for one in (await client.get(f"{path}/timers", headers=lena)).json()] == ["nudge"]

        listening = [Listening(client.server, "/api/stream?list=true", headers) for headers in (ada, reader)]
        for one in listening:
            await one.until(bool)
        shown = {"operator": "Lena", "reason": "she was rude"}
        assert (await client.post(f"{path}/person/take-over", json=shown, headers=lena)).status_code == 200
        summaries: list[tuple[Any, bool]] = []
        for one, is_inside in zip(listening, (False, True), strict=True):
            await one.until(lambda _: bool(one.named("summary")))  # noqa: B023
            summaries.append((json.loads(one.named("summary")[-1]["data"])["summary"], is_inside))
            await one.leave()
        for headers, is_inside in ((ada, False), (reader, True)):
            summaries.append(((await client.get(path, headers=headers)).json(), is_inside))
            listed = (await client.get("/api/conversations", headers=headers)).json()["conversations"][0]
            summaries.append((listed, is_inside))
            transcript = (await client.get(f"{path}/transcript", headers=headers)).json()["conversation"]
            summaries.append((transcript, is_inside))
        for summary, is_inside in summaries:
            person = summary["person"]
            assert (person["operator"], person["display"]) == (("lena" if is_inside else "Lena"), "Lena")
            assert person["reason"] == ("she was rude" if is_inside else "")


@in_loop
async def test_a_preview_has_decisions_only_with_the_scope_for_them() -> None:
    async with served(tw.open(flow_of(WAITING), clock=tw.ManualClock(1_700_000_000_000)), keys=True) as client:
        await client.post("/api/conversations", json={"flow": "desk", "name": "x"}, headers=client.as_("ada"))
        lena, both = client.as_("lena", "operator"), client.as_("lena", "operator", "debug:read")
        path = "/api/conversations/ada:x/person"
        await client.post(f"{path}/take-over", json={"operator": "Lena"}, headers=lena)
        given = {"set": {"u.age": 40}}
        found = (await client.post(f"{path}/preview", json=given, headers=lena)).json()
        assert (found["moves"], found["values"]["u.age"], found["decisions"]) == (["low_value"], 40, [])
        assert (await client.post(f"{path}/preview", json=given, headers=both)).json()["decisions"]


@in_loop
async def test_the_result_of_a_turn_says_no_words_of_guards_providers_and_operators() -> None:
    flow = """
flow: broken
start: ask
records: {u: {age: integer, least: {type: integer, min: 0}}}
nodes:
  ask:
    say: How old are you?
    collect: [u.age]
    transitions:
      - {id: hidden_rule, at: before, when: u.age / u.least > 40, to: done}
  done: {say: Done., end: done}
"""
    async with served(tw.open(flow_of(flow)), keys=True) as client:
        ada, reader = client.as_("ada"), client.as_("ada", "chat", "debug:read", "admin")
        await client.post("/api/conversations", json={"flow": "broken", "name": "x"}, headers=ada)
        path = "/api/conversations/ada:x"
        await client.patch(f"{path}/records", json={"set": {"u.least": 0}}, headers=reader)
        turn = await client.post(f"{path}/turns", json={"text": "40"}, headers=ada)
        assert {"code": "guard_error"} in turn.json()["warnings"], turn.text
        assert "hidden_rule" not in turn.text
        assert "zero" not in turn.text
        assert "hidden_rule" in (await client.get(f"{path}/trace", headers=reader)).text
