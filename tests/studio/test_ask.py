"""The Ask tab: why anything is as it is, ways to a node that are tried in a copy, two conversations side by side."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.talking import Open
from support.watching import Watched


def test_every_name_in_an_answer_is_a_question(view: Open) -> None:
    page = view("/c/case-1042?tab=state")
    page.get_by_role("button", name="Why is case.purpose so?").click()
    expect(page).to_have_url(re.compile("ask=field"))
    answer = page.get_by_role("article", name=re.compile("^why field case.purpose"))
    expect(answer).to_contain_text("case.purpose was set to Referral")
    expect(answer).to_contain_text("the user said “it is for a referral”")
    expect(answer).to_contain_text("to the user: “I have “Referral” for purpose of the check because you told me so.”")
    answer.get_by_role("button", name="Show turn 4").first.click()
    expect(page.locator(".pos")).to_contain_text("turn 4 of 8")
    page.get_by_label("A name, a turn, or a question in words").fill("why did it not go to the expert?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".answer .readas")).to_contain_text("expert")


def test_an_unknown_name_has_the_nearest(view: Open, watched: Watched) -> None:
    watched.expected += ["422"]
    page = view("/c/case-1042?tab=ask")
    page.get_by_label("A name, a turn, or a question in words").fill("case.purpse")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("did you mean 'case.purpose'?")


def test_a_way_is_tried_in_a_copy(view: Open) -> None:
    page = view("/c/case-1042?tab=ask&ask=to:handed_over")
    expect(page.locator(".answer .first")).to_contain_text("leads to handed_over")
    page.get_by_role("button", name="Try it in a copy").first.click()
    page.wait_for_url(re.compile(r"/c/case-1042.+"))
    expect(page.locator("header")).to_contain_text("ended")


def test_two_conversations_stand_side_by_side(view: Open) -> None:
    page = view("/c/case-1042?tab=ask")
    page.get_by_role("button", name="Compare").click()
    page.get_by_label(re.compile("The other conversation")).fill("case-1040")
    page.get_by_role("button", name="Ask", exact=True).click()
    table = page.get_by_role("table", name="Values that differ")
    expect(table.get_by_role("columnheader", name="case-1040")).to_be_visible()
    expect(table).to_contain_text("case.insurance_history")
    expect(table).to_contain_text("would have gone the same way")


def test_by_keyboard(view: Open) -> None:
    page = view("/c/case-1042")
    expect(page.locator(".pos")).to_contain_text("turn 8 of 8")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("5")
    expect(page.get_by_role("tab", name="Ask")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".answer .first")).to_be_visible()
