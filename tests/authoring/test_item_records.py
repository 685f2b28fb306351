"""Lists of records in Python: classes whose annotations name each other, tools, guards, and a flow that is converted."""

from __future__ import annotations

from typing import Any, Literal

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.core.state import commands as c


class Pizza(tw.Record):
    kind: str | None = None
    size: Literal["Small", "Large"] | None = "Small"
    count: int | None = tw.field(1, ge=1)


class Order(tw.Record):
    items: list[Pizza] = tw.field(max_length=9)


@tw.guard(to="rest")
def has_large(order: Order) -> bool:
    return any(item.size == "Large" and item["count"] > 1 for item in order.items)


@tw.tool
def price(items: list[Pizza]) -> float:
    """Price of an order."""
    return 2.5 * sum(item["count"] for item in items)  # type: ignore[index]


def flow() -> tw.Flow:
    return tw.Flow(
        "shop",
        start="cart",
        records=[Order, Pizza],
        tools=[price],
        nodes=[
            tw.Node("cart", say="What?", collect=[Order], transitions=[has_large]),
            tw.Node("rest", say="Done.", end="done"),
        ],
    )


def test_a_class_names_the_record_of_its_items() -> None:
    (order, _) = flow().records
    assert [(field.type, field.of, field.max) for field in order.fields] == [("list", "pizza", 9)]
    assert flow().tools[0].args[0].of == "pizza"
    machine = tw.link(flow())
    assert [part.name for part in machine.fields["order.items"].parts] == ["kind", "size", "count"]
    assert [part.name for part in machine.tools["price"].args["items"].parts] == ["kind", "size", "count"]


def test_a_python_guard_reads_items_with_their_defaults() -> None:
    with tw.open_sync(flow()) as app:
        chat = app.chat("main")
        chat.start()
        chat.commands([c.Add(field="order.items", item={"kind": "a", "size": "Large"})])
        assert chat.state().node == "cart"
        turn = chat.commands([c.Change(field="order.items", item=1, name="count", value=2)])
        assert turn.state.node == "rest"


def test_commands_take_records_of_python() -> None:
    with tw.open_sync(flow()) as app:
        chat = app.chat("main")
        chat.start()
        turn = chat.commands([c.Add(field="order.items", item=Pizza(kind="a", size="Small"))])  # type: ignore[arg-type]
        assert turn.value("order.items") == [{"id": "i1", "kind": "a", "size": "Small", "count": 1}]
        turn = chat.commands([c.Set(field="order.items", value=[Pizza(kind="b")])])
        assert turn.value("order.items") == [{"id": "i2", "kind": "b", "size": "Small", "count": 1}]


@pytest.mark.parametrize("write", [tw.write_python, tw.write_yaml])
def test_a_flow_with_lists_of_records_is_converted_and_back(write: Any) -> None:
    text = write(flow_of(FLOW))
    if write is tw.write_python:
        names: dict[str, Any] = {}
        exec(compile(text, "made.py", "exec", dont_inherit=True), names)
        back = next(value for value in names.values() if isinstance(value, tw.Flow))
    else:
        back = tw.loads(text)
    assert back.records == flow_of(FLOW).records
    assert tw.link(back).fingerprint == tw.link(flow_of(FLOW)).fingerprint


FLOW = """
flow: shop
start: cart
records:
  order: {items: {type: list, of: pizza, min: 1, max: 9}}
  pizza: {kind: string, size: {type: choice, options: [Small, Large]}, day: date}
tools:
  price: {about: The price., args: {items: {type: list, of: pizza}}}
  cart_of: {about: The cart., into: order.items}
nodes:
  cart:
    say: "What?"
    collect: [order]
    transitions: [{when: size(order.items) > 1, to: sum}]
  sum: {tool: {name: price, with: {items: order.items}}, transitions: [{to: load}]}
  load: {tool: cart_of, transitions: [{to: inner}]}
  inner:
    scope:
      inherits: [pizza, order]
      returns: order
      start: change
      nodes:
        change: {say: "Inside.", collect: [order], transitions: [{when: size(order.items) > 3, end: done}]}
    transitions: [{to: rest}]
  rest: {say: "{{ order.items }}", end: done}
"""


def test_tools_take_and_give_lists_of_records_and_scopes_keep_the_ids() -> None:
    seen: list[Any] = []

    def price_of(items: list[Any]) -> float:
        seen.extend(items)
        return 1.0

    def cart_of() -> list[dict[str, Any]]:
        return [{"id": "i2", "kind": "kept"}, {"kind": "new"}, {"id": "i9", "kind": "invented"}]

    with tw.open_sync(flow_of(FLOW), tools={"price": price_of, "cart_of": cart_of}) as app:
        chat = app.chat("main")
        chat.start()
        turn = chat.commands([c.Set(field="order.items", value=[{"kind": "a", "day": "2026-01-02"}, {"kind": "b"}])])
        assert seen[0]["id"] == "i1"
        assert ids(turn.state.values["order.items"].value) == ["i2", "i3", "i4"]
        assert turn.state.node == "inner/change"
        inner = "inner/order.items"
        chat.commands([c.Remove(field=inner, item="i3"), c.Add(field=inner, item={"kind": "x"})])
        turn = chat.commands([c.Copy(field=inner, item=1)])
        assert ids(turn.state.values["order.items"].value) == ["i2", "i4", "i5", "i6"]
        assert turn.state.node == "rest"
        assert chat.replay()


def ids(items: list[Any]) -> list[str]:
    return [item["id"] for item in items]
