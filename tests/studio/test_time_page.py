"""The tab Time: what is due and fired without waiting, time that is moved forward, and what models spent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from support.serving import Served
from support.talking import Open, Talk, settled
from support.watching import LIST, PHONE, TIMELINE, Watched, violations


def begin(studio: Served, name: str, flow: str = "health_intake", *texts: str) -> None:
    studio.post("/api/conversations", flow=flow, name=name)
    for text in texts:
        studio.post(f"/api/conversations/{name}/turns", text=text)


def headline(page: Page) -> Locator:
    return Talk(page).panel.get_by_role("heading", level=2).first


def due(page: Page, name: str) -> Locator:
    return Talk(page).panel.locator(f'[data-due="{name}"]')


def test_a_newcomer_sees_a_schedule_fire_in_the_demonstration(show: Open) -> None:
    page = settled(show("/c/ola?tab=time"))  # of a transcript that loads nothing is said
    expect(headline(page)).to_contain_text("Next: Reminder")
    page.get_by_role("button", name="to what is next").press("Enter")
    fired = Talk(page).transcript.locator(".around", has_text="The schedule reminder opened")
    expect(fired).to_be_visible()
    said = page.get_by_role("status").filter(has_text="The time moved forward by")
    expect(said).to_contain_text("Inside ")  # what came of it does not take away what was said of the press


OVERLAYS = """\
flow: dressed
start: chat
overlays:
  viking_weekend: {name: Ragnar, persona: You are a Viking.}
  advent: {from: 2099-12-01, to: 2099-12-24, addendum: Wish a good Advent.}
records: {feedback: {mood: string}}
events: {payment: {amount: number}}
nodes:
  chat:
    say: Hello.
    transitions:
      - {id: bye, when: 'message.text == "bye"', end: done}
      - {id: paid, at: event, event: payment, when: event.amount > 10, to: chat}
      - {id: tired, when: 'message.text == "tired"', to: pause}
      - {id: more, to: chat}
  pause:
    say: Let us stop.
    offer: {scope: survey, opener: May I ask one question?, with: {topic: '"the pause"'}}
    transitions: [{id: over, when: 'message.text == "go on"', to: chat}]
  survey:
    scope: {returns: feedback, input: {topic: {type: string, default: the lesson}}}
    form: {fields: [{field: feedback.mood, ask: "How was {{ input.topic }}?"}]}
schedules:
  feedback: {cron: "0 18 1 1 *", call: survey, with: {2026-11: {topic: the verbs}, default: {topic: the month}}}
"""


@pytest.fixture(scope="module")
def dressed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a flow that has overlays."""
    folder = tmp_path_factory.mktemp("dressed")
    (folder / "dressed.flow.yaml").write_text(OVERLAYS, "utf-8")
    with Served("serve", folder / "dressed.flow.yaml", "--port", "0", "--store", f"sqlite:///{folder}/a.db") as served:
        yield served


def test_what_is_due_can_be_asked_about_and_fired_by_keys(studio: Served, show: Open) -> None:
    begin(studio, "due", "health_intake", "I am 31")
    page = show("/c/due")
    expect(Talk(page).position).to_contain_text("turn 2 of 2")
    page.locator("h1").click()
    page.keyboard.press("5")
    expect(headline(page)).to_have_text(re.compile(r"^Next: Turned away (today|tomorrow) at \d\d:\d\d, in (29|30) min"))
    timer = due(page, "turned_away")
    expect(timer).to_contain_text("ends: ineligible")
    timer.get_by_role("button", name="Turned away why?").press("Enter")
    expect(Talk(page).panel).to_contain_text("turned_away")
    expect(page).to_have_url(re.compile(r"ask=timer\+turned_away"))
    page.keyboard.press("5")
    timer.get_by_role("button", name="Fire now: Turned away").press("Enter")
    expect(headline(page)).to_have_text("Nothing is due by itself")
    expect(Talk(page).position).to_contain_text("turn 3 of 3")
    expect(Talk(page).transcript.locator(".around")).to_have_text(re.compile("^The timer turned away fired"))
    sign = page.get_by_role("group", name="Turns and decisions").get_by_role(
        "button", name="Turn 3, The timer turned away fired"
    )
    expect(sign).to_be_visible()
    page.keyboard.press("Home")
    sign.click()
    expect(Talk(page).position).to_contain_text("turn 3 of 3")
    Talk(page).transcript.get_by_role("button", name="The timer turned away fired: why?").click()
    expect(page).to_have_url(re.compile(r"ask=timer\+turned_away"))


