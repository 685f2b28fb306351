"""The calls of a reply that wait for approval, on the page: changed, approved and declined each by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from support.serving import Served
from support.talking import Open, settled
from support.watching import PHONE, Watched, violations

pytestmark = pytest.mark.law("4.5")

FLOW = """
flow: depot
start: desk
tools:
  book:
    about: book the truck
    kind: effect
    confirm: true
    args:
      day: {type: date, about: day}
      crates: {type: integer, max: 9, about: number of crates}
      size: {type: choice, options: [small, large]}
  pay: {about: pay the driver, kind: effect, confirm: true, approver: operator, approve_within: 40m, args: {amount: number, account: {type: string, about: account of the driver}, pin: {type: string, secret: true, optional: true}}}
  label: {about: print a label, kind: effect, args: {to: string}}
  warn: {about: warn the neighbours, kind: effect, confirm: true, args: {text: string}}
nodes: {desk: {prompt: Run the depot., tools: {allow: [book, pay, label, warn]}}}
"""
TOOLS = """
import turnwise as tw

@tw.tool(kind="effect", confirm=True)
def book(day: str, crates: int, size: str) -> str:
    return f"{crates} crates"

@tw.tool(kind="effect", confirm=True, approver="operator")
def pay(amount: float, account: str, pin: str | None = None) -> str:
    return "paid"

@tw.tool(kind="effect")
def label(to: str) -> str:
    return "printed"

@tw.tool(kind="effect", confirm=True)
def warn(text: str) -> str:
    return "warned"
"""
CALLS = [
    {"tool": "book", "arguments": {"day": "2026-12-12", "crates": 2, "size": "small"}},
    {"tool": "label", "arguments": {"to": "Bo"}},
    {"tool": "pay", "arguments": {"amount": 240, "account": "PT50 0002 0123 1234 5678 9015 4", "pin": "4711"}},
    {"tool": "warn", "arguments": {"text": "It gets loud at six."}},
]
REPLIES = ["Hello.", {"text": "I book, pay and warn as soon as each is approved.", "calls": CALLS}, "All is settled."]


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "depot.flow.yaml").write_text(FLOW)
    (tmp_path / "tools.py").write_text(TOOLS)
    (tmp_path / "replies.json").write_text(json.dumps(REPLIES))
    model = f"scripted:{tmp_path / 'replies.json'}"
    flow = tmp_path / "depot.flow.yaml"
    store = f"sqlite:///{tmp_path}/depot.db"
    with Served(
        "serve", flow, "--port", "0", "--store", store, "--model", model, "--python", tmp_path / "tools.py"
    ) as served:
        served.post("/api/conversations", flow="depot", name="noor")
        served.post("/api/conversations/noor/turns", text="book a truck, pay, and warn the neighbours")
        yield served


def list_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Waits for")


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("article", name=name)


def test_each_call_is_changed_approved_or_declined_by_itself(view: Open, studio: Served, watched: Watched) -> None:
    watched.expected += ["422"]
    page = settled(view("/c/noor"))
    expect(page.get_by_role("region", name="Waits for 3 approvals")).to_be_visible()
    book = card(page, "book the truck")
    expect(book).to_contain_text("then label")
    book.get_by_label("number of crates").fill("12")
    book.get_by_role("button", name="Approve with your change").click()
    expect(book.locator(".fault")).to_be_visible()
    book.get_by_label("number of crates").fill("3")
    expect(book).to_contain_text("was 2")
    book.get_by_role("button", name="Approve with your change").click()
    expect(page.get_by_role("region", name="Waits for 2 approvals")).to_be_visible()
    warn = card(page, "warn the neighbours")
    warn.get_by_role("button", name="Decline…").click()
    warn.get_by_label("Reason, told to the model").fill("they are away")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Waits for an approval")).to_be_visible()
    pay = card(page, "pay the driver")
    expect(pay).to_contain_text("An operator decides")
    expect(pay.locator("time")).to_be_visible()
    assert "4711" not in page.content()
    pay.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("log").get_by_text("All is settled.")).to_be_visible()
    expect(list_of(page)).to_have_count(0)
    ended = [one["line"] for one in studio.get("/api/conversations/noor/events?limit=200")["events"]]
    assert any("they are away" in line for line in ended)


def test_all_are_approved_at_once_with_the_keyboard(view: Open) -> None:
    page = settled(view("/c/noor"))
    page.get_by_role("button", name="Approve all 3").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("log").get_by_text("All is settled.")).to_be_visible()
    expect(list_of(page)).to_have_count(0)


def test_a_call_that_another_one_decided_is_said_to_be_decided(view: Open, studio: Served, watched: Watched) -> None:
    watched.expected += ["409", "stream"]
    page = settled(view("/c/noor"))
    first = studio.get("/api/conversations/noor/approvals")[0]["id"]
    page.route("**/stream*", lambda route: route.abort())
    studio.post("/api/conversations/noor/approvals", decisions=[{"call": first, "approve": False}])
    stale = card(page, "book the truck").get_by_role("button", name="Approve", exact=True)
    with suppress(Error):  # the page may have heard of the decision, and taken the button away
        stale.click(timeout=3_000)
    expect(page.get_by_role("region", name="Waits for 2 approvals")).to_be_visible()


@pytest.mark.parametrize("is_phone", [False, True], ids=["wide", "phone"])
def test_axe_finds_nothing_in_the_list(view: Open, axe: str, *, is_phone: bool) -> None:
    page = settled(view("/c/noor", **({"viewport": PHONE} if is_phone else {})))
    card(page, "warn the neighbours").get_by_label("text").fill("It gets quiet.")
    card(page, "book the truck").get_by_role("button", name="Decline…").click()
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
