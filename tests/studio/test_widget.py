"""The chat widget works on a page of somebody else, under a strict policy, without a key."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
import uvicorn
from playwright.sync_api import Page, Route, expect

import turnwise as tw
from support.first_answers import Failing, answer_first, held_answer
from support.served import ELIGIBILITY, Names
from support.talking import write
from support.watching import PHONE, WIDE, Watched
from turnwise.flow.model import Flow
from turnwise.runner.clocks import SystemClock
from turnwise.server.app import create
from turnwise.server.limits import LOCAL_LIMITS
from turnwise.server.run import address_of, listen
from turnwise.server.visitors import Visitors

PAGE = """<!doctype html><html lang="{language}"><head><title>Shop</title></head><body><main><h1>Shop</h1></main>
<script src="{server}/widget.js" data-flow="{flow}" data-title="Ask us" {more}></script></body></html>"""


class Shop:
    """A page of another origin with the widget. Its policy allows scripts and connections of the server only."""

    def __init__(self, server: str, listening: ThreadingHTTPServer, flow: str) -> None:
        self.server = server
        self.listening = listening
        self.flow = flow

    def address(self, more: str = "", language: str = "en") -> str:
        page = PAGE.format(server=self.server, more=more, language=language, flow=self.flow)
        self.listening.page = page  # type: ignore[attr-defined]
        return f"http://127.0.0.1:{self.listening.server_port}/"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, ThreadingHTTPServer)
        body, server = self.server.page.encode(), self.server.server  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        policy = f"default-src 'none'; script-src {server}; connect-src {server}"
        self.send_header("content-security-policy", policy)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Serving(threading.Thread):
    """The server, in an event loop of its own: that of this thread belongs to the browser."""

    def __init__(self, flow: Flow, store: str, origin: str) -> None:
        super().__init__()
        self.flow, self.store, self.origin = flow, store, origin
        self.listening = listen("127.0.0.1", 0)
        self.address = address_of(self.listening)
        self.uvicorn: uvicorn.Server | None = None

    def run(self) -> None:
        server = create(
            [tw.open(self.flow, store=self.store)],
            access=Visitors(Names(), [self.flow.name]),
            limits=LOCAL_LIMITS,
            clock=SystemClock(),
            origins=[self.origin],
        )
        self.uvicorn = uvicorn.Server(uvicorn.Config(server, log_level="warning", timeout_graceful_shutdown=1))
        self.uvicorn.run(sockets=[self.listening])

    def stop(self) -> None:
        if self.uvicorn is not None:
            self.uvicorn.should_exit = True
        self.join(10)


@pytest.fixture
def shop(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Shop]:
    """A shop with the widget of the flow that a test names as parameter, else of the example `eligibility`."""
    flow = tw.loads(request.param) if hasattr(request, "param") else tw.load(ELIGIBILITY)
    page = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    serving = Serving(flow, f"sqlite:///{tmp_path}/shop.db", f"http://127.0.0.1:{page.server_port}")
    pages = threading.Thread(target=page.serve_forever)
    page.server = serving.address  # type: ignore[attr-defined]
    pages.start()
    serving.start()
    yield Shop(serving.address, page, flow.name)
    serving.stop()
    page.shutdown()
    page.server_close()
    pages.join(10)


def hold_timers(page: Page) -> None:
    """Keep what a page wants to do later until `run_timers`, also when it is loaded again: it tries nothing by itself."""
    held = "window.held = []; window.setTimeout = (run) => window.held.push(run); 0"
    page.add_init_script(held)
    page.evaluate(held)


def run_timers(page: Page) -> None:
    """Run what a page wanted to do later."""
    page.evaluate("window.held.splice(0).forEach((run) => run())")


def opened(page: Page) -> Page:
    page.get_by_role("button", name="Open the chat").click()
    expect(page.get_by_role("log")).to_contain_text("Do we have patient information available?")
    return page


def test_a_visitor_answers_by_button_and_by_text(shop: Shop, watched: Watched) -> None:
    page = opened(watched.open(shop.address()))
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.get_by_role("log")).to_contain_text("Yes")
    expect(page.get_by_role("button", name="Partial")).to_be_visible()
    field = page.get_by_role("textbox", name="Write a message")
    field.fill("perhaps <b>bold</b>")
    field.press("Enter")
    expect(page.get_by_role("log")).to_contain_text("perhaps <b>bold</b>")
    expect(page.get_by_role("log").locator("b")).to_have_count(0)


def test_the_conversation_is_there_after_a_reload_and_nobody_else_has_it(shop: Shop, watched: Watched) -> None:
    page = opened(watched.open(shop.address()))
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.get_by_role("button", name="Partial")).to_be_visible()
    expect(page.get_by_role("log").locator(".pending")).to_have_count(0)
    before = page.get_by_role("log").locator(".message").count()
    page.reload()
    expect(page.get_by_role("button", name="Partial")).to_be_visible()
    expect(page.get_by_role("log").locator(".message")).to_have_count(before)
    other = opened(watched.open(shop.address()))
    expect(other.get_by_role("button", name="Partial")).to_have_count(0)


def test_two_tabs_of_a_visitor_show_the_same(shop: Shop, watched: Watched) -> None:
    first = watched.page()
    second = first.context.new_page()
    address = shop.address()
    first.goto(address)
    opened(first)
    second.goto(address)
    expect(second.get_by_role("button", name="Yes", exact=True)).to_be_visible()
    first.get_by_role("button", name="Yes", exact=True).click()
    expect(second.get_by_role("button", name="Partial")).to_be_visible()


SEEN = """(isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true })
    document.dispatchEvent(new Event("visibilitychange"))
}"""


def test_a_tab_that_is_not_seen_holds_no_stream_and_misses_nothing(shop: Shop, watched: Watched) -> None:
    page = watched.open(shop.address())
    with page.expect_request(lambda request: "/stream?" in request.url):
        opened(page)
    with page.expect_event("requestfailed", lambda request: "/stream?" in request.url):
        page.evaluate(SEEN, True)
    desk = Desk(shop.server)
    desk.act("take-over", operator="Lena")
    desk.act("say", text="Are you there?")
    assert "Are you there?" not in page.get_by_role("log").inner_text()
    page.evaluate(SEEN, False)
    expect(page.get_by_role("log")).to_contain_text("Are you there?")
    expect(page.get_by_role("log").locator(".message", has_text="Are you there?")).to_have_count(1)


LESSON = """
flow: lesson
start: talk
commands: [{start: [survey]}]
records: {feedback: {mood: {type: choice, options: [good, bad]}}}
nodes:
  talk: {say: Welcome to the lesson., transitions: [{at: before, when: 'message.text == "x"', to: talk}]}
  survey:
    title: A short survey
    scope: {returns: feedback, summary: "It was {{ feedback.mood }}."}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
