"""Inner conversations on the page: the stack of frames, folds in the chat, levels of the graph, lanes, state and why."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from support.serving import Served
from support.shell import ROOT
from support.talking import Open, Talk, placed, settled
from support.watching import PHONE, Watched, violations

SURVEY = ("Max", "I want to give feedback", "good", "more voice messages", "Italian")
"""A survey from turn 3 to turn 5."""
ASIDE = (*SURVEY, "I need a short quiz", "why was it dem?")
"""A quiz in turn 7, and in turn 8 a question aside inside of it."""


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a tutor, and conversations after a survey, in a quiz, and in a question aside."""
    store = f"sqlite:///{tmp_path_factory.mktemp('studio')}/studio.db"
    with Served("serve", ROOT / "tests/flows/tutor.flow.yaml", "--port", "0", "--store", store) as served:
        begin(served, "max", *ASIDE)
        begin(served, "ada", *SURVEY)
        yield served


def begin(studio: Served, name: str, *texts: str) -> None:
    studio.post("/api/conversations", flow="tutor", name=name)
    for text in texts:
        studio.post(f"/api/conversations/{name}/turns", text=text)


def stack(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Open conversations, outermost first")


def scope(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=f"Inner conversation {name}", exact=True)


def fold(page: Page, name: str) -> Locator:
    return scope(page, name).get_by_role("button", name=re.compile(f"^{name}")).first


def levels(page: Page) -> Locator:
    return page.get_by_role("region", name="Graph").get_by_role("navigation", name="Levels of the drawing")


# the stack ---------------------------------------------------------------------------------------


def test_the_stack_shows_what_is_open_and_what_is_left_of_its_limits(show: Open) -> None:
    page = show("/c/max")
    frames = stack(page).get_by_role("button")
    expect(frames).to_have_count(3)
    expect(frames.nth(0)).to_have_accessible_name("Maya, the tutor waits")
    expect(frames.nth(1)).to_have_accessible_name("Dative quiz 11 turns, 4,000 tokens left waits")
    expect(frames.nth(2)).to_have_accessible_name("A question aside in charge")
    expect(frames.nth(2)).to_have_attribute("aria-current", "true")


def test_the_stack_follows_the_position_and_goes_when_nothing_is_open(show: Open) -> None:
    page = show("/c/max?turn=4")
    expect(stack(page).get_by_role("button")).to_have_text([re.compile("^Maya"), re.compile("^Feedback survey")])
    page.keyboard.press("Home")
    expect(Talk(page).position).to_contain_text("turn 1 of 8")
    expect(stack(page)).to_have_count(0)


def test_a_press_in_the_stack_goes_to_the_beginning_of_the_scope(show: Open) -> None:
    page = show("/c/max")
    fold(page, "Dative quiz").click()
    expect(fold(page, "Dative quiz")).to_have_attribute("aria-expanded", "false")
    stack(page).get_by_role("button", name="Dative quiz").press("Enter")
    expect(fold(page, "Dative quiz")).to_have_attribute("aria-expanded", "true")
    expect(fold(page, "Dative quiz")).to_be_focused()


# the chat ----------------------------------------------------------------------------------------


def test_a_closed_scope_is_folded_under_its_summary_its_outcome_and_what_it_gave_back(show: Open) -> None:
    page = show("/c/ada")
    survey = scope(page, "Feedback survey")
    expect(fold(page, "Feedback survey")).to_have_attribute("aria-expanded", "false")
    expect(survey).to_contain_text("Opened Feedback survey the user asked for it")
    expect(survey).to_contain_text("closed: completed")
    expect(survey).to_contain_text("turns 3 to 5, 5 messages")
    expect(survey).to_contain_text("Max took the survey. The lesson was good; wish: more voice messages.")
    expect(survey).to_contain_text("mood = good")
    expect(page.get_by_text("How was the lesson?")).to_have_count(0)
    expect(page.get_by_role("log").get_by_text("What do you want to learn?").last).to_be_visible()
    fold(page, "Feedback survey").press("Enter")
    expect(fold(page, "Feedback survey")).to_have_attribute("aria-expanded", "true")
    expect(survey.get_by_text("How was the lesson?")).to_be_visible()
    fold(page, "Feedback survey").press("Space")
    expect(page.get_by_text("How was the lesson?")).to_have_count(0)


def test_a_closed_scope_says_how_many_tokens_its_summary_saved(studio: Served, watched: Watched) -> None:
    page = watched.page()
    frames = [one | {"tokens_saved": 1236, "later_requests": 3} for one in studio.get("/api/conversations/ada/frames")]
    page.route("**/frames", lambda route: route.fulfill(json=frames))
    page.goto(f"{studio.address}/c/ada?tab=state")
    expect(scope(page, "Feedback survey")).to_contain_text("1,236 tokens saved in 3 later requests")
    expect(page.get_by_role("table", name="Inner conversations").get_by_role("cell").last).to_have_text("1,236")


def test_a_position_inside_of_a_closed_scope_unfolds_it(show: Open) -> None:
    page = show("/c/ada?turn=4")
    expect(fold(page, "Feedback survey")).to_have_attribute("aria-expanded", "true")
    expect(Talk(page).turn(4)).to_be_in_viewport()
    page.get_by_role("button", name="Go to live").first.click()
    expect(fold(page, "Feedback survey")).to_have_attribute("aria-expanded", "false")


def test_words_that_a_value_came_from_unfold_their_scope(view: Open) -> None:
    page = view("/c/ada?tab=state")
    row = Talk(page).panel.locator('[data-field="feedback.text"]')
    row.get_by_role("button", name=re.compile("mark the words")).click()
    expect(scope(page, "Feedback survey").locator(".lit, mark")).to_have_text("more voice messages")


def test_a_scope_opens_and_closes_while_the_page_is_open(studio: Served, view: Open) -> None:
    begin(studio, "live", "Max")
    talk = Talk(view("/c/live"))
    talk.rests(2)
    heard = talk.page.get_by_role("status")
    talk.say("I want to give feedback", 3)
    expect(scope(talk.page, "Feedback survey").get_by_text("in charge")).to_be_visible()
    expect(heard.filter(has_text="Inside Feedback survey: How was the lesson?")).to_have_count(1)
    talk.press("good", 4)
    expect(stack(talk.page)).to_contain_text("7 turns left")
    talk.say("nothing", 5)
    expect(fold(talk.page, "Feedback survey")).to_have_attribute("aria-expanded", "false")
    expect(heard.filter(has_text="Feedback survey closed")).to_have_count(1)
    expect(stack(talk.page)).to_have_count(0)
    expect(talk.transcript.get_by_text("What do you want to learn?").last).to_be_in_viewport()


def test_what_is_on_its_way_stands_in_the_scope_that_is_open(studio: Served, view: Open) -> None:
    begin(studio, "slow", "Max", "I want to give feedback")
    talk = Talk(view("/c/slow"))
    talk.rests(3)
    talk.page.route("**/turns", lambda _: None)  # never answered
    talk.field.fill("good")
    talk.field.press("Enter")
    inside = scope(talk.page, "Feedback survey").get_by_role("region", name="The message that is being sent")
    expect(inside).to_contain_text("good")


def test_a_button_begins_a_scope(studio: Served, show: Open) -> None:
    begin(studio, "buttons", "Max")
    talk = Talk(show("/c/buttons"))
    talk.rests(2)
    begins = talk.page.get_by_role("group", name="Begin an inner conversation").get_by_role("button")
    expect(begins).to_have_text(["Feedback survey", "Dative quiz"])
    begins.nth(1).press("Enter")
    talk.rests(3)
    expect(scope(talk.page, "Dative quiz")).to_contain_text("Which one: mit … Kind?")
    expect(begins).to_have_text(["Feedback survey"])
    talk.page.keyboard.press("Home")
    expect(begins).to_have_count(0)


def test_an_undone_scope_leaves_no_card(studio: Served, view: Open) -> None:
    begin(studio, "undone", "Max", "I want to give feedback")
    studio.post("/api/conversations/undone/turns", undo={})
    talk = Talk(view("/c/undone"))
    talk.rests(4)
    expect(talk.transcript).to_contain_text("Undone")
    expect(scope(talk.page, "Feedback survey")).to_have_count(0)
    expect(stack(talk.page)).to_have_count(0)


# the graph ---------------------------------------------------------------------------------------


def test_the_graph_goes_in_with_enter_and_out_by_a_crumb(show: Open) -> None:
    page = show("/c/max?view=graph&level=")
    drawing = placed(page)
    expect(levels(page)).to_have_text("Maya, the tutor")
    expect(drawing.locator(".gn.inner")).to_have_count(2)
    quiz = drawing.locator("button.gn", has_text="quiz")
    expect(quiz).to_contain_text("inside")
    quiz.focus()
    page.keyboard.press("Enter")
    expect(levels(page).locator("[aria-current]")).to_have_text("Dative quiz")
    expect(levels(page).locator("[aria-current]")).to_be_focused()
    expect(page).to_have_url(re.compile("level=quiz"))
    expect(drawing.locator("button.gn", has_text="aside")).to_contain_text("inside")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(levels(page).locator("[aria-current]")).to_be_focused()
    expect(drawing.locator("button.gn", has_text="chat")).to_be_visible()


def test_the_graph_goes_in_with_a_double_click_and_shows_the_node_in_charge_there(show: Open) -> None:
    page = show("/c/max?view=graph&level=quiz")
    drawing = placed(page)
    drawing.locator("button.gn", has_text="aside").dblclick()
    expect(drawing.locator("button.gn.now")).to_contain_text("Tell")
    expect(levels(page).get_by_role("button")).to_have_text(["Maya, the tutor", "Dative quiz"])


def test_the_graph_follows_the_conversation_into_a_scope(show: Open) -> None:
    page = show("/c/max?view=graph")
    expect(placed(page).locator("button.gn.now")).to_contain_text("Tell")
    page.keyboard.press("Home")
    expect(page.locator("button.gn.now")).to_contain_text("Chat")


def test_the_outline_and_the_details_lead_inside(show: Open) -> None:
    page = show("/c/max?view=graph&level=")
    outline = page.get_by_role("region", name="Nodes and transitions")
    outline.get_by_role("button", name="Feedback survey").and_(page.locator(".nd")).click()
    details = page.get_by_role("region", name="About Feedback survey")
    expect(details).to_contain_text("inherits user")
    details.get_by_role("button", name="Go inside").click()
    expect(outline.locator(".nd")).to_contain_text(["Feedback survey"])
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    outline.get_by_role("button", name="Go inside Dative quiz").click()
    expect(outline.locator(".nd .nm")).to_have_text(["First", "Second", "A question aside"])


def test_the_page_of_the_flow_shows_its_levels(show: Open) -> None:
    page = show("/f/tutor")
    page.get_by_role("button", name="Drawing").click()
    drawing = placed(page)
    drawing.get_by_role("button", name="Go inside Dative quiz").click()
    expect(drawing.locator("button.gn", has_text="Second")).to_be_visible()
    page.get_by_role("navigation", name="Levels of the drawing").get_by_role("button", name="Maya").click()
    expect(drawing.locator("button.gn", has_text="Feedback survey")).to_be_visible()


# timeline, state, why ----------------------------------------------------------------------------


def test_lanes_are_indented_and_the_path_goes_into_scopes(show: Open) -> None:
    page = show("/c/max")
    names = page.locator(".lanes span")
    shown = ("Chat", "Feedback survey", "First", "Second", "Tell", "around it")
    expect(names).to_have_text([re.compile(f"{name}$") for name in shown])
    indents = names.evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).paddingLeft))")
    assert indents[0] < indents[1] == indents[2] < indents[4]
    expect(page.locator(".lanes .on")).to_contain_text("Tell")
    expect(page.locator(".score .band")).to_have_count(3)
    expect(page.locator(".score .past")).to_have_attribute("d", re.compile("^[^V]*(V[^V]*){3}$"))
    expect(Talk(page).position).to_contain_text("inside A question aside")


