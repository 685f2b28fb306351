"""The server answers, knows its callers, and reports every error as a problem."""

from __future__ import annotations

import asyncio
import json

import pytest

import turnwise as tw
from support.served import ELIGIBILITY, in_loop, served
from turnwise.core.state.events import Snapshot
from turnwise.core.step.work import SNAPSHOT_EVERY
from turnwise.errors import StoreUnavailable
from turnwise.server.limits import ServerLimits
from turnwise.server.routes import health


@in_loop
async def test_it_answers_and_says_who_asks() -> None:
    async with served() as client:
        assert (await client.get("/api/health")).json() == {"status": "ok"}
        assert (await client.get("/api/ready")).json() == {"status": "ready", "unavailable_versions": 0}
        me = (await client.get("/api/me")).json()
        assert me["is_local"] is True
        assert me["scopes"] == ["chat", "debug:read", "operator", "events", "edit", "metrics", "admin"]


@in_loop
async def test_a_conversation_begins_is_found_and_is_deleted() -> None:
    async with served() as client:
        begun = await client.post("/api/conversations", json={"flow": "eligibility", "name": "a/b c"})
        assert begun.status_code == 201, begun.text
        assert begun.json()["conversation"]["id"] == "a/b c"
        assert begun.json()["turn"]["text"]
        again = await client.post("/api/conversations", json={"flow": "eligibility", "name": "a/b c"})
        assert (again.status_code, again.json()["code"]) == (409, "conversation_exists")
        assert (await client.get("/api/conversations/a%2Fb%20c")).json()["waits_for"]
        assert (await client.delete("/api/conversations/a%2Fb%20c")).status_code == 204
        gone = await client.get("/api/conversations/a%2Fb%20c")
        assert (gone.status_code, gone.json()["code"]) == (404, "unknown_conversation")
        assert gone.headers["content-type"] == "application/problem+json"


@in_loop
async def test_with_keys_a_conversation_belongs_to_its_owner() -> None:
    async with served(keys=True) as client:
        ada, bob, root = client.as_("ada"), client.as_("bob"), client.as_("root", "admin")
        assert (await client.get("/api/me")).status_code == 401
        begun = await client.post("/api/conversations", json={"flow": "eligibility", "name": "x"}, headers=ada)
        assert begun.json()["conversation"]["id"] == "ada:x"
        assert (await client.get("/api/conversations/ada:x", headers=ada)).status_code == 200
        assert (await client.get("/api/conversations/ada:x", headers=bob)).status_code == 404
        assert (await client.delete("/api/conversations/ada:x", headers=bob)).status_code == 404
        assert (await client.get("/api/conversations/ada:x", headers=root)).status_code == 200
        lacks = await client.get("/api/me", headers=client.as_("ada", "debug:read"))
        assert (lacks.status_code, lacks.json()["code"]) == (403, "missing_scope")


@pytest.mark.parametrize(
    ("body", "status", "code", "said"),
    [
        (b"", 400, "malformed", "no body"),
        (b"{", 400, "malformed", "no JSON"),
        (b'"\xff"', 400, "malformed", "not UTF-8"),
        (b"[" * 5000, 400, "malformed", "nested"),
        (b"[]", 422, "invalid", "must be a JSON object"),
        (b'{"flow": 1, "nam": "x", "time_zone": []}', 422, "invalid", "/nam: there is no such key"),
        (b"{}", 422, "invalid", "/flow: this key is required"),
        (b'{"flow": "eligibilty"}', 404, "unknown_flow", "no flow is called"),
        (b'{"flow": "eligibility", "time_zone": "Mars"}', 422, "unknown_time_zone", "Mars"),
        (b'{"flow": "eligibility", "name": "\\u0000"}', 422, "invalid", "printable"),
    ],
)
def test_a_wrong_body_is_refused_with_every_fault(body: bytes, status: int, code: str, said: str) -> None:
    @in_loop
    async def sends() -> None:
        async with served() as client:
            answer = await client.post("/api/conversations", content=body, headers={"content-type": "application/json"})
            problem = answer.json()
            assert (answer.status_code, problem["code"]) == (status, code), problem
            assert problem["status"] == status
            assert said in problem["detail"]

    sends()


@in_loop
async def test_each_fault_of_a_body_has_its_place_and_a_hint() -> None:
    async with served() as client:
        answer = await client.post("/api/conversations", json={"flow": 1, "nam": "x"})
        faults = {one["at"]: one for one in answer.json()["errors"]}
        assert faults["/flow"]["message"] == "Expected `str`, got `int`"
        assert faults["/nam"]["hint"] == "did you mean 'name'?"


@in_loop
async def test_the_limit_that_is_exceeded_is_named() -> None:
    limits = ServerLimits(body_bytes=100, requests_per_minute=3, conversations=1)
    async with served(keys=True, limits=limits) as client:
        ada = client.as_("ada")
        long = await client.post("/api/conversations", json={"flow": "x" * 100}, headers=ada)
        assert (long.status_code, long.json()["limit"]) == (413, "body_bytes")
        await client.post("/api/conversations", json={"flow": "eligibility"}, headers=ada)
        many = await client.post("/api/conversations", json={"flow": "eligibility"}, headers=ada)
        assert (many.status_code, many.json()["limit"]) == (429, "conversations")
        often = await client.get("/api/me", headers=ada)
        assert (often.status_code, often.json()["limit"]) == (429, "requests_per_minute")
        assert int(often.headers["retry-after"]) > 0
        assert (await client.get("/api/me", headers=client.as_("bob"))).status_code == 200


