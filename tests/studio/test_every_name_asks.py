"""Every name of the studio is a question: a click on it, or *why?* beside it, shows the answer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from support.serving import Served
from support.talking import Open
from support.watching import PHONE, Watched

NAMES = (
    # address, place, what is pressed, the question as it was read, a part of the answer
    (
        "case-1042?tab=state",
        ".right",
        "purpose of the check why?",
        "field purpose of the check, at the end of turn 8",
        "set to Referral",
    ),
    ("case-1042?tab=state", ".stack", "Intake why?", "node Intake, at the end of turn 8", "began in Intake"),
    ("maria?tab=state", ".idle", "Turned away is not armed why?", "timer “turned away”", "is not armed, because"),
    ("lea?tab=state", ".stack", "Turned away → end why?", "timer “turned away”", "“turned away” is armed since turn 1"),
    ("maria?turn=4", ".right", "Complete: why?", "transition “complete”, at the end of turn 4", "did not hold"),
    (
        "maria?turn=4",
        ".gt",
        "age in years ≥ 38",
        "field age in years, at the end of turn 4",
        "age in years was set to 48",
    ),
    (
        "job?tab=prompt&turn=2",
        ".tools",
        "List generation why?",
        "tool “list generation”",
        "is not offered to the model",
    ),
    ("job?tab=prompt&turn=2", ".calls", "summarize why?", "call 2-3-1, at the end of turn 2", "“summarize” returned"),
    (
        "case-1042?tab=prompt",
        ".right",
        "No model was called: why?",
        "the model, at the end of turn 8",
        "no model was called",
    ),
    ("case-1042", ".chat", "Turn 3: why?", "turn 3", "insurance history"),
    ("case-1040", ".chat", "This question: why?", "the question, at the end of turn 1", "is asked because"),
    (
        "maria?turn=6",
        '[data-turn="6"]',
        "This reply: why?",
        "the model, at the end of turn 6",
        "the model script replied",
    ),
    ("case-1040", '[data-turn="4"]', "This reply: why?", "node Expert, at the end of turn 4", "Intake → Expert"),
    ("maria", ".chat", "age in years", "field age in years, at the end of turn 2", "was set to 35"),
    ("job", ".chat", "think", "tool “think”, at the end of turn 2", "think"),
    ("maria?view=graph&turn=4", ".gcan", "Profiler: why?", "node Profiler, at the end of turn 4", "was never entered"),
    ("maria?view=graph&turn=4", ".gcan", "Complete: why?", "transition “complete”", "did not hold"),
    ("maria?turn=4", ".lanes", "Profiler", "node Profiler, at the end of turn 4", "was never entered"),
    ("maria?view=graph&turn=4", ".tree", "Turned away: why?", "timer “turned away”", "is not armed"),
)


@pytest.mark.parametrize("address", dict.fromkeys(at for at, *_ in NAMES))
def test_a_name_asks(visit: Open, address: str) -> None:
    page = visit(f"/c/{address}")
    opened = page.url
    for place, name, read_as, part in (of_place for at, *of_place in NAMES if at == address):
        page.locator(place).get_by_role("button", name=name, exact=True).first.focus()
        page.keyboard.press("Enter")
        answer = page.get_by_role("article", name=re.compile(f"^why {re.escape(read_as)}"))
        expect(answer.get_by_role("heading", level=2)).to_contain_text(part)
        expect(answer.get_by_role("heading", level=2)).to_be_focused()
        page.go_back()
        expect(page).to_have_url(opened)


def test_the_outline_and_the_drawing_ask_alike(visit: Open) -> None:
    page = visit("/c/maria?view=graph&turn=4")
    for place in (page.get_by_role("region", name="Nodes and transitions"), page.locator(".gcan")):
        place.get_by_role("button", name="Complete: why?").press("Enter")
        expect(page.get_by_role("article", name=re.compile("^why transition “complete”"))).to_be_visible()
        page.go_back()
        expect(page.get_by_role("tab", name="Why", exact=True)).to_have_attribute("aria-selected", "true")


def test_the_turn_at_the_playhead_asks(visit: Open) -> None:
    page = visit("/c/maria?turn=3")
    page.get_by_role("region", name="Timeline").get_by_role("button", name="Turn 3: why?").click()
    expect(page.get_by_role("article", name="why turn 3")).to_contain_text("Ineligible → Introduction")
    page.get_by_role("region", name="Timeline").get_by_role("button", name="Turn 5", exact=True).click()
    expect(page.locator(".pos")).to_contain_text("turn 5 of 8")


def test_a_question_opens_the_panel(view: Open) -> None:
    page = view("/c/case-1042")
    page.get_by_role("button", name="This question: why?").last.wait_for()
    page.keyboard.press("Control+Shift+D")
    expect(page.get_by_role("region", name="Debug panel")).to_have_count(0)
    page.get_by_role("button", name="This question: why?").last.click()
    expect(page.get_by_role("region", name="Debug panel").get_by_role("article")).to_be_visible()
    box = page.get_by_role("article").bounding_box()
    assert box is not None
    assert box["width"] > 300


def test_clicks_do_what_they_did(visit: Open) -> None:
    """A card folds, a node is selected and a number goes to its turn, as without the questions."""
    page = visit("/c/maria?turn=4")
    card = page.locator('[data-candidate="too_young"]')
    page.get_by_text("2 other rules, in the order of judging").click()
    card.locator("summary").click()
    expect(card).to_have_attribute("open", "")
    page.get_by_role("button", name="Go to turn 6").click()
    expect(page.locator(".pos")).to_contain_text("turn 6 of 8")
    expect(page).not_to_have_url(re.compile("ask"))


def test_on_a_phone_the_answer_is_shown_and_back_leads_to_the_chat(view: Open) -> None:
    page = view("/c/case-1042", viewport=PHONE, has_touch=True)
    question = page.get_by_role("button", name="This question: why?").last
    box = question.evaluate("element => parseFloat(getComputedStyle(element, '::after').height)")
    assert box >= 24, "what can be hit is too small for a finger"
    question.tap()
    heading = page.get_by_role("article").get_by_role("heading", level=2)
    expect(heading).to_be_visible()
    expect(heading).to_contain_text("purpose of the check is asked again because the user wanted to change this answer")
    page.reload()
    expect(heading).to_be_visible()


def test_on_a_phone_a_link_to_a_question_about_the_turn_shows_its_answer(visit: Open) -> None:
    page = visit("/c/case-1042?tab=ask", viewport=PHONE, has_touch=True)
    expect(page.get_by_role("article", name="why turn 8")).to_be_visible()


@pytest.mark.parametrize("name", ["run-2", "case-1042"])
def test_on_a_phone_the_question_about_a_turn_stands_beside_its_text(visit: Open, name: str) -> None:
    page = visit(f"/c/{name}", viewport=PHONE, has_touch=True, is_mobile=True)
    turn = page.locator(".turn.sel")
    word, text = turn.locator(".tnum + .askwhy .q"), turn.locator(".tbody")
    expect(word).to_be_visible()
    own, body = word.bounding_box(), text.bounding_box()
    assert own is not None
    assert body is not None
    assert own["x"] >= 4
    assert own["x"] + own["width"] + 4 <= body["x"]


def test_back_on_a_phone_leads_to_the_chat(visit: Open) -> None:
    page = visit("/c/case-1042", viewport=PHONE, has_touch=True)
    page.get_by_role("button", name="This question: why?").last.tap()
    expect(page.get_by_role("article")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("log", name="Transcript")).to_be_visible()
    expect(page.get_by_role("article")).to_be_hidden()


def test_without_the_scope_nothing_asks(studio: Served, watched: Watched) -> None:
    page = watched.page()
    me = studio.get("/api/me") | {"is_local": False, "scopes": ["chat"]}
    page.route("**/api/me", lambda route: route.fulfill(json=me))
    page.goto(f"{studio.address}/c/case-1042")
    expect(page.get_by_role("log", name="Transcript")).to_contain_text("What is the check for?")
    expect(page.get_by_text("why?")).to_have_count(0)
