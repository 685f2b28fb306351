"""The page at 200 %: a window of 1440 by 900 then has the room of half of it, and nothing scrolls sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from support.talking import Open, settled
from support.watching import violations

HALF: ViewportSize = {"width": 720, "height": 450}


@pytest.mark.parametrize(
    "path", ["/", "/queue", "/c/maria?turn=4", "/c/case-1042", "/c/maria?turn=4&view=graph", "/f/health_intake"]
)
def test_everything_fits_and_axe_finds_nothing(visit: Open, axe: str, path: str) -> None:
    page = settled(visit(path, viewport=HALF, device_scale_factor=2))
    expect(page.locator("main").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page, axe) == []
