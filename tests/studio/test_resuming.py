"""Nothing is lost: after a reload, a restart of the server, and with two tabs on one conversation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from support.serving import Served
from support.talking import Open, Talk
from support.watching import Watched


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/own.db"


@pytest.fixture
def own(store: str) -> Iterator[Served]:
    """A server of one test."""
    with Served("demo", "--no-browser", "--port", "0", "--store", store) as served:
        yield served


def test_a_reload_shows_the_same_conversation_and_position(view: Open) -> None:
    talk = Talk(view("/c/maria"))
    talk.rests(8)
    talk.page.keyboard.press("Shift+ArrowLeft")
    verdict = talk.at("turn 7 of 8").locator(".verdict").inner_text()
    address, shown = talk.page.url, talk.transcript.inner_text()
    talk.page.reload()
    expect(talk.at("turn 7 of 8").locator(".verdict")).to_have_text(verdict, use_inner_text=True)
    expect(talk.transcript).to_have_text(shown, use_inner_text=True)
    assert talk.page.url == address


def test_a_reload_in_the_middle_of_a_reply_loses_nothing(studio: Served, view: Open) -> None:
    studio.post("/api/conversations", flow="thinking_partner", name="reloaded")
    talk = Talk(view("/c/reloaded"))
    talk.rests(1)
    talk.field.fill("I don't know whether to change my job")
    talk.field.press("Enter")
    expect(talk.transcript).to_contain_text("That is a big")
    talk.page.reload()
    talk.rests(2)
    expect(talk.turn(2)).to_contain_text("Which one would you miss?")
    assert talk.transcript.inner_text().count("I don't know whether to change my job") == 1


def test_the_server_restarts_under_an_open_page(store: str, own: Served, watched: Watched) -> None:
    watched.expected += ["Failed to load resource", "ERR_CONNECTION", "ERR_INCOMPLETE", "ERR_EMPTY"]
    own.post("/api/conversations", flow="eligibility", name="restarted")
    talk = Talk(watched.open(own.address + "/c/restarted"))
    talk.rests(1)
    talk.press("Yes", 2)
    talk.field.fill("there were some problems once, so")
    own.kill()
    expect(talk.page.locator(".live")).to_contain_text("Reconnecting")
    port = str(urlsplit(own.address).port)
    with Served("demo", "--no-browser", "--port", port, "--store", store):
        expect(talk.page.locator(".live")).not_to_contain_text("Reconnecting", timeout=30_000)
        expect(talk.field).to_have_value("there were some problems once, so")
        talk.say("partial", 3)
        expect(talk.turn(3)).to_contain_text("What is the check for?")
        expect(talk.turn(2)).to_contain_text("Does the patient have a known history")


def test_two_tabs_show_the_same_and_one_answer_counts(studio: Served, watched: Watched) -> None:
    studio.post("/api/conversations", flow="eligibility", name="two-tabs")
    first_page = watched.page()
    talks = []
    for page in (first_page, first_page.context.new_page()):
        page.goto(f"{studio.address}/c/two-tabs")
        talks.append(Talk(page))
    for talk in talks:
        talk.rests(1)
    first, second = talks
    first.press("Yes", 2)
    expect(second.turn(2)).to_contain_text("Does the patient have a known history")
    second.rests(2)
    second.press("Partial", 3)
    first.rests(3)
    expect(first.turn(3)).to_contain_text("What is the check for?")


def test_an_answer_to_a_question_that_somebody_else_has_answered_is_refused_where_it_stands(
    studio: Served, watched: Watched
) -> None:
    watched.expected += ["Failed to load resource", "net::ERR_FAILED"]
    studio.post("/api/conversations", flow="eligibility", name="stale")
    page = watched.page()
    page.route("**/api/stream*", lambda route: route.abort())  # this tab does not hear of the other answer
    page.goto(f"{studio.address}/c/stale")
    talk = Talk(page)
    talk.rests(1)
    position = studio.get("/api/conversations/stale/transcript")["messages"][-1]["seq"]
    studio.post("/api/conversations/stale/turns", button="Yes", position=position)
    talk.turn(1).get_by_role("button", name="No", exact=True).click()
    expect(talk.transcript).to_contain_text("Does the patient have a known history")
    expect(talk.transcript).to_contain_text("That button belongs to an earlier question.")
    values = {one["field"]: one["value"] for one in studio.get("/api/conversations/stale/state")["values"]}
    assert values["case.patient_info"] == "Yes"
