"""What the drawing of a flow shows when it opens: the current node with its neighbours, covered by nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from support.first_answers import held_answer
from support.serving import Served
from support.talking import Open, placed
from support.watching import PHONE, Watched

MIDDLE: ViewportSize = {"width": 1024, "height": 768}
WITHIN = """([one, frame]) => {
    const [a, b] = [one, frame].map((element) => element.getBoundingClientRect());
    return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
}"""
LETTERS = "one => parseFloat(getComputedStyle(one).fontSize) * one.getBoundingClientRect().width / one.offsetWidth"


def opened(page: Page) -> Locator:
    """Return the drawing, once it is placed."""
    drawing = placed(page)
    expect(drawing.locator(".gn.now")).to_be_in_viewport(ratio=0.99)
    return drawing


def is_whole(part: Locator, frame: Locator) -> bool:
    return part.evaluate(f"(one, frame) => ({WITHIN})([one, frame])", frame.element_handle())


NEIGHBOURS = {
    "maria?turn=4": ["Complete", "Corrected", "Too young", "Ineligible male", "Profiler", "Ineligible"],
    "maria": ["Once farewell", "Closing"],
    "case-1042": ["Done", "Expert", "Handed over"],
    "job": ["Enter planning mode"],
}


def test_on_a_phone_the_current_node_and_its_neighbours_can_be_read(visit: Open) -> None:
    for address, neighbours in NEIGHBOURS.items():
        sign = "&" if "?" in address else "?"
        can_be_read(visit(f"/c/{address}{sign}view=graph", viewport=PHONE, has_touch=True, is_mobile=True), neighbours)


def can_be_read(page: Page, neighbours: list[str]) -> None:
    drawing = opened(page)
    here = drawing.locator(".gn.now .nm")
    assert here.evaluate("one => one.scrollWidth <= one.clientWidth"), "the name of the current node is cut"
    assert here.evaluate(LETTERS) >= 9
    for name in neighbours:
        part = drawing.locator("button.gn, button.ge").filter(has=page.get_by_text(name, exact=True)).first
        assert is_whole(part, drawing), name


def test_a_conversation_that_loads_after_the_drawing_is_looked_at_where_it_is(shared: Served, watched: Watched) -> None:
    page = watched.page(viewport=PHONE, has_touch=True, is_mobile=True)
    with held_answer(page, "**/conversations/maria/timeline**"):
        page.goto(f"{shared.address}/c/maria?turn=4&view=graph")
        expect(placed(page).locator(".gn").first).to_be_attached()
    can_be_read(page, NEIGHBOURS["maria?turn=4"])


@pytest.mark.parametrize("viewport", [PHONE, MIDDLE], ids=["phone", "1024"])
def test_the_zoom_covers_nothing_of_the_drawing(visit: Open, viewport: ViewportSize) -> None:
    for name in ("maria", "case-1042", "job", "holiday"):
        covers_nothing(visit(f"/c/{name}?view=graph", viewport=viewport))


def covers_nothing(page: Page) -> None:
    drawing = opened(page)
    zoom = page.get_by_role("group", name="Zoom")
    expect(zoom.get_by_role("button", name="Fit")).to_be_in_viewport(ratio=0.99)
    zoom.get_by_role("button", name="Fit").click()
    expect(drawing.locator(".gn").last).to_be_in_viewport(ratio=0.99)
    box, frame = zoom.bounding_box(), drawing.bounding_box()
    assert box is not None
    assert frame is not None
    assert box["y"] >= frame["y"] + frame["height"]


WIDE_ON_A_PHONE = pytest.param(
    "health_intake", marks=pytest.mark.xfail(strict=False, reason="Fit has a lower bound of its zoom")
)


@pytest.mark.parametrize("name", [WIDE_ON_A_PHONE, "thinking_partner"])
def test_on_a_phone_the_flow_page_draws_all_of_the_flow(visit: Open, name: str) -> None:
    page = visit(f"/f/{name}", viewport=PHONE, has_touch=True, is_mobile=True)
    page.get_by_role("button", name="Drawing").tap()
    drawing = placed(page)
    expect(drawing.locator(".gn").last).to_be_in_viewport(ratio=0.99)
    for part in drawing.locator(".gn").all():
        assert is_whole(part, drawing), part.text_content()
    frame, panes = drawing.bounding_box(), page.get_by_role("navigation", name="Pages").bounding_box()
    assert frame is not None
    assert panes is not None
    assert panes["y"] - frame["y"] - frame["height"] < 80, "there is empty space under the drawing"


def test_why_stands_beside_the_label_of_a_transition(visit: Open) -> None:
    page = visit("/c/maria?view=graph&turn=4", viewport={"width": 1440, "height": 900})
    drawing = opened(page)
    label = drawing.locator("button.ge", has_text="Too young")
    label.hover()
    why = drawing.get_by_role("button", name="Too young: why?")
    expect(why.locator("..")).to_have_css("opacity", "1")
    one, other = label.bounding_box(), why.bounding_box()
    assert one is not None
    assert other is not None
    assert abs(one["x"] + one["width"] - other["x"]) < 12
