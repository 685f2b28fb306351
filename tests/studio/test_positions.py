"""Addresses, narrow pages, and readers who may not debug: the page shows what the address and the reader allow."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import turnwise as tw
from support.serving import Served
from support.talking import Open, Talk
from support.threaded import listening
from support.watching import PHONE, Watched
from turnwise.runner.clocks import SystemClock
from turnwise.server.access import KeyFile, Loopback
from turnwise.server.app import Server, create
from turnwise.server.limits import LOCAL_LIMITS

ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
MIDDLE = {"width": 1024, "height": 768}
LINES = """one => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
}"""
FLOW = """
flow: small
start: a
nodes:
  a: {say: Hello., transitions: [{id: on, at: before, when: turns > 0, to: b}]}
  b: {say: Bye., transitions: [{id: over, at: before, when: turns > 9, to: c}]}
  c: {say: End., end: done}
"""


def pane(talk: Talk, name: str) -> Locator:
    return talk.page.get_by_role("navigation", name="Panes").get_by_role("button", name=name)


def test_on_a_phone_an_address_with_a_graph_shows_the_pane_of_the_graph(view: Open) -> None:
    talk = Talk(view("/c/maria?turn=4&view=graph", **ON_A_PHONE))
    expect(pane(talk, "Graph")).to_have_attribute("aria-current", "page")
    expect(talk.page.locator(".gpart").first).to_be_visible()
    pane(talk, "Chat").tap()
    expect(talk.transcript).to_be_visible()
    expect(pane(talk, "Chat")).to_have_attribute("aria-current", "page")


def test_on_a_phone_the_bar_says_what_it_waits_for(studio: Served, watched: Watched) -> None:
    page = watched.page(**ON_A_PHONE)
    for name, words in {
        "case-1042": "a button",
        "job": "a message",
        "romy": "a person in nurses",
    }.items():
        page.goto(f"{studio.address}/c/{name}")
        status = page.locator("header .live").get_by_text(re.compile(rf"^(waiting|Waits) for {words}, \d+ \w+$"))
        expect(status).to_be_visible()
        assert status.evaluate("one => one.scrollWidth <= one.clientWidth"), "it is cut"
        heading = page.locator("h1")
        assert heading.evaluate("one => one.scrollWidth <= one.clientWidth"), "the name is cut"


def test_on_a_phone_what_if_is_in_the_menu_and_in_addresses(view: Open) -> None:
    talk = Talk(view("/c/maria?turn=4&what-if", **ON_A_PHONE))
    panel = talk.page.get_by_role("region", name=re.compile("^What if, at turn"))
    expect(panel).to_be_visible()
    panel.get_by_role("button", name="Close").tap()
    pane(talk, "Chat").tap()
    talk.page.get_by_role("button", name="More about this conversation").tap()
    talk.page.get_by_role("menuitem", name="What if").tap()
    expect(panel).to_be_visible()


def test_a_what_if_is_drawn_at_the_decision_that_would_move(visit: Open) -> None:
    talk = Talk(visit("/c/maria?turn=3&decision=2&what-if"))
    panel = talk.page.get_by_role("region", name=re.compile("^What if, at turn"))
    panel.get_by_label("What-if value of age in years").fill("20")
    panel.locator("summary", has_text="condition").click()
    panel.get_by_label("What-if guard of under age 38").fill("user.age < 50")
    expect(panel.get_by_role("status").first).to_contain_text("would come out differently")
    expect(talk.page.locator(".ghosttag")).to_have_text("would: Ineligible")
    talk.page.get_by_role("button", name="Graph", exact=True).first.click()
    expect(talk.page.locator(".gpart", has_text="would be taken")).to_be_visible()


@pytest.mark.parametrize("options", [{}, ON_A_PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("number", [3, 7])
def test_the_turn_of_the_position_is_shown_whole(view: Open, number: int, options: dict[str, Any]) -> None:
    talk = Talk(view(f"/c/case-1042?turn={number}", **options))
    expect(talk.turn(number)).to_be_in_viewport(ratio=0.99)
    frame, turn = talk.transcript.bounding_box(), talk.turn(number).bounding_box()
    assert frame is not None
    assert turn is not None
    assert turn["y"] >= frame["y"] - 1
    assert turn["y"] + turn["height"] <= frame["y"] + frame["height"] + 1


def test_an_unknown_conversation_offers_the_start_page(visit: Open, watched: Watched) -> None:
    watched.expected.append("404")
    page = visit("/c/nobody")
    expect(page.get_by_role("heading", name="There is no such conversation")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    expect(page.locator(".sk")).to_have_count(0)
    page.get_by_role("link", name="Go to the start page").click()
    expect(page.get_by_role("heading", name="Conversations that can always say why")).to_be_visible()


def test_the_time_of_a_copied_turn_is_that_of_the_turn(studio: Served) -> None:
    studio.post("/api/conversations/maria/fork", name="maria-timed", turn=3)
    own = studio.get("/api/conversations/maria/trace?turn=3")["took_ms"]
    assert studio.get("/api/conversations/maria-timed/trace?turn=3")["took_ms"] == own


@pytest.mark.parametrize("path", ["/f/health_intake", "/c/case-1042?turn=8"])
def test_at_1024_pixels_tables_fit_and_words_stay_whole(view: Open, path: str) -> None:
    page = view(path, viewport=MIDDLE)
    table = page.locator(".fside table, .gt").first
    expect(table).to_be_visible()
    assert table.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth + 1")
    for text in ("Partial", "Referral") if path.startswith("/c/") else ("never true",):
        cell = page.locator("td.v" if path.startswith("/c/") else "td", has_text=text).first
        assert cell.evaluate("one => one.getBoundingClientRect().right <= innerWidth")
        if path.startswith("/c/"):
            assert cell.evaluate(LINES) == 1, f"{text} is broken"


def test_a_deleted_file_is_not_called_a_missing_scope(watched: Watched, tmp_path: Path) -> None:
    file = tmp_path / "small.flow.yaml"
    file.write_text(FLOW, "utf-8")
    with Served("serve", file, "--port", "0", "--reload") as served:
        page = watched.open(f"{served.address}/f/small")
        expect(page.get_by_role("region", name="Lines of small.flow.yaml")).to_contain_text("Hello.")
        file.unlink()
        page.reload()
        expect(page.get_by_text("there is no such file")).to_be_visible()
        expect(page.get_by_text("debug:read")).to_have_count(0)
        page.close()  # before its server


def test_a_flow_of_a_program_is_not_called_a_missing_scope(watched: Watched) -> None:
    def make() -> Server:
        clock = SystemClock()
        flow = tw.Flow("made", start="a", nodes=(tw.Node("a", end="done"),))
        return create([tw.open(flow, clock=clock)], access=Loopback(), limits=LOCAL_LIMITS, clock=clock)

    with listening(make) as address:
        page = watched.open(f"{address}/f/made")
        expect(page.get_by_text("A program made this flow")).to_be_visible()
        expect(page.get_by_text("debug:read")).to_have_count(0)
        page.close()


def test_without_debug_the_graph_claims_nothing_about_the_path(watched: Watched, tmp_path: Path) -> None:
    file = tmp_path / "small.flow.yaml"
    file.write_text(FLOW, "utf-8")
    keys = KeyFile(tmp_path / "keys.json")
    key = keys.add("ada", ["chat"], 0)
    with Served("serve", file, "--keys", keys.path, "--port", "0") as served:
        headers = {"authorization": f"Bearer {key}"}
        served.fetch("/api/conversations", b'{"flow": "small", "name": "x"}', **headers)
        served.fetch("/api/conversations/ada%3Ax/turns", b'{"text": "hello"}', **headers)
        page = watched.page()
        page.add_init_script(f"try {{ sessionStorage.setItem('turnwise.key', '{key}') }} catch {{}}")
        page.goto(f"{served.address}/c/ada%3Ax?view=graph")
        expect(page.locator(".gpart.place", has_text="here")).to_have_count(1)
        expect(page.locator(".gpart.place", has_text="here")).to_contain_text("B")
        for untrue in ("not visited", "not judged"):
            expect(page.get_by_text(untrue)).to_have_count(0)
        page.close()  # before its server


def test_a_printed_conversation_is_whole(view: Open) -> None:
    page = view("/c/maria")
    expect(page.locator('[data-turn="8"]')).to_be_attached()
    page.emulate_media(media="print")
    expect(page.locator(".top, .left, .right, .dock").and_(page.locator(":visible"))).to_have_count(0)
    chat = page.get_by_role("log", name="Transcript")
    assert chat.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), "the transcript scrolls"
    assert chat.evaluate("one => one.getBoundingClientRect().height") > 900
    assert page.evaluate("document.documentElement.scrollHeight") > 900


def test_events_begin_at_the_turn_of_the_playhead(visit: Open) -> None:
    talk = Talk(visit("/c/maria?turn=8&tab=events"))
    expect(talk.panel.get_by_role("option", name=re.compile("No, that was it"))).to_be_visible()


def test_a_name_inside_a_condition_is_part_of_it(visit: Open) -> None:
    talk = Talk(visit("/c/job?turn=1"))
    expect(talk.panel.locator(".verdict code", has_text='message.text.lower().contains("plan")')).to_have_count(1)


def test_a_file_whose_name_is_taken_asks_for_another(
    studio: Served, view: Open, watched: Watched, tmp_path: Path
) -> None:
    watched.expected.append("409")
    file = tmp_path / "maria.jsonl"
    file.write_bytes(studio.fetch("/api/conversations/maria/export")[2])
    page = view("/")
    expect(page.get_by_role("button", name="Choose a file")).to_be_enabled()
    page.locator("input[type=file]").set_input_files(file)
    name = page.get_by_role("textbox", name="Another name for the conversation")
    expect(name).to_be_focused()
    expect(name).to_be_in_viewport()
    name.fill("maria-from-a-file")
    name.press("Enter")
    expect(page).to_have_url(re.compile("/c/maria-from-a-file"))


def test_the_timeline_and_the_transcript_name_a_planned_move_alike(studio: Served) -> None:
    marks = {mark[0]: mark[6] for mark in studio.get("/api/conversations/maria/timeline")["marks"]}
    seams = studio.get("/api/conversations/maria/transcript")["seams"]
    planned = next(seam for seam in seams if seam["transition"] == "once_farewell")
    assert marks[planned["seq"]] == planned["words"]["en"]["headline"] == "Goes to Farewell with the next message"


def test_the_start_page_says_what_to_type_first(shared: Served, visit: Open) -> None:
    page = visit("/")
    for flow in shared.get("/api/flows"):
        assert flow["tries"] or flow["advice"], flow["name"]
        card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=flow["title"]))
        lines = [line for one in flow["advice"][:1] for line in one["lines"][:2]]
        for words in (flow["tries"], flow["asks"], *lines):
            expect(card.filter(has_text=words).first, flow["name"]).to_be_visible()


def test_a_move_that_waited_for_the_message_is_the_verdict_of_its_turn(visit: Open) -> None:
    talk = Talk(visit("/c/maria?turn=8"))
    verdict = talk.panel.locator(".verdict")
    expect(verdict.get_by_role("heading")).to_have_text(re.compile("^(Moved|Goes) to Farewell"))
    expect(verdict).to_contain_text("decided in an earlier turn")


def test_what_held_without_a_move_has_no_mark_of_a_move(visit: Open) -> None:
    talk = Talk(visit("/c/job?turn=3"))
    stayed = talk.turn(3).locator(".seam", has_text="its own enter_when holds")
    expect(stayed).to_contain_text("held")
    expect(stayed).not_to_contain_text("taken")
    expect(talk.turn(3).locator(".seam.move")).to_contain_text("taken")


def test_a_conversation_that_failed_says_how_to_go_on(visit: Open) -> None:
    talk = Talk(visit("/c/run-2"))
    expect(talk.transcript.locator(".failure")).to_contain_text("The next message tries again.")
    expect(talk.field).to_have_attribute("placeholder", "Write something to try again")