"""


OFFERED = LESSON.replace("flow: lesson", "flow: lesson\nlanguage: de").replace(
    "talk: {say: Welcome to the lesson.,",
    "talk: {say: Willkommen., offer: {scope: survey, opener: Haben Sie kurz Zeit?},",
)


@pytest.mark.parametrize("shop", [OFFERED], indirect=True)
def test_a_visitor_takes_an_offer_by_its_button(shop: Shop, watched: Watched) -> None:
    page = watched.open(shop.address(language="de"))
    page.get_by_role("button", name="Chat öffnen").click()
    log = page.get_by_role("log")
    expect(log).to_contain_text("Haben Sie kurz Zeit?")
    expect(page.get_by_role("button", name="Nein", exact=True)).to_be_visible()
    page.get_by_role("button", name="Ja", exact=True).click()
    expect(log).to_contain_text("How was it?")


@pytest.mark.parametrize("shop", [LESSON], indirect=True)
def test_a_visitor_begins_an_inner_conversation_by_its_button(shop: Shop, watched: Watched) -> None:
    page = watched.open(shop.address())
    page.get_by_role("button", name="Open the chat").click()
    begin = page.get_by_role("group", name="You can begin")
    begin.get_by_role("button", name="A short survey").click()
    log = page.get_by_role("log")
    expect(log).to_contain_text("How was it?")
    expect(begin).to_have_count(0)
    log.get_by_role("button", name="good").click()
    expect(begin.get_by_role("button", name="A short survey")).to_be_visible()
    assert "It was good." not in log.inner_text()
    page.reload()
    expect(begin.get_by_role("button", name="A short survey")).to_be_visible()


def test_it_is_used_by_keyboard_and_speaks_the_language_of_the_page(shop: Shop, watched: Watched) -> None:
    page = watched.open(shop.address(language="de"), viewport=PHONE)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Nachricht schreiben")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Chat öffnen")).to_be_focused()


class Desk:
    """An operator, who works over HTTP."""

    def __init__(self, server: str) -> None:
        self.server = server
        [found] = self.ask("/api/conversations")["conversations"]
        self.conversation = f"/api/conversations/{quote(found['id'])}"

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"authorization": "Bearer lena operator,admin", "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.server + path, data=data, headers=headers), timeout=60) as answer:
            return json.loads(answer.read())

    def act(self, act: str, **body: Any) -> None:
        self.ask(f"{self.conversation}/person/{act}", body)


def test_a_person_answers_the_visitor_and_leaves(shop: Shop, watched: Watched) -> None:
    page = opened(watched.open(shop.address()))
    answers = page.get_by_role("log").get_by_role("group")
    desk = Desk(shop.server)
    desk.act("take-over", operator="Lena")
    expect(page.get_by_role("log")).to_contain_text("Lena joined the conversation.")
    expect(answers.get_by_role("button", name="Yes", exact=True)).to_be_disabled()
    expect(answers).to_have_accessible_description(re.compile("Lena answers you now"))
    desk.act("say", text="Hello, this is Lena.")
    expect(page.get_by_role("log")).to_contain_text("Hello, this is Lena.")
    page.reload()
    field = page.get_by_role("textbox", name="Write a message")
    field.fill("Yes, we have it")
    field.press("Enter")
    expect(page.get_by_role("log").locator(".message.mine", has_text="Yes, we have it")).to_have_count(1)
    expect(page.get_by_role("log").locator(".pending")).to_have_count(0)
    desk.act("give-back")
    expect(page.get_by_role("log")).to_contain_text("Lena left the conversation.")
    expect(page.get_by_role("log").locator(".message").last).to_contain_text(
        "Do we have patient information available?"
    )
    expect(page.get_by_role("button", name="Yes", exact=True)).to_be_enabled()
    desk.act("take-over", operator="Lena")
    desk.act("give-back", end="closed")
    expect(page.get_by_role("status")).to_contain_text("This conversation has ended.")


def test_a_press_counts_before_the_answer_to_the_message_before(shop: Shop, watched: Watched) -> None:
    page = opened(watched.open(shop.address()))
    with held_answer(page):
        page.get_by_role("button", name="Yes", exact=True).click()
        page.get_by_role("button", name="Partial").click()
    expect(page.get_by_role("log")).to_contain_text("What is the check for?")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(shop: Shop, watched: Watched, axe: str, theme: str) -> None:
    watched.expected += ["ERR_FAILED", "net::"]
    page = watched.open(shop.address(f'data-theme="{theme}"'), bypass_csp=True)
    page.evaluate(axe)
    assert violations(page) == []
    opened(page)
    expect(page.get_by_role("button", name="Yes", exact=True)).to_be_visible()
    assert violations(page) == []
    desk = Desk(shop.server)
    desk.act("take-over", operator="Lena")
    expect(page.get_by_role("log")).to_contain_text("Lena joined the conversation.")
    assert violations(page) == []
    failing = Failing(page, "**/turns")
    field = page.get_by_role("textbox", name="Write a message")
    field.fill("hello")
    field.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("No connection")
    assert violations(page) == []
    failing.mend()
    expect(page.get_by_role("log").locator(".pending")).to_have_count(0)
    desk.act("give-back", end="closed")
    expect(page.get_by_role("status")).to_contain_text("This conversation has ended.")
    assert violations(page) == []


def violations(page: Page) -> list[list[str]]:
    """Return what axe finds on a phone and on a wide page: the rule, and the first element that breaks it."""
    found = []
    for size in (PHONE, WIDE):
        page.set_viewport_size(size)
        found += page.evaluate("axe.run().then(({violations}) => violations.map((one) => [one.id, one.nodes[0].html]))")
    return found


def test_a_chat_that_opens_by_itself_takes_no_focus_and_one_that_is_used_keeps_it(shop: Shop, watched: Watched) -> None:
    page = watched.open(shop.address("data-open"))
    expect(page.get_by_role("button", name="Yes", exact=True)).to_be_visible()
    assert page.evaluate("document.activeElement === document.body")
    page = opened(watched.open(shop.address()))
    log = page.get_by_role("log")
    page.get_by_role("button", name="Yes", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Partial")).to_be_visible()
    expect(log).to_be_focused()
    page.reload()
    expect(page.get_by_role("button", name="Partial")).to_be_visible()
    assert page.evaluate("document.activeElement === document.body")


def test_a_message_that_was_not_sent_is_shown_and_sent_when_the_connection_is_back(
    shop: Shop, watched: Watched
) -> None:
    watched.expected += ["ERR_FAILED", "net::"]
    page = opened(watched.open(shop.address()))
    failing = Failing(page, "**/turns")
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("No connection")
    expect(page.get_by_role("log").locator(".pending")).to_have_text("Yes")
    failing.mend()
    expect(page.get_by_role("button", name="Partial")).to_be_visible()
    expect(page.get_by_role("log").locator(".pending")).to_have_count(0)
    expect(page.get_by_role("log").locator(".mine")).to_have_count(1)


def test_a_message_that_was_not_sent_survives_a_reload(shop: Shop, watched: Watched) -> None:
    watched.expected += ["ERR_FAILED", "net::"]
    page = opened(watched.open(shop.address()))
    failing = Failing(page, "**/turns")
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("No connection")
    failing.mend()
    page.reload()
    expect(page.get_by_role("button", name="Partial")).to_be_visible()
    expect(page.get_by_role("log").locator(".mine")).to_have_count(1)


def test_a_message_that_is_written_before_the_chat_has_come_survives_a_reload_and_is_sent_once(
    shop: Shop, watched: Watched
) -> None:
    page = opened(watched.open(shop.address()))
    log = page.get_by_role("log")
    expect(log.locator(".message")).to_have_count(1)
    watched.expected += ["ERR_FAILED", "net::"]
    failing = Failing(page, "**/transcript")
    page.reload()
    expect(page.get_by_role("status")).to_contain_text("No connection")
    write(page, "Yes")
    expect(log.locator(".pending")).to_have_text(["Yes"])
    hold_timers(page)
    page.reload()
    expect(page.get_by_role("status")).to_contain_text("No connection")
    failing.mend()
    page.get_by_role("button", name="Try again").click()
    expect(log.locator(".mine")).to_have_text(["You:Yes"])
    expect(page.get_by_role("button", name="Partial")).to_be_visible()


def test_nothing_is_lost_of_what_two_tabs_could_not_send(shop: Shop, watched: Watched) -> None:
    """The second message was written before the reply to the first: it is not sent as an answer to it."""
    watched.expected += ["ERR_FAILED", "net::"]
    page = opened(watched.open(shop.address()))
    context, other = page.context, page.context.new_page()
    other.goto(page.url)
    for tab, text in ((page, "is it free?"), (other, "Yes")):
        expect(tab.get_by_role("button", name="Yes", exact=True)).to_be_visible()
        Failing(tab, "**/turns")
        write(tab, text)
        expect(tab.get_by_role("status")).to_contain_text("No connection")
    address = page.url
    page.close()
    other.close()
    page = context.new_page()
    page.goto(address)
    expect(page.get_by_role("log").locator(".mine .body")).to_have_text(["is it free?"])
    expect(page.get_by_role("textbox", name="Write a message")).to_have_value("Yes")


def test_two_tabs_that_open_at_once_have_one_conversation(shop: Shop, watched: Watched) -> None:
    page = watched.open(shop.address())
    other = page.context.new_page()
    other.goto(page.url)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.context.route("**/api/conversations", hold)
    for tab in (page, other):
        tab.get_by_role("button", name="Open the chat").click()
    expect(other.get_by_role("status")).to_have_text("The assistant is writing")
    [begin] = held
    begin.continue_()
    for tab in (page, other):
        expect(tab.get_by_role("button", name="Yes", exact=True)).to_be_visible()
    assert held == [begin]


@pytest.mark.parametrize(
    "answer",
    [{"status": 200, "content_type": "text/event-stream", "body": ""}, {"status": 200, "body": "<p>Log in</p>"}],
    ids=["cut off", "a page in between"],
)
def test_an_answer_without_a_turn_sends_the_message_again(shop: Shop, watched: Watched, answer: dict[str, Any]) -> None:
    page = opened(watched.open(shop.address()))
    answer_first(page, answer)
    hold_timers(page)
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Your message is kept")
    run_timers(page)
    expect(page.get_by_role("button", name="Partial")).to_be_visible()
    expect(page.get_by_role("log").locator(".mine")).to_have_count(1)


def test_a_message_that_is_too_long_goes_back_to_be_shortened(shop: Shop, watched: Watched) -> None:
    watched.expected += ["413"]
    page = opened(watched.open(shop.address()))
    write(page, "a" * 25_000)
    expect(page.get_by_role("status")).to_have_text("This message is too long. Please shorten it and send it again.")
    field = page.get_by_role("textbox", name="Write a message")
    assert len(field.input_value()) == 25_000
    write(page, "Yes")
    expect(page.get_by_role("button", name="Partial")).to_be_visible()


def test_what_is_written_after_the_end_goes_back_and_the_chat_can_start_again(shop: Shop, watched: Watched) -> None:
    page = opened(watched.open(shop.address()))
    for label in ("Yes", "No", "Billing", "Escalate", "Urgent", "Looks Good"):
        page.get_by_role("button", name=label, exact=True).click()
    expect(page.get_by_role("button", name="Start again")).to_be_visible()
    write(page, "thank you")
    expect(page.get_by_role("textbox", name="Write a message")).to_have_value("thank you")
    expect(page.get_by_role("status")).to_contain_text("This conversation has ended.")
    page.get_by_role("button", name="Start again").click()
    expect(page.get_by_role("log").locator(".mine")).to_have_count(0)


def test_the_end_offers_to_start_again_and_a_press_is_shown_by_its_label(shop: Shop, watched: Watched) -> None:
    page = opened(watched.open(shop.address()))
    for label in ("Yes", "No", "Billing", "Escalate", "Urgent", "Looks Good"):
        page.get_by_role("button", name=label, exact=True).click()
    log = page.get_by_role("log")
    expect(log.locator(".mine").last).to_contain_text("Looks Good")
    expect(page.get_by_role("status")).to_contain_text("This conversation has ended.")
    page.get_by_role("button", name="Start again").click()
    expect(log).to_contain_text("Do we have patient information available?")
    expect(log.locator(".mine")).to_have_count(0)
