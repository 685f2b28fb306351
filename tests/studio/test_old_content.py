"""While the content of a new position loads, the panel keeps the old one: it looks old, and nothing can be done with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from support.serving import Served
from support.talking import Talk, clipboard, loaded
from support.watching import Watched

Hold = Callable[[str], Page]


@pytest.fixture
def held() -> list[Route]:
    """The requests for turn 1 that have no answer yet."""
    return []


@pytest.fixture
def hold(studio: Served, watched: Watched, held: list[Route]) -> Hold:
    """Open an address of the conversation maria, for which the server does not answer about turn 1."""

    def keep(route: Route) -> None:
        held.append(route)

    def open_page(rest: str) -> Page:
        page = watched.page(permissions=["clipboard-read", "clipboard-write"])
        page.route(re.compile(r"/trace\?turn=1$"), keep)
        page.goto(f"{studio.address}/c/maria?{rest}")
        return page

    return open_page


def test_what_is_copied_belongs_to_the_position(hold: Hold, held: list[Route]) -> None:
    talk = Talk(hold("turn=5"))
    talk.at("turn 5 of 8")
    copy = talk.panel.get_by_role("button", name="Copy this decision as JSON")
    expect(copy).to_be_enabled()
    talk.page.keyboard.press("Home")
    expect(talk.position).to_contain_text("turn 1 of 8")
    expect(copy).to_be_disabled()
    talk.page.keyboard.press("c")
    expect(talk.page.get_by_role("status").filter(has_text="Nothing was copied")).to_have_count(1)
    held[0].continue_()
    copy.click()
    assert json.loads(clipboard(talk.page))["turn"] == 1


def test_old_content_looks_old_and_does_nothing(hold: Hold, held: list[Route]) -> None:
    talk = Talk(hold("turn=4"))
    talk.at("turn 4 of 8")
    talk.page.keyboard.press("Home")
    expect(talk.position).to_contain_text("turn 1 of 8")
    old = talk.panel.locator("[aria-busy=true]")
    expect(old).to_have_css("opacity", "0.5")
    address = talk.page.url
    for button in (
        old.get_by_role("button", name="agreement to the terms = Yes"),
        old.get_by_role("button", name="why?"),
    ):
        button.first.click()
        button.first.press("Enter")
    expect(old).to_contain_text("agreement to the terms = Yes")
    assert talk.page.url == address
    held[0].continue_()
    expect(loaded(talk.panel)).not_to_contain_text("Stayed: needs agreement to the terms")


def test_sections_fold_while_their_content_is_old(hold: Hold, held: list[Route]) -> None:
    talk = Talk(hold("turn=4"))
    talk.at("turn 4 of 8")
    talk.page.keyboard.press("Home")
    expect(talk.position).to_contain_text("turn 1 of 8")
    logic = talk.section("Transition Logic")
    logic.locator("summary").first.click()
    expect(logic).not_to_have_attribute("open", "")
    held[0].continue_()
    loaded(talk.panel)
    expect(logic).not_to_have_attribute("open", "")


def test_a_what_if_looks_old_until_the_values_of_its_turn_are_there(hold: Hold, held: list[Route]) -> None:
    page = hold("turn=4&what-if")
    expect(page.get_by_role("heading", name="What if, at turn 4")).to_be_focused()
    panel = page.get_by_role("region", name=re.compile("^What if, at turn"))
    expect(panel.get_by_role("row", name=re.compile("^age in years"))).to_contain_text("48")
    page.keyboard.press("Home")
    expect(panel).to_contain_text("What if, at turn 1")
    expect(panel.locator("[aria-busy=true]")).to_have_css("opacity", "0.5")
    held[0].continue_()
    expect(loaded(panel).get_by_role("row", name=re.compile("^age in years"))).to_contain_text("not known")
