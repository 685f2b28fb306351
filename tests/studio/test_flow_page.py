"""The page of a flow: source, drawing, where conversations are, what they have covered."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.serving import Served
from support.talking import Open


def test_the_page_has_source_coverage_and_who_waits_where(visit: Open) -> None:
    page = visit("/f/health_intake#L43")
    source = page.get_by_role("region", name="Lines of health_intake.flow.yaml")
    line = source.locator(".cm-line.at")
    expect(line).to_contain_text("id: complete")
    expect(line.locator(".sr")).to_contain_text(re.compile(r"complete taken \d+ of \d+ times"))
    side = page.get_by_role("region", name="About this flow")
    expect(side.locator(".stats")).to_contain_text("5/5")
    expect(side.get_by_role("row", name=re.compile("Ineligible male"))).to_contain_text("never true")
    side.get_by_role("link", name="hanna").click()
    expect(page.get_by_role("heading", name="hanna", level=1)).to_be_visible()


def test_the_drawing_shows_what_all_conversations_did(studio: Served, visit: Open) -> None:
    page = visit("/f/health_intake")
    page.get_by_role("button", name="Drawing").click()
    introduction = page.locator("button.gn", has_text="introduction")
    expect(introduction).to_contain_text(re.compile(r"\d+ conversations"))
    label = page.locator("button.ge", has_text="Ineligible male")
    expect(label).to_contain_text("never true")
    label.click()
    about = page.get_by_role("region", name="About Ineligible male")
    expect(about).to_contain_text("gender = male")
    about.get_by_role("link", name=re.compile("health_intake.flow.yaml:41")).click()
    expect(page.locator(".cm-line.at")).to_contain_text("ineligible_male")


def test_on_the_phone_it_begins_with_what_is_known_about_the_flow(view: Open) -> None:
    page = view("/f/eligibility", viewport={"width": 390, "height": 844})
    expect(page.get_by_role("region", name="About this flow")).to_contain_text("Where conversations are")
    page.get_by_role("button", name="Source").click()
    expect(page.get_by_role("region", name="Lines of eligibility.flow.yaml")).to_contain_text("flow: eligibility")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
