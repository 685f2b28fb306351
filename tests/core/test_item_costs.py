"""A turn that changes one item of a long list costs little more than one with a short list (law 1.6)."""

from __future__ import annotations

import pytest

from support.chats import talk
from support.counted import calls_of
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.codec import encode_entry

ITEMS = "order.items"
FLOW = """
    flow: shop
    start: cart
    records:
      pizza: {kind: string, size: {type: choice, options: [Small, Large]}, price: number, toppings: {type: list, of: string}}
      order: {items: {type: list, of: pizza, max: 200}, address: string}
    nodes:
      cart: {say: "Which pizza?", collect: [order], transitions: [{when: 'order.address == "x"', to: rest}]}
      rest: {say: "Bye", end: done}
"""
COMMANDS = {
    "change by id": lambda number: c.Change(field=ITEMS, item=f"i{number}", name="price", value=7.5),
    "change by position": lambda _: c.Change(field=ITEMS, item=-1, name="price", value=8.5),
    "move": lambda _: c.Move(field=ITEMS, item=1, to=-1),
    "remove": lambda _: c.Remove(field=ITEMS, item=1),
}


def spent(items: int, command: str) -> tuple[int, int]:
    """Return the calls of a turn with a list of some length, and the bytes of its events about items."""
    made = talk(FLOW)
    made.chat.start()
    pizza = {"kind": "margherita", "size": "Small", "price": 9.5, "toppings": ["basil", "oil"]}
    made.chat.commands([c.Set(field=ITEMS, value=[pizza] * items)])
    made.chat.commands([c.Change(field=ITEMS, item=1, name="price", value=7)])
    calls = calls_of(lambda: made.chat.commands([COMMANDS[command](items)]))
    written = [one for one in made.chat.journal() if isinstance(one.event, e.ItemEvent)]
    return calls, len(encode_entry(written[-1]))


@pytest.mark.law("1.6")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_turn_with_two_hundred_items_costs_half_more_at_most(command: str) -> None:
    few, short = spent(2, command)
    many, long = spent(200, command)
    assert many <= few * 1.5
    assert long <= short + 16
