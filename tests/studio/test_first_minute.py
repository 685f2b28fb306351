"""The first minute: the start page, its lines that send themselves, the guided look, names, and messages in a hurry."""

from __future__ import annotations

import re
import time
from collections.abc import Generator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from support.serving import Served
from support.talking import Open, Talk, settled
from support.watching import LONGEST_MS, PHONE, violations

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def strip(page: Page) -> str:
    """Return the title of the open step of the guided look, which has the focus."""
    heading = page.get_by_role("region", name="First look").get_by_role("heading")
    expect(heading).to_be_focused()
    return heading.inner_text().split("\n")[0]


# the start page ------------------------------------------------------------------------------------------


def test_the_start_page_says_for_whom_it_is_and_shows_conversations_above_the_fold(visit: Open) -> None:
    page = settled(visit("/"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Conversations that can always say why.")
    expect(page.locator("main")).to_contain_text("For teams who let a language model talk with customers")
    expect(page.get_by_role("figure")).to_contain_text("Why did it not go on?")
    rows = page.get_by_role("region", name="Conversations to look into").get_by_role("link")
    expect(rows.nth(3)).to_be_visible()
    for row in rows.all():
        box = row.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 900
    expect(rows.first).to_contain_text("Maria")
    rows.first.click()
    page.wait_for_url(re.compile(r"/c/maria\?turn=4$"))
    expect(Talk(page).card("complete")).to_contain_text("Not known")


def test_every_line_of_a_card_is_sent_and_understood(show: Open) -> None:
    page = settled(show("/"))
    labels = [one.inner_text() for one in page.locator(".exc .send").all()]
    assert len(labels) >= 7
    for number, label in enumerate(labels):
        if number:
            page.get_by_role("link", name="turnwise, start page").click()
        settled(page).locator(".exc .send").nth(number).click()
        talk = Talk(page)
        talk.rests(2)
        said = label.removeprefix("Begin and say:").strip()
        expect(talk.turn(2).locator(".bub"), label).to_have_text(said)
        expect(talk.turn(2), label).not_to_contain_text("having trouble")
        expect(talk.turn(2), label).not_to_contain_text("not understood")


def test_lines_that_fit_the_open_question_stand_above_the_field(studio: Served, show: Open) -> None:
    studio.post("/api/conversations", flow="eligibility", name="advised")
    talk = Talk(show("/c/advised"))
    talk.rests(1)
    advice = talk.page.get_by_role("group", name="Try saying")
    advice.get_by_role("button", name="yes, we have it").click()
    talk.rests(2)
    expect(advice.get_by_role("button")).to_have_text(["partial, it is for billing, and there is no hurry", "no"])
    advice.get_by_role("button").first.click()
    talk.rests(3)
    expect(talk.turn(3)).to_contain_text("What should happen if the check fails?")
    expect(advice.get_by_role("button").first).to_have_text("please escalate")


@pytest.mark.parametrize("options", [{}, TOUCH], ids=["wide", "phone"])
def test_axe_finds_nothing_on_the_start_page(show: Open, axe: str, options: dict[str, object]) -> None:
    page = settled(show("/", **options))
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_every_place_of_the_bar_leads_somewhere(view: Open) -> None:
    page = settled(view("/", **TOUCH))
    bar = page.get_by_role("navigation", name="Pages")
    expect(bar.get_by_role("button", disabled=True)).to_have_count(0)
    bar.get_by_role("button", name="New").tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    bar.get_by_role("button", name="Conversations").tap()
    expect(page.get_by_role("region", name="List of conversations")).to_be_visible()


# the guided look -----------------------------------------------------------------------------------------


def test_the_guided_look_leads_through_five_steps_by_keyboard(view: Open) -> None:
    page = settled(view("/"))
    card = page.get_by_role("region", name="First look")
    expect(card).to_contain_text("step 1 of 5")
    page.get_by_role("button", name="Take the first look").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/c/"))
    talk = Talk(page)
    talk.rests(2)
    expect(talk.turn(2)).to_contain_text("I'm Maria, and I'm thirty-five")
    assert strip(page) == "See why it did not go on"
    expect(page.get_by_role("status").filter(has_text="First look, step 2 of 5")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/c/maria\?turn=4$"))
    expect(talk.card("complete")).to_contain_text("Not known")
    assert strip(page) == "Try a value"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"what-if"))
    expect(talk.panel).to_contain_text("agreement to the terms")
    expect(talk.panel).to_contain_text("Profiler")
    assert strip(page) == "Compare"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"tab=ask"))
    expect(talk.panel).to_contain_text("with this value alone, the decision of turn 4 would have been the same")
    assert strip(page) == "Take over"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/c/romy$"))
    expect(page.get_by_role("region", name="A person takes over")).to_be_visible()
    assert strip(page) == "Take over"
    expect(page.get_by_role("region", name="First look")).to_contain_text("Enter your name in the panel, and take over")
    expect(page.get_by_role("button", name="Take over", exact=True).last).to_have_accessible_description(
        "Enter your name first: the user sees who writes."
    )


