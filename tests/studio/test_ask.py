"""The Ask tab: an answer in both voices, its causes as a chain, ways to a node tried in a fork, two conversations."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from support.serving import Served
from support.talking import Open, clipboard, loaded
from support.watching import PHONE, WIDE, Watched, violations
from turnwise.why.offered import MOST_OFFERED

OUTSIDE = """ask => [...ask.querySelectorAll("td *")]
    .filter(one => one.getBoundingClientRect().right > one.closest("td").getBoundingClientRect().right + 1)
    .map(one => one.textContent)"""
FIELD = "A name, a turn, or a question in words"


def test_the_causes_of_an_answer_can_be_walked_and_back_returns(view: Open) -> None:
    page = view("/c/maria?tab=ask&ask=transition+complete")
    answer = page.get_by_role("article")
    expect(answer.get_by_role("heading", level=2)).to_contain_text("“complete” was taken in turn 5")
    expect(answer).to_contain_text("To the user “The reason is: name, age and terms collected, age 38 or more.”")
    chain = answer.locator(".chain").first
    expect(chain).to_contain_text("the user said “sorry, I am 48”")
    step = chain.locator(".factline", has_text="age in years was set to 48")
    step.get_by_role("button", name="age in years", exact=True).click()
    heading = answer.get_by_role("heading", level=2)
    expect(heading).to_contain_text("age in years was set to 48, as the rules understood it, from “48” (was 35)")
    expect(heading).to_be_focused()
    expect(page).to_have_url(re.compile(r"turn=3&.*ask=field\+user\.age"))
    page.go_back()
    expect(heading).to_contain_text("“complete” was taken in turn 5")
    answer.get_by_role("button", name="Go to turn 5").first.click()
    expect(page.locator(".pos")).to_contain_text("turn 5 of 8")
    page.reload()
    expect(page.get_by_role("article", name="why transition “complete”, at the end of turn 5")).to_be_visible()


def test_what_would_have_to_be_different_is_tried_as_a_what_if(visit: Open) -> None:
    page = visit("/c/case-1042?tab=ask&ask=transition+expert")
    needs = page.get_by_role("region", name="What would have to be different")
    expect(needs).to_contain_text(re.compile(r"→ Expert\s*would hold with\s*insurance history = Yes"))
    needs.get_by_role("button", name="insurance history = Yes").click()
    expect(page.get_by_role("tabpanel", name="What if")).to_contain_text("→ Expert")


def test_a_question_in_words_says_how_it_was_read(visit: Open) -> None:
    page = visit("/c/case-1042?tab=ask")
    page.get_by_label(FIELD).fill("is there a history of inconsistencies?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".answer .readas")).to_contain_text("insurance history")
    expect(page.get_by_label(FIELD)).to_have_value("is there a history of inconsistencies?")


def test_what_a_question_may_also_mean_is_asked_by_a_press(visit: Open) -> None:
    page = visit("/c/maria?tab=ask&ask=since+when+is+the+age+48")
    answer = page.get_by_role("article")
    expect(answer).to_contain_text("You may also ask about rule Complete")
    answer.get_by_role("button", name="message 3", exact=True).click()
    expect(page.get_by_role("article", name="why message 3")).to_be_visible()


@pytest.mark.parametrize(("viewport", "scheme"), [(WIDE, "light"), (PHONE, "dark")], ids=["wide", "phone"])
def test_an_unclear_question_offers_chips_by_keyboard(view: Open, watched: Watched, viewport: Any, scheme: Any) -> None:
    watched.expected += ["422"]
    page = view("/c/case-1042?tab=ask", viewport=viewport)
    page.emulate_media(color_scheme=scheme)
    page.get_by_label(FIELD).fill("did anything strange happen here?")
    page.keyboard.press("Enter")
    offers = page.get_by_role("alert", name="What is the question about?")
    chips = offers.get_by_role("listitem").get_by_role("button")
    expect(chips.first).to_be_visible()
    assert 1 < chips.count() <= MOST_OFFERED
    assert offers.evaluate("one => one.scrollWidth <= one.clientWidth")
    subject = chips.nth(1).locator("b").inner_text()
    chips.nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("article", name=re.compile("^why "))).to_be_visible()
    expect(page.get_by_label(FIELD)).to_have_value(subject)


def test_an_unknown_name_has_the_nearest(visit: Open, watched: Watched) -> None:
    watched.expected += ["422"]
    page = visit("/c/case-1042?tab=ask")
    page.get_by_label(FIELD).fill("case.purpse")
    page.keyboard.press("Enter")
    refused = page.get_by_role("alert")
    expect(refused).to_contain_text("did you mean 'case.purpose'?")
    refused.get_by_role("button", name="purpose of the check", exact=True).click()
    expect(page.get_by_role("article")).to_contain_text("purpose of the check was set to Referral")


def test_another_kind_of_question_shows_no_old_answer(visit: Open) -> None:
    page = visit("/c/lea?tab=ask")
    expect(page.get_by_role("article")).to_be_visible()
    page.get_by_role("button", name="How to get to").click()
    expect(page.get_by_role("group", name="The node to get to")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(0)
    page.get_by_role("button", name="Why", exact=True).click()
    expect(page.get_by_role("article")).to_be_visible()


def test_the_words_at_the_end_of_a_chain_are_marked_in_the_chat(visit: Open) -> None:
    page = visit("/c/case-1042?tab=ask&ask=case.purpose")
    page.locator(".chain").first.get_by_role("button", name="Go to turn 4").click()
    expect(page.locator('.chat [data-turn="4"] :is(mark, u[data-lit])')).to_contain_text("it is for a referral")


def test_a_way_is_shown_in_steps_and_tried_in_a_fork(view: Open) -> None:
    page = view("/c/case-1042?view=graph")
    page.locator("button.gn", has_text="Handed over").click()
    page.get_by_role("button", name="How to get here?").click()
    answer = page.get_by_role("article", name="how case-1042 gets from Intake to Handed over")
    expect(answer.get_by_role("heading", level=2)).to_have_text("2 steps lead to Handed over")
    expect(answer.locator(".steps li")).to_have_text(
        [re.compile("press “Billing”"), re.compile("press “Looks Good”"), re.compile("Handed over")]
    )
    answer.get_by_role("button", name="Try in a fork").click()
    expect(page).to_have_url(re.compile(r"/c/(?!case-)"))
    expect(page.locator("header")).to_contain_text("Ended")


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_fork_shows_what_was_tried(view: Open, viewport: Any) -> None:
    page = view("/c/case-1038?tab=ask&ask=to:expert", viewport=viewport)
    page.get_by_role("button", name="Try in a fork").click()
    expect(page).to_have_url(re.compile(r"/c/(?!case-)"))
    tried = page.locator('.chat [data-turn="3"]')
    expect(tried).to_contain_text("set insurance history = Yes, set purpose of the check = Referral")
    expect(tried).to_be_visible()


def test_no_way_is_said_plainly(visit: Open) -> None:
    page = visit("/c/maria?tab=ask&ask=to:profiler")
    expect(page.get_by_role("article")).to_contain_text("no way to Profiler was found: the conversation has ended")
    expect(page.get_by_role("button", name="Try in a fork")).to_have_count(0)


def test_an_unknown_node_to_get_to_offers_nodes_only(visit: Open, watched: Watched) -> None:
    watched.expected += ["422"]
    page = visit("/c/maria?tab=ask&ask=to:nowhere")
    expect(page.get_by_role("alert")).to_contain_text("nothing is called 'node nowhere'")
    expect(page.get_by_role("alert").get_by_role("button")).to_have_count(0)
    expect(page.get_by_role("group", name="The node to get to").get_by_role("button")).to_have_count(5)


def test_two_conversations_stand_side_by_side(visit: Open) -> None:
    page = visit("/c/case-1042?tab=ask")
    page.get_by_role("button", name="Compare").click()
    page.get_by_label("Another conversation of this flow").fill("1040")
    others = page.get_by_role("list", name="Conversations to compare with")
    expect(others.get_by_role("button")).to_have_count(1)
    others.get_by_role("button", name=re.compile("case-1040")).click()
    expect(page).to_have_url(re.compile("ask=against%3Acase-1040"))
    table = page.get_by_role("table", name="Side by side")
    expect(table.locator("thead th")).to_have_text(["case-1042", "case-1040"])
    expect(table.locator(".parts td")).to_have_text(
        [
            re.compile("made no move"),
            re.compile(
                "went to Expert by the rule “a referral with earlier inconsistencies is not for a machine” turn 4"
            ),
        ]
    )
    field = table.locator(".field")
    expect(field).to_contain_text("with this value alone, the decision of case-1042 would have been the same")
    mine, theirs = field.get_by_role("cell").all()
    expect(mine).to_contain_text("the user said “there were some problems once, so partial”")
    expect(theirs).to_contain_text("the user pressed “Yes”")
    theirs.get_by_role("link", name="turn 3").first.click()
    expect(page).to_have_url(re.compile(r"/c/case-1040\?turn=3"))


def test_the_moves_that_both_made_come_first(visit: Open) -> None:
    page = visit("/c/maria?tab=ask&ask=against:paula")
    table = page.get_by_role("table", name="Side by side")
    expect(table.locator(".alike").first).to_contain_text("went to Ineligible by the rule “under age 38”")
    expect(table.locator(".parts td").first).to_contain_text(
        "went to Introduction by the rule “what is known no longer rules the user out” turn 3"
    )


def test_why_each_of_two_moved_stands_on_its_side(visit: Open) -> None:
    page = visit("/c/job?tab=ask&ask=against:holiday")
    cells = page.get_by_role("table", name="Side by side").locator(".parts + tr").get_by_role("cell")
    mine, theirs = cells.first, cells.last
    expect(mine).to_contain_text("the user said “I don't know whether to change my job”")
    expect(theirs).to_contain_text("holiday did not take the rule “Opens once 'think' was used”")
    expect(theirs).to_contain_text("the user said “I need some research on quiet places by the sea”")
    theirs.get_by_role("link", name="turn 1").last.click()
    expect(page).to_have_url(re.compile(r"/c/holiday\?turn=1"))


def test_a_way_that_needs_a_person_says_at_which_step(visit: Open) -> None:
    page = visit("/c/greta?tab=ask&ask=to:profiler")
    expect(page.get_by_role("list", name="Ways to Profiler")).to_contain_text("Step 1 needs a person, so")


def test_two_turns_of_one_conversation_are_compared(visit: Open) -> None:
    page = visit("/c/maria?tab=ask")
    page.get_by_role("button", name="Compare").click()
    page.get_by_label("or with an earlier turn of this one").select_option("turn 3")
    table = page.get_by_role("table", name="Side by side")
    expect(table.locator("thead th")).to_have_text(["turn 8", "turn 3"])


def test_names_of_the_flow_ask_also_where_a_text_is_not_about_them(visit: Open) -> None:
    page = visit("/c/maria?turn=4&tab=ask&ask=transition+complete")
    answer = page.get_by_role("article")
    own = answer.get_by_role("heading", level=2)
    expect(own).to_contain_text("“complete” did not hold, because it needs agreement to the terms")
    expect(own.locator("code").first).to_have_text("“complete”")
    own.get_by_role("button", name="agreement to the terms").click()
    expect(answer).to_have_accessible_name("why field agreement to the terms, at the end of turn 4")


def test_how_usual_it_is_is_counted_when_it_is_wanted(visit: Open) -> None:
    page = visit("/c/maria?turn=4&tab=ask&ask=transition+corrected")
    answer = page.get_by_role("article")
    wish = answer.get_by_role("button", name="How usual is this?")
    expect(wish).to_be_visible()
    expect(answer).not_to_contain_text("conversations (")
    with page.expect_request(re.compile(r"/why\?.*usual=true")):
        wish.click()
    expect(answer.get_by_role("status")).to_have_text(
        re.compile(r"^“corrected” was taken in \d+ % of \d+ conversations")
    )
    expect(wish).to_have_count(0)
    answer.get_by_role("button", name="Introduction").first.click()
    expect(answer).to_have_accessible_name(re.compile("^why node Introduction"))
    expect(wish).to_be_visible()


def test_an_address_asks_at_its_turn_only(studio: Served, watched: Watched) -> None:
    page = watched.page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/why?" in request.url else None)
    page.goto(f"{studio.address}/c/maria?turn=4&tab=ask&ask=user.age")
    expect(
        page.get_by_role("article", name=re.compile("^why field age in years, at the end of turn 4"))
    ).to_be_visible()
    assert [re.findall(r"[?&]turn=(\d+)", one) for one in asked] == [["4"]]


def test_how_usual_it_is_is_offered_only_for_what_is_counted(visit: Open) -> None:
    page = visit("/c/maria?tab=ask&ask=the+conversation")
    expect(page.get_by_role("article")).to_be_visible()
    expect(page.get_by_role("button", name="How usual is this?")).to_have_count(0)


def test_a_server_that_fails_is_said_and_asked_again(studio: Served, watched: Watched) -> None:
    watched.expected += ["503"]
    page = watched.page()
    failing = [True]
    page.route(
        "**/why?*", lambda route: route.fulfill(status=503, json={"title": "Busy"}) if failing[0] else route.continue_()
    )
    page.goto(f"{studio.address}/c/case-1042?tab=ask&ask=case.purpose")
    expect(page.get_by_role("alert")).to_contain_text("Busy")
    failing[0] = False
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("article")).to_contain_text("purpose of the check was set to Referral")


def test_the_old_answer_stays_until_the_new_one_is_there(studio: Served, watched: Watched) -> None:
    page = watched.page()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/why?*end*", hold)
    page.goto(f"{studio.address}/c/case-1042?tab=ask&ask=case.purpose")
    answer = page.get_by_role("article")
    expect(answer).to_have_accessible_name(re.compile("^why field purpose of the check"))
    page.get_by_role("button", name="the end", exact=True).click()
    expect(page.locator(".ask [aria-busy=true]")).to_contain_text("purpose of the check was set to Referral")
    held[0].continue_()
    expect(answer).to_have_accessible_name(re.compile("^why the end"))


@pytest.mark.parametrize(
    "address",
    [
        *[f"case-1042?tab=ask&ask={one}" for one in ("field+case.purpose", "to:handed_over", "against:case-1040")],
        "job?tab=ask&ask=against:holiday",
    ],
)
def test_the_answers_are_accessible(visit: Open, axe: str, address: str) -> None:
    page = visit(f"/c/{address}", viewport=PHONE)
    expect(page.locator(".answer .first")).to_be_visible()
    assert loaded(page.locator(".ask")).evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert violations(page, axe) == []


def test_what_was_different_in_an_earlier_turn_is_tried_there(visit: Open) -> None:
    page = visit("/c/maria?tab=ask&ask=turn+4")
    needs = page.get_by_role("region", name="What would have to be different")
    needs.get_by_role("button", name=re.compile("= Yes try$")).click()
    expect(page.get_by_role("tabpanel", name="What if")).to_contain_text("What if, at turn 4")
    expect(page.get_by_role("tabpanel", name="What if")).to_contain_text("→ Profiler")
    page.go_back()
    expect(page.get_by_role("article", name="why turn 4")).to_be_visible()


def test_an_answer_about_another_turn_leads_there(visit: Open) -> None:
    page = visit("/c/maria?tab=ask&ask=turn+4")
    page.locator(".readas").get_by_role("button", name="Go to turn 4").press("Enter")
    expect(page.locator(".pos")).to_contain_text("turn 4 of 8")
    expect(page.get_by_role("article").get_by_role("heading", level=2)).to_be_focused()
    expect(page.get_by_role("article", name="why turn 4")).to_be_visible()
    expect(page.locator(".readas").get_by_role("button")).to_have_count(0)


def test_what_is_copied_is_the_answer(studio: Served, watched: Watched) -> None:
    page = watched.page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{studio.address}/c/case-1042?tab=ask&ask=case.purpose")
    heading = page.get_by_role("article").get_by_role("heading", level=2)
    expect(heading).to_contain_text("purpose of the check was set to Referral")
    page.get_by_role("button", name="Copy this answer as JSON").click()
    assert '"read_as": "why field purpose of the check' in clipboard(page)


def test_many_causes_are_folded(studio: Served, watched: Watched) -> None:
    page = watched.page()

    def many(route: Route) -> None:
        answer = route.fetch().json()
        answer["facts"][0]["causes"] = [{"kind": "value_read", "text": f"cause {number}"} for number in range(40)]
        route.fulfill(json=answer)

    page.route("**/why?*", many)
    page.goto(f"{studio.address}/c/case-1042?tab=ask&ask=case.purpose")
    chain = page.get_by_role("region", name="Because")
    expect(chain.get_by_text("cause 7")).to_be_visible()
    expect(chain.get_by_text("cause 8")).to_be_hidden()
    chain.get_by_text("32 more").click()
    expect(chain.get_by_text("cause 39")).to_be_visible()


def test_a_tool_in_a_step_of_a_way_asks(visit: Open) -> None:
    page = visit("/c/holiday?tab=ask&ask=to:review")
    page.locator(".steps").get_by_role("button").first.click()
    expect(page.get_by_role("article", name=re.compile("^why tool"))).to_be_visible()


def test_a_typed_question_leads_the_keyboard_to_its_answer(visit: Open, watched: Watched) -> None:
    watched.expected += ["422"]
    page = visit("/c/case-1042?tab=ask")
    field, answer = page.get_by_label(FIELD), page.get_by_role("article")
    field.fill("case.purpse")
    field.press("Enter")
    expect(page.get_by_role("alert").get_by_role("button").first).to_have_text("purpose of the check")
    expect(field).to_be_focused()
    field.fill("case.purpose")
    field.press("Enter")
    expect(answer.get_by_role("heading", level=2)).to_be_focused()
    expect(page.locator("[aria-live] .answer")).to_have_count(0)
    page.get_by_role("button", name="the end", exact=True).press("Enter")
    expect(answer).to_have_accessible_name(re.compile("^why the end"))
    expect(answer.get_by_role("heading", level=2)).to_be_focused()


def test_tools_can_be_asked_about_where_a_name_is_unknown(visit: Open, watched: Watched) -> None:
    watched.expected += ["422"]
    page = visit("/c/job?tab=ask&ask=thikn")
    refused = page.get_by_role("alert")
    expect(refused.get_by_role("button").first).to_have_text("Think")
    expect(refused.get_by_role("button", name="Web search", exact=True)).to_be_visible()


def test_words_on_a_dark_control_can_be_read_in_the_colours_of_the_system(view: Open) -> None:
    page = view("/c/greta?tab=ask&ask=to:profiler", forced_colors="active")
    for place in (".steps .goal .k", ".banner.person"):
        expect(page.locator(place)).to_have_css("forced-color-adjust", "none")
    page.get_by_role("group", name="Kind of question").get_by_role("button", name="Why", exact=True).click()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_have_css("forced-color-adjust", "none")


def test_by_keyboard(visit: Open) -> None:
    page = visit("/c/case-1042")
    expect(page.locator(".pos")).to_contain_text("turn 8 of 8")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("6")
    expect(page.get_by_role("tab", name="Ask")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_label(FIELD)).to_be_focused()
    expect(page.get_by_label(FIELD)).to_have_value("")
    expect(page.locator(".answer .first")).to_be_visible()
