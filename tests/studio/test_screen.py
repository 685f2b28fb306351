"""What a reader meets on the way: a server that has an error for a moment, slow answers, refused buttons, first turns."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from support.first_answers import Failing
from support.talking import Open, Talk
from support.watching import PHONE, Watched


def test_the_start_page_comes_back_after_an_error_of_the_server(view: Open, watched: Watched) -> None:
    watched.expected += ["500"]
    page = view("/")
    for path in ("me", "flows"):
        failing = Failing(page, f"**/api/{path}", status=500)
        page.reload()
        refused = page.get_by_role("alert")
        expect(refused).to_contain_text("Internal Server Error")
        expect(page.get_by_text("This needs a key")).to_have_count(0)
        failing.mend()
        refused.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("button", name="Begin a conversation with Insurance eligibility")).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)


def test_a_conversation_comes_back_after_an_error_of_the_server(view: Open, watched: Watched) -> None:
    watched.expected += ["500"]
    page = view("/c/maria")
    failing = Failing(page, "**/api/**", status=500)
    page.reload()
    expect(page.get_by_role("alert")).to_be_visible()
    failing.mend()
    page.get_by_role("button", name="Try again").click()
    expect(Talk(page).panel.get_by_role("heading", level=2)).to_have_text("Moved to Farewell")
    expect(page.get_by_role("region", name="List of conversations")).to_contain_text("case-1042")
    expect(page.get_by_role("button", name="What if")).to_be_visible()


def test_a_flow_that_did_not_load_is_asked_for_again(view: Open, watched: Watched) -> None:
    watched.expected += ["500"]
    page = view("/")
    failing = Failing(page, "**/api/flows/eligibility", status=500)
    page.goto(page.url + "f/eligibility")
    refused = page.get_by_role("alert")
    expect(refused).to_be_visible()
    failing.mend()
    refused.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("region", name="Source")).to_contain_text("flow: eligibility")


def test_the_list_needs_no_stream(view: Open, watched: Watched) -> None:
    watched.expected += ["ERR_FAILED"]
    page = view("/")
    page.route("**/api/stream**", lambda route: route.abort())
    page.goto(page.url + "c/maria")
    expect(page.get_by_role("region", name="List of conversations")).to_contain_text("case-1042")


def test_a_refused_button_is_not_shown_as_the_answer(view: Open, watched: Watched) -> None:
    watched.expected += ["ERR_FAILED"]
    page = view("/")
    page.get_by_role("button", name="Begin a conversation with Insurance eligibility").click()
    here = Talk(page)
    here.rests(1)
    late = page.context.new_page()
    late.route("**/api/stream**", lambda route: route.abort())  # so that this page does not learn of the answer
    late.goto(page.url)
    button = Talk(late).transcript.get_by_role("button", name="No", exact=True)
    expect(button).to_be_enabled()
    here.press("Yes", 2)
    button.click()
    here.rests(3)
    expect(here.turn(3)).to_contain_text("That button belongs to an earlier question.")
    expect(here.turn(1).locator(".opt.was")).to_have_text([re.compile("Yes")])
    expect(here.turn(2).locator(".opt.was")).to_have_count(0)


def test_begin_says_that_it_is_on_its_way(view: Open) -> None:
    page = view("/")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/conversations", hold)
    begin = page.get_by_role("button", name="a conversation with Insurance eligibility")
    begin.click()
    expect(begin).to_have_text(re.compile("Beginning…"))
    expect(begin).to_have_attribute("aria-disabled", "true")
    begin.click(force=True)
    assert len(held) == 1
    held[0].continue_()
    expect(Talk(page).transcript).to_contain_text("Do we have patient information available?")


def test_a_first_judging_is_compared_with_none(view: Open) -> None:
    page = view("/c/case-1042?turn=1")
    card = Talk(page).card("expert")
    expect(card).to_contain_text("Not known")
    expect(card).not_to_contain_text("Changed since last")
    page.goto(page.url.replace("turn=1", "turn=3"))
    expect(card).to_contain_text("Changed since last")


def test_an_enter_when_that_keeps_its_node_held_and_was_not_taken(visit: Open) -> None:
    page = visit("/c/job?turn=3&decision=2")
    here = Talk(page)
    expect(here.panel.get_by_role("heading", level=2).first).to_have_text("Stayed in Planning mode")
    expect(here.card("enter_planning_mode").locator(".word")).to_have_text("held")


def test_on_a_phone_a_link_to_a_tab_opens_the_panel(visit: Open) -> None:
    for tab in ("state", "prompt", "events"):
        page = visit(f"/c/case-1042?tab={tab}", viewport=PHONE)
        expect(page.get_by_role("tabpanel")).to_be_visible()
        expect(page.get_by_role("tab", selected=True)).to_have_text(re.compile(tab, re.IGNORECASE))


def test_no_line_begins_with_the_comma_after_a_name(visit: Open) -> None:
    page = visit("/c/job?tab=ask&ask=tool+web_search")
    name = page.get_by_role("article").get_by_role("heading", level=2).get_by_role("button", name="Planning mode")
    expect(name).to_be_visible()
    comma = """name => { const after = name.nextSibling, range = document.createRange();
        range.setStart(after, 0); range.setEnd(after, 1);
        return [after.data[0], Math.abs(range.getBoundingClientRect().top - name.getBoundingClientRect().top) < 9]; }"""
    for width in range(420, 720, 20):
        page.evaluate("width => document.querySelector('.app').style.setProperty('--right', `${width}px`)", width)
        assert name.evaluate(comma) == [",", True], width


def test_a_turn_without_a_judging_says_what_it_was(view: Open) -> None:
    page = view("/")
    page.get_by_role("button", name="Begin a conversation with Health intake", exact=True).click()
    here = Talk(page)
    here.rests(1)
    here.say("I'm Maria, I'm 39, and I agree to the terms", 2)
    page.get_by_role("button", name="Undo turn").click()
    here.rests(3)
    expect(here.panel.get_by_role("heading", level=2).first).to_have_text("Back in Introduction")
    expect(here.panel).to_contain_text("An undo restored the state of the end of turn 1. It judges no rule.")
    page.goto(page.url.split("/c/")[0] + "/c/run-1")
    expect(here.panel.get_by_role("heading", level=2).first).to_have_text("Ended: complete")


def test_what_if_on_a_narrow_phone_shows_its_words(view: Open) -> None:
    page = view("/c/case-1042?what-if", viewport={"width": 360, "height": 740})
    choice = page.get_by_role("combobox", name="What-if value of purpose of the check")
    expect(choice).to_be_visible()
    assert choice.evaluate("one => one.getBoundingClientRect().width") >= 90
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
