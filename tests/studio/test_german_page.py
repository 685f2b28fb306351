"""The page in German: by the language of the browser, or as chosen; what the conversation says keeps its own language."""

from __future__ import annotations

from playwright.sync_api import expect

from support.talking import Open, settled
from support.watching import PHONE, violations


def test_the_language_of_the_browser_is_that_of_the_page(view: Open, axe: str) -> None:
    page = settled(view("/c/case-1042", locale="de-DE"))
    assert page.evaluate("document.documentElement.lang") == "de"
    panel = page.get_by_role("region", name="Prüffeld")
    expect(panel.locator(".verdict h2")).to_contain_text("Fragt nach „purpose of the check“: 5 von 5 beantwortet")
    expect(panel.locator(".fl")).to_contain_text("Beantwortet")
    expect(page.locator(".chat")).to_have_attribute("lang", "en")
    expect(page.get_by_role("navigation", name="Hier sind Sie")).to_contain_text("Fragt nach")
    assert violations(page, axe) == []


def test_the_language_is_chosen_and_remembered(view: Open) -> None:
    page = settled(view("/c/maria"))
    page.get_by_role("button", name="More about this conversation").click()
    page.get_by_role("menuitem", name="Settings").click()
    page.get_by_role("radio", name="Deutsch").click()
    expect(page.get_by_role("tab", name="Warum")).to_be_visible()
    page.reload()
    expect(page.get_by_role("tab", name="Warum")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"


def test_no_tab_and_no_button_is_english(view: Open) -> None:
    page = settled(view("/c/maria?turn=4", locale="de-DE"))
    script = """() => [...document.querySelectorAll('button, [role=tab], h2, h3, summary h3')]
        .filter((one) => !one.closest('[lang=en], .score') && one.offsetParent)
        .map((one) => (one.getAttribute('aria-label') || one.textContent).trim())
        .filter((text) => /\\b(the|of|and|your|Show|Copy|Close|Go|Loading|Search|Take|Why)\\b/.test(text))"""
    assert page.evaluate(script) == []


def test_a_german_phone(view: Open, axe: str) -> None:
    page = settled(view("/c/maria", locale="de-DE", viewport=PHONE))
    expect(page.get_by_role("navigation", name="Bereiche")).to_contain_text("Warum")
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
