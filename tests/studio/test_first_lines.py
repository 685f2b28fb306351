"""What a reader sees first: no failure before anybody spoke, what the conversation asks, and a decision worth asking about."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.serving import Served
from support.talking import Open, Talk, settled


def test_before_anybody_spoke_no_line_says_what_did_not_hold(studio: Served, view: Open) -> None:
    studio.post("/api/conversations", flow="eligibility", name="fresh")
    talk = Talk(view("/c/fresh"))
    talk.rests(1)
    expect(talk.turn(1)).to_contain_text("Do we have patient information available?")
    expect(talk.transcript.locator(".seam")).to_have_count(0)
    expect(talk.panel.get_by_role("heading", level=2).first).to_have_text(
        "Asks for “patient information”: 0 of 5 answered"
    )
    expect(talk.panel.locator(".verdict")).not_to_contain_text("Stayed: needs")
    talk.field.fill("yes")
    talk.field.press("Enter")
    talk.rests(2)
    expect(talk.turn(2).locator(".seam")).to_have_count(1)
    expect(talk.turn(1).locator(".seam")).to_have_count(0)
    expect(talk.panel.get_by_role("heading", level=2).first).to_contain_text("1 of 5 answered")
    expect(talk.panel).to_contain_text("Stayed: needs insurance history and purpose of the check")


def test_a_move_of_the_opening_turn_and_a_first_message_have_their_lines(visit: Open) -> None:
    expect(Talk(visit("/c/run-1")).turn(1).locator(".seam.move")).to_have_count(1)
    expect(Talk(visit("/c/maria")).turn(1).locator(".seam")).to_have_count(1)


VERDICTS: list[tuple[str, str | re.Pattern[str]]] = [
    ("/c/case-1042", "Changes “purpose of the check”: 5 of 5 answered"),
    ("/c/case-1042?turn=7", "Asks which answer to change"),
    ("/c/hanna", re.compile(r"^Stayed: needs number of ")),
    ("/c/maria?turn=5", re.compile(r"^Stayed: needs number of ")),
    ("/c/maria?turn=5&decision=1", "Moved to Profiler"),
]


def test_the_verdict_says_what_the_conversation_does_where_it_only_stayed(visit: Open) -> None:
    for path, words in VERDICTS:
        expect(Talk(settled(visit(path))).panel.get_by_role("heading", level=2).first, path).to_have_text(words)


def test_ended_conversations_open_at_their_decision_from_the_lists(visit: Open) -> None:
    page = visit("/")
    page.get_by_role("region", name="Go on").get_by_role("link", name="maria").click()
    page.wait_for_url(re.compile(r"/c/maria\?turn=4$"))
    expect(Talk(page).card("complete")).to_contain_text("Not known")
    page.locator(".banner").get_by_role("button", name="Go to live").click()
    expect(Talk(page).position).to_contain_text("turn 8 of 8")
    row = page.locator(".conv", has_text="run-1")
    row.click()
    page.wait_for_url(re.compile(r"/c/run-1\?turn=1"))
    expect(Talk(page).panel.get_by_role("heading", level=2).first).not_to_contain_text("no rules")
    page.locator(".conv", has_text="hanna").click()
    page.wait_for_url(re.compile(r"/c/hanna$"))


def test_a_prepared_conversation_that_went_on_opens_at_its_end(studio: Served, view: Open) -> None:
    turn = studio.get("/api/conversations/run-1")["turn"]
    studio.post("/api/conversations/run-1/turns", undo={})
    assert studio.get("/api/conversations/run-1")["turn"] == turn + 1
    page = view("/c/hanna")
    page.locator(".conv", has_text="run-1").click()
    page.wait_for_url(re.compile(r"/c/run-1$"))


def test_a_turn_in_which_nothing_was_judged_leads_to_the_decision_before_it(visit: Open) -> None:
    talk = Talk(visit("/c/maria"))
    talk.panel.get_by_role("button", name="The last decision, in turn 7").click()
    talk.at("turn 7 of 8")
    expect(talk.panel.get_by_role("heading", level=2).first).to_have_text("Goes to Farewell with the next message")


def test_the_state_has_the_names_of_people_and_ids_where_technical_details_are_shown(view: Open) -> None:
    page = view("/c/maria?turn=4&tab=state")
    panel = Talk(settled(page)).panel
    expect(panel.get_by_role("row", name=re.compile("^agreement to the terms"))).to_contain_text("not known")
    expect(panel.locator(".stack")).to_contain_text("Introduction")
    expect(panel.locator(".idle")).to_contain_text("Turned away is not armed")
    words = panel.inner_text()
    assert not re.search(r"user\.|symptoms\.|turned_away|collectedFields", words), words
    page.goto(f"{page.url}&technical=1")
    expect(panel.get_by_role("row", name=re.compile("^user.tos_acknowledged"))).to_contain_text("not known")
    expect(panel).to_contain_text("collectedFields")
