"""Lists of records on the page: a table whose values say why, whose rows are edited, and the history of one item."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from support.serving import Served
from support.talking import Open, settled
from support.watching import PHONE, violations

FLOW = """
flow: pizzeria
start: cart
records:
  pizza:
    kind: {type: choice, options: [Salami, Margherita, Tonno], about: the pizza}
    size: {type: choice, options: [Small, Large], about: the size}
  order: {items: {type: list, of: pizza, max: 3, about: your pizzas}, note: string}
nodes:
  cart: {say: "Yes?", collect: [order.items], transitions: [{when: "size(order.items) > 5", end: done}]}
"""
SAID = ("a salami pizza", "a small tonno", "make the second one large")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with the flow of this module."""
    folder: Path = tmp_path_factory.mktemp("items")
    (folder / "pizzeria.flow.yaml").write_text(FLOW, "utf-8")
    with Served("serve", str(folder / "pizzeria.flow.yaml"), "--port", "0") as served:
        yield served


@pytest.fixture
def name(studio: Served, request: pytest.FixtureRequest) -> str:
    """A conversation with two items, of which the last turn changed the second."""
    name = f"c{abs(hash(request.node.name))}"
    studio.post("/api/conversations", flow="pizzeria", name=name)
    for text in SAID:
        studio.post(f"/api/conversations/{name}/turns", text=text)
    return name


def rows(page: Page) -> Locator:
    return page.get_by_role("table", name="Items of your pizzas").locator("tbody tr")


def state_of(view: Open, name: str, **options: object) -> Page:
    return settled(view(f"/c/{name}?tab=state", **options))


def test_a_row_shows_each_value_and_marks_what_the_turn_changed(view: Open, name: str) -> None:
    page = state_of(view, name)
    expect(rows(page)).to_have_count(2)
    expect(
        rows(page).nth(1).get_by_role("button", name="the size: Large, was Small, changed in this turn, why?")
    ).to_contain_text("was Small")
    fields = page.get_by_role("table", name="Fields at the end")
    expect(fields.get_by_text("2 items, at most 3")).to_be_visible()
    expect(fields.get_by_text("pizza.kind")).to_have_count(0)


def test_a_value_answers_why(view: Open, name: str) -> None:
    page = state_of(view, name)
    rows(page).nth(1).get_by_role("button", name="the size: Large").click()
    expect(page.get_by_text(re.compile("size of item 2 of .* was set to Large")).first).to_be_visible()


def test_the_history_of_an_item_says_what_happened_to_it(view: Open, name: str) -> None:
    page = state_of(view, name)
    page.get_by_role("button", name="History of item 2").click()
    lines = page.get_by_role("region", name="History of item 2").get_by_role("listitem")
    expect(lines).to_have_count(2)
    expect(lines.nth(0)).to_contain_text("item 2 (Tonno, Small) was added")
    expect(lines.nth(1)).to_contain_text("(was Small)")


def test_an_operator_changes_adds_moves_and_removes_items(view: Open, name: str) -> None:
    page = state_of(view, name)
    page.get_by_role("button", name="Change item 1").click()
    page.get_by_label("the size of item 1").select_option("Large")
    page.get_by_role("button", name="Save the changes").click()
    expect(rows(page).nth(0).get_by_role("button", name="the size: Large, changed")).to_be_visible()
    expect(page.get_by_role("button", name="Change item 1")).to_be_focused()
    page.get_by_role("button", name="Add an item").click()
    page.get_by_label("the pizza of item 3").select_option("Margherita")
    page.get_by_label("the pizza of item 3").press("Enter")
    expect(rows(page)).to_have_count(3)
    expect(page.get_by_role("button", name="Add an item")).to_be_disabled()
    page.get_by_role("button", name="Move item 3, Margherita up").click()
    expect(rows(page).nth(1)).to_contain_text("Margherita")
    page.get_by_role("button", name="Remove item 1").click()
    expect(rows(page)).to_have_count(2)
    expect(page.get_by_text("removed this turn")).to_be_visible()


def test_a_turn_before_is_read_only(view: Open, name: str) -> None:
    page = settled(view(f"/c/{name}?tab=state&turn=2"))
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("button", name="Change item")).to_have_count(0)


@pytest.mark.parametrize("is_phone", [False, True], ids=["wide", "phone"])
def test_axe_finds_nothing_in_the_table(view: Open, axe: str, name: str, *, is_phone: bool) -> None:
    page = state_of(view, name, **({"viewport": PHONE} if is_phone else {}))
    page.get_by_role("button", name="History of item 1").click()
    expect(page.get_by_role("region", name="History of item 1").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name="Change item 2").click()
    expect(page.get_by_label("the size of item 2")).to_be_visible()
    assert violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
