"""Many tabs of one browser: each shows its conversation, and together they hold one stream."""

from __future__ import annotations

import re
import time

from playwright.sync_api import expect

from support.serving import Served
from support.watching import Watched

TABS = 8
LONG_S = 30
"""How long a loaded machine may take."""


def open_streams(studio: Served) -> int:
    found = re.search(r"^turnwise_open_streams (\d+)", studio.fetch("/api/metrics")[2].decode(), re.MULTILINE)
    assert found is not None
    return int(found[1])


def settles_at(studio: Served, most: int) -> None:
    deadline = time.monotonic() + LONG_S
    while open_streams(studio) > most and time.monotonic() < deadline:
        time.sleep(0.1)
    assert open_streams(studio) <= most


def test_eight_tabs_show_their_conversations_and_hold_one_stream(studio: Served, watched: Watched) -> None:
    for number in range(TABS):
        studio.post("/api/conversations", flow="eligibility", name=f"tab{number}")
    first = watched.page()
    pages = [first, *(first.context.new_page() for _ in range(1, TABS))]
    for number, page in enumerate(pages):
        page.goto(f"{studio.address}/c/tab{number}")
        expect(page.get_by_role("log").or_(page.locator("main")).first).to_be_visible()
    settles_at(studio, 1)
    for number, page in enumerate(pages):  # what happens elsewhere comes into each tab
        studio.post(f"/api/conversations/tab{number}/turns", text=f"hello number {number}")
        expect(page.get_by_text(f"hello number {number}").first).to_be_visible(timeout=LONG_S * 1000)
    pages[-1].close()
    pages[0].bring_to_front()
    settles_at(studio, 1)
    studio.post("/api/conversations/tab0/turns", text="and again")
    expect(pages[0].get_by_text("and again").first).to_be_visible(timeout=LONG_S * 1000)


def test_a_tab_that_loads_many_pages_leaves_no_streams_behind(studio: Served, watched: Watched) -> None:
    for number in range(TABS):
        studio.post("/api/conversations", flow="eligibility", name=f"page{number}")
    page = watched.page()
    for number in range(TABS):
        page.goto(f"{studio.address}/c/page{number}")
        expect(page.locator("main")).to_be_visible()
    settles_at(studio, 1)
    page.go_back()
    studio.post(f"/api/conversations/page{TABS - 2}/turns", text="back again")
    expect(page.get_by_text("back again").first).to_be_visible(timeout=LONG_S * 1000)
