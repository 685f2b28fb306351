"""What would make a guard over a list of records hold: another value in an item, or another item."""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import talk
from turnwise.core.explain.decision_lines import lines_of_candidate
from turnwise.core.state import commands as c

FLOW = """
    flow: shop
    start: cart
    records:
      pizza: {kind: string, size: {type: choice, options: [Small, Large]}, count: {type: integer, min: 1}}
      order: {items: {type: list, of: pizza, max: 6}}
    nodes:
      cart:
        say: "What?"
        collect: [order]
        transitions: [{id: go, when: 'GUARD', to: rest}]
      rest: {say: "Done.", end: done}
"""


def needed(guard: str, items: list[dict[str, Any]]) -> list[str]:
    made = talk(FLOW.replace("GUARD", guard))
    made.chat.start()
    made.chat.commands([c.Set(field="order.items", value=items)] if items else [c.Wait()])
    (go,) = [one for one in made.chat.explain()[-1].candidates if one.id == "go"]
    return [line.text.strip() for line in lines_of_candidate(go) if "would hold" in line.text]


@pytest.mark.parametrize(
    ("guard", "items", "words"),
    [
        ("size(order.items) >= 2", [{"kind": "a"}], "a second item in order.items"),
        ("size(order.items) >= 1", [], "a first item in order.items"),
        ('order.items[0].size == "Large"', [{"kind": "a"}], 'order.items[0].size = "Large"'),
        ('order.items.exists(i, i.size == "Large")', [{"size": "Small"}], 'order.items[0].size = "Large"'),
        (
            'size(order.items) > 1 && order.items.all(i, i.size == "Large")',
            [{"size": "Small"}, {}],
            'order.items[0].size = "Large", order.items[1].size = "Large"',
        ),
        ("order.items.map(i, i.count).sum() > 3", [{"count": 2}], "order.items[0].count = 4"),
    ],
)
def test_a_guard_needs_an_item(guard: str, items: list[dict[str, Any]], words: str) -> None:
    assert f"would hold with: {words}" in needed(guard, items)
