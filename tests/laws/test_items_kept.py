"""What is left of items where retention erases, where a scope's words go, and where a list is secret (laws 1.6, 6.4)."""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import Talk, machine_of, talk
from turnwise.core.secrets import former_secrets, secret_values
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.erased_words import without_words, words_due
from turnwise.core.state.fold import fold_all
from turnwise.core.state.retention import erased

FLOW = """
    flow: shop
    start: cart
    records:
      pizza: {kind: string, size: {type: choice, options: [Small, Large]}}
      order: {items: {type: list, of: pizza, SECRET}, other: {type: list, of: pizza}}
    nodes:
      cart:
        say: "What?"
        collect: [order]
        transitions: [{when: "size(order.other) > 0", to: inner}]
      inner:
        scope:
          inherits: [pizza, order]
          keep: 7d
          start: change
          records: {own: {items: {type: list, of: pizza}}}
          nodes:
            change: {say: "Inside.", collect: [own], transitions: [{when: size(own.items) > 1, end: done}]}
        transitions: [{to: rest}]
      rest: {say: "Done.", end: done}
"""
ITEMS = "order.items"


def begun(secret: bool = False) -> Talk:
    made = talk(FLOW.replace("SECRET", f"secret: {str(secret).lower()}"))
    made.chat.start()
    made.chat.commands([c.Add(field=ITEMS, item={"kind": "salami"}), c.Add(field=ITEMS, item={"kind": "olives"})])
    made.chat.commands(
        [c.Remove(field=ITEMS, item="i1"), c.Change(field=ITEMS, item="i2", name="kind", value="capers")]
    )
    return made


@pytest.mark.law("1.6")
def test_retention_keeps_the_items_and_their_ids() -> None:
    made = begun()
    entries = made.chat.journal()
    left = erased(entries, e.Erasure(1, 3))
    assert fold_all(left) == made.chat.state()
    state: Any = fold_all(left)
    assert (state.values[ITEMS].value, state.last_item) == ([{"id": "i2", "kind": "capers"}], 2)


@pytest.mark.law("6.4")
def test_the_words_of_a_scope_leave_no_values_of_its_items() -> None:
    made = begun()
    made.chat.commands([c.Add(field="order.other", item={"kind": "tuna"})])
    inner = "inner/own.items"
    made.chat.commands([c.Add(field=inner, item={"kind": "secret one"})])
    made.chat.commands([c.Change(field=inner, item="i4", name="size", value="Large"), c.Copy(field=inner, item="i4")])
    entries = made.chat.journal()
    closing = next(at for at, one in enumerate(entries) if isinstance(one.event, e.ScopeClosed))
    ((frame, _),) = words_due(entries[closing])
    changed = {one.seq: one for one in without_words(entries[: closing + 1], frame, e.Erasure(1, 3))}
    left = [changed.get(one.seq, one) for one in entries]
    assert "secret one" in str(entries)
    assert "secret one" not in str(left)
    assert [one.event.id for one in left if isinstance(one.event, e.ItemAdded)] == ["i1", "i2", "i3", "i4", "i5"]
    assert fold_all(left) == made.chat.state()


@pytest.mark.law("3.4")
def test_the_values_of_a_secret_list_are_secret_also_the_former_ones() -> None:
    made = begun(secret=True)
    machine = machine_of(FLOW.replace("SECRET", "secret: true"))
    assert secret_values(machine, made.chat.state()) == ("capers",)
    assert set(former_secrets(machine, made.chat.journal())) == {"salami", "olives", "capers"}
