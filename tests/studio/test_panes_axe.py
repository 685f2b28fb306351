"""axe finds nothing in what opens inside of a page: the person's panel in each of its states, dialogs, panes of a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from support.serving import Served
from support.talking import Open, settled
from support.watching import LIST, PHONE, TIMELINE, violations


def person(page: Page) -> Locator:
    return page.get_by_role("region", name="A person takes over")


def take_over(page: Page) -> None:
    page.get_by_role("banner").get_by_role("button", name="Take over", exact=True).click()
    expect(person(page)).to_be_visible()


def by_key(page: Page) -> None:
    page.keyboard.press("t")
    expect(person(page)).to_be_visible()


def nobody(page: Page) -> None:
    take_over(page)
    expect(person(page).get_by_role("button", name="Take over", exact=True)).to_be_visible()


def another(page: Page) -> None:
    take_over(page)
    person(page).get_by_label("Your name, shown to the user").fill("Mara")
    person(page).get_by_role("button", name="Take over from Lena").click()
    expect(person(page)).to_contain_text("Lena can then neither answer")


def own(page: Page) -> None:
    take_over(page)
    person(page).get_by_role("button", name="Continue as Lena").click()
    person(page).get_by_label("age in years").fill("fifty")
    expect(person(page).locator(".fault")).to_be_visible()
    person(page).get_by_role("button", name="End the conversation").click()
    page.get_by_role("textbox", name="Message as Lena").fill("Hello")


STATES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "waiting": ("/c/romy", nobody),
    "machine": ("/c/sofia", nobody),
    "another": ("/c/greta", another),
    "own": ("/c/greta", own),
    "ended": ("/c/maria", by_key),
}


@pytest.mark.parametrize("name", STATES)
def test_the_panel_of_the_person(view: Open, axe: str, name: str) -> None:
    address, act = STATES[name]
    page = settled(view(address))
    act(page)
    assert violations(settled(page), axe, apart=(LIST,)) == []


def test_the_menu_and_the_dialogs_of_a_conversation(visit: Open, axe: str) -> None:
    page = settled(visit("/c/maria"))
    page.get_by_role("button", name="More about this conversation").click()
    assert violations(page, axe, apart=(LIST, TIMELINE)) == []
    for label in ("Settings", "Fork after turn 8", "Delete for good"):
        page.get_by_role("menuitem", name=label).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert violations(page, axe, apart=(LIST, TIMELINE)) == [], label
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        page.get_by_role("button", name="More about this conversation").click()


PANES = {
    "why": ("/c/case-1042", "Why"),
    "state": ("/c/maria?turn=4&tab=state", "Why"),
    "prompt": ("/c/maria?turn=5&tab=prompt", "Why"),
    "events": ("/c/maria?tab=events", "Why"),
    "ask": ("/c/case-1042?tab=ask&ask=case.purpose", "Why"),
    "code": ("/c/nora", "Why"),
    "what-if": ("/c/maria?turn=4&what-if", "Why"),
    "outline": ("/c/maria?turn=4", "Graph"),
    "list": ("/c/maria", "List"),
}


@pytest.mark.parametrize("name", PANES)
def test_panes_of_a_phone(visit: Open, axe: str, name: str) -> None:
    address, pane = PANES[name]
    page = settled(visit(address, viewport=PHONE, has_touch=True, is_mobile=True))
    page.get_by_role("navigation", name="Panes").get_by_role("button", name=pane).tap()
    assert violations(settled(page), axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_person_gives_back_on_a_phone(studio: Served, view: Open, axe: str) -> None:
    studio.post("/api/conversations", flow="health_intake", name="phone")
    studio.post("/api/conversations/phone/person/take-over", operator="Lena")
    page = settled(view("/c/phone", viewport=PHONE, has_touch=True, is_mobile=True))
    page.locator(".banner.person").get_by_role("button", name="Take over").tap()
    page.get_by_role("button", name="Continue as Lena").tap()
    expect(page.get_by_role("button", name=re.compile("^Save and give back"))).to_be_visible()
    assert violations(settled(page), axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("navigation", name="Panes").get_by_role("button", name="Chat").tap()
    assert violations(page, axe) == []
