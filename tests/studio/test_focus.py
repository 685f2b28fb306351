"""Focus stays with the reader: actions that remove the control that has it leave it where the work goes on."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from support.serving import Served
from support.talking import Open, Talk
from support.watching import Watched


def opened(studio: Served, view: Open, name: str, flow: str = "health_intake") -> Talk:
    studio.post("/api/conversations", flow=flow, name=name)
    talk = Talk(view(f"/c/{name}"))
    talk.rests(1)
    return talk


def panel_of(page: Page) -> Locator:
    return page.get_by_role("region", name="A person takes over")


def test_a_conversation_that_was_begun_is_ready_to_write(view: Open) -> None:
    page = view("/")
    page.get_by_role("button", name="Begin a conversation with Health intake", exact=True).press("Enter")
    field = page.get_by_role("textbox", name="Message as the user")
    expect(field).to_be_focused()
    page.get_by_role("button", name="New conversation").click()
    page.get_by_role("dialog").get_by_label("Name, if you want one").fill("begun-again")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/c/begun-again"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(field).to_be_focused()


def test_taking_over_and_giving_back_by_keyboard(studio: Served, view: Open) -> None:
    page = opened(studio, view, "by-keyboard").page
    page.keyboard.press("t")
    panel = panel_of(page)
    expect(panel.get_by_label("Your name, shown to the user")).to_be_focused()
    page.keyboard.type("Lena")
    page.keyboard.press("Enter")
    field = page.get_by_role("textbox", name="Message as Lena")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")  # the first one closes the panel, the second one leaves the field
    page.keyboard.press("t")
    expect(page.get_by_role("tabpanel")).to_be_focused()
    expect(panel.get_by_role("button", name="Save and give back")).to_be_visible()
    page.keyboard.press("t")
    expect(panel.get_by_role("button", name="Save and give back")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(panel.get_by_role("combobox", name="Outcome")).to_be_focused()
    panel.get_by_role("button", name="Cancel").press("Enter")
    expect(panel.get_by_role("button", name="End the conversation")).to_be_focused()
    panel.get_by_role("button", name="Save and give back").press("Enter")
    expect(page.get_by_role("textbox", name="Message as the user")).to_be_focused()


def test_the_panel_opens_at_the_button_where_the_name_is_known(studio: Served, view: Open) -> None:
    talk = opened(studio, view, "named")
    page = talk.page
    page.evaluate("localStorage.setItem('turnwise.settings', JSON.stringify({operator: 'Lena'}))")
    page.reload()
    talk.rests(1)
    page.get_by_role("banner").get_by_role("button", name="Take over", exact=True).press("Enter")
    expect(panel_of(page).get_by_role("button", name="Take over", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Message as Lena")).to_be_focused()


def test_the_list_keeps_focus_and_filter_when_a_conversation_is_opened(view: Open) -> None:
    page = view("/c/maria")
    rows = page.get_by_role("region", name="List of conversations").get_by_role("link")
    row = rows.filter(has_text="sofia")
    expect(row).to_be_visible()
    page.get_by_role("searchbox", name="Filter conversations").fill("intro")
    expect(rows.filter(has_text="maria")).to_have_count(0)
    row.press("Enter")
    page.wait_for_url(re.compile("/c/sofia"))
    expect(row).to_be_focused()
    expect(page.get_by_role("searchbox", name="Filter conversations")).to_have_value("intro")
    expect(rows.filter(has_text="maria")).to_have_count(0)


def test_a_control_that_is_gone_leaves_the_focus_in_its_region(view: Open) -> None:
    page = view("/c/maria?turn=3")
    page.locator(".banner").get_by_role("button", name="Go to live").press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page = view("/")
    page.get_by_role("region", name="Go on").get_by_role("link", name="maria").press("Enter")
    page.wait_for_url(re.compile("/c/maria"))
    expect(page.locator("#main")).to_be_focused()


def test_after_a_button_the_focus_goes_to_the_next_question_and_at_the_end_to_the_transcript(
    studio: Served, view: Open
) -> None:
    talk = opened(studio, view, "pressed", "eligibility")
    for turn, label in enumerate(("Yes", "No", "Billing", "Escalate", "Urgent", "Looks Good"), start=2):
        button = talk.transcript.get_by_role("button", name=label).and_(talk.page.locator(":enabled")).last
        button.press("Enter")
        talk.rests(turn)
        if label != "Looks Good":
            expect(talk.transcript.locator("button:focus")).to_have_count(1)
    expect(talk.transcript).to_be_focused()


def test_undo_keeps_the_focus(studio: Served, view: Open) -> None:
    talk = opened(studio, view, "undone", "eligibility")
    talk.press("Yes", 2)
    undo = talk.page.get_by_role("button", name="Undo turn")
    undo.press("Enter")
    expect(talk.transcript).to_contain_text("Undone")
    expect(undo).to_be_focused()


def test_a_refused_message_is_dismissed_into_the_message_field(studio: Served, view: Open, watched: Watched) -> None:
    watched.expected += ["409"]
    talk = opened(studio, view, "refused", "eligibility")
    talk.page.route("**/turns", lambda route: route.fulfill(status=409, json={"title": "Busy", "code": "busy"}))
    talk.field.fill("yes")
    talk.field.press("Enter")
    talk.page.get_by_role("button", name="Dismiss").press("Enter")
    expect(talk.field).to_be_focused()
