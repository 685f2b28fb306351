"""What strangers send costs the server little, and reveals nothing: origins, spellings, bodies, keys, limits."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import httpx
import pytest

import turnwise as tw
from support.served import Client, in_loop, served
from turnwise.server.access import KeyFile
from turnwise.server.faults import MOST_FAULTS
from turnwise.server.gate import Gate
from turnwise.server.limits import ServerLimits
from turnwise.server.page import MOST_MOUNT_ROOTS, Page
from turnwise.server.problems import problem_of_error

STRANGE_ORIGINS = (
    *("http://[", "http://[::1", "http://]", "http://[g::]", "http://[::1]:x", "http://[v1.x]", "http://a[b]c"),
    *(
        "http://",
        "://",
        "http:",
        "null",
        "x",
        " ",
        "http:///",
        "http://localhost:99999999999",
        "http://localhost:\u00b2".encode("latin-1"),
    ),
    *("http://ⅼocalhost".encode(), "http://localhost@evil.example", "http://a\u2100b".encode(), b"\xff\xfe", b"%5B"),
)


@pytest.mark.parametrize("origin", STRANGE_ORIGINS)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_an_origin_that_cannot_be_read_is_refused_by_name(origin: str | bytes, method: str) -> None:
    @in_loop
    async def asks() -> None:
        async with served() as client:
            for path in ("/", "/api/me", "/widget.js"):
                answer = await client.request(method, path, headers={"origin": origin})
                assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin"), (origin, path)

    asks()


@pytest.mark.parametrize(
    "host", ["[", "[::1", "]", "[::1]:x", b"localhost:\xb2", ":", "[v1.x]:1", "a" * 5000, "", "%5b"]
)
def test_a_host_that_cannot_be_read_is_refused_by_name(host: str | bytes) -> None:
    @in_loop
    async def asks() -> None:
        async with served(hosts=("localhost", "*")) as client:
            answer = await client.get("/api/health", headers={"host": host})
            assert answer.status_code in (421, 200) if host == "[::1" else answer.status_code == 421
            assert "Traceback" not in answer.text

    asks()


@pytest.mark.parametrize("origin", ["http://localhost", "http://LOCALHOST", "https://localhost"])
def test_the_page_of_the_server_itself_may_use_it(origin: str) -> None:
    @in_loop
    async def asks() -> None:
        async with served() as client:
            assert (await client.get("/api/me", headers={"origin": origin})).status_code == 200

    asks()


# files -------------------------------------------------------------------------------------------


def spelled(name: str, number: int) -> str:
    """Return one of many spellings of a name in an address."""
    return "".join(f"%{ord(letter):02x}" if number >> at & 1 else letter for at, letter in enumerate(name))


@pytest.mark.parametrize("root", ["", "/talks"])
def test_no_spelling_of_a_file_costs_memory(tmp_path: Path, root: str) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-Cp.js").write_bytes(b"let a = 1;\n" * 1000)
    (tmp_path / "index.html").write_bytes(b'<base href="/" />')
    page = Page(tmp_path)

    @in_loop
    async def asks() -> None:
        transport = httpx.ASGITransport(app=Gate(page, None), root_path=root)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            for number in range(200):
                assert (await client.get(f"{root}/assets/{spelled('index-Cp.js', number)}")).status_code == 200
                await client.get(f"{root}/c/{number}")
                await client.get(f"{root}/{spelled('index.html', number)}")
                await client.get(f"{root}/assets/none-{number}.js")

    asks()
    assert len(page._files) == 2  # the script and the page


def test_the_page_is_kept_for_few_roots_and_follows_its_folder(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_bytes(b'<base href="/" />')
    (tmp_path / "a.js").write_bytes(b"1")
    page = Page(tmp_path)

    @in_loop
    async def asks() -> None:
        for number in range(MOST_MOUNT_ROOTS + 20):
            transport = httpx.ASGITransport(app=Gate(page, None), root_path=f"/t/{number}")  # type: ignore[arg-type]
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                assert f"/t/{number}/" in (await client.get(f"/t/{number}/")).text
                await client.get(f"/t/{number}/a.js")
        assert len(page._files) == MOST_MOUNT_ROOTS + 1

    asks()


# bodies ------------------------------------------------------------------------------------------

LARGE = 40_000
BODIES = {
    "unknown keys": {f"comman{number:05}": 1 for number in range(LARGE)},
    "a long key": {"commands" * 100_000: 1},
    "unknown commands": {"commands": [{"type": f"cleer{number}"} for number in range(LARGE // 2)]},
    "unknown fields": {"commands": [{"type": "clear", "field": f"household.{number}"} for number in range(LARGE // 2)]},
    "wrong arguments": {"tool": {"name": "x", "arguments": {f"a{number}": 1 for number in range(LARGE)}}},
    "a long name": {"tool": {"name": "lookup" * 100_000}},
    "a long timer": {"timer": {"transition": "entry" * 100_000}},
    "halves of pairs": {"text": "x", "tool": {"name": "x", "arguments": {"a": ["\ud800"] * (LARGE // 2)}}},
}


@pytest.mark.parametrize("kind", BODIES)
def test_the_work_for_a_wrong_body_and_its_answer_are_bounded(kind: str) -> None:
    body = json.dumps(BODIES[kind]).encode()

    @in_loop
    async def asks() -> None:
        async with served() as client:
            await client.post("/api/conversations", json={"flow": "eligibility", "name": "c"})
            await check(client, "POST", "/api/conversations/c/turns", body)

    asks()


async def check(client: Client, method: str, path: str, body: bytes) -> None:
    sent = {"content-type": "application/json"}
    begin_s = time.process_time()
    answer = await client.request(method, path, content=body, headers=sent)
    took_s = time.process_time() - begin_s
    assert answer.status_code in (200, 400, 404, 409, 413, 422), answer.text[:300]
    assert len(answer.content) < 30_000, f"{len(answer.content):,} bytes"
    assert len(answer.json().get("errors", answer.json().get("problems", ()))) <= MOST_FAULTS + 1
    assert took_s < 0.4, f"{took_s:.2f} s"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/api/conversations/c/records", {"set": {f"household.{number}": 1 for number in range(LARGE)}}),
        ("PATCH", "/api/conversations/c/records", {"set": {}, "clear": [f"x{number}" for number in range(LARGE)]}),
        ("PATCH", "/api/conversations/c/records", {"set": [f"x{number}" for number in range(LARGE)]}),
        ("POST", "/api/conversations/c/what-if", {"values": {f"household.{n}": 1 for n in range(LARGE)}}),
        ("POST", "/api/conversations/c/what-if", {"rules": {f"entry{n}": "true" for n in range(LARGE)}}),
        ("POST", "/api/conversations", {"flow": "eligibilit" * 90_000}),
        ("POST", "/api/conversations", {"flow": "eligibility", "time_zone": "Europe/Berl" * 90_000}),
        ("POST", "/api/conversations/c/person/give-back", {"set": {f"household.{n}": 1 for n in range(LARGE)}}),
    ],
)
def test_other_operations_answer_large_wrong_bodies_quickly(method: str, path: str, body: object) -> None:
    @in_loop
    async def asks() -> None:
        async with served() as client:
            await client.post("/api/conversations", json={"flow": "eligibility", "name": "c"})
            await check(client, method, path, json.dumps(body).encode())

    asks()


@in_loop
async def test_the_first_faults_are_reported_and_the_others_counted() -> None:
    async with served() as client:
        await client.post("/api/conversations", json={"flow": "eligibility", "name": "c"})
        body = {"teext": "x", **{f"comman{number}": 1 for number in range(55)}}
        answer = (await client.post("/api/conversations/c/turns", json=body)).json()
        assert answer["errors"][0]["hint"] == "did you mean 'text'?"
        assert answer["errors"][-1]["message"] == "and 46 more keys that do not exist"
        query = "&".join(f"turns{number}=1" for number in range(55))
        answer = (await client.get(f"/api/conversations/c/trace?{query}")).json()
        assert answer["errors"][0]["hint"] == "did you mean 'turn'?"
        assert answer["errors"][-1]["message"] == "and 45 more parameters that do not exist"


# keys --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["gone", "readable", "broken", "deep", "other format", "folder", "pipe"])
def test_a_file_of_keys_that_cannot_be_used_is_503_without_its_path(
    tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "keys-of-mine.json"
    keys = KeyFile(path)
    key = keys.add("ada", ["chat"], 0)
    spoil(path, kind)

    @in_loop
    async def asks() -> None:
        async with served(access=keys) as client:
            for _ in range(3):
                answer = await client.get("/api/me", headers={"authorization": f"Bearer {key}"})
                assert (answer.status_code, answer.json()["code"]) == (503, "keys_unavailable")
                assert "keys-of-mine" not in answer.text
                assert answer.headers["retry-after"]
            assert (await client.get("/api/me")).status_code == 401
            assert (await client.get("/api/health")).status_code == 200

    asks()
    logged = [record for record in caplog.records if "keys-of-mine" in record.getMessage()]
    assert len(logged) == 1  # once, not for each request


def spoil(path: Path, kind: str) -> None:
    text = {"broken": "{", "deep": "[" * 5000, "other format": '{"keys": [], "format": 99}'}.get(kind)
    if text is not None:
        path.write_text(text, "utf-8")
    elif kind == "readable":
        path.chmod(0o644)
    else:
        path.unlink()
        if kind == "folder":
            path.mkdir(mode=0o700)
        elif kind == "pipe":
            os.mkfifo(path, 0o600)


def test_an_error_of_the_store_is_answered_without_its_path_and_reason() -> None:
    problem = problem_of_error(tw.StoreFailed("/srv/talks.db", "the database is damaged (page 7)")).problem
    assert (problem.status, problem.code) == (503, "store_unavailable")
    assert problem.detail == "the store cannot be used now; the log of the server says why"


# limits ------------------------------------------------------------------------------------------


@in_loop
async def test_refused_requests_use_up_no_limit_of_conversations() -> None:
    async with served(keys=True, limits=ServerLimits(conversations=3)) as client:
        ada = client.as_("ada", "chat", "debug:read")

        async def begin(**more: str) -> int:
            answer = await client.post("/api/conversations", json={"flow": "eligibility", **more}, headers=ada)
            return answer.status_code

        assert await begin(name="first") == 201
        for number in range(5):
            assert await begin(name=f"z{number}", time_zone="Nowhere/None") == 422
            fork = await client.post("/api/conversations/ada:first/fork", json={"turn": 99}, headers=ada)
            assert fork.status_code in (404, 422)
            assert await begin(name="first") == 409
        assert [await begin(name="b"), await begin(name="c"), await begin(name="d")] == [201, 201, 429]
        assert (await client.delete("/api/conversations/ada:b", headers=ada)).status_code == 204
        assert [await begin(name="d"), await begin(name="e")] == [201, 429]
