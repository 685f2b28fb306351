"""A quick user answers a question as soon as it is visible, before the server has answered the turn before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from support.first_answers import held_answer
from support.serving import Served
from support.talking import Open, Talk


def by_key(talk: Talk) -> None:
    talk.page.keyboard.press("Alt+3")


def by_button(talk: Talk) -> None:
    talk.turn(2).get_by_role("button", name="Partial").click()


def by_words(talk: Talk) -> None:
    talk.field.fill("partial")
    talk.field.press("Enter")


@pytest.mark.parametrize("answer", [by_key, by_button, by_words])
def test_an_answer_counts_as_soon_as_the_question_is_visible(
    studio: Served, show: Open, answer: Callable[[Talk], None]
) -> None:
    name = f"quick-{answer.__name__}"
    studio.post("/api/conversations", flow="eligibility", name=name)
    talk = Talk(show(f"/c/{name}"))
    talk.rests(1)
    with held_answer(talk.page):
        talk.field.fill("yes")
        talk.field.press("Enter")
        expect(talk.turn(2)).to_contain_text("Does the patient have a known history")
        answer(talk)
        expect(talk.page.get_by_role("region", name="Messages that wait")).to_be_visible()
        assert studio.get(f"/api/conversations/{name}")["turn"] == 2
    talk.rests(3)
    expect(talk.turn(3)).to_contain_text("What is the check for?")
    values = {one["field"]: one["value"] for one in studio.get(f"/api/conversations/{name}/state")["values"]}
    assert values["case.insurance_history"] == "Partial"
