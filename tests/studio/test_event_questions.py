"""An event in the list, and one that a search finds, asks why about what it is about."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from support.first_answers import held_answer
from support.serving import Served
from support.talking import Open, settled
from support.watching import LIST, PHONE, TIMELINE, Watched, violations


def row(page: Page, *texts: str) -> Locator:
    """Return the first event of the list with some words, once all events are loaded."""
    page.get_by_role("searchbox", name="Filter events").fill(" ".join(texts))
    expect(page.locator(".evcount")).to_have_text(re.compile(r"^\d+ events?$"))
    return page.get_by_role("option").first


def expect_answer(page: Page, read_as: str) -> None:
    answer = page.get_by_role("article", name=re.compile(f"^why {re.escape(read_as)}"))
    expect(answer.get_by_role("heading", level=2)).to_be_focused()


ASKED = [
    (["user.age = 48", "field_set"], "field age in years, at the end of turn 3"),
    (["decided", "too_young"], "transition “too young”, at the end of turn 2"),
    (["user said", "48"], "message 3, at the end of turn 3"),
    (["model replied", "turn:1"], "the model, at the end of turn 1"),
]


def test_an_event_asks_by_pointer_and_by_enter(view: Open) -> None:
    page = view("/c/maria?tab=events")
    for words, read_as in ASKED:
        event = row(page, *words)
        event.hover()
        event.get_by_text("why?").click()
        expect_answer(page, read_as)
        page.go_back()
        event = row(page, *words)
        event.click()
        expect(event).to_have_attribute("aria-selected", "true")
        page.get_by_role("listbox", name="Events").press("Enter")
        expect_answer(page, read_as)
        page.go_back()


def test_an_event_can_be_chosen_before_the_transcript_has_come(shared: Served, watched: Watched) -> None:
    page = watched.page()
    with held_answer(page, "**/transcript**"):
        page.goto(f"{shared.address}/c/maria?tab=events")
        row(page, "user.age = 48", "field_set").click()
        expect(page).to_have_url(re.compile(r"turn=3"))
    settled(page)
    expect(page.get_by_role("region", name=re.compile("^Event .* as JSON"))).to_contain_text("user.age")


def test_the_event_in_full_asks(view: Open, axe: str) -> None:
    page = view("/c/maria?tab=events")
    row(page, "user.age = 48", "field_set").click()
    expect(page.get_by_role("region", name=re.compile("^Event .* as JSON"))).to_be_visible()
    assert violations(page, axe, apart=(LIST, TIMELINE)) == []
    page.get_by_role("button", name=re.compile("^field Age")).click()
    expect_answer(page, "field age in years, at the end of turn 3")


def test_a_found_event_opens_and_asks(view: Open, axe: str) -> None:
    page = view("/c/maria?technical=1")
    for is_first in (True, False):
        page.keyboard.press("/")
        page.get_by_role("searchbox", name="Search conversations and events").fill("field_set user.age 48")
        found = page.get_by_role("button", name=re.compile("^field set seq 30,"))
        expect(found).to_be_visible()
        assert not is_first or violations(page, axe, apart=(LIST, TIMELINE)) == []
        found.click()
        expect(page.get_by_role("option", selected=True)).to_contain_text(re.compile("^30"))
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Search conversations and events").fill("field_set user.age 48")
    page.get_by_role("dialog").get_by_role("button", name="field user.age: why?").last.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect_answer(page, "field user.age, at the end of turn 3")


def test_the_event_of_the_position_is_in_view_above_its_details(view: Open) -> None:
    page = view("/c/maria?tab=events")
    expect(page.get_by_role("region", name=re.compile("^Event .* as JSON"))).to_be_visible()
    expect(page.get_by_role("option", selected=True)).to_be_in_viewport(ratio=0.99)


def test_on_a_phone_the_selected_event_asks(view: Open) -> None:
    page = view("/c/maria?tab=events", viewport=PHONE, has_touch=True, is_mobile=True)
    page.get_by_role("navigation", name="Panes").get_by_role("button", name="Why").tap()
    event = row(page, "user.age = 48", "field_set")
    event.tap()
    event.get_by_text("why?").tap()
    expect_answer(page, "field age in years, at the end of turn 3")
