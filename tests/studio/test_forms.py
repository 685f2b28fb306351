"""A form in the studio: by buttons, with a change of an answer, and a confirmation."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.serving import Served
from support.talking import Open, Talk

ASKED = [
    "Do we have patient information available?",
    "Does the patient have a known history of inconsistencies",
    "What is the check for?",
    "What should happen if the check fails?",
    "How urgent is it?",
]


def begin(studio: Served, view: Open, name: str) -> Talk:
    """Begin a conversation of the form, and open it."""
    studio.post("/api/conversations", flow="eligibility", name=name)
    talk = Talk(view(f"/c/{name}"))
    talk.rests(1)
    return talk


def test_a_form_by_buttons_with_an_edit_and_a_confirmation(studio: Served, show: Open) -> None:
    talk = begin(studio, show, "by-buttons")
    for number, (question, answer) in enumerate(
        zip(ASKED, ["Yes", "Partial", "Referral", "Wait", "Urgent"], strict=True)
    ):
        expect(talk.turn(number + 1)).to_contain_text(question)
        expect(talk.page.locator(".comp")).to_contain_text(f"{number} of 5")
        talk.press(answer, number + 2)
    summary = talk.turn(6).locator(".sum")
    expect(summary).to_contain_text("Referral")
    expect(summary).to_contain_text("Urgent")
    expect(talk.turn(5).get_by_role("button", name="Urgent")).to_be_disabled()

    talk.press("Edit Answers", 7)
    chooser = talk.turn(7).get_by_role("group", name="Answers to change")
    expect(chooser.get_by_role("button")).to_have_count(5)
    talk.press("What is the check for?", 8)
    talk.press("Billing", 9)
    expect(talk.turn(9).locator(".sum")).to_contain_text("Billing")
    expect(talk.turn(9).locator(".sum")).not_to_contain_text("Referral")
    talk.press("Looks Good", 10)
    expect(talk.turn(10)).to_contain_text("The planner has your case")
    expect(talk.page.locator(".comp")).to_contain_text("handed over")
    assert studio.get("/api/conversations/by-buttons")["outcome"] == "handed_over"


def test_the_same_in_words_and_by_digits(studio: Served, show: Open) -> None:
    talk = begin(studio, show, "in-words")
    talk.page.keyboard.press("Alt+1")
    talk.rests(2)
    talk.say("there were some problems once, so partial", 3)
    expect(talk.turn(3)).to_contain_text("understood")
    expect(talk.turn(3)).to_contain_text("insurance history = Partial")
    talk.say("treatment", 4)
    talk.page.keyboard.press("Alt+2")
    talk.rests(5)
    talk.say("no hurry", 6)
    summary = talk.turn(6).locator(".sum")
    for answer in ("Partial", "Treatment", "Notify", "No Rush"):
        expect(summary).to_contain_text(answer)
    expect(summary).to_contain_text("from no hurry")


def test_what_is_not_understood_asks_again_and_stores_nothing(studio: Served, show: Open) -> None:
    talk = begin(studio, show, "unclear")
    before = studio.get("/api/conversations/unclear/state")["values"]
    talk.say("green, I think", 2)
    expect(talk.turn(2)).to_contain_text("Not understood: the question is still open")
    assert [one["value"] for one in studio.get("/api/conversations/unclear/state")["values"]] == [
        one["value"] for one in before
    ]


def test_an_undone_turn_is_folded_and_the_question_is_open_again(studio: Served, show: Open) -> None:
    talk = begin(studio, show, "undone")
    talk.press("Yes", 2)
    talk.page.get_by_role("button", name="Undo turn").click()
    talk.rests(3)
    expect(talk.page.get_by_role("region", name=re.compile("^Turn 2, undone"))).to_be_visible()
    assert studio.get("/api/conversations/undone")["turn"] == 3
    talk.press("Unknown", 4)
    expect(talk.turn(4)).to_contain_text("collect the patient's information first")


def test_an_item_beside_a_question_is_said_to_be_left_out(studio: Served, show: Open) -> None:
    studio.post("/api/conversations", flow="pizza", name="left-out")
    for text in ("a large salami", "and a small funghi, how much is that?"):
        studio.post("/api/conversations/left-out/turns", text=text)
    page = show("/c/left-out")
    log = page.get_by_role("log")
    expect(log).to_contain_text("number 1 of the pizzas added: Large Salami")
    expect(log).to_contain_text("I have not taken anything of “small funghi” yet.")
    refused = page.locator("[data-group=refused]")
    expect(refused).to_contain_text("small funghi")
    expect(refused).to_contain_text("The message also asks something, which may be about it · turn 3")
    refused.get_by_role("button", name="The pizzas").first.click()
    expect(page.get_by_role("article").get_by_role("heading", level=2)).to_contain_text("was not taken")
