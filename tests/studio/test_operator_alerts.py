"""The sound and the number in the title, for operators who want them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from support.serving import Served
from support.watching import Watched

FLOW = """
flow: desk
start: advise
commands: [hand_over]
person: {queue: advisers, timeout: 10m}
records: {case: {topic: string}}
nodes:
  advise:
    form: {fields: [{field: case.topic, ask: What is it about?}]}
"""
COUNT_TONES = """
let tones = 0
const start = OscillatorNode.prototype.start
OscillatorNode.prototype.start = function (...at) {
    document.documentElement.dataset.tones = ++tones
    return start.apply(this, at)
}
"""
TONES = re.compile(r"\d")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Served]:
    flow = tmp_path / "desk.flow.yaml"
    flow.write_text(FLOW, "utf-8")
    with Served("serve", flow, "--port", "0", "--store", f"sqlite:///{tmp_path}/desk.db") as served:
        for name in ("first", "second", "third"):
            served.post("/api/conversations", flow="desk", name=name)
        yield served


def calls(desk: Served, name: str) -> None:
    desk.post(f"/api/conversations/{name}/turns", text="talk to a human")


def opened(desk: Served, watched: Watched) -> Page:
    page = watched.page()
    page.add_init_script(COUNT_TONES)
    page.goto(f"{desk.address}/c/third")
    expect(persons(page)).to_have_text(re.compile("^Person 1$"))
    return page


def persons(page: Page) -> Locator:
    return page.get_by_role("group", name="Show", exact=True).get_by_role("button", name=re.compile("^Person"))


def test_one_more_who_waits_is_heard_and_counted_where_the_operator_wants_it(desk: Served, watched: Watched) -> None:
    calls(desk, "first")
    page = opened(desk, watched)
    page.get_by_role("button", name="More about this conversation").click()
    page.get_by_role("menuitem", name="Settings").click()
    page.get_by_label("Play a sound").check()
    page.get_by_label("Show the number in the title of the tab").check()
    page.keyboard.press("Escape")
    expect(page).to_have_title("(1) third · turnwise")
    expect(page.locator("html")).not_to_have_attribute("data-tones", TONES)  # this one waited before
    calls(desk, "second")
    expect(page).to_have_title("(2) third · turnwise")
    expect(page.locator("html")).to_have_attribute("data-tones", "1")
    desk.post("/api/conversations/second/person/take-over", operator="Lena")
    expect(page).to_have_title("(1) third · turnwise")
    expect(page.locator("html")).to_have_attribute("data-tones", "1")
    page.reload()
    expect(page).to_have_title("(1) third · turnwise")
    expect(page.locator("html")).not_to_have_attribute("data-tones", TONES)


def test_without_these_settings_nothing_is_heard_or_counted(desk: Served, watched: Watched) -> None:
    calls(desk, "first")
    page = opened(desk, watched)
    calls(desk, "second")
    expect(persons(page)).to_have_text(re.compile("^Person 2$"))
    expect(page).to_have_title("third · turnwise")
    expect(page.locator("html")).not_to_have_attribute("data-tones", TONES)
