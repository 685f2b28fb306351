"""The graph of a conversation by pointer and keyboard: nothing moves but the marks when the position changes."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from support.talking import Open, placed


def boxes(page: Page) -> dict[str, str]:
    """Return where each node of the drawing stands."""
    script = "nodes => Object.fromEntries(nodes.map(n => [n.dataset.id, n.style.transform]))"
    return page.locator(".gpart").evaluate_all(script)


def test_a_change_of_position_changes_marks_and_no_layout(visit: Open) -> None:
    page = visit("/c/maria?turn=2&decision=1&view=graph")
    drawing = page.get_by_role("region", name="Graph")
    label = drawing.locator("button.ge", has_text="Too young")
    expect(label).to_have_text(re.compile("Too young.*taken"))
    expect(label).to_have_attribute("aria-current", "true")
    before = boxes(page)
    assert len(before) > 10
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    expect(label).to_have_text(re.compile("false.*taken in turn 2"))
    expect(drawing.locator("button.gn", has_text=re.compile("^Introductionhere"))).to_be_visible()
    assert boxes(page) == before


def test_nodes_and_labels_open_their_details_by_keyboard(visit: Open) -> None:
    page = visit("/c/maria?turn=4&view=graph")
    node = page.locator("button.gn", has_text="Profiler")
    expect(node).to_be_visible()
    page.locator("button.gn", has_text="Introduction").focus()
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_class(re.compile(r"\bge\b"))
    page.keyboard.press("Enter")
    details = page.get_by_role("region", name=re.compile("^About "))
    expect(details).to_contain_text("priority")
    details.get_by_role("button", name="turn 2", exact=True).or_(details.get_by_role("button").first).first.click()
    page.keyboard.press("Escape")
    expect(details).to_have_count(0)


def test_the_outline_says_what_the_drawing_shows_and_finds_transitions(visit: Open) -> None:
    page = visit("/c/maria?turn=5&decision=1&view=graph")
    outline = page.get_by_role("region", name="Nodes and transitions")
    complete = outline.locator("button.ed", has_text="complete")
    expect(complete).to_have_text(re.compile("taken"))
    expect(complete).to_have_attribute("aria-current", "true")
    page.get_by_role("searchbox", name="Find a node or transition").fill("once_")
    expect(outline.locator("button.nd, button.ed")).to_have_count(2)
    page.get_by_role("searchbox", name="Find a node or transition").fill("nothing at all")
    expect(outline).to_contain_text("No node and no transition")


def test_a_flow_that_is_wide_goes_from_left_to_right(visit: Open) -> None:
    drawing = placed(visit("/c/job?view=graph"))
    hub = drawing.locator(".gn.any").bounding_box()
    review = drawing.locator("button.gn", has_text="review").bounding_box()
    assert hub is not None
    assert review is not None
    assert review["x"] > hub["x"] + hub["width"]