def test_the_state_has_the_fields_of_open_scopes_and_what_was_closed(view: Open) -> None:
    page = view("/c/max?tab=state")
    panel = Talk(page).panel
    expect(panel.locator('[data-field="quiz/result.article"]')).to_be_visible()
    expect(
        panel.get_by_role("rowheader", name=re.compile("^inside .*quiz, gone when it closes", re.IGNORECASE))
    ).to_be_visible()
    expect(panel.locator('[data-field^="survey/"]')).to_have_count(0)
    expect(panel.locator(".stack")).to_contain_text(
        "closes after 10 min without a word · inherits user · returns result"
    )
    rows = panel.get_by_role("table", name="Inner conversations").get_by_role("row")
    expect(rows.nth(1)).to_contain_text(re.compile(r"survey.*completed.*turns 3 to 5"))
    expect(rows.nth(3)).to_contain_text(re.compile(r"quiz/aside.*open"))
    page.goto(page.url.replace("?", "?turn=4&"))
    expect(panel.locator('[data-field="survey/feedback.mood"]')).to_contain_text("good")
    expect(panel.locator('[data-field^="quiz/"]')).to_have_count(0)


def test_decisions_inside_of_a_scope_can_be_read_and_asked_about(show: Open) -> None:
    page = show("/c/max")
    talk = Talk(page)
    expect(talk.panel.get_by_role("heading", level=2).first).to_have_text("Opened A question aside")
    expect(talk.card("why_so")).to_contain_text("a question about the question")
    scope(page, "Dative quiz").locator("button.seam").filter(has_text="Asks for").first.click()
    expect(talk.position).to_contain_text("turn 7 of 8")
    expect(talk.card("why_so")).to_contain_text("false")
    scope(page, "Feedback survey").get_by_role("button", name="Closed Feedback survey: why?").click()
    expect(talk.panel).to_contain_text("the scope 'Feedback survey' was closed: completed")


# everybody ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/c/max", "/c/ada?turn=4&tab=state", "/c/max?view=graph&level="])
def test_axe_finds_nothing(show: Open, axe: str, address: str) -> None:
    page = settled(show(address))
    expect(page.locator(".stk")).to_be_visible()
    assert violations(page, axe) == []


@pytest.mark.parametrize("pane", ["Chat", "Graph"])
def test_on_a_phone(view: Open, axe: str, pane: str) -> None:
    page = settled(view("/c/max", viewport=PHONE, has_touch=True, is_mobile=True))
    expect(stack(page).get_by_role("button", name="A question aside")).to_be_in_viewport(ratio=0.99)
    page.get_by_role("navigation", name="Panes").get_by_role("button", name=pane).tap()
    if pane == "Graph":
        page.get_by_role("navigation", name="Levels of the drawing").get_by_role("button", name="Maya").tap()
        page.get_by_role("button", name="Go inside Feedback survey").tap()
        expect(page.locator(".nd .nm")).to_have_text(["Feedback survey"])
    else:
        expect(scope(page, "A question aside").get_by_role("button", name="Go on")).to_be_in_viewport()
    assert violations(settled(page), axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