def test_time_is_moved_to_what_is_next(studio: Served, show: Open) -> None:
    begin(studio, "moved", "health_intake", "I am 31")
    page = show("/c/moved?tab=time")
    moves = page.get_by_role("group", name="Move the time of this demonstration forward").get_by_role("button")
    expect(moves).to_have_text(["1 hour", "1 day", "to what is next"])
    moves.nth(2).click()
    expect(headline(page)).to_have_text("Nothing is due by itself")
    expect(moves.nth(2)).to_be_disabled()
    expect(page.get_by_role("status").filter(has_text="The time moved forward by")).to_have_count(1)
    moves.nth(0).click()
    expect(page.get_by_role("status").filter(has_text="The time moved forward by 1 h")).to_have_count(1)


def test_an_overlay_is_forced_by_a_switch_and_seen_everywhere(dressed: Served, watched: Watched, axe: str) -> None:
    begin(dressed, "max", "dressed", "Hi")
    page = watched.open(f"{dressed.address}/c/max?tab=time")
    talk = Talk(page)
    overlays = talk.section("Overlays")
    expect(overlays.locator("summary")).to_contain_text("none is on")
    viking = overlays.locator('[data-overlay="viking_weekend"]')
    expect(overlays.locator('[data-overlay="advent"]')).to_contain_text("begins Tue 1 Dec 2099")
    switch = viking.get_by_role("group", name="Force Viking weekend in this conversation").get_by_role("button")
    expect(switch.nth(0)).to_have_attribute("aria-pressed", "true")
    switch.nth(1).press("Enter")
    expect(viking).to_contain_text("begins with the next turn")
    expect(headline(page).locator("xpath=..")).to_contain_text("Ragnar speaks: Viking weekend is forced on")
    expect(page.get_by_role("banner").get_by_role("button", name="Active: Viking weekend")).to_be_visible()
    talk.say("Hello", 3)
    expect(viking).to_contain_text("forced on")
    expect(viking).not_to_contain_text("begins with the next turn")
    expect(talk.transcript.locator(".around")).to_have_text(
        [re.compile("^Viking weekend is forced on"), re.compile("^Viking weekend begins: Ragnar speaks")]
    )
    expect(page.locator(".score .overlay")).to_have_attribute("title", "viking weekend · Ragnar")
    assert violations(settled(page), axe, apart=(LIST,)) == []
    viking.get_by_role("button", name="Viking weekend why?").click()
    expect(talk.panel).to_contain_text("forced on")
    page.get_by_role("banner").get_by_role("button", name="Active: Viking weekend").click()
    switch.nth(0).click()
    expect(page.get_by_role("banner").get_by_role("button", name="Active:")).to_have_count(0)


def test_a_schedule_fires_now_and_waits_while_its_scope_is_open(dressed: Served, watched: Watched) -> None:
    begin(dressed, "ada", "dressed", "Hi")
    page = watched.open(f"{dressed.address}/c/ada?tab=time")
    listed = page.get_by_role("region", name="Conversations").get_by_role("link", name=re.compile("^ada"))
    expect(listed).to_contain_text(re.compile(r"Feedback in \d+ d"))
    feedback = due(page, "feedback")
    expect(feedback).to_contain_text("opens Survey; by the cron line 0 18 1 1 *")
    expect(headline(page)).to_contain_text(re.compile("^Next: Feedback .* 1 Jan"))
    feedback.get_by_role("button", name="feedback why?").click()
    expect(Talk(page).panel).to_contain_text("feedback")
    page.keyboard.press("5")
    feedback.get_by_role("button", name="Fire now: feedback").press("Enter")
    expect(Talk(page).transcript.locator(".around")).to_contain_text("The schedule feedback opened")
    expect(feedback).to_contain_text("waits until the inner conversation closes")
    expect(feedback.get_by_role("button", name="Fire now: feedback")).to_have_count(0)
    expect(page.get_by_role("group", name="Turns and decisions").locator(".sign")).to_have_count(1)


