"""The studio by keyboard alone, on a phone, and with axe: no violation on any page, light and dark."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from support.talking import Open, Talk, settled
from support.watching import LIST, PHONE, TIMELINE, violations

PAGES = {
    "start": "/",
    "chat": "/c/case-1042",
    "past": "/c/maria?turn=4",
    "state": "/c/maria?turn=4&tab=state",
    "prompt": "/c/maria?turn=5&tab=prompt",
    "events": "/c/maria?tab=events",
    "code": "/c/nora",
    "error": "/c/vera",
    "graph": "/c/maria?turn=4&view=graph",
    "ask": "/c/case-1042?tab=ask&ask=case.purpose",
    "compare": "/c/case-1042?tab=ask&ask=against:case-1040",
    "what-if": "/c/maria?turn=4&what-if",
    "person": "/c/greta",
    "tools": "/c/job?turn=2",
    "flow": "/f/health_intake",
    "lost": "/nowhere",
}
ALIKE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("code", "error", "person", "tools"), (LIST,)),
    **dict.fromkeys(("state", "prompt", "events", "ask", "compare", "what-if"), (LIST, TIMELINE)),
}
"""The parts of pages that are the same as on `chat` and `past`."""


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(visit: Open, axe: str, name: str) -> None:
    page = settled(visit(PAGES[name]))
    assert violations(page, axe, apart=ALIKE.get(name, ())) == []


@pytest.mark.parametrize("name", ["start", "chat", "past", "flow", "graph"])
def test_on_a_phone_axe_finds_nothing_and_nothing_scrolls_sideways(visit: Open, axe: str, name: str) -> None:
    page = visit(PAGES[name], viewport=PHONE, has_touch=True, is_mobile=True)
    settled(page)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_dialogs_are_accessible_and_close(visit: Open, axe: str) -> None:
    page = settled(visit("/c/maria?turn=4"))
    for key in ("/", "?"):
        page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_be_visible()
        assert violations(page, axe, apart=(LIST, TIMELINE)) == [], key
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_conversation_on_a_phone(view: Open, studio) -> None:
    studio.post("/api/conversations", flow="eligibility", name="on-a-phone")
    page = view("/c/on-a-phone", viewport=PHONE, has_touch=True, is_mobile=True)
    talk = Talk(page)
    talk.rests(1)
    button = talk.transcript.get_by_role("button", name="Yes")
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    button.tap()
    talk.rests(2)
    panes = page.get_by_role("navigation", name="Panes")
    panes.get_by_role("button", name="Why").tap()
    expect(talk.panel.locator(".verdict")).to_be_visible()
    panes.get_by_role("button", name="Graph").tap()
    expect(page.locator(".tree")).to_contain_text("Intake")
    panes.get_by_role("button", name="List").tap()
    expect(
        page.get_by_role("link", name=re.compile("^maria")).or_(page.locator(".conv", has_text="maria")).first
    ).to_be_visible()
    panes.get_by_role("button", name="Chat").tap()
    expect(talk.transcript).to_be_visible()


def test_everything_by_keyboard_alone(view: Open) -> None:
    """Begin, answer, look why, go back, ask what if, and come back: no mouse."""
    page = view("/")
    expect(page.get_by_role("button", name="Begin a conversation with Insurance eligibility")).to_be_visible()
    tab_to(page, "Begin a conversation with Insurance eligibility")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/c/"))
    talk = Talk(page)
    talk.rests(1)
    expect(talk.field).to_be_focused()
    page.keyboard.type("yes")
    page.keyboard.press("Enter")
    talk.rests(2)
    page.keyboard.press("Alt+3")
    talk.rests(3)
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("2")
    expect(page.get_by_role("tab", name="State")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("1")
    page.keyboard.press("Shift+ArrowLeft")
    expect(talk.position).to_contain_text("turn 2 of 3")
    page.keyboard.press("g")
    expect(page).to_have_url(re.compile("view=graph"))
    page.keyboard.press("g")
    page.keyboard.press("w")
    expect(page.get_by_role("heading", name=re.compile("^What if, at turn 2"))).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    expect(talk.position).to_contain_text("turn 3 of 3")


def tab_to(page: Page, name: str) -> None:
    """Press Tab until a control with a name has the focus."""
    wanted = page.get_by_role("button", name=name)
    for _ in range(60):
        page.keyboard.press("Tab")
        if wanted.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError(f"{name} cannot be reached by Tab")
