"""Any sequence of commands over a list of records equals a model of it in plain Python, and ids are kept (law 1.6)."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import turnwise as tw
from support.chats import NOON_MS, flow_of
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.runner.clocks import ManualClock

IS_SOAK = os.environ.get("TURNWISE_SOAK") == "1"
SOME = settings(max_examples=500 if IS_SOAK else 25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ITEMS, MOST = "order.items", 6
FLOW = """
flow: shop
start: cart
records:
  pizza: {kind: string, size: {type: choice, options: [Small, Large]}, toppings: {type: list, of: string}MORE}
  order: {items: {type: list, of: pizza, max: 6}}
nodes:
  cart: {say: "Yes?", collect: [order.items], transitions: [{when: "size(order.items) > 50", end: done}]}
"""
Item = dict[str, Any]
values = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(["salami", "olives", "tuna"]),
        "size": st.sampled_from(["Small", "Large"]),
        "toppings": st.lists(st.sampled_from(["oil", "basil"]), max_size=2),
    },
)
wrong = st.fixed_dictionaries({"size": st.just("Huge")})
refs = st.integers(-7, 7) | st.integers(1, 12).map("i{}".format) | values
changes = st.sampled_from(
    [("kind", "tuna"), ("kind", None), ("size", "Large"), ("size", "Huge"), ("toppings", ["oil"])]
)
commands = st.one_of(
    st.builds(lambda item: c.Add(field=ITEMS, item=item), values | wrong),
    st.builds(lambda ref, change: c.Change(field=ITEMS, item=ref, name=change[0], value=change[1]), refs, changes),
    st.builds(lambda ref: c.Remove(field=ITEMS, item=ref), refs),
    st.builds(lambda ref, to: c.Move(field=ITEMS, item=ref, to=to), refs, st.integers(-7, 7)),
    st.builds(
        lambda ref, n, more: c.Copy(field=ITEMS, item=ref, count=n, changes=more), refs, st.integers(0, 3), values
    ),
    st.builds(lambda: c.Clear(field=ITEMS)),
    st.builds(lambda items: c.Set(field=ITEMS, value=items), st.lists(values, max_size=8)),
)
steps = st.lists(commands | st.just("undo"), max_size=14)


class Model:
    """The list as plain Python has it: items with ids, and how many ids were given."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.is_set = False
        self.given = 0
        self.before: list[tuple[list[Item], bool]] = []

    def find(self, ref: Any) -> int | None:
        if isinstance(ref, str):
            return next((at for at, item in enumerate(self.items) if item["id"] == ref), None)
        if isinstance(ref, int):
            return (ref - 1 if ref > 0 else len(self.items) + ref) if 1 <= abs(ref) <= len(self.items) else None
        found = [at for at, item in enumerate(self.items) if all(self._fits(item, *pair) for pair in ref.items())]
        return found[0] if len(found) == 1 else None

    def _fits(self, item: Item, name: str, value: Any) -> bool:
        if isinstance(value, list):
            return name in item and set(value) <= set(item[name])
        return item.get(name) == value

    def added(self, *items: Item) -> bool:
        if len(self.items) + len(items) > MOST or not items:
            return False
        self.is_set = False
        for item in items:
            self.given += 1
            self.items = [*self.items, {"id": f"i{self.given}", **item}]
        return True

    def apply(self, command: Any) -> bool:
        """Apply a command; return whether it is possible."""
        match command:
            case c.Add(item=item):
                return item.get("size") != "Huge" and self.added(item)
            case c.Clear():
                had, self.items, self.is_set = bool(self.items) or self.is_set, [], False
                return had
            case c.Set(value=items):
                if len(items) > MOST:
                    return False
                self.items, self.is_set = [], not items  # an empty list is a value
                return self.added(*items) or not items
        at = self.find(command.item)
        if at is None:
            return False
        item, rest = self.items[at], [*self.items[:at], *self.items[at + 1 :]]
        match command:
            case c.Change(name=name, value=value):
                if value == "Huge":
                    return False
                changed = {key: one for key, one in {**item, name: value}.items() if one is not None}
                self.items = [*self.items[:at], changed, *self.items[at + 1 :]]
            case c.Remove():
                self.items = rest
            case c.Move(to=to):
                if not 1 <= abs(to) <= len(self.items):
                    return False
                rest.insert(to - 1 if to > 0 else len(self.items) + to, item)
                self.items = rest
            case c.Copy(count=count, changes=more):
                values_ = {key: one for key, one in {**item, **more}.items() if key != "id"}
                return self.added(*[values_] * count)
        return True


def items_of(chat: Any) -> list[Item]:
    found = chat.state().values.get(ITEMS)
    return found.value if found is not None else []


def opened(flow: str = FLOW, **more: Any) -> tw.SyncApp:
    return tw.open_sync(flow_of(flow.replace("MORE", "")), clock=ManualClock(NOON_MS), **more)


@pytest.mark.law("1.6")
@SOME
@given(steps)
def test_a_list_equals_its_model_after_any_commands(taken: list[Any]) -> None:
    store = tw.MemoryStore()
    with opened(store=store) as app:
        chat, model = app.chat("main"), Model()
        chat.start()
        for one in taken:
            if one == "undo":
                if model.before:
                    chat.undo()
                    model.items, model.is_set = model.before.pop()
                continue
            model.before.append((model.items, model.is_set))
            is_possible = model.apply(one)
            turn = chat.commands([one])
            refused = [event for event in turn.events if isinstance(event, e.CommandRefused)]
            assert not refused if is_possible else len(refused) == 1, (one, refused)
            assert items_of(chat) == model.items
        assert items_of(chat) == model.items
        assert chat.replay()
        keeps_ids(store, chat)


def keeps_ids(store: tw.Store, chat: tw.SyncChat) -> None:
    """Check that a fork, an export and a migration have the same items, and go on counting."""
    items, last = items_of(chat), chat.state().last_item
    fork = chat.fork("fork")
    assert (items_of(fork), fork.state().last_item) == (items, last)
    with opened() as other:
        assert items_of(other.import_(chat.export(), conversation="copy")) == items
    with tw.open_sync(
        flow_of(FLOW.replace("MORE", ", note: string")), store=store, clock=ManualClock(NOON_MS)
    ) as newer:
        moved = newer.chat("main")
        moved.migrate()
        assert items_of(moved) == items
        moved.commands([c.Clear(field=ITEMS), c.Add(field=ITEMS, item={"note": "new"})])
        assert items_of(moved) == [{"id": f"i{last + 1}", "note": "new"}]
