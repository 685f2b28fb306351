"""Who may see the page: keys that are refused or lack a scope, the login of an application around it, long ids."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

import turnwise as tw
from support.served import ELIGIBILITY
from support.serving import Served
from support.talking import clipboard
from support.threaded import listening
from support.watching import Watched
from turnwise.server.access import KeyFile

VISITOR = "visitor-0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFile:
    return KeyFile(tmp_path_factory.mktemp("keys") / "keys.json")


@pytest.fixture(scope="module")
def guarded(keys: KeyFile) -> Iterator[Served]:
    """A server that needs a key."""
    keys.add("root", ["admin"], 0)
    with Served("serve", ELIGIBILITY, "--keys", keys.path, "--port", "0") as served:
        yield served


def enter(page: Page, key: str) -> Locator:
    """Enter a key in the dialog; return the dialog."""
    dialog = page.get_by_role("dialog", name="API key")
    dialog.get_by_label("Key", exact=True).fill(key)
    dialog.get_by_role("button", name="Use this key").click()
    return dialog


def test_a_refused_key_is_called_invalid_and_a_valid_one_opens_the_page(
    guarded: Served, keys: KeyFile, watched: Watched
) -> None:
    watched.expected += ["401"]
    page = watched.open(guarded.address)
    expect(page.get_by_role("heading", name="A key is needed")).to_be_attached()
    for wrong in ("tw_1234abcd_wrong", "not a key", "schlüssel"):
        dialog = enter(page, wrong)
        expect(dialog.get_by_role("alert")).to_contain_text("This key is not valid")
        expect(dialog).to_be_visible()
    enter(page, keys.add("ada", ["chat", "debug:read"], 0))
    expect(page.get_by_role("button", name="Begin a conversation with Insurance eligibility")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize(("scopes", "lacking"), [(["chat"], "debug:read"), (["debug:read"], "chat")])
def test_a_key_that_lacks_a_scope_is_named_with_it(
    guarded: Served, keys: KeyFile, watched: Watched, scopes: list[Any], lacking: str
) -> None:
    watched.expected += ["401", "403"]
    page = watched.open(guarded.address)
    dialog = enter(page, keys.add("bob", scopes, 0))
    expect(dialog).to_contain_text(re.compile(f"this key lacks the scope '?{lacking}", re.IGNORECASE))
    if lacking == "debug:read":
        dialog.get_by_role("button", name="Continue").click()
        expect(page.get_by_role("button", name="Begin a conversation with Insurance eligibility")).to_be_visible()


def test_a_key_that_is_removed_ends_the_page_with_a_message(guarded: Served, keys: KeyFile, watched: Watched) -> None:
    watched.expected += ["401"]
    key = keys.add("eve", ["chat", "debug:read"], 0)
    page = watched.open(guarded.address)
    enter(page, key)
    expect(page.get_by_role("button", name="Begin a conversation with Insurance eligibility")).to_be_visible()
    keys.remove(key.split("_")[1])
    page.reload()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("This key is not valid")


@pytest.fixture
def shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An application with its own login, which has the studio at /talks; the parameter is its `login_url`."""

    async def who(request: Request) -> tw.Identity | None:
        user = request.cookies.get("user")
        return tw.Identity(user, frozenset({"chat", "debug:read", "admin"})) if user else None

    async def login(request: Request) -> Response:
        if "user" not in request.query_params:
            there = request.query_params["next"]
            return HTMLResponse(f'<main><a href="/login?user=ada&amp;next={there}">I am Ada</a></main>')
        answer = RedirectResponse(request.query_params["next"])
        answer.set_cookie("user", "ada")
        return answer

    def make() -> Starlette:
        app = tw.open(ELIGIBILITY, store=f"sqlite:///{tmp_path}/shop.db")

        @asynccontextmanager
        async def lifespan(_: Any) -> AsyncIterator[None]:
            async with app:
                await app.chat(f"{VISITOR}:2f3c").say("hello")
                yield

        mounted = tw.asgi(app, authenticate=who, login_url=request.param)
        return Starlette(lifespan=lifespan, routes=[Route("/login", login), Mount("/talks", app=mounted)])

    with listening(make) as address:
        yield address


@pytest.mark.parametrize("shop", ["/login?next={next}"], indirect=True)
def test_who_is_not_logged_in_is_sent_to_the_login_and_comes_back(shop: str, watched: Watched) -> None:
    watched.expected += ["401", "favicon.ico"]
    page = watched.open(f"{shop}/talks/f/eligibility?x=1")
    expect(page.get_by_role("heading", name="You are not logged in")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("key", exact=False)).to_have_count(0)
    page.get_by_role("link", name="Log in").click()
    page.get_by_role("link", name="I am Ada").click()
    expect(page).to_have_url(re.compile("/talks/f/eligibility"))
    expect(page.get_by_role("navigation", name="You are here")).to_contain_text("eligibility")


@pytest.mark.parametrize("shop", [None], indirect=True)
def test_without_a_login_page_the_studio_says_where_to_log_in(shop: str, watched: Watched) -> None:
    watched.expected += ["401"]
    page = watched.open(f"{shop}/talks/")
    expect(page.get_by_role("heading", name="You are not logged in")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("link", name="Log in")).to_have_count(0)
    page.context.add_cookies([{"name": "user", "value": "ada", "url": shop}])
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Begin a conversation with Insurance eligibility")).to_be_visible()


@pytest.mark.parametrize("shop", [None], indirect=True)
def test_a_long_id_gives_way_to_a_name_and_can_be_copied_as_a_whole(shop: str, watched: Watched) -> None:
    name = f"{VISITOR}:2f3c"
    page = watched.page(permissions=["clipboard-read", "clipboard-write"])
    page.context.add_cookies([{"name": "user", "value": "ada", "url": shop}])
    page.goto(f"{shop}/talks/c/{name}")
    row = page.get_by_role("region", name="List of conversations").locator("[aria-current=page]")
    for place in (row.locator(".convname"), page.locator("h1 .convname")):
        expect(place).to_have_attribute("title", "hello")
        expect(place).not_to_contain_text("visitor-")
    assert row.locator(".n").evaluate("one => one.scrollWidth <= one.clientWidth"), "the end is cut off"
    page.get_by_role("button", name="More about this conversation").click()
    page.get_by_role("menuitem", name="Copy the id").click()
    assert clipboard(page) == name
