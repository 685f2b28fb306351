"""The API and the studio inside an application of the user's own, with its authentication."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Mount

import turnwise as tw
from support.served import ELIGIBILITY, Listening, in_loop
from turnwise.errors import WrongArgument


async def who(request: Request) -> tw.Identity | None:
    """The user's own authentication: a cookie."""
    name = request.cookies.get("user")
    scopes = {"chat", "debug:read"} if name == "root" else {"chat"}
    return tw.Identity(name, frozenset(scopes)) if name else None  # type: ignore[arg-type]


def site_of(app: tw.App, kind: str) -> Any:
    mounted = tw.asgi(app, authenticate=who)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        async with app:
            yield

    if kind == "starlette":
        return Starlette(lifespan=lifespan, routes=[Mount("/talks", app=mounted)])
    site = FastAPI(lifespan=lifespan)
    site.mount("/talks", mounted)

    @site.get("/own")
    def own() -> dict[str, str]:
        return {"page": "own"}

    return site


@pytest.mark.parametrize("kind", ["fastapi", "starlette"])
def test_it_is_mounted_under_a_path_with_the_users_own_authentication(kind: str) -> None:
    @in_loop
    async def asks() -> None:
        app = tw.open(ELIGIBILITY)
        site = site_of(app, kind)
        async with (
            app,
            httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://shop.example") as client,
        ):
            assert (await client.get("/talks/api/me")).status_code == 401
            client.cookies.set("user", "ada")
            me = (await client.get("/talks/api/me")).json()
            assert (me["owner"], me["scopes"], me["is_local"]) == ("ada", ["chat"], False)
            begun = await client.post("/talks/api/conversations", json={"flow": "eligibility", "name": "a/b"})
            assert begun.json()["conversation"]["id"] == "ada:a/b"
            turn = await client.post("/talks/api/conversations/ada%3Aa%2Fb/turns", json={"text": "we have some"})
            assert turn.status_code == 200, turn.text
            unknown = await client.get("/talks/api/none")
            assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_path")
            assert (await client.get("/talks/openapi.json")).json()["openapi"] == "3.1.0"
            page = await client.get("/talks/c/ada%3Aa%2Fb", headers={"accept": "text/html"})
            assert '<base href="/talks/"' in page.text or "The page is not built" in page.text
            if kind == "fastapi":
                assert (await client.get("/own")).json() == {"page": "own"}
            client.cookies.set("user", "bob")
            assert (await client.get("/talks/api/conversations/ada%3Aa%2Fb")).status_code == 404
            stream = Listening(site, "/talks/api/stream?conversation=ada%3Aa%2Fb", {"cookie": "user=ada"})
            await stream.until(bool)
            await app.chat("ada:a/b").say("hello")
            await stream.until(lambda _: bool(stream.named("turn")))
            await stream.leave()

    asks()


@pytest.mark.parametrize(
    "wrong",
    [
        "root",
        {"owner": "x"},
        tw.Identity("", frozenset({"chat"})),
        tw.Identity("a:b", frozenset({"chat"})),
        tw.Identity("a/b", frozenset({"chat"})),
        tw.Identity("x", frozenset({"everything"})),
    ],  # type: ignore[arg-type]
)
def test_an_identity_that_could_see_what_is_not_its_own_is_refused(wrong: Any, caplog: Any) -> None:
    @in_loop
    async def asks() -> None:
        app = tw.open(ELIGIBILITY)
        site = tw.asgi(app, authenticate=lambda _: wrong)
        async with app, httpx.AsyncClient(transport=httpx.ASGITransport(site), base_url="http://x") as client:  # type: ignore[arg-type]
            answer = await client.get("/api/me")
            assert (answer.status_code, answer.json()["code"]) == (500, "internal")

    asks()
    assert "WrongIdentity" in caplog.text


def test_what_cannot_be_mounted_is_refused() -> None:
    one, two = tw.open(ELIGIBILITY), tw.open(ELIGIBILITY)
    for apps, said in (([], "an App, or a list"), ([one, one], "different names"), ("x", "an App, or a list")):
        with pytest.raises(WrongArgument, match=said):
            tw.asgi(apps, authenticate=who)  # type: ignore[arg-type]
    other = tw.open(tw.Flow("other", start="a", nodes=(tw.Node("a", end="done"),)))
    with pytest.raises(WrongArgument, match="opened with one store"):
        tw.asgi([two, other], authenticate=who)
    with pytest.raises(WrongArgument, match="a function of a request"):
        tw.asgi(one, authenticate=None)  # type: ignore[arg-type]
    for origin in ("shop.example", "https://shop.example/", "*", "https://Shop.example", "https://"):
        with pytest.raises(WrongArgument, match="an origin in small letters"):
            tw.asgi(one, authenticate=who, origins=["http://[::1]:3000", origin])
    with pytest.raises(WrongArgument, match="without scheme and port"):
        tw.asgi(one, authenticate=who, hosts=["shop.example", "[::1]", "https://shop.example"])


@in_loop
async def test_visitors_of_other_pages_use_the_flows_that_are_open_to_them() -> None:
    app = tw.open(ELIGIBILITY)
    server = tw.asgi(app, authenticate=who, visitors=["eligibility"], origins=["https://blog.example"])
    transport = httpx.ASGITransport(server)  # type: ignore[arg-type]
    async with app, httpx.AsyncClient(transport=transport, base_url="http://shop.example") as client:
        headers = {"authorization": "Bearer twv_" + "a" * 43, "origin": "https://blog.example"}
        begun = await client.post("/api/conversations", json={"flow": "eligibility"}, headers=headers)
        assert begun.status_code == 201, begun.text
        client.cookies.set("user", "ada")
        assert (await client.get("/api/me")).json()["owner"] == "ada"
    with pytest.raises(WrongArgument, match="eligibilty"):
        tw.asgi(app, authenticate=who, visitors=["eligibilty"])


@in_loop
async def test_who_is_not_logged_in_is_never_asked_for_a_key() -> None:
    app = tw.open(ELIGIBILITY)
    server = tw.asgi(app, authenticate=who, login_url="/login?next={next}")
    transport = httpx.ASGITransport(server)  # type: ignore[arg-type]
    async with app, httpx.AsyncClient(transport=transport, base_url="http://shop.example") as client:
        for headers in ({}, {"authorization": "Bearer of something else"}):
            nobody = await client.get("/api/me", headers=headers)
            problem = nobody.json()
            assert (nobody.status_code, problem["code"], problem["login_url"]) == (
                401,
                "not_logged_in",
                "/login?next={next}",
            )
            assert "key" not in problem["title"] + problem["detail"]
        client.cookies.set("user", "ada")
        lacking = await client.get("/api/metrics")
        assert lacking.json()["detail"] == "this login lacks the scope 'metrics', which this request needs"
    for wrong in ("javascript:alert(1)", "login", 3):
        with pytest.raises(WrongArgument, match="login_url"):
            tw.asgi(app, authenticate=who, login_url=wrong)  # type: ignore[arg-type]
