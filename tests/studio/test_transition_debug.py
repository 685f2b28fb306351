"""The six verification points of seed 000, with rules and with code, and what its panel shows beside."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from support.serving import Served
from support.talking import Open, Talk, loaded

TITLES = {"health_intake": "Health intake", "health_intake_with_code": "Health intake in Python"}


def begin(view: Open, flow: str) -> Talk:
    """Begin a conversation on the start page."""
    page = view("/")
    page.get_by_role("button", name=f"Begin a conversation with {TITLES[flow]}", exact=True).click()
    page.wait_for_url(re.compile(r"/c/"))
    return Talk(page)


@pytest.mark.requirement("000-22", "000-58", "000-62", "000-63", "000-64", "000-65")
@pytest.mark.requirement("000-80", "000-82", "000-84", "000-85")
def test_rules_show_pass_and_fail_beside_the_present_state(view: Open) -> None:
    talk = begin(view, "health_intake")
    talk.rests(1)
    expect(talk.panel).to_be_visible()
    talk.page.keyboard.press("Control+Shift+D")
    expect(talk.panel).to_be_hidden()
    talk.page.keyboard.press("Control+Shift+D")
    expect(talk.panel).to_be_visible()

    talk.say("hi", 2)
    logic = talk.section("Transition Logic")
    expect(logic).to_contain_text("(No transition)")
    for rule, outcome in {"ineligible_male": "not known", "too_young": "not known", "complete": "false"}.items():
        expect(talk.card(rule).locator(".word")).to_have_text(outcome)

    talk.say("I'm Maria, and I'm fifty-two", 3)
    expect(talk.card("too_young")).to_contain_text("under age 38")
    expect(talk.card("too_young")).to_contain_text("age in years = 52")
    expect(talk.card("too_young").locator(".word")).to_have_text("false")
    expect(talk.card("complete")).to_contain_text("Not known")
    expect(talk.card("complete").locator(".chip.miss")).to_have_text("agreement to the terms")
    state = talk.unfold("Current State")
    expect(state).to_contain_text("Maria")
    expect(state).to_contain_text("52")
    meta = talk.panel.locator(".meta")
    expect(meta).to_contain_text("node Introduction")
    expect(meta).to_contain_text("model script")
    expect(meta).to_contain_text(re.compile(r"tokens \d+ \+ \d+"))

    talk.say("yes, I agree", 4)
    talk.panel.get_by_role("group", name="Decisions of turn 4").get_by_role("button").first.click()
    expect(logic).to_contain_text("✓ → Profiler")
    expect(talk.card("complete").locator(".word")).to_have_text("taken")
    expect(talk.panel.locator(".verdict")).to_contain_text("Moved to Profiler")


@pytest.mark.requirement("000-61", "000-73", "000-74", "000-83")
def test_code_is_shown_with_its_source_and_what_it_read(view: Open) -> None:
    talk = begin(view, "health_intake_with_code")
    talk.rests(1)
    talk.say("I'm Nora, I'm 39, and I agree to the terms", 2)
    source = talk.panel.get_by_role("region", name=re.compile("^Source of route for To ineligible"))
    expect(source).to_contain_text("def route(user: Any) -> str | None:")
    expect(source).to_contain_text("# not known is not too young")
    expect(source.locator(".kw").first).to_have_text("def")
    expect(source.locator(".cm")).to_have_text("# not known is not too young")
    expect(source.locator(".h").first).to_be_visible()
    assert "mono" in source.evaluate("one => getComputedStyle(one).fontFamily")
    expect(talk.panel).to_contain_text("Rules and code differ.")
    expect(talk.unfold("Current State")).to_contain_text("Nora")


def test_code_that_fails_shows_the_exception_at_its_line(visit: Open) -> None:
    talk = Talk(visit("/c/vera"))
    card = talk.card("three_groups")
    expect(card.locator(".word")).to_have_text("error")
    expect(card.locator(".diag")).to_contain_text("IndexError: list index out of range")


@pytest.mark.requirement("000-59", "000-60")
def test_sections_fold_by_keyboard_and_moments_have_their_headings(visit: Open) -> None:
    talk = Talk(visit("/c/maria?turn=4"))
    logic = talk.section("Transition Logic")
    expect(logic.locator(".moment b")).to_have_text(["before", "after"])
    summary = logic.locator("summary").first
    summary.focus()
    talk.page.keyboard.press("Enter")
    expect(talk.card("complete")).to_be_hidden()
    talk.page.keyboard.press("Enter")
    expect(talk.card("complete")).to_be_visible()


@pytest.mark.requirement("000-57", "000-66")
def test_after_a_reload_an_old_message_has_the_same_evaluation_and_prompt(view: Open, studio: Served) -> None:
    talk = Talk(view("/c/maria"))
    talk.rests(8)
    talk.turn(4).get_by_role("button", name="Go to turn 4").click()
    cards = talk.at("turn 4 of 8").locator("[data-candidate]")
    expect(talk.card("complete").locator(".chip.miss")).to_have_text("agreement to the terms")
    before = [card.inner_text() for card in cards.all()]
    assert len(before) == 3
    talk.page.reload()
    expect(cards).to_have_text(before, use_inner_text=True)
    prompt = studio.get("/api/conversations/maria/trace?turn=4")["prompts"][0]
    talk.page.get_by_role("tab", name="Prompt").click()
    expect(talk.panel).to_contain_text("This is the text that was sent")
    for part in prompt["parts"]:
        if part["part"] == "prompt":
            expect(talk.panel).to_contain_text(" ".join(part["text"].split()))


@pytest.mark.requirement("000-70")
def test_the_panel_changes_nothing(show: Open, studio: Served) -> None:
    before = studio.get("/api/conversations/sofia")["seq"]
    talk = Talk(show("/c/sofia"))
    for tab in ("Why", "State", "Prompt", "Events"):
        talk.page.get_by_role("tab", name=tab).click()
        expect(talk.page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        for control in loaded(talk.panel).locator("summary, button:not([role=tab])").element_handles():
            control.evaluate(PRESSED, OPERATING)
        talk.page.keyboard.press("Escape")
    assert studio.get("/api/conversations/sofia")["seq"] == before


OPERATING = ["Fire now", "Move", "Fork"]
"""Words of the controls of the panel that operate on purpose: they fire a timer, move time, or make a fork."""
PRESSED = """(control, operating) => {
  const isLeft = control.isConnected && control.checkVisibility()
  if (isLeft && !operating.some((word) => control.textContent.includes(word))) control.click()
}"""
"""Presses a control unless an earlier one took it away; in one step, as the panel may change between two."""


@pytest.mark.requirement("000-72")
def test_outcomes_differ_without_colour(visit: Open) -> None:
    """Every outcome has its own picture and its word."""
    pictures: dict[str, str] = {}
    for address in (
        "/c/maria?turn=2&decision=1",
        "/c/maria?turn=4",
        "/c/vera?turn=1&decision=3",
        "/c/nora?turn=2&decision=3",
    ):
        talk = Talk(visit(address))
        expect(talk.panel.locator("[data-candidate]").first).to_be_visible()
        for card in loaded(talk.panel).locator("[data-candidate]").all():
            word = card.locator("summary .word").text_content() or ""
            pictures[word] = card.locator("summary svg").first.inner_html()
    assert {"taken", "false", "not known", "error"} <= set(pictures)
    assert len(set(pictures.values())) == len(pictures)


def test_what_is_said_is_marked_where_its_value_came_from(visit: Open) -> None:
    page: Page = visit("/c/maria?turn=4")
    talk = Talk(page)
    origin = talk.card("complete").get_by_role("button", name=re.compile("turn 3: mark the words in the chat"))
    origin.click()
    expect(talk.turn(3).locator("[data-lit]")).to_have_text("48")