def test_the_guided_look_is_remembered_and_can_be_closed(view: Open) -> None:
    page = settled(view("/"))
    card = page.get_by_role("region", name="First look")
    expect(card).to_contain_text("step 1 of 5")
    card.get_by_role("button", name="Skip").click()
    expect(card).to_contain_text("step 2 of 5")
    page.reload()
    expect(card).to_contain_text("step 2 of 5")
    card.get_by_role("button", name="Open Maria at turn 4").click()
    page.wait_for_url(re.compile(r"/c/maria"))
    page.get_by_role("region", name="First look").get_by_role("button", name="Close the first look").click()
    expect(page.get_by_role("region", name="First look")).to_have_count(0)
    page.reload()
    settled(page)
    expect(page.get_by_role("region", name="First look")).to_have_count(0)
    page.get_by_role("link", name="turnwise, start page").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(card).to_have_count(0)
    page.get_by_role("button", name="Take the first look").click()
    page.wait_for_url(re.compile(r"/c/"))
    assert strip(page) == "See why it did not go on"


@pytest.mark.parametrize("options", [{}, TOUCH], ids=["wide", "phone"])
def test_axe_finds_nothing_in_the_steps(show: Open, axe: str, options: dict[str, object]) -> None:
    page = settled(show("/", **options))
    look = page.get_by_role("region", name="First look")
    for step in ("Send it", "Open Maria at turn 4", "Try it", "Compare with turn 5", re.compile("Open [Rr]omy")):
        look.get_by_role("button", name=step).click()
        expect(look.get_by_role("heading")).to_be_focused()
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), step
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), step
    assert violations(page, axe) == []


# names and the technical switch --------------------------------------------------------------------------


def test_a_conversation_is_called_by_its_name_everywhere(studio: Served, view: Open) -> None:
    begun = studio.post("/api/conversations", flow="health_intake")["conversation"]["id"]
    studio.post(f"/api/conversations/{begun}/turns", text="I'm Philippa, and I'm 52")
    page = settled(view(f"/c/{begun}"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Philippa")
    expect(page.get_by_role("navigation", name="You are here").get_by_role("link")).to_have_text("Health intake")
    row = page.locator(".conv[aria-current=page]")
    expect(row).to_contain_text("Philippa")
    expect(page.get_by_role("region", name="Health intake", exact=True)).to_contain_text("Philippa")
    assert begun not in page.locator("body").inner_text()
    page.get_by_role("searchbox", name="Filter conversations").fill("philippa")
    expect(row).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Search conversations and events").fill("Philippa")
    expect(page.get_by_role("dialog").get_by_role("button", name="Philippa").first).to_contain_text("Health intake")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="More about this conversation").click()
    page.get_by_role("menuitem", name="Delete for good").click()
    dialog = page.get_by_role("dialog", name="Delete Philippa for good")
    dialog.get_by_role("textbox").fill("Philippa")
    dialog.get_by_role("button", name="Delete for good").click()
    expect(page).to_have_url(re.compile(r"/$"))
    assert begun not in [one["id"] for one in studio.get("/api/conversations")["conversations"]]


def test_ids_and_positions_are_behind_a_switch_that_is_remembered(view: Open) -> None:
    page = settled(view("/c/maria?turn=4"))
    talk = Talk(page)
    expect(talk.position).to_contain_text("turn 4 of 8")
    assert "seq" not in page.locator("body").inner_text()
    page.locator("h1").click()
    page.keyboard.press("x")
    expect(talk.position.locator("code", has_text="seq")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Technical details are shown")).to_have_count(1)
    page.reload()
    expect(talk.position.locator("code", has_text="seq")).to_be_visible()
    page.get_by_role("button", name="More about this conversation").click()
    page.get_by_role("menuitem", name="Settings").click()
    page.get_by_role("checkbox", name="Technical").uncheck()
    page.keyboard.press("Escape")
    expect(talk.position.locator("code", has_text="seq")).to_be_hidden()


# messages in a hurry -------------------------------------------------------------------------------------


@contextmanager
def held_turn(page: Page) -> Generator[None]:
    """Hold the first turn that is sent back until the block ends."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/turns", hold)
    yield
    deadline = time.monotonic() + LONGEST_MS / 1000
    while not held and time.monotonic() < deadline:  # the page shows that it sends before the browser does
        page.wait_for_timeout(20)
    held[0].continue_()


def test_three_messages_in_quick_succession_are_sent_in_order(studio: Served, show: Open) -> None:
    studio.post("/api/conversations", flow="thinking_partner", name="hurry")
    talk = Talk(show("/c/hurry"))
    talk.rests(1)
    lines = ["I don't know whether to change my job", "The people. Please keep that thought", "Yes, let us plan it"]
    waiting = talk.page.get_by_role("region", name="Messages that wait")
    talk.field.focus()
    with held_turn(talk.page):
        for line in lines:
            talk.page.keyboard.insert_text(line)
            talk.page.keyboard.press("Enter")
        expect(talk.field).to_have_value("")
        expect(waiting.get_by_role("listitem")).to_contain_text(lines[1:])
    talk.rests(4)
    for turn, line in enumerate(lines, 2):
        expect(talk.turn(turn).locator(".bub").first).to_have_text(line)
    expect(waiting).to_have_count(0)


def test_a_message_that_waits_can_be_taken_back(studio: Served, show: Open) -> None:
    studio.post("/api/conversations", flow="thinking_partner", name="regret")
    talk = Talk(show("/c/regret"))
    talk.rests(1)
    talk.field.focus()
    with held_turn(talk.page):
        for line in ("I don't know whether to change my job", "never mind"):
            talk.page.keyboard.insert_text(line)
            talk.page.keyboard.press("Enter")
        talk.page.get_by_role("button", name="Take back “never mind”").click()
        expect(talk.page.get_by_role("region", name="Messages that wait")).to_have_count(0)
    expect(talk.field).to_have_value("never mind")
    talk.rests(2)
