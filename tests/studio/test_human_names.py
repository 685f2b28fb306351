"""People read titles and words on the page; ids of nodes, fields and transitions only where technical details are shown."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from support.serving import Served
from support.talking import Open, Talk, settled

TEXTS = """() => {
    const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const at = walker.currentNode.parentElement;
        if (at && at.checkVisibility() && !at.closest('script, style, pre, .code, .bub, .prompt, option')) found.push(walker.currentNode.textContent);
    }
    for (const one of document.querySelectorAll('[aria-label], [placeholder], [aria-valuetext]'))
        for (const name of ['aria-label', 'placeholder', 'aria-valuetext']) found.push(one.getAttribute(name));
    return found.map((text) => text?.trim()).filter(Boolean);
}"""
"""What people read and hear of a page, without source."""
VIEWS = (
    *(
        "/queue",
        "/c/maria?turn=4",
        "/c/maria?turn=4&what-if",
        "/c/maria?turn=8&tab=events",
        "/c/maria?turn=4&view=graph",
    ),
    *(
        "/c/maria?turn=4&tab=ask",
        "/c/maria?turn=4&tab=ask&ask=against:hanna",
        "/c/maria?turn=4&tab=ask&ask=to:profiler",
    ),
    *("/c/case-1042", "/c/case-1042?tab=state", "/c/case-1039?turn=3", "/c/table-7?tab=events", "/c/max?tab=events"),
    *("/c/job?turn=2&tab=prompt", "/c/ola?tab=time", "/c/greta", "/c/hanna", "/side/maria/hanna?turn=3"),
)


def ids_of(studio: Served) -> re.Pattern[str]:
    """Return a pattern of the ids that are no words: those with a dot, a slash or an underscore."""
    found: set[str] = set()
    for flow in {one["flow"] for one in studio.get("/api/conversations?limit=100")["conversations"]}:
        page = studio.get(f"/api/flows/{flow}")
        found |= {flow, *(one["name"] for one in [*page["nodes"], *page["fields"]])}
        found |= {one["transition"] for level in page["levels"] for one in level["graph"]["edges"]}
    ids = sorted((one for one in found if re.search(r"[._/]", one)), key=len, reverse=True)
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, ids))})(?![\w.])")


def read(page: Page) -> list[str]:
    settled(page)
    return page.evaluate(TEXTS)


def test_no_view_shows_ids(shared: Served, visit: Open) -> None:
    ids = ids_of(shared)
    shown: dict[str, str] = {}
    for view in VIEWS:
        for text in read(visit(view)):
            if ids.search(text):
                shown.setdefault(text, view)
    assert not shown, "\n".join(f"{view}: {text}" for text, view in shown.items())


def test_technical_details_show_the_ids(view: Open) -> None:
    page = settled(view("/c/maria?turn=4"))
    talk = Talk(page)
    expect(talk.card("complete")).to_contain_text("age in years ≥ 38")
    page.locator("h1").click()
    page.keyboard.press("x")
    expect(talk.card("complete")).to_contain_text("user.age >= 38")
    page.goto(page.url + "&tab=ask&ask=transition+complete")
    expect(page.get_by_role("article").get_by_role("heading", level=2)).to_contain_text("user.tos_acknowledged")
    page.keyboard.press("w")
    expect(page.get_by_label("What-if value of user.tos_acknowledged")).to_be_visible()
