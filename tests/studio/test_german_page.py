"""The page in German: by the language of the browser, or as chosen; what the conversation says keeps its own language."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from support.serving import Served
from support.talking import Open, settled
from support.watching import PHONE, violations


def test_the_language_of_the_browser_is_that_of_the_page(visit: Open, axe: str) -> None:
    page = settled(visit("/c/case-1042", locale="de-DE"))
    assert page.evaluate("document.documentElement.lang") == "de"
    panel = page.get_by_role("region", name="Prüffeld")
    expect(panel.locator(".verdict h2")).to_contain_text("Ändert „purpose of the check“: 5 von 5 beantwortet")
    expect(panel.locator(".fl")).to_contain_text("Beantwortet")
    expect(page.locator(".chat")).to_have_attribute("lang", "en")
    expect(page.get_by_role("navigation", name="Hier sind Sie")).to_contain_text("Ändert")
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


TEXTS = """() => {
    const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const at = walker.currentNode.parentElement;
        if (at && at.checkVisibility() && !at.closest('[lang=en], script, style, pre, code, .code')) found.push(walker.currentNode.textContent);
    }
    for (const one of document.querySelectorAll('[aria-label], [title], [placeholder], [aria-valuetext]'))
        if (!one.closest('[lang=en]')) for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext']) found.push(one.getAttribute(name));
    return found.map((text) => text?.trim()).filter(Boolean);
}"""
"""All texts of a page that are neither marked as English nor source."""
ENGLISH = re.compile(
    r"\b(the|and|of|with|which|not|no|needs|stayed|moved|goes|turns?|messages?|nothing|none|waits?|asks|taken|unknown|missing"
    r"|judged|field|step|rule|said|set|ends|event|schedule|inner|before|after)\b"
)
VIEWS = (
    *(
        "/",
        "/queue",
        "/c/maria?turn=4",
        "/c/maria?turn=5&decision=1",
        "/c/hanna",
        "/c/case-1039?turn=3",
        "/c/case-1042",
    ),
    *("/c/greta", "/c/romy?tab=time", "/c/table-7?tab=state", "/c/nora", "/c/run-1?turn=1", "/c/job?view=graph"),
    *("/c/maria?turn=8&tab=state", "/c/maria?turn=8&tab=events", "/c/maria?turn=4&what-if", "/c/maria?turn=4&tab=ask"),
)


def words_of_flows(studio: Served) -> list[str]:
    """What the flows and the conversations say in their own language, the longest first."""
    found: set[str] = set()

    def collect(data: Any) -> None:
        match data:
            case str():
                found.add(data)
                found.add(data.rpartition("/")[2].rpartition(".")[2].replace("_", " "))
            case dict():
                for one in data.values():
                    collect(one)
            case list():
                for one in data:
                    collect(one)
            case _:
                pass

    listed = studio.get("/api/conversations?limit=100")["conversations"]
    collect([[one["name"], one["snippet"], one["flow_title"], one["outcome"], one["owner"]] for one in listed])
    collect([studio.get("/api/flows"), [one["person"] for one in listed]])
    for one in listed:
        collect([message["text"] for message in studio.get(f"/api/conversations/{one['id']}/transcript")["messages"]])
        collect([value["text"] for value in studio.get(f"/api/conversations/{one['id']}/state")["values"]])
    for flow in {one["flow"] for one in listed}:
        page = studio.get(f"/api/flows/{flow}")
        collect([page["nodes"], page["fields"], page["flow"]["title"], page["flow"]["description"], page["graph"]])
    return sorted((one for one in found if len(one) > 2), key=len, reverse=True)


def test_nothing_that_the_page_or_the_server_says_is_english(shared: Served, visit: Open) -> None:
    pattern = re.compile("|".join(map(re.escape, words_of_flows(shared))), re.IGNORECASE)
    english: dict[str, str] = {}
    for view in VIEWS:
        page = visit(view, locale="de-DE")
        expect(page.locator("h1").first).to_be_attached()
        expect(page.locator(".loading")).to_have_count(0)
        for text in page.evaluate(TEXTS):
            if ENGLISH.search(pattern.sub("…", text)):
                english.setdefault(text, view)
    assert not english, "\n".join(f"{view}: {text}" for text, view in english.items())


def test_a_german_phone(visit: Open, axe: str) -> None:
    page = settled(visit("/c/maria", locale="de-DE", viewport=PHONE))
    expect(page.get_by_role("navigation", name="Bereiche")).to_contain_text("Warum")
    expect(page.locator(".endline")).to_have_text("Beendet: abgeschlossen")
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wide = settled(visit("/c/maria?turn=4", locale="de-DE", viewport=PHONE))
    assert wide.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