def test_an_offer_is_a_question_with_buttons(dressed: Served, watched: Watched, axe: str) -> None:
    begin(dressed, "ole", "dressed", "tired")
    talk = Talk(watched.open(f"{dressed.address}/c/ole?tab=time"))
    talk.rests(2)
    offer = talk.panel.locator('[data-offer="survey"]')
    expect(offer).to_contain_text("open now")
    expect(offer).to_contain_text("“May I ask one question?”")
    expect(talk.turn(2).locator(".around")).to_contain_text("Offers Survey")
    expect(talk.turn(2).get_by_role("group", name="Answers").get_by_role("button")).to_have_text(["1Yes", "2No"])
    talk.turn(2).get_by_role("button", name="This question: why?").click()
    expect(talk.panel).to_contain_text("Survey")
    assert violations(settled(talk.page), axe, apart=(LIST,)) == []
    talk.page.keyboard.press("Alt+1")
    talk.position.filter(has_text="turn 3 of 3").wait_for()
    expect(talk.transcript).to_contain_text("How was the pause?")
    expect(talk.transcript.locator(".around").last).to_contain_text("The offer of Survey was taken")
    expect(talk.page.locator(".score .sign")).to_have_count(2)
    talk.page.keyboard.press("5")
    expect(offer).to_have_count(0)


def test_an_event_of_another_system_is_a_row_that_can_be_asked_about(dressed: Served, watched: Watched) -> None:
    begin(dressed, "eva", "dressed", "Hi")
    talk = Talk(watched.open(f"{dressed.address}/c/eva"))
    talk.rests(2)
    dressed.post("/api/conversations/eva/events/payment", data={"amount": 20})
    row = talk.rests(3).locator(".around")
    expect(row).to_contain_text("The event payment came: amount = 20")
    expect(talk.page.locator(".score .sign")).to_have_accessible_name("Turn 3, The event payment came")
    row.get_by_role("button", name="why?").click()
    expect(talk.page).to_have_url(re.compile(r"ask=event\+payment"))
    expect(talk.panel).to_contain_text("payment")


def test_the_input_of_a_period_is_set_by_keys(dressed: Served, watched: Watched, axe: str) -> None:
    watched.expected.append("422")
    page = watched.open(f"{dressed.address}/f/dressed")
    feedback = page.get_by_role("region", name="Feedback", exact=True)
    rows = feedback.get_by_role("table", name="Inputs of feedback").get_by_role("row")
    expect(rows).to_have_count(3)
    feedback.get_by_role("button", name="Add an input of feedback").press("Enter")
    form = feedback.get_by_role("form", name="Input of feedback")
    expect(form.get_by_label("Period")).to_be_focused()
    page.keyboard.type("November")
    form.get_by_label("Input, as JSON").fill('{"topic": ')
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(form.get_by_role("alert")).to_contain_text("This is no JSON")
    form.get_by_label("Input, as JSON").fill('{"topic": "cases"}')
    form.get_by_role("button", name="Set for all conversations").click()
    expect(form.get_by_role("alert")).to_contain_text("an ISO week")
    assert violations(settled(page), axe) == []
    form.get_by_label("Period").fill("2026-W46")
    form.get_by_role("button", name="Set for all conversations").click()
    expect(rows).to_have_count(4)
    expect(rows.nth(2)).to_contain_text(re.compile('2026-W46.*"cases".*set'))
    feedback.get_by_role("button", name="Edit 2026-W46 of feedback").click()
    form.get_by_role("button", name="Take away").click()
    expect(rows).to_have_count(3)


def spent(turns: int) -> list[dict[str, Any]]:
    """What some turns spent; the third spent most."""
    prices = [0.07 if turn == 3 else 0.01 for turn in range(1, turns + 1)]
    return [
        {"turn": turn, "at_ms": 1, "calls": 1, "tokens_in": 900, "tokens_out": 40, "money": money}
        for turn, money in enumerate(prices, 1)
    ]


def with_answer(page: Page, studio: Served, name: str, **changes: Any) -> None:
    """Let a page receive other data about time than the server has."""
    answer = studio.get(f"/api/conversations/{name}/time") | changes
    page.route("**/time", lambda route: route.fulfill(json=answer))


