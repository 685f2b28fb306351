"""Two conversations side by side in one window: aligned, live, with the first difference, by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from support.serving import Served
from support.talking import settled
from support.watching import PHONE, Watched, violations

ROOT = Path(__file__).parents[2]
SAID = {
    "maria": ("hello", "I'm Maria, and I'm thirty-five", "sorry, I am 48", "what exactly do I agree to?"),
    "hanna": ("hello", "Hanna, 35 years", "are you sure?"),
}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with two conversations that part."""
    with Served("serve", ROOT / "examples/health_intake/health_intake.flow.yaml", "--port", "0") as served:
        for name, said in SAID.items():
            served.post("/api/conversations", flow="health_intake", name=name)
            for text in said:
                served.post(f"/api/conversations/{name}/turns", text=text)
        yield served


def both(watched: Watched, pair: Served, query: str = "", **options: object) -> Page:
    page = settled(watched.open(f"{pair.address}/side/maria/hanna{query}", **options))
    expect(page.locator(".pair.first")).to_have_count(1)
    return page


def test_rows_are_aligned_and_the_first_difference_is_marked_once(pair: Served, watched: Watched) -> None:
    page = both(watched, pair)
    rows = page.locator(".pair")
    for row in range(rows.count()):
        left, right = (rows.nth(row).locator(".c").nth(at).bounding_box() for at in (0, 1))
        assert left is not None
        assert right is not None
        assert abs(left["y"] - right["y"]) < 1
        assert left["x"] < right["x"]
    first = page.locator(".pair.first")
    expect(first).to_contain_text("sorry, I am 48")
    expect(first).to_contain_text("are you sure?")
    expect(page.locator(".verdict h2")).to_contain_text("48 against 35")
    expect(
        page.locator(".verdict p", has_text="With this value alone, the decision of Hanna would have")
    ).to_be_visible()
    expect(page.locator(".score.both .way")).to_have_count(2)
    expect(page.locator("tr.d", has_text="age in years")).to_be_visible()


def test_both_are_live(pair: Served, watched: Watched) -> None:
    for name in ("one", "other"):
        pair.post("/api/conversations", flow="health_intake", name=name)
    page = settled(watched.open(f"{pair.address}/side/one/other"))
    field = page.get_by_role("textbox", name="Write to other")
    field.fill("Hello there")
    page.keyboard.press("Enter")
    expect(page.locator(".pair").last.locator(".c").last).to_contain_text("Hello there")
    expect(field).to_have_value("")
    pair.post("/api/conversations/one/turns", text="and who reads it?")
    expect(page.locator(".pairs .c").filter(has_text="and who reads it?")).to_have_count(1)


def test_it_works_by_keyboard_and_has_an_address(pair: Served, watched: Watched) -> None:
    page = both(watched, pair, "?turn=2")
    slider = page.get_by_role("slider", name="Turn that is shown")
    expect(slider).to_have_attribute("aria-valuenow", "2")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{pair.address}/side/maria/hanna?turn=3")
    expect(slider).to_be_focused()
    expect(page.locator(".pair.on")).to_have_attribute("data-row", "3")
    page.get_by_role("link", name="Swap the sides").click()
    expect(page).to_have_url(f"{pair.address}/side/hanna/maria")
    page.locator(".pair .seam").first.click()
    expect(page.get_by_role("region", name="Debug panel")).to_be_visible()


def test_axe_finds_nothing(pair: Served, watched: Watched, axe: str) -> None:
    assert violations(both(watched, pair), axe) == []


def test_a_phone(pair: Served, watched: Watched, axe: str) -> None:
    page = both(watched, pair, viewport=PHONE)
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
