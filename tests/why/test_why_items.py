"""Why an item of a list of records is there, and has the values that it has."""

from __future__ import annotations

from itertools import accumulate

import turnwise as tw
from support.why_cases import Talk, every
from turnwise.core.state import commands as c
from turnwise.core.state.fold import fold
from turnwise.why.facts import TurnFacts

SHOP = """
flow: shop
start: cart
records:
  pizza: {kind: string, size: {type: choice, options: [Small, Large]}}
  order: {items: {type: list, of: pizza, max: 3}}
nodes:
  cart: {say: "Yes?", collect: [order.items], transitions: [{when: "size(order.items) > 5", end: done}]}
"""
ITEMS = "order.items"


def did(*commands: c.AnyCommand) -> Talk:
    def send(chat: tw.SyncChat) -> None:
        chat.commands([c.Add(field=ITEMS, item={"kind": "salami"}), c.Add(field=ITEMS, item={"kind": "olives"})])
        chat.commands(commands)

    return Talk(SHOP).did(send)


def facts_of(talk: Talk, turn: int) -> dict[str, str]:
    return {fact.kind: fact.text for fact in every(talk.chat.why(str(turn)))}


def test_each_change_of_an_item_is_a_fact_with_its_position() -> None:
    talk = did(
        c.Copy(field=ITEMS, item=1, changes={"size": "Large"}),
        c.Change(field=ITEMS, item="i2", name="kind", value="basil"),
        c.Move(field=ITEMS, item="i3", to=1),
        c.Remove(field=ITEMS, item={"kind": "basil"}),
    )
    found = facts_of(talk, 2)
    by = "by a command of the program"
    assert found["item_added"] == f"item 3 (salami, Large) was added to order.items as a copy of item 1, {by}"
    assert found["item_changed"] == f"kind of item 2 of order.items was set to basil, {by} (was olives)"
    assert found["item_moved"] == f"item 3 of order.items was moved to position 1, {by}"
    assert found["item_removed"] == f"item 3 (basil) was removed from order.items, {by}"


def test_a_refused_change_names_the_item_and_the_reason() -> None:
    talk = did(c.Change(field=ITEMS, item="i2", name="size", value="Huge"))
    turn = talk.chat.turn()
    *states, _ = accumulate(turn.entries, fold, initial=turn.before)
    found = [fact.text for fact in TurnFacts(turn, states).facts if fact.kind == "value_refused"]
    assert found[0].startswith(
        "the value Huge was refused for order.items because it is none of the options Small, Large"
    )
