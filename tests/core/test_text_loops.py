"""Loops in texts: a part that is repeated for each item of a list."""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import problems_of, talk
from turnwise.core.state import commands as c
from turnwise.core.state import events as e

FLOW = """
    flow: shop
    start: cart
    records:
      pizza: {kind: string, price: number, day: date, toppings: {type: list, of: string}}
      order: {items: {type: list, of: pizza}, tags: {type: list, of: string}, pins: {type: list, of: string, secret: true}}
    nodes:
      cart:
        say: "What?"
        collect: [order]
        transitions: [{when: "size(order.items) > 1", to: sum}]
      sum: {say: 'TEXT', end: done}
"""


def said(text: str, *more: c.AnyCommand) -> str:
    made = talk(FLOW.replace("TEXT", text))
    made.chat.start()
    items: list[dict[str, Any]] = [
        {"kind": "salami", "price": 9.5, "day": "2026-01-02", "toppings": ["oil", "basil"]},
        {"kind": "olives", "day": "2026-01-03"},
    ]
    turn = made.chat.commands([c.Set(field="order.items", value=items), *more])
    return [event.text for event in turn.events if isinstance(event, e.Said)][-1]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("{{ for p in order.items }}[{{ p.kind }}]{{ end }}", "[salami][olives]"),
        ("{{ for n, p in order.items }}{{ n }}. {{ p.kind }} {{ end }}", "1. salami 2. olives "),
        ("{{ for p in order.items }}{{ p.day | date: long }};{{ end }}", "January 2, 2026;January 3, 2026;"),
        ("{{ for p in order.items }}{{ p.price | currency: EUR }}/{{ end }}", "€9.50//"),
        (
            "{{ for p in order.items }}{{ for t in p.toppings }}{{ t }}+{{ p.kind }} {{ end }}{{ end }}.",
            "oil+salami basil+salami .",
        ),
        ("{{ for p in order.items.filter(x, has(x.price)) }}{{ p.kind }}{{ end }}", "salami"),
        ("none: {{ for t in order.tags }}{{ t }}{{ end }}.", "none: ."),
        ("{{ order.items }}", "salami, 9.5, 2026-01-02, oil, basil; olives, 2026-01-03"),
        ('{{ order.items.map(i, i.kind).join(" and ") }}', "salami and olives"),
    ],
)
def test_a_text_repeats_a_part_for_each_item(text: str, result: str) -> None:
    assert said(text) == result


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{{ for p in order.items }}x", "TW115 this loop is never ended"),
        ("x {{ end }}", "TW115 this ends no loop"),
        ("{{ for p in order.items }}{{ p.sise }}{{ end }}", "TW031 an item of 'pizza' has no 'sise'"),
        ("{{ for p in order }}x{{ end }}", "TW031 'order' is a record"),
        ("{{ for p in turns }}x{{ end }}", "TW032 for() needs a list"),
        ("{{ for p in order.items }}{{ p.kind }}{{ end }}{{ p.kind }}", "TW031 nothing is called 'p'"),
        ("{{ for p in order.pins }}{{ p }}{{ end }}", "TW047 this is a secret"),
    ],
)
def test_a_wrong_loop_is_reported(text: str, problem: str) -> None:
    found = problems_of(FLOW.replace("TEXT", text))
    assert any(problem in one for one in found), found
