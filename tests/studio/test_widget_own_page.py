"""The chat widget on a page of the application around it: its login says who is asking, and the model takes its time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect
from playwright.sync_api import Route as Held
from starlette.applications import Starlette
from starlette.requests import Request as Asked
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route

import turnwise as tw
from support.chats import flow_of
from support.first_answers import Failing
from support.talking import write
from support.threaded import listening
from support.watching import Watched
from turnwise.core.prompts import ModelRequest
from turnwise.runner.model_port import ModelEvent, TextDelta, Usage

FLOW = """
flow: desk
start: talk
commands: []
nodes:
  talk: {prompt: Answer briefly., transitions: [{id: bye, when: "message.text == 'bye'", end: done}]}
"""
PAGE = """<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>Shop</h1></main>
<script src="/talks/widget.js" data-flow="desk" data-title="Ask us" data-auth="session"></script></body></html>"""
LONGEST_S = 20.0


class Slow:
    """A model that says the first half of a reply, and the rest when it may."""

    def __init__(self) -> None:
        self.may_end = threading.Event()

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        yield TextDelta("The first half, ")
        await asyncio.to_thread(self.may_end.wait, LONGEST_S)
        yield TextDelta("and the second.")
        yield Usage("slow")


@pytest.fixture
def model() -> Iterator[Slow]:
    found = Slow()
    yield found
    found.may_end.set()


@pytest.fixture
def shop(model: Slow, tmp_path: Path) -> Iterator[str]:
    """An application whose login is a cookie, with the chat on its own page."""

    async def who(request: Asked) -> tw.Identity | None:
        assert "authorization" not in request.headers
        user = request.cookies.get("user")
        return tw.Identity(user, frozenset({"chat"})) if user else None

    async def page(_: Asked) -> HTMLResponse:
        return HTMLResponse(PAGE)

    def make() -> Starlette:
        app = tw.open(flow_of(FLOW), model=model, store=f"sqlite:///{tmp_path}/shop.db")

        @asynccontextmanager
        async def lifespan(_: Any) -> AsyncIterator[None]:
            async with app:
                yield

        mounted = tw.asgi(app, authenticate=who)
        return Starlette(lifespan=lifespan, routes=[Route("/shop", page), Mount("/talks", app=mounted)])

    with listening(make) as address:
        yield address


def log_in(context: BrowserContext, shop: str, user: str) -> None:
    context.add_cookies([{"name": "user", "value": user, "url": shop}])


def opened(context: BrowserContext, shop: str) -> Page:
    page = context.new_page()
    page.goto(f"{shop}/shop")
    page.get_by_role("button", name="Open the chat").click()
    return page


def ids(context: BrowserContext, shop: str) -> list[str]:
    found = context.request.get(f"{shop}/talks/api/conversations").json()["conversations"]
    return [one["id"] for one in found]


def test_the_login_of_the_page_says_who_is_asking(shop: str, model: Slow, watched: Watched) -> None:
    watched.expected += ["404", "favicon.ico"]
    model.may_end.set()
    context = watched.page().context
    log_in(context, shop, "ada")
    page = opened(context, shop)
    write(page, "is somebody here?")
    log = page.get_by_role("log")
    expect(log).to_contain_text("The first half, and the second.")
    [own] = ids(context, shop)
    assert own.startswith("ada:")
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.endsWith('visitor'))") == []

    log_in(context, shop, "ben")
    page.reload()
    expect(page.get_by_role("status")).to_have_text("")
    expect(log.locator(".message.mine")).to_have_count(0)
    write(page, "and for me?")
    expect(log).to_contain_text("The first half, and the second.")
    [other] = ids(context, shop)
    assert other.startswith("ben:")


SECRET = "a secret of Ada"
REPLY = "The first half, and the second."


def offline(context: BrowserContext, shop: str) -> tuple[Page, Failing]:
    """A chat of Ada with a reply, and a message that cannot be sent."""
    log_in(context, shop, "ada")
    page = opened(context, shop)
    write(page, "hello")
    expect(page.get_by_role("log")).to_contain_text("and the second.")
    failing = Failing(page, "**/turns")
    write(page, SECRET)
    expect(page.get_by_role("status")).to_contain_text("No connection")
    return page, failing


def turns_of(context: BrowserContext) -> list[tuple[str, str]]:
    """What a browser sends as turns from now on, as `(url, body)`."""
    found: list[tuple[str, str]] = []

    def add(request: Request) -> None:
        if "/turns" in request.url:
            found.append((unquote(request.url), request.post_data or ""))

    context.on("request", add)
    return found


@pytest.mark.parametrize("comes", ["before the message", "after the message"])
def test_what_one_reader_did_not_send_is_not_sent_by_the_next(
    shop: str, model: Slow, watched: Watched, comes: str
) -> None:
    """`comes`: when the server says that the conversation of this browser is not the reader's."""
    model.may_end.set()
    watched.expected += ["404", "ERR_FAILED", "net::", "favicon.ico"]
    context = watched.page().context
    offline(context, shop)[0].close()
    sent = turns_of(context)
    log_in(context, shop, "ben")
    page = context.new_page()
    held: list[Held] = []
    page.route("**/transcript", lambda route: held.append(route) if comes == "after the message" else route.continue_())
    page.goto(f"{shop}/shop")
    log = page.get_by_role("log")
    expect(log).to_be_visible()  # it was open before
    if comes == "before the message":
        expect(page.get_by_role("status")).to_have_text("")
    write(page, "I am Ben")
    expect(log.locator(".mine")).to_have_text(["I am Ben" if held else "You:I am Ben"])
    for route in held:
        assert sent == []
        route.continue_()
    expect(log).to_contain_text("and the second.")
    expect(log.locator(".mine")).to_have_text(["You:I am Ben"])
    assert [url for url, body in sent if "Ada" in body] == []
    [ben] = ids(context, shop)
    assert [ben in url for url, _ in sent] == [True]


