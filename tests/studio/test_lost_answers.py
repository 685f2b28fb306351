"""An answer of the server that never arrives: what was asked for is pressed again, and happens once."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from support.serving import Served
from support.watching import Watched


def losing_once(page: Page, path: str) -> None:
    """Let the server take the first POST to a path, and lose its answer."""
    lost: list[bool] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            route.continue_()
        else:
            lost.append(route.fetch().ok)
            route.abort()

    page.route(path, lose)


def copies(studio: Served, flow: str) -> int:
    return studio.get(f"/api/conversations?flow={flow}")["total"]


def test_a_fork_is_made_once(studio: Served, watched: Watched) -> None:
    watched.expected.append("ERR_FAILED")
    page = watched.open(f"{studio.address}/c/case-1040")
    before = copies(studio, "eligibility")
    losing_once(page, "**/fork")
    page.get_by_role("button", name="More about this conversation").click()
    page.get_by_role("menuitem", name=re.compile("^Fork after turn")).click()
    fork = page.get_by_role("dialog").get_by_role("button", name="Fork", exact=True)
    fork.click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("The server does not answer")
    fork.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("case-1040")
    assert copies(studio, "eligibility") == before + 1


def test_a_conversation_begins_once(studio: Served, watched: Watched) -> None:
    watched.expected.append("ERR_FAILED")
    page = watched.open(f"{studio.address}/")
    before = copies(studio, "eligibility")
    losing_once(page, "**/api/conversations")
    card = page.locator(".exc").filter(has_text="Insurance eligibility").first
    card.get_by_role("button", name="Begin a conversation").click()
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    card.get_by_role("button", name="Begin a conversation").click()
    expect(page.get_by_role("log", name="Transcript")).to_be_visible()
    assert copies(studio, "eligibility") == before + 1
