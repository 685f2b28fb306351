"""A person takes over in the studio, answers, sets a field and gives back; the machine goes on and does not ask again."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from support.serving import Served
from support.talking import Open, Talk


def person_panel(talk: Talk) -> Locator:
    return talk.page.get_by_role("region", name="A person takes over")


def test_a_person_takes_over_sets_a_field_and_gives_back(studio: Served, view: Open) -> None:
    studio.post("/api/conversations", flow="health_intake", name="helped")
    talk = Talk(view("/c/helped"))
    talk.rests(1)
    talk.say("I'm Eva and I agree to the terms", 2)

    talk.page.get_by_role("button", name="Take over", exact=True).click()
    panel = person_panel(talk)
    panel.get_by_label("Your name, shown to the user").fill("Lena")
    panel.get_by_label("Reason, shown in the trace").fill("she wants to talk")
    panel.get_by_role("button", name="Take over", exact=True).click()
    expect(talk.page.locator(".banner.person")).to_contain_text("Lena has been in charge")
    field = talk.page.get_by_role("textbox", name="Message as Lena")
    field.fill("Hello Eva, this is Lena. How old are you?")
    field.press("Enter")
    expect(talk.transcript).to_contain_text("Hello Eva, this is Lena.")
    talk.page.get_by_role("button", name="Write as the user").click()
    talk.field.fill("I am fifty-one")
    talk.field.press("Enter")
    expect(talk.transcript).to_contain_text("I am fifty-one")
    assert studio.get("/api/conversations/helped")["person"]["operator"] == "Lena"

    panel.get_by_label("user.age").fill("fifty")
    expect(panel.locator(".fault")).to_be_visible()
    panel.get_by_label("user.age").fill("51")
    expect(panel.get_by_role("region", name="What would happen")).to_contain_text("would be taken")
    panel.get_by_role("button", name="Save and give back").click()
    expect(talk.page.locator(".banner.person")).to_have_count(0)
    found = studio.until("/api/conversations/helped", "node", "profiler")
    assert found["person"] is None
    age = next(one for one in studio.get("/api/conversations/helped/state")["values"] if one["field"] == "user.age")
    assert (age["value"], age["origin"]["how"]) == (51, "operator")


def test_who_is_in_charge_is_shown_with_those_who_wait(view: Open) -> None:
    talk = Talk(view("/c/greta"))
    expect(talk.page.locator(".live")).to_contain_text("Lena is in charge")
    expect(talk.transcript).to_contain_text("this is Lena. I am a person.")
    expect(talk.page.get_by_role("region", name="Conversations", exact=True)).to_contain_text("greta")
