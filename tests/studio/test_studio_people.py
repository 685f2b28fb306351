"""A person takes over in the studio, answers, sets a field and gives back; the machine goes on and does not ask again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from support.serving import Served
from support.talking import Open, Talk
from support.watching import PHONE, Watched


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
    talk.send("I am fifty-one")
    expect(talk.transcript).to_contain_text("I am fifty-one")
    assert studio.get("/api/conversations/helped")["person"]["operator"] == "Lena"

    panel.get_by_label("age in years").fill("fifty")
    expect(panel.locator(".fault")).to_be_visible()
    panel.get_by_label("age in years").fill("51")
    expect(panel.get_by_role("region", name="What would happen")).to_contain_text("would be taken")
    panel.get_by_role("button", name="Save and give back").click()
    expect(talk.page.locator(".banner.person")).to_have_count(0)
    found = studio.until("/api/conversations/helped", "node", "profiler")
    assert found["person"] is None
    expect(talk.transcript.locator(".seam", has_text="Lena took over: she wants to talk")).to_be_visible()
    back = talk.transcript.locator(".seam", has_text="Lena gave the conversation back, set age")
    back.click()
    expect(talk.position).to_contain_text("act 1 of")
    expect(back).to_have_attribute("aria-current", "true")
    mark = talk.page.get_by_role("button", name=re.compile("Lena took over"), include_hidden=True).last
    mark.click()
    expect(talk.page).to_have_url(re.compile("turn=3"))
    expect(talk.page.locator(".score .mk[aria-current]")).to_have_attribute("aria-label", re.compile("Lena took over"))
    talk.page.keyboard.press("End")
    age = next(one for one in studio.get("/api/conversations/helped/state")["values"] if one["field"] == "user.age")
    assert (age["value"], age["origin"]["how"]) == (51, "operator")


def test_who_is_in_charge_is_shown_with_those_who_wait(show: Open) -> None:
    talk = Talk(show("/c/greta"))
    expect(talk.page.locator(".live")).to_contain_text("Lena is in charge")
    expect(talk.transcript).to_contain_text("this is Lena. I am a person.")
    expect(talk.page.get_by_role("region", name="Conversations", exact=True)).to_contain_text("Greta")


def taken_over(talk: Talk, name: str, reason: str = "") -> Locator:
    """Take the open conversation over in the panel, and return the panel."""
    talk.page.get_by_role("banner").get_by_role("button", name="Take over", exact=True).click()
    panel = person_panel(talk)
    panel.get_by_label("Your name, shown to the user").fill(name)
    panel.get_by_label("Reason, shown in the trace").fill(reason)
    panel.get_by_role("button", name="Take over", exact=True).click()
    expect(talk.page.locator(".banner.person")).to_contain_text(f"{name} has been in charge")
    return panel


def begun(studio: Served, view: Open, name: str, flow: str = "eligibility") -> Talk:
    studio.post("/api/conversations", flow=flow, name=name)
    talk = Talk(view(f"/c/{name}"))
    talk.rests(1)
    return talk


def test_the_time_in_charge_runs(studio: Served, view: Open) -> None:
    talk = begun(studio, view, "clocked")
    taken_over(talk, "Lena")
    expect(talk.page.locator(".banner.person")).to_contain_text(re.compile(r"in charge for ([3-9]|[1-5]\d) s"))
    studio.post("/api/demo/clock", advance_s=600)
    talk.page.reload()
    expect(talk.page.locator(".banner.person")).to_contain_text("in charge for 10 min")


def test_an_operator_in_another_browser_continues_or_takes_over(studio: Served, view: Open) -> None:
    talk = begun(studio, view, "elsewhere")
    taken_over(talk, "Lena", "on shift")
    expect(talk.page.get_by_role("banner").get_by_role("button", name="Give back", exact=True)).to_be_visible()

    again = Talk(view("/c/elsewhere"))
    again.page.get_by_role("banner").get_by_role("button", name="Take over", exact=True).click()
    panel = person_panel(again)
    expect(panel).to_contain_text("Lena is in charge")
    panel.get_by_role("button", name="Continue as Lena").click()
    expect(panel.get_by_role("button", name="Save and give back")).to_be_visible()
    expect(again.page.get_by_role("textbox", name="Message as Lena")).to_be_visible()

    other = Talk(view("/c/elsewhere"))
    other.page.get_by_role("banner").get_by_role("button", name="Take over", exact=True).click()
    panel = person_panel(other)
    panel.get_by_label("Your name, shown to the user").fill("Mara")
    panel.get_by_role("button", name="Take over from Lena", exact=True).click()
    expect(panel).to_contain_text("Lena can then neither answer nor give back.")
    assert studio.get("/api/conversations/elsewhere")["person"]["operator"] == "Lena"
    panel.get_by_role("button", name="Yes, take over from Lena").click()
    expect(other.page.locator(".banner.person")).to_contain_text("Mara has been in charge")
    expect(other.page.get_by_role("textbox", name="Message as Mara")).to_be_visible()
    expect(other.transcript).to_contain_text("Mara took over from Lena")
    expect(talk.page.get_by_role("textbox", name="Message as Lena")).to_have_count(0)
    expect(talk.page.get_by_role("status").filter(has_text="Mara is in charge of this conversation")).to_be_attached()
    panel.get_by_role("button", name="Save and give back").click()
    expect(other.page.locator(".banner.person")).to_have_count(0)
    assert studio.get("/api/conversations/elsewhere")["person"] is None


def test_the_panel_says_what_a_person_did(show: Open) -> None:
    talk = Talk(show("/c/greta?turn=3"))
    expect(talk.panel.get_by_role("heading", name="Lena took over")).to_be_visible()
    expect(talk.panel).to_contain_text("A person did this.")


def test_why_and_state_name_the_person_in_charge(show: Open) -> None:
    talk = Talk(show("/c/greta"))
    talk.rests(5)
    expect(talk.panel.get_by_role("heading", name="With Lena since")).to_be_visible()
    expect(talk.panel.locator(".verdict")).to_contain_text("No rule is judged until Lena gives the conversation back.")
    talk.panel.get_by_role("tab", name="State").click()
    stack = talk.panel.locator(".blk", has_text="Stack").get_by_role("listitem")
    expect(stack.filter(has_text="in charge")).to_contain_text(["Lena"])
    expect(talk.panel).to_contain_text("waits for a person")


def test_nothing_is_in_charge_of_a_conversation_that_has_ended(show: Open) -> None:
    talk = Talk(show("/c/maria?tab=state"))
    talk.rests(8)
    expect(talk.panel.locator(".blk", has_text="Stack")).to_contain_text("nothing is in charge")
    expect(talk.panel.locator(".stack")).not_to_contain_text("in charge")


def test_the_panel_of_the_person_keeps_every_tab_and_what_was_written(studio: Served, view: Open) -> None:
    talk = begun(studio, view, "tabs", "health_intake")
    panel = taken_over(talk, "Lena")
    tabs = ["Person", "Why", "State", "Prompt & tools", "Events", "Time", "Ask"]
    expect(panel.get_by_role("tab")).to_have_text(tabs)
    panel.get_by_label("age in years").fill("51")
    panel.get_by_role("tab", name="Person").focus()
    talk.page.keyboard.press("ArrowRight")
    expect(talk.page.get_by_role("tab", name="Why")).to_be_focused()
    expect(talk.page.get_by_role("tab", name="Why")).to_have_attribute("aria-selected", "true")
    expect(talk.page.get_by_role("textbox", name="Message as Lena")).to_be_visible()
    talk.page.keyboard.press("ArrowLeft")
    expect(panel.get_by_label("age in years")).to_have_value("51")


def test_the_buttons_of_a_question_are_not_taken_while_a_person_is_in_charge(studio: Served, view: Open) -> None:
    talk = begun(studio, view, "blocked")
    other = Talk(view("/c/blocked"))
    expect(other.turn(1).get_by_role("button", name="Yes", exact=True)).to_be_enabled()
    taken_over(talk, "Lena")
    answers = other.turn(1).get_by_role("group", name="Answers")
    expect(answers.get_by_role("button", name="Yes", exact=True)).to_be_disabled()
    expect(other.turn(1)).to_contain_text("Lena is in charge: buttons are not taken until Lena gives back.")
    expect(answers).to_have_accessible_description(re.compile("Lena is in charge"))
    other.page.keyboard.press("Alt+1")
    expect(other.page.get_by_role("status").filter(has_text="buttons are not taken")).to_be_attached()
    assert studio.get("/api/conversations/blocked")["turn"] == 2
    talk.page.get_by_role("textbox", name="Message as Lena").press("Control+Enter")
    expect(other.page.locator(".banner.person")).to_have_count(0)
    expect(other.transcript.get_by_role("button", name="Yes", exact=True).last).to_be_enabled()


def test_control_enter_sends_and_gives_back_with_what_is_prepared(studio: Served, view: Open) -> None:
    talk = begun(studio, view, "at-once", "health_intake")
    panel = taken_over(talk, "Lena")
    panel.get_by_label("age in years").fill("51")
    field = talk.page.get_by_role("textbox", name="Message as Lena")
    expect(talk.page.get_by_role("button", name=re.compile("^Give back Ctrl"))).to_be_visible()
    field.fill("I wrote down that you are 51.")
    expect(talk.page.get_by_role("button", name=re.compile("^Send and give back"))).to_be_visible()
    field.press("Control+Enter")
    expect(talk.page.locator(".banner.person")).to_have_count(0)
    expect(talk.transcript).to_contain_text("I wrote down that you are 51.")
    values = {one["field"]: one["value"] for one in studio.get("/api/conversations/at-once/state")["values"]}
    assert values["user.age"] == 51


def test_a_refused_value_keeps_the_person_in_charge_and_opens_the_panel(
    studio: Served, view: Open, watched: Watched
) -> None:
    watched.expected += ["422"]
    talk = begun(studio, view, "kept", "health_intake")
    panel = taken_over(talk, "Lena")
    panel.get_by_label("age in years").fill("fifty")
    expect(panel.locator(".fault")).to_be_visible()
    panel.get_by_role("tab", name="Why").click()
    talk.page.get_by_role("textbox", name="Message as Lena").press("Control+Enter")
    expect(person_panel(talk).get_by_role("alert")).to_contain_text("user.age")
    assert studio.get("/api/conversations/kept")["person"]["operator"] == "Lena"


DESK = """
flow: desk
start: advise
commands: [hand_over]
person: {queue: advisers, about: "{{ case.topic }}", timeout: 10m}
records: {case: {topic: string}}
nodes:
  advise:
    form: {fields: [{field: case.topic, ask: What is it about?}]}
    transitions: [{id: desk, when: form.status == "confirmed", to: desk}]
  desk:
    person: {queue: billing, about: "a refund: {{ case.topic }}"}
    transitions:
      - {id: solved, when: person.outcome == "solved", because: the desk solved it, to: done}
      - {id: open, because: the desk did not solve it, to: later}
  done: {say: Thank you. Goodbye., end: solved}
  later: {say: We will write to you., end: open}
