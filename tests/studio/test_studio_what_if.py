"""What if: another value or guard is judged on a copy, without a model; nothing is stored."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from support.serving import Served
from support.talking import Open, Talk


def what_if(talk: Talk) -> Locator:
    return talk.page.get_by_role("region", name=re.compile("^What if, at turn"))


def test_another_value_would_take_another_way(studio: Served, view: Open) -> None:
    before = studio.get("/api/conversations/maria")["seq"]
    talk = Talk(view("/c/maria?turn=4"))
    expect(talk.card("complete")).to_be_visible()
    talk.page.keyboard.press("w")
    panel = what_if(talk)
    panel.get_by_label("What-if value of agreement to the terms").select_option("true")
    expect(panel.get_by_role("status")).to_contain_text("1 would come out differently")
    row = panel.get_by_role("table", name="Outcomes before and after").get_by_role("row", name=re.compile("→ Profiler"))
    expect(row).to_contain_text("not known")
    expect(row).to_contain_text("taken")
    panel.get_by_role("button", name="Reset").click()
    expect(panel).to_contain_text("Change a value or a guard")
    talk.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    assert studio.get("/api/conversations/maria")["seq"] == before


def test_a_need_is_tried_by_a_press(view: Open) -> None:
    talk = Talk(view("/c/maria?turn=4"))
    talk.card("complete").get_by_role(
        "button", name=re.compile("(agreement to the terms|Tos acknowledged) = Yes")
    ).click()
    panel = what_if(talk)
    expect(panel.get_by_label("What-if value of agreement to the terms")).to_have_value("true")
    expect(panel.get_by_role("status")).to_contain_text("1 would come out differently")


def test_another_guard_is_judged_and_a_mistake_in_it_is_shown_where_it_is(view: Open) -> None:
    talk = Talk(view("/c/maria?turn=4&what-if"))
    panel = what_if(talk)
    panel.locator("summary", has_text="condition").click()
    guard = panel.get_by_role("table", name="Guards to suppose").get_by_role("textbox").nth(1)
    guard.fill("user.age < 50")
    expect(panel.get_by_role("status")).to_contain_text("1 would come out differently")
    guard.fill("user.aeg < 50")
    expect(panel).to_contain_text("user.age")
    expect(panel.locator(".no").first).to_be_visible()


def test_a_fork_goes_on_from_the_position(studio: Served, view: Open) -> None:
    talk = Talk(view("/c/maria?turn=3"))
    talk.page.get_by_role("button", name=re.compile("Fork from turn 3")).first.click()
    dialog = talk.page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("maria-again")
    dialog.get_by_role("button", name=re.compile("^(Fork|Begin)")).click()
    talk.page.wait_for_url(re.compile("/c/maria-again"))
    talk.rests(3)
    assert studio.get("/api/conversations/maria-again")["turn"] == 3
    assert studio.get("/api/conversations/maria")["turn"] == 8


def test_a_question_is_asked_of_all_conversations(view: Open) -> None:
    talk = Talk(view("/c/maria?turn=4&what-if"))
    panel = what_if(talk)
    panel.locator("summary", has_text="condition").click()
    panel.get_by_label("What-if guard of under age 38").fill("user.age < 50")
    panel.get_by_role("button", name="Judge all conversations of Health intake").click()
    expect(panel.locator(".judgeall")).to_contain_text(
        re.compile(r"\d+ of \d+ conversations, \d+ decisions: \d+ would come out differently")
    )
    row = panel.locator(".judgeall li", has_text="ines")
    row.get_by_role("link").click()
    expect(talk.page).to_have_url(re.compile("/c/ines"))
