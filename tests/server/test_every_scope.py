"""Every operation of the OpenAPI document refuses every caller who has less than its scope."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import combinations
from typing import Any

import pytest

from support.served import ROUTES, Client, in_loop, served
from turnwise.server.access import SCOPES, Identity
from turnwise.server.app import OPERATIONS, PREFIX
from turnwise.server.openapi import document

DECLARED: Any = document(OPERATIONS, PREFIX)


def operations() -> list[tuple[str, str, str]]:
    """Return each operation of the document: its method, its path, and the scope that it says it needs."""
    found: list[tuple[str, str, str]] = []
    for path, methods in DECLARED["paths"].items():
        for method, declared in methods.items():
            found.append((method.upper(), path, declared.get("x-scope", "")))
    return found


def test_the_document_has_all_operations_and_their_scopes() -> None:
    served_ones = {(one.method, PREFIX + one.path): one.scope or "" for group in ROUTES for one in group}
    assert {(method, path): scope for method, path, scope in operations()} == served_ones


PUBLIC = {("GET", "/api/health"), ("GET", "/api/ready")}
LEAST: dict[str, tuple[str, ...]] = {
    "admin": (
        "POST /api/demo/clock",
        "POST /api/conversations/import",
        "PUT /api/flows/{flow}/overlays/{name}",
        "PUT /api/flows/{flow}/schedules/{name}/input/{period}",
    ),
    "metrics": ("GET /api/metrics",),
    "operator": (
        "GET /api/queue",
        "PATCH /api/conversations/{id}/records",
        "PUT /api/conversations/{id}/overlays/{name}",
        "GET /api/deliveries",
        "POST /api/conversations/{id}/deliveries/{delivery}/send-again",
        "POST /api/conversations/{id}/person/take-over",
        "POST /api/conversations/{id}/person/say",
        "POST /api/conversations/{id}/person/give-back",
        "POST /api/conversations/{id}/person/preview",
        "POST /api/conversations/{id}/person/approvals",
    ),
    "events": ("GET /api/flows/{flow}/events", "POST /api/conversations/{id}/events/{name}"),
    "edit": (
        "PUT /api/flows/{flow}/source",
        *[f"POST /api/flows/{{flow}}/source/{name}" for name in ("check", "complete", "hover", "format")],
    ),
    "debug:read": (
        "GET /api/flows/{flow}/edges",
        "GET /api/flows/{flow}/source",
        "GET /api/flows/{flow}/schedules",
        "POST /api/flows/{flow}/what-if",
        "POST /api/conversations/{id}/what-if",
        *[
            f"GET /api/conversations/{{id}}/{name}"
            for name in ("trace", "ledger", "timeline", "edges", "state", "prompt", "decisions")
        ],
        *[f"GET /api/conversations/{{id}}/{name}" for name in ("why", "export", "scenario", "events")],
    ),
    "chat": (
        "GET /api/me",
        "GET /api/flows",
        "GET /api/flows/{flow}",
        "GET /api/stream",
        "GET /api/conversations",
        "POST /api/conversations",
        "GET /api/conversations/{id}",
        "DELETE /api/conversations/{id}",
        *[f"POST /api/conversations/{{id}}/{name}" for name in ("turns", "fork", "dry-run", "approvals")],
        *[
            f"GET /api/conversations/{{id}}/{name}"
            for name in (
                "transcript",
                "frames",
                "records",
                "artefacts",
                "timers",
                "spending",
                "time",
                "deliveries",
                "approvals",
                "turns/{n}",
            )
        ],
    ),
}
"""The scope of each operation, written a second time: the declaration alone could be too weak without a test noticing."""


def test_each_operation_needs_the_scope_that_is_meant() -> None:
    meant = {(*operation.split(" "), scope) for scope, some in LEAST.items() for operation in some}
    assert {one for one in operations() if one[2]} == meant
    assert {one[:2] for one in operations() if not one[2]} == PUBLIC


def weaker(scope: str) -> list[tuple[str, ...]]:
    """Return every set of scopes that does not grant one."""
    sets = [chosen for size in range(len(SCOPES) + 1) for chosen in combinations(SCOPES, size)]
    return [chosen for chosen in sets if not Identity("ada", frozenset(chosen)).may(scope)]  # type: ignore[arg-type]


@pytest.mark.parametrize(("method", "path", "scope"), [one for one in operations() if one[2]])
def test_an_operation_refuses_every_weaker_caller(method: str, path: str, scope: str) -> None:
    @in_loop
    async def asks() -> None:
        async with served(keys=True) as client:
            root = client.as_("root", "admin")
            begun = await client.post("/api/conversations", json={"flow": "eligibility", "name": "own"}, headers=root)
            assert begun.status_code == 201
            before = (await client.get("/api/conversations/root:own", headers=root)).json()
            for address in addresses(path):
                await refuses(client, method, address, scope)
            assert (await client.get("/api/conversations/root:own", headers=root)).json() == before
            await admits(client, method, addresses(path)[0], scope)

    asks()


FURTHER = {
    ("GET", "/api/conversations/root:own/records"): "debug:read",
    ("GET", "/api/conversations/root:own/timers"): "debug:read",
    ("GET", "/api/conversations/root:own/spending"): "debug:read",
    ("GET", "/api/conversations/root:own/time"): "debug:read",
    ("GET", "/api/conversations/root:own/deliveries"): "debug:read",
    ("GET", "/api/conversations/root:own/frames"): "debug:read",
    ("PATCH", "/api/conversations/root:own/records"): "admin",
}
"""What is asked of this conversation needs a further scope: no operator is in charge of it."""


async def admits(client: Client, method: str, address: str, scope: str) -> None:
    """Check that the scope is what the others lacked. A parameter that does not exist keeps a stream from beginning."""
    body = {} if method in ("GET", "DELETE") else {"content": "{}"}
    headers = {**client.as_("root", scope), "content-type": "application/json"}
    answer = await client.request(method, f"{address}?nothing=1", headers=headers, **body)
    further = FURTHER.get((method, address))
    if further is not None:
        assert (answer.status_code, f"lacks the scope '{further}'" in answer.text) == (403, True), answer.text
        headers = {**headers, **client.as_("root", scope, further)}
        answer = await client.request(method, f"{address}?nothing=1", headers=headers, **body)
    assert answer.status_code not in (401, 403, 500), answer.text


async def refuses(client: Client, method: str, address: str, scope: str) -> None:
    sent = {"content": json.dumps({"flow": "eligibility"}), "headers": {"content-type": "application/json"}}
    if method in ("GET", "DELETE"):
        sent = {"headers": {"accept": "application/json, text/event-stream"}}
    tried = 0
    for owner in ("root", "ada"):  # also who owns the conversation
        for scopes in weaker(scope):
            caller = {"authorization": f"Bearer {owner} {','.join(scopes) or 'none'}"}
            for also in (method, *(["HEAD"] if method == "GET" else [])):
                answer = await client.request(also, address, **{**sent, "headers": {**sent["headers"], **caller}})
                assert answer.status_code == 403, (owner, scopes, also, address, answer.text)
                assert also == "HEAD" or answer.json()["code"] == "missing_scope"
                tried += 1
    assert tried >= 2
    answer = await client.request(method, address, **sent)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


def addresses(path: str) -> list[str]:
    """Return addresses of an operation: of a conversation of another owner that exists, and of nothing."""
    found: list[str] = []
    for conversation in ("root:own", "nobody:none"):
        known = {"id": conversation, "flow": "eligibility", "n": "1"}
        found.append(path.format_map(defaultdict(lambda: "x", known)))
    return found