"""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Served]:
    """A server of a flow that asks for a person."""
    flow = tmp_path / "desk.flow.yaml"
    flow.write_text(DESK, "utf-8")
    with Served("serve", flow, "--port", "0", "--store", f"sqlite:///{tmp_path}/desk.db") as served:
        yield served


def test_the_queue_has_those_who_wait_and_those_with_a_person(desk: Served, watched: Watched) -> None:
    for name in ("ada", "ben"):
        desk.post("/api/conversations", flow="desk", name=name)
        desk.post(f"/api/conversations/{name}/turns", text="talk to a human")
    desk.post("/api/conversations/ben/person/take-over", operator="Lena")
    talk = Talk(watched.open(f"{desk.address}/c/ada"))
    expect(talk.page.locator(".banner.person")).to_contain_text(
        re.compile(r"has waited for a person in the queue advisers for \d+ s")
    )
    talk.page.get_by_role("banner").get_by_role("button", name="Take over", exact=True).click()
    queue = person_panel(talk).locator("details.queue")
    queue.locator("summary").click()
    expect(queue.get_by_role("list", name="Waiting")).to_contain_text("ada")
    expect(queue.get_by_role("list", name="With a person")).to_contain_text(re.compile(r"ben\s*Lena, \d+ s"))
    expect(queue.locator("summary")).to_contain_text(re.compile(r"1 waits, longest \d+ s · 1 with a person"))


def test_the_outcome_is_chosen_under_the_message_field(desk: Served, watched: Watched) -> None:
    desk.post("/api/conversations", flow="desk", name="cleo")
    desk.post("/api/conversations/cleo/turns", text="my bill")
    talk = Talk(watched.open(f"{desk.address}/c/cleo"))
    expect(talk.page.locator(".banner.person")).to_contain_text("in the queue billing")
    panel = taken_over(talk, "Lena")
    outcome = talk.page.get_by_role("combobox", name="Outcome", exact=True)
    expect(outcome.locator("option")).to_have_text(["choose an outcome", "done", "solved"])
    expect(outcome).to_have_value("")
    happens = panel.get_by_role("region", name="What would happen")
    expect(happens).to_contain_text("when you have chosen what came of it")
    expect(panel.get_by_role("button", name="Save and give back")).to_be_disabled()
    expect(panel.get_by_role("combobox", name="Or choose a transition yourself").locator("option")).to_have_text(
        ["as the rules decide", "→ Done the desk solved it", "→ Later the desk did not solve it"]
    )
    outcome.select_option("done")
    expect(happens).to_contain_text("→ Later")
    outcome.select_option("solved")
    expect(panel.get_by_role("combobox", name="What came of it")).to_have_value("solved")
    expect(panel.locator(".oc.would")).to_contain_text("→ Done")
    expect(panel.locator(".verdict p")).to_have_text(
        "With the values below: Desk → Done: the desk solved it. The conversation ends: solved."
    )
    field = talk.page.get_by_role("textbox", name="Message as Lena")
    field.fill("You get it back.")
    field.press("Control+Enter")
    expect(talk.transcript).to_contain_text("Thank you. Goodbye.")
    desk.until("/api/conversations/cleo", "outcome", "solved")


def test_an_operator_gives_back_below_the_message_field_on_a_phone(studio: Served, view: Open) -> None:
    studio.post("/api/conversations", flow="health_intake", name="by-phone")
    studio.post("/api/conversations/by-phone/person/take-over", operator="Lena")
    page = view("/c/by-phone", viewport=PHONE, has_touch=True, is_mobile=True)
    page.locator(".banner.person").get_by_role("button", name="Take over").tap()
    page.get_by_role("button", name="Continue as Lena").tap()
    page.get_by_role("navigation", name="Panes").get_by_role("button", name="Chat").tap()
    button = page.locator(".comp .foot").get_by_role("button", name="Give back")
    expect(button).to_be_visible()
    button.tap()
    expect(page.locator(".banner.person")).to_have_count(0)


def test_all_tabs_fit_into_a_narrow_panel(view: Open) -> None:
    page = view("/c/romy", viewport={"width": 1024, "height": 768})
    copy = page.get_by_role("button", name="Copy this decision as JSON")
    expect(copy).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("tab", name="Ask")).to_be_in_viewport(ratio=1)


def test_the_wait_for_a_person_ends_in_its_node(show: Open) -> None:
    talk = Talk(show("/c/romy?tab=state"))
    timer = talk.panel.locator(".blk", has_text="Timers").get_by_role("listitem").first
    expect(timer).to_contain_text("Person timeout in Nurse")
    expect(timer).not_to_contain_text("→ end")


def test_an_ended_conversation_cannot_be_taken_over(show: Open) -> None:
    talk = Talk(show("/c/maria"))
    talk.rests(8)
    banner = talk.page.get_by_role("banner")
    expect(banner.get_by_role("button", name="What if", exact=True)).to_be_visible()
    expect(banner.get_by_role("button", name="Take over", exact=True)).to_have_count(0)