@in_loop
async def test_host_and_origin_are_checked_and_every_response_has_the_security_headers() -> None:
    async with served(origins=["https://shop.example"]) as client:
        for path in ("/api/me", "/nothing", "/openapi.json"):
            headers = (await client.get(path)).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert "default-src 'none'" in headers["content-security-policy"]
        other = await client.get("/api/me", headers={"host": "evil.example"})
        assert (other.status_code, other.json()["code"]) == (421, "wrong_host")
        for origin in ("https://evil.example", "null", "http://localhost.evil.example"):
            answer = await client.get("/api/me", headers={"origin": origin})
            assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin"), origin
            assert "access-control-allow-origin" not in answer.headers
        same = await client.get("/api/me", headers={"origin": "http://localhost"})
        assert same.status_code == 200
        assert "access-control-allow-origin" not in same.headers
        shop = await client.get("/api/me", headers={"origin": "https://shop.example"})
        assert shop.headers["access-control-allow-origin"] == "https://shop.example"


@in_loop
async def test_the_metric_counts_turns_whether_a_snapshot_or_a_refusal_follows_them() -> None:
    app, turns = tw.open(ELIGIBILITY), SNAPSHOT_EVERY // 4
    async with served(app) as client:
        chat = app.chat("x")
        for _ in range(turns):
            assert (await chat.say("hm")).refused is None
            assert (await chat.undo(to=turns + 1)).refused == "unknown_turn"
        assert any(isinstance(entry.event, Snapshot) for entry in await chat.journal())
        assert (
            f'turnwise_turns_total{{flow="eligibility",outcome="completed"}} {turns}.0\n'
            in (await client.get("/api/metrics")).text
        )


@in_loop
async def test_an_unknown_address_and_a_wrong_method_are_problems() -> None:
    async with served() as client:
        unknown = await client.get("/api/nothing")
        assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_path")
        wrong = await client.put("/api/conversations/x")
        assert (wrong.status_code, wrong.json()["code"]) == (405, "wrong_method")
        assert wrong.headers["allow"] == "DELETE, GET, HEAD"
        odd = await client.get("/api/conversations/%ff")
        assert (odd.status_code, odd.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("path", ["/openapi.json", "/api/me", "/api/stream"])
def test_every_address_that_is_read_refuses_other_methods_with_a_problem(path: str) -> None:
    @in_loop
    async def asks() -> None:
        async with served() as client:
            for method in ("PUT", "OPTIONS", "TRACE", "FOO", "POST"):
                answer = await client.request(method, path, headers={"accept": "text/html"})
                assert (answer.status_code, answer.json()["code"]) == (405, "wrong_method"), method
                assert answer.headers["content-type"] == "application/problem+json"
                assert answer.headers["allow"] == "GET, HEAD"
            head = await client.head(path)
            assert (head.status_code, head.content) == (200, b"")
            if path != "/api/stream":
                read = await client.get(path)
                assert {**head.headers} == {**read.headers}

    asks()


@pytest.mark.parametrize(
    "path", ["/nothing", "/api", "/api/nothing", "/assets/none.js", "/../etc/passwd", "/c%2f..%2f/x"]
)
def test_an_unknown_address_is_a_problem_with_every_method(path: str) -> None:
    @in_loop
    async def asks() -> None:
        async with served() as client:
            for method in ("GET", "PUT", "POST", "OPTIONS"):
                answer = await client.request(method, path)
                assert (answer.status_code, answer.json()["code"]) == (404, "unknown_path"), method
            head = await client.head(path)
            assert (head.status_code, head.content) == (404, b"")

    asks()


@pytest.mark.parametrize("is_slow", [False, True])
@in_loop
async def test_it_is_not_ready_where_its_store_fails_or_is_slow_and_does_not_say_where_that_is(
    is_slow: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(_: int | None = None) -> tuple[str, ...]:
        if is_slow:
            await asyncio.sleep(60)
        raise StoreUnavailable("postgresql://talks@db.internal/talks", "connection to 10.0.0.7 failed")

    monkeypatch.setattr(health, "STORE_TIMEOUT_S", 0.05)
    app = tw.open(ELIGIBILITY)
    async with served(app) as client:
        monkeypatch.setattr(app.runtime.store, "conversations", fails)
        failed = await client.get("/api/ready")
        assert (failed.status_code, failed.json()["code"]) == (503, "store_unavailable")
        assert "10.0.0.7" not in failed.text and "db.internal" not in failed.text
        assert is_slow or "10.0.0.7" in caplog.text
        assert (await client.get("/api/health")).status_code == 200


@in_loop
async def test_an_error_that_nobody_foresaw_is_logged_and_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    app = tw.open(ELIGIBILITY)
    async with served(app) as client:
        app.runtime.store.conversations = lambda _=None: 1 / 0  # type: ignore[method-assign, assignment]
        failed = await client.get("/api/ready")
        assert (failed.status_code, failed.json()["code"]) == (500, "internal")
        assert "division" not in json.dumps(failed.json())
        assert "ZeroDivisionError" in caplog.text