def test_the_turns_that_spent_most_stand_out_and_lead_to_their_place(
    studio: Served, watched: Watched, axe: str
) -> None:
    begin(studio, "spent", "health_intake", "I am 50", "yes", "no")
    page = watched.page()
    turns = spent(4)
    sums: dict[str, Any] = {"calls": 4, "tokens_in": 3600, "tokens_out": 160, "money": 0.1, "currency": "USD"}
    sums["asked"] = ""
    day = {"name": "day", "measure": "money", "per": "day", "allowed": 0.1, "spent": 0.1, "left": 0.0}
    sums["budgets"] = [day | {"then": "model", "text": "0.10 USD of 0.10 USD per day", "is_reached": True}]
    with_answer(page, studio, "spent", spending=sums | {"turns": turns})
    page.goto(f"{studio.address}/c/spent?tab=time")
    Talk(page).rests(4)
    spending = Talk(page).section("Spending")
    expect(spending.locator("summary")).to_contain_text("$0.10, 3.8 k tokens")
    expect(spending.locator('[data-budget="day"]')).to_contain_text("0.10 USD of 0.10 USD per day")
    expect(spending.locator('[data-budget="day"]')).to_contain_text("reached: the cheaper model")
    bars = spending.get_by_role("group", name="Money by turn").get_by_role("button")
    expect(bars).to_have_count(4)
    expect(bars.nth(2)).to_have_accessible_name(re.compile(r"^\$0\.070 ?, turn 3$"))
    expect(spending).to_contain_text("Turn 3 spent most: 1 call, 900 tokens in, 40 out.")
    bars.nth(2).press("Enter")
    expect(Talk(page).position).to_contain_text("turn 3 of 4")
    assert violations(settled(page), axe, apart=(LIST, TIMELINE)) == []


def test_deliveries_that_failed_are_sent_again(studio: Served, watched: Watched, axe: str) -> None:
    begin(studio, "sent", "health_intake", "I am 50")
    page = watched.page()
    row = {"conversation": "sent", "at_ms": 1, "due_ms": None, "done_ms": None, "error": ""}
    rows: list[dict[str, Any]] = [
        row | {"id": "a", "number": 1, "turn": 1, "about": "timer nudge", "status": "delivered", "attempts": 2},
        row | {"id": "b", "number": 2, "turn": 2, "about": "schedule survey", "status": "failed", "attempts": 8},
    ]
    rows[1]["error"] = "500 from the messenger"

    def again(route: Route) -> None:
        rows[1] |= {"status": "delivered", "error": ""}
        route.fulfill(json=rows[1])

    page.route("**/deliveries", lambda route: route.fulfill(json=rows))
    page.route("**/deliveries/b/send-again", again)
    page.goto(f"{studio.address}/c/sent?tab=time")
    Talk(page).rests(2)
    deliveries = Talk(page).section("Deliveries")
    expect(deliveries.locator("summary")).to_contain_text("1 failed, 1 arrived")
    cells = deliveries.get_by_role("row").nth(1).get_by_role("cell")
    expect(cells.nth(2)).to_contain_text("given up after 8 tries")
    expect(cells.nth(2)).to_contain_text("500 from the messenger")
    assert violations(settled(page), axe, apart=(LIST, TIMELINE)) == []
    deliveries.get_by_role("button", name="timer nudge").press("Enter")
    expect(Talk(page).position).to_contain_text("turn 1 of 2")
    deliveries.get_by_role("button", name="Send again: schedule survey").press("Enter")
    expect(deliveries.locator("summary")).to_contain_text("2 arrived")
    expect(deliveries.get_by_role("button", name=re.compile("^Send"))).to_have_count(0)


def test_the_start_page_lists_what_failed_in_all_conversations(studio: Served, watched: Watched, axe: str) -> None:
    begin(studio, "lost", "health_intake", "I am 50")
    page = watched.page()
    row = {"conversation": "lost", "at_ms": 1, "due_ms": None, "done_ms": None, "error": "410 Gone", "about": ""}
    failed = [row | {"id": "b", "number": 2, "turn": 2, "status": "failed", "attempts": 8}]

    def again(route: Route) -> None:
        sent = failed.pop()
        route.fulfill(json=sent | {"status": "waiting"})

    page.route("**/deliveries?status=failed", lambda route: route.fulfill(json={"deliveries": failed, "next": None}))
    page.route("**/deliveries/b/send-again", again)
    page.goto(f"{studio.address}/")
    region = page.get_by_role("region", name="Deliveries that failed")
    expect(region).to_contain_text("410 Gone")
    assert violations(settled(page), axe) == []
    region.get_by_role("button", name="Send again: lost").press("Enter")
    expect(region).to_have_count(0)


@pytest.mark.parametrize("is_phone", [False, True])
def test_axe_finds_nothing(studio: Served, view: Open, axe: str, is_phone: bool) -> None:
    begin(studio, f"axe{is_phone}", "health_intake", "I am 31")
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    page = settled(view(f"/c/axe{is_phone}?tab=time", **(phone if is_phone else {})))
    expect(due(page, "turned_away").get_by_role("button", name="Fire now: Turned away")).to_be_visible()
    assert violations(page, axe, apart=(LIST,)) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
