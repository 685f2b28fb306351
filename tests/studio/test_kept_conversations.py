"""Stored conversations in the studio after retention, after a change of their flow, and with shelved answers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect

import turnwise as tw
from support.serving import Served
from support.talking import Talk, loaded
from support.watching import Watched
from turnwise.core.state.retention import Retention

DAY_MS = 86_400_000
BEGUN_MS = 1_780_000_000_000
FLOW = """
flow: trip
version: {version}
start: plan
language: en
records:
  trip:
    by: {{type: choice, options: [Train, Car]}}
    seat: {{type: choice, options: [Window, Aisle]}}
    days: {{type: integer, min: 1, max: 60}}
nodes:
  plan:
    form:
      fields:
        - {{field: trip.by, ask: How do you travel?, match: direct}}
        - {{field: trip.seat, ask: Which seat do you like?, ask_when: 'trip.by == "Train"'}}
        - {{field: trip.days, ask: For how many days?}}
      confirm: {{}}
    transitions:
      - {{id: long, at: before, when: trip.days > {most}, because: longer than {most} days, to: adviser}}
      - {{id: planned, at: after, because: everything is known, to: done}}
  adviser: {{say: An adviser plans trips of more than {most} days., end: adviser}}
  done: {{say: "Have a good trip, {{{{ trip.days }}}} days.", end: planned}}
"""


def in_a_thread(work: Callable[[], Awaitable[None]]) -> None:
    """Run a coroutine function where no event loop runs yet; the browser has one in this thread."""

    async def run() -> None:
        await work()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, run()).result(120)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of version 2 of a flow, with conversations that began with version 1."""
    folder = tmp_path_factory.mktemp("kept")
    first, second = folder / "first.flow.yaml", folder / "trip.flow.yaml"
    first.write_text(FLOW.format(version=1, most=30), "utf-8")
    second.write_text(FLOW.format(version=2, most=14), "utf-8")
    store = f"sqlite:///{folder}/kept.db"

    async def talk() -> None:
        clock = tw.ManualClock(BEGUN_MS)
        app = tw.open(first, store=store, clock=clock)
        await say(app, "erased", "hello", "Train", "my name is Ada, and a window seat")
        clock.move_s(20 * 86_400)
        await say(app, "erased", "for 40 apples", "twelve days")
        clock.move_s(20 * 86_400)
        await say(app, "erased", "yes")
        await say(app, "changed", "hello", "Car", "20")
        await app.retain(Retention(events_days=30, decisions_days=10))
        await app.close()
        app = tw.open(second, store=store, clock=clock)
        await say(app, "shelved", "hello", "Train", "window", "5")
        for button in ("Edit Answers", "How do you travel?", "Car"):
            turn = await app.chat("shelved").choose(button)
            assert turn.refused is None, turn
        await app.close()

    in_a_thread(talk)
    with Served("serve", second, "--port", "0", "--store", store) as served:
        yield served


async def say(app: tw.App, conversation: str, *messages: str) -> None:
    for message in messages:
        turn = await app.chat(conversation).say(message)
        assert turn.refused is None, turn


@pytest.fixture
def see(kept: Served, watched: Watched) -> Callable[[str], Page]:
    """Open an address of the server, such as `/c/erased`."""
    return lambda path: watched.open(kept.address + path)


See = Callable[[str], Page]


def test_an_erased_turn_says_so_and_claims_nothing_else(see: See) -> None:
    talk = Talk(see("/c/erased?turn=2&tab=state"))
    for tab in ("State", "Prompt", "Why"):
        talk.panel.get_by_role("tab", name=tab).click()
        expect(talk.panel.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        expect(loaded(talk.panel).get_by_role("heading", name="Turn 2 was erased")).to_be_visible()
        for untrue in ("no model call", "0 values", "No node was visited", "no records", "No model was called"):
            expect(talk.panel.get_by_text(untrue)).to_have_count(0)
    expect(talk.transcript).to_contain_text("Turns 1 to 3 were erased by retention on ")
    expect(talk.transcript).not_to_contain_text("window seat")
    talk.panel.get_by_role("tab", name="Events").click()
    expect(talk.panel.get_by_role("option").first).to_contain_text("erased")


def test_a_question_about_an_erased_turn_says_that_it_was_erased(see: See) -> None:
    page = see("/c/erased?turn=2&tab=ask&ask=field+trip.seat")
    answer = page.get_by_role("article")
    expect(answer.get_by_role("heading", level=2)).to_contain_text("which keeps events for 30 days")
    expect(answer).to_contain_text("That is no longer stored, so I cannot say why.")
    page.goto(page.url.replace("turn=2&", ""))
    expect(answer.get_by_role("heading", level=2)).to_contain_text("seat was Window")
    expect(answer.get_by_text("was erased by retention")).to_have_count(1)
    expect(answer).not_to_contain_text("I'm Ada")


def test_a_decision_whose_values_were_erased_keeps_its_outcome(see: See) -> None:
    talk = Talk(see("/c/erased?turn=4"))
    card = talk.card("long")
    expect(card).to_contain_text("not known")
    expect(card).to_contain_text("Retention erased the values that it read.")
    expect(card).not_to_contain_text("nothing that it reads")
    talk.panel.get_by_role("tab", name="State").click()
    field = talk.panel.get_by_role("table", name=re.compile("^Fields")).locator('[data-field="trip.seat"]')
    expect(field).to_contain_text("Window")
    expect(field).to_contain_text("turn 3")


def test_a_conversation_goes_on_with_the_flow_that_it_began_with(see: See) -> None:
    talk = Talk(see("/c/changed"))
    expect(talk.panel).to_contain_text("The flow has changed since. This turn used version 1")
    expect(talk.card("long")).to_contain_text("longer than 30 days")
    expect(talk.card("long")).to_contain_text("days > 30")
    talk.page.get_by_role("button", name="Graph", exact=True).first.click()
    expect(talk.page.get_by_text("this is its version 2 now, and the conversation uses an earlier one")).to_be_visible()
    expect(talk.page.locator(".gpart").first).to_be_visible()


def test_a_shelved_answer_is_shown_as_kept_but_inactive(see: See) -> None:
    talk = Talk(see("/c/shelved?tab=state"))
    field = talk.panel.get_by_role("table", name=re.compile("^Fields")).locator('[data-field="trip.seat"]')
    expect(field).to_contain_text("Window")
    expect(field).to_contain_text("inactive")
    expect(field).to_contain_text('trip.by == "Train" does not hold; the answer is kept')
    expect(field).not_to_contain_text("not known")
    expect(talk.turn(7).locator(".sum")).not_to_contain_text("Window")
