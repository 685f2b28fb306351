"""One position moves chat, panel, state and graph together; the address holds it."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from support.talking import Open, Talk


def test_scrubbing_moves_chat_panel_and_address_together(visit: Open) -> None:
    talk = Talk(visit("/c/maria"))
    talk.rests(8)
    slider = talk.page.get_by_role("slider", name="Position in the conversation")
    expect(slider).to_have_attribute("aria-valuenow", "8")
    slider.focus()
    talk.page.keyboard.press("Home")
    expect(talk.position).to_contain_text("turn 1 of 8")
    expect(talk.panel.locator(".place")).to_contain_text("turn 1")
    expect(talk.page).to_have_url(re.compile("turn=1"))
    talk.page.keyboard.press("Shift+ArrowRight")
    expect(talk.position).to_contain_text("turn 2 of 8")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Turn 2, "))
    talk.page.keyboard.press("ArrowLeft")
    expect(talk.page).to_have_url(re.compile("turn=2&decision=1"))
    expect(talk.page.locator(".banner")).to_contain_text("Turn 2 of 8.")
    talk.page.get_by_role("tab", name="State").click()
    expect(talk.panel.locator('[data-field="user.age"]')).to_contain_text("35")
    expect(talk.panel.locator('[data-field="user.tos_acknowledged"]')).to_contain_text("not known")
    slider.focus()
    talk.page.keyboard.press("End")
    expect(talk.page).not_to_have_url(re.compile("turn="))
    expect(talk.panel.locator('[data-field="user.tos_acknowledged"]')).to_contain_text("true")


def test_a_press_on_the_score_goes_there(visit: Open) -> None:
    talk = Talk(visit("/c/maria"))
    talk.rests(8)
    field = talk.page.locator(".score .field")
    expect(field).to_be_visible()
    box = field.bounding_box()
    assert box is not None
    talk.page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
    expect(talk.position).to_contain_text(re.compile(r"turn [23] of 8"))
    expect(talk.page).to_have_url(re.compile(r"turn=[23]"))


def test_the_graph_shows_the_path_and_what_each_edge_came_to(visit: Open) -> None:
    talk = Talk(visit("/c/maria?turn=4"))
    talk.page.keyboard.press("g")
    expect(talk.page.get_by_role("region", name="Graph")).to_be_visible()
    outline = talk.page.locator(".tree")
    for node in ("Introduction", "Profiler", "Closing", "Farewell", "Ineligible"):
        expect(outline).to_contain_text(node)
    expect(outline).to_contain_text("under age 38")
    expect(talk.page).to_have_url(re.compile("view=graph"))
    talk.page.keyboard.press("g")
    expect(talk.transcript).to_be_visible()


def test_new_turns_do_not_move_a_reader_of_the_past(studio, show: Open) -> None:
    studio.post("/api/conversations", flow="eligibility", name="moving")
    studio.post("/api/conversations/moving/turns", text="yes")
    talk = Talk(show("/c/moving?turn=1"))
    expect(talk.position).to_contain_text("turn 1 of 2")
    studio.post("/api/conversations/moving/turns", text="partial")
    expect(talk.position).to_contain_text("turn 1 of 3")
    talk.page.get_by_role("button", name="Go to live").first.click()
    expect(talk.position).to_contain_text("turn 3 of 3")


def test_a_timer_is_shown_and_fires_when_time_is_moved(studio, view: Open) -> None:
    studio.post("/api/conversations", flow="health_intake", name="timed")
    studio.post("/api/conversations/timed/turns", text="I am 31")
    talk = Talk(view("/c/timed?tab=state"))
    expect(talk.panel).to_contain_text("Turned away")
    expect(talk.panel).to_contain_text("Fire now")
    studio.post("/api/demo/clock", advance_s=1801)
    expect(talk.page.locator(".comp")).to_contain_text("ineligible")
    expect(talk.position).to_contain_text("turn 3 of 3")


def test_no_two_marks_of_a_long_conversation_with_scopes_overlap(visit: Open) -> None:
    page = visit("/c/max")
    marks = page.locator(".score .mk:not(.minor)")
    expect(marks.first).to_be_visible()
    places = sorted(marks.evaluate_all("all => all.map(one => one.getBoundingClientRect()).map(({x, y}) => [y, x])"))
    assert len(places) > 20
    assert all(two[1] - one[1] >= 18 for one, two in pairwise(places) if abs(one[0] - two[0]) < 10)


@pytest.mark.parametrize("name", ["case-1042", "max", "table-7", "romy"])
def test_what_the_conversation_does_stands_on_one_line_of_the_header(view: Open, name: str) -> None:
    page = view(f"/c/{name}", viewport={"width": 1440, "height": 900})
    live = page.locator("header .live")
    expect(live).to_contain_text(re.compile(r", \d+ \w+$"))
    assert live.bounding_box()["height"] < 24
