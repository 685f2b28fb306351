"""The page is served with its policy, compressed, and never anything outside its folder."""

from __future__ import annotations

import gzip
from pathlib import Path

import httpx
import pytest

from support.served import in_loop, served
from turnwise.server.gate import Gate
from turnwise.server.page import Page

INDEX = b'<!doctype html><base href="/" /><script type="module" src="./assets/a-1.js"></script>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_bytes(INDEX)
    (static / "assets" / "a-1.js").write_text("let a = 1;\n" * 500, "utf-8")
    (static / "widget.js").write_text("let w = 1;\n", "utf-8")
    (static / ".hidden").write_text("secret", "utf-8")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return static


def client_of(folder: Path, root: str = "") -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app=Gate(Page(folder), None), root_path=root)  # type: ignore[arg-type]
    return httpx.AsyncClient(transport=transport, base_url="http://localhost")


@pytest.mark.parametrize("path", ["/", "/index.html", "/c/maria", "/c/a.b", "/c/a/b", "/f/eligibility"])
def test_the_addresses_of_views_answer_with_the_page(folder: Path, path: str) -> None:
    @in_loop
    async def asks() -> None:
        async with client_of(folder) as client:
            answer = await client.get(path)
            assert (answer.status_code, answer.content) == (200, INDEX)
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["cache-control"] == "no-cache"

    asks()


def test_the_policy_forbids_scripts_and_addresses_of_others(folder: Path) -> None:
    @in_loop
    async def asks() -> None:
        async with client_of(folder) as client:
            policy = (await client.get("/")).headers["content-security-policy"]
            rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
            assert rules["default-src"] == rules["frame-ancestors"] == "'none'"
            assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
            assert "unsafe" not in policy
            assert "http" not in policy

    asks()


def test_files_are_compressed_kept_and_asked_for_once(folder: Path) -> None:
    @in_loop
    async def asks() -> None:
        async with client_of(folder) as client:
            answer = await client.get("/assets/a-1.js", headers={"accept-encoding": "gzip"})
            assert answer.headers["content-encoding"] == "gzip"
            assert int(answer.headers["content-length"]) < 500
            assert answer.text == "let a = 1;\n" * 500
            assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            plain = await client.get("/assets/a-1.js", headers={"accept-encoding": "identity"})
            assert "content-encoding" not in plain.headers
            tag = {"if-none-match": answer.headers["etag"]}
            again = await client.get("/assets/a-1.js", headers=tag)
            assert (again.status_code, again.content) == (304, b"")
            (folder / "assets" / "a-1.js").write_bytes(gzip.compress(b"another"))
            assert (await client.get("/assets/a-1.js", headers=tag)).status_code == 200

    asks()


@pytest.mark.parametrize(
    "path",
    [
        *("/secret.txt", "/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt"),
        *("/.hidden", "/assets/.hidden", "/assets", "/assets/", "/assets/b.js", "/favicon.ico", "/a%00b", "/C:/x"),
        *("/assets//a-1.js", "/assets\\a-1.js", "/api", "/api/nothing"),
    ],
)
def test_nothing_else_is_served(folder: Path, path: str) -> None:
    @in_loop
    async def asks() -> None:
        sent: list[dict[str, object]] = []

        async def send(message: dict[str, object]) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": path, "headers": [], "root_path": ""}
        await Page(folder)(scope, None, send)  # type: ignore[arg-type]
        assert sent[0]["status"] == 404
        assert b"secret" not in bytes(sent[1]["body"]).replace(b"secret.txt", b"")  # type: ignore[arg-type]

    asks()


def test_a_page_below_another_address_says_so(folder: Path) -> None:
    @in_loop
    async def asks() -> None:
        async with client_of(folder, "/chat") as client:
            assert b'<base href="/chat/" />' in (await client.get("/chat/c/maria")).content
            assert (await client.get("/chat/assets/a-1.js")).status_code == 200

    asks()


def test_only_the_widget_may_be_used_by_pages_of_others(folder: Path) -> None:
    @in_loop
    async def asks() -> None:
        async with client_of(folder) as client:
            widget = await client.get("/widget.js")
            assert widget.headers["cross-origin-resource-policy"] == "cross-origin"
        async with served() as client:
            assert (await client.get("/openapi.json")).headers["cross-origin-resource-policy"] == "same-origin"

    asks()


@pytest.mark.parametrize("path", ["/", "/c/maria", "/f/x", "/widget.js", "/assets/a-1.js"])
def test_other_methods_are_refused_and_head_sends_no_body(folder: Path, path: str) -> None:
    @in_loop
    async def asks() -> None:
        async with client_of(folder) as client:
            for method in ("POST", "PUT", "OPTIONS", "FOO"):
                answer = await client.request(method, path, content=b"x")
                assert (answer.status_code, answer.json()["code"]) == (405, "wrong_method")
                assert answer.headers["allow"] == "GET, HEAD"
            head, read = await client.head(path), await client.get(path)
            assert (head.status_code, head.content, head.headers) == (200, b"", read.headers)

    asks()


def test_where_the_page_is_not_built_it_says_how(tmp_path: Path) -> None:
    @in_loop
    async def asks() -> None:
        async with client_of(tmp_path) as client:
            assert (await client.put("/")).json()["code"] == "wrong_method"
            answer = await client.get("/")
            assert answer.status_code == 404
            assert "make studio" in answer.text
            assert answer.headers["content-type"] == "text/plain; charset=utf-8"

    asks()
