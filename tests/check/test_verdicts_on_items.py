"""The checker takes no value of an item for the list that has it: what a guard reads of an item may be anything."""

from __future__ import annotations

import pytest

import turnwise as tw

FLOW = """
flow: shop
start: cart
records:
  pizza: {{kind: string, size: {{type: choice, options: [Small, Large]}}, count: integer}}
  order: {{items: {{type: list, of: pizza, max: 4}}}}
nodes:
  cart: {{say: What?, collect: [order], transitions: [{{when: '{guard}', end: done}}]}}
"""


@pytest.mark.parametrize(
    "guard",
    [
        'order.items[0].kind == "x"',
        'order.items[1].size == "Large"',
        "order.items[0].count > 2",
        "has(order.items[1].kind)",
        "!has(order.items[1].kind)",
        'size(order.items) > 1 && order.items[1].kind == "b"',
        "size(order.items) > 1 && has(order.items[1].kind) && order.items[1].count > 3",
    ],
)
def test_a_guard_on_a_value_of_an_item_may_hold(guard: str) -> None:
    assert tw.check(tw.loads(FLOW.format(guard=guard))) == []


def test_a_guard_on_the_size_of_the_list_is_still_judged() -> None:
    found = tw.check(tw.loads(FLOW.format(guard="size(order.items) > 3 && size(order.items) < 2")))
    assert [one.code for one in found] == ["TW052"]