def test_a_tab_of_the_reader_before_sends_nothing_to_the_conversation_of_the_next(
    shop: str, model: Slow, watched: Watched
) -> None:
    model.may_end.set()
    watched.expected += ["404", "ERR_FAILED", "net::", "favicon.ico"]
    context = watched.page().context
    before, failing = offline(context, shop)
    log_in(context, shop, "ben")
    page = context.new_page()
    page.goto(f"{shop}/shop")
    write(page, "I am Ben")
    log = page.get_by_role("log")
    expect(log.locator(".message .body")).to_have_text([REPLY, "I am Ben", REPLY])
    sent = turns_of(context)
    write(before, "and more of it")  # the browser keeps it beside the conversation of the next reader
    failing.mend()
    before.evaluate("dispatchEvent(new Event('online'))")  # it tries again by itself, and may have done so already
    expect(before.get_by_role("status")).to_contain_text("no longer available")
    expect(before.get_by_role("textbox", name="Write a message")).to_have_value(f"{SECRET}\nand more of it")
    [ben] = ids(context, shop)
    assert sent
    assert not [url for url, _ in sent if ben in url]
    page.reload()
    expect(page.get_by_role("status")).to_have_text("")
    write(page, "and again")
    expect(log.locator(".message .body")).to_have_text([REPLY, "I am Ben", REPLY, "and again", REPLY])
    assert [body for url, body in sent if ben in url and "again" not in body] == []


@pytest.mark.parametrize("known", [False, True], ids=["first chat", "chat of before"])
def test_what_was_written_while_the_chat_could_not_open_is_not_sent_by_the_next_reader(
    shop: str, model: Slow, watched: Watched, *, known: bool
) -> None:
    model.may_end.set()
    watched.expected += ["404", "ERR_FAILED", "net::", "favicon.ico"]
    context = watched.page().context
    log_in(context, shop, "ada")
    page = opened(context, shop) if known else context.new_page()
    if known:
        expect(page.get_by_role("log")).to_contain_text("and the second.")
    failing = Failing(page, "**/api/conversations**", "**/transcript")
    page.goto(f"{shop}/shop")
    if not known:
        page.get_by_role("button", name="Open the chat").click()
    expect(page.get_by_role("status")).to_contain_text("No connection")
    write(page, SECRET)
    expect(page.get_by_role("log").locator(".pending")).to_have_text([SECRET])
    expect(page.get_by_role("status")).to_contain_text("No connection")
    sent = turns_of(context)
    log_in(context, shop, "ben")
    failing.mend()
    expect(page.get_by_role("textbox", name="Write a message")).to_have_value(SECRET)
    expect(page.get_by_role("log").locator(".mine")).to_have_count(0)
    assert sent == []


def test_what_the_next_reader_wrote_while_the_chat_could_not_open_is_not_sent_by_the_one_before(
    shop: str, model: Slow, watched: Watched
) -> None:
    model.may_end.set()
    watched.expected += ["404", "ERR_FAILED", "net::", "favicon.ico"]
    context = watched.page().context
    log_in(context, shop, "ada")
    page = opened(context, shop)
    expect(page.get_by_role("log")).to_contain_text("and the second.")
    log_in(context, shop, "ben")
    failing = Failing(page, "**/transcript")
    page.goto(f"{shop}/shop")
    write(page, "a secret of Ben")
    expect(page.get_by_role("status")).to_contain_text("No connection")
    sent = turns_of(context)
    log_in(context, shop, "ada")
    failing.mend()
    expect(page.get_by_role("log")).to_contain_text("and the second.")
    expect(page.get_by_role("textbox", name="Write a message")).to_have_value("a secret of Ben")
    assert sent == []


def test_who_is_not_logged_in_reads_why_the_chat_does_not_open(shop: str, model: Slow, watched: Watched) -> None:
    model.may_end.set()
    watched.expected += ["401", "favicon.ico"]
    context = watched.page().context
    page = opened(context, shop)
    expect(page.get_by_role("status")).to_contain_text("This chat cannot be opened.")
    expect(page.get_by_role("button", name="Send again")).to_have_count(0)
    log_in(context, shop, "ada")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("status")).to_have_text("")


def test_a_message_stands_above_the_reply_that_is_being_written(shop: str, model: Slow, watched: Watched) -> None:
    watched.expected += ["favicon.ico"]
    model.may_end.set()
    context = watched.page().context
    log_in(context, shop, "ada")
    page = opened(context, shop)
    write(page, "hello")
    log = page.get_by_role("log")
    expect(log.locator(".message").last).to_contain_text("and the second.")
    model.may_end.clear()
    write(page, "and now?")
    expect(log.locator(".writing")).to_have_text("The first half,")
    assert [text.strip() for text in log.locator(".message .body").all_inner_texts()][-2:] == [
        "and now?",
        "The first half,",
    ]
    write(page, "one more")
    expect(log.locator(".pending")).to_have_text(["one more"])
    model.may_end.set()
    expect(log.locator(".message.mine")).to_have_count(3)
    expect(log.locator(".pending")).to_have_count(0)
    expect(log.locator(".message").last).to_contain_text("and the second.")
