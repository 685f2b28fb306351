"""What guards read of lists of records: values of items, indexing, macros, sums."""

from __future__ import annotations

from typing import Any

import pytest

from support.chats import machine_of, problems_of, talk
from turnwise.core.guards import Env, GuardFault, Recorded
from turnwise.core.guards.compile import Compiler
from turnwise.core.state import FieldValue
from turnwise.core.state import commands as c
from turnwise.flow.guard import parse

FLOW = """
    flow: shop
    start: cart
    records:
      pizza:
        kind: string
        size: {type: choice, options: [Small, Large], default: Small}
        price: number
        count: {type: integer, default: 1}
        toppings: {type: list, of: string}
        ready: duration
        day: date
      order: {items: {type: list, of: pizza}, numbers: {type: list, of: integer}, total: {type: number, value: "order.items.map(i, i.price * i.count).sum()"}}
    nodes:
      cart: {say: "Yes?", collect: [order], transitions: [{when: "size(order.items) > 1", end: done}]}
"""
ITEMS = [
    {"id": "i1", "kind": "salami", "size": "Large", "price": 9.5, "ready": 60, "day": "2026-01-02"},
    {
        "id": "i4",
        "kind": "olives",
        "price": 7,
        "count": 2,
        "toppings": ["basil", "oil"],
        "ready": 120,
        "day": "2026-01-01",
    },
]
MACHINE = machine_of(FLOW)


def value_of(text: str, items: Any = ITEMS) -> Any:
    fields = {"order.numbers": FieldValue([3, 1, 2], "set", 1, 0)}
    if items is not None:
        fields["order.items"] = FieldValue(items, "set", 1, 0)
    try:
        return Compiler(MACHINE.names).term(parse(text)).run(Env(fields, Recorded({})))
    except GuardFault as fault:
        return str(fault)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('order.items.exists(i, i.size == "Large")', True),
        ('order.items.all(i, i.size == "Large")', False),
        ("order.items.filter(i, i.price > 8).map(i, i.kind)", ["salami"]),
        ("size(order.items)", 2),
        ("order.items[0].kind", "salami"),
        ("order.items[1].size", "Small"),
        ("order.items[1].toppings[0]", "basil"),
        ('order.items["i4"].kind', "olives"),
        ('order.items["i2"].kind', None),
        ("order.items[2].kind", None),
        ("order.items[size(order.items) - 1].kind", "olives"),
        ("has(order.items[1].toppings)", True),
        ("has(order.items[0].toppings)", False),
        ("has(order.items[7])", False),
        ("order.items[0].id", "i1"),
        ("order.items.map(i, i.price * i.count).sum()", 23.5),
        ("order.items.map(i, i.price).min()", 7),
        ("order.items.map(i, i.day).max()", "2026-01-02"),
        ('string(order.items.map(i, i.ready).sum()) == "3m"', True),
        ('order.items.map(i, i.kind + " (" + i.size + ")").join(", ")', "salami (Large), olives (Small)"),
        ("order.items.map(i, i.kind).join()", "salamiolives"),
        ("order.items.exists(i, i.toppings.exists(t, t == i.kind))", False),
        ("order.numbers[0] + order.numbers.max()", 6),
        ("order.numbers.sum()", 6),
    ],
)
def test_guards_read_items(text: str, value: Any) -> None:
    assert value_of(text) == value


@pytest.mark.law("1.3")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("size(order.items)", 0),
        ("order.items.exists(i, true)", False),
        ("order.items.all(i, false)", True),
        ("order.items.map(i, i.count).sum()", 0),
        ("order.items.map(i, i.count).min()", None),
        ("order.items[0].kind", None),
        ('order.items.map(i, i.kind).join(", ")', ""),
        ("has(order.items)", False),
    ],
)
def test_a_list_without_a_value_is_the_empty_list(text: str, value: Any) -> None:
    assert value_of(text, None) == value


def test_a_missing_value_of_an_item_is_unknown() -> None:
    items = [{"id": "i1", "kind": "x"}]
    assert value_of("order.items.map(i, i.price).sum()", items) is None
    assert value_of("order.items.exists(i, i.price > 3)", items) is None
    assert value_of("order.items.map(i, default(i.price, 0.0)).sum()", items) == 0


@pytest.mark.parametrize(
    ("guard", "problem"),
    [
        ("order.items.exists(i, i.sise == 'x')", "TW031 an item of 'pizza' has no 'sise' did you mean 'size'?"),
        ("order.items[0].length > 1", "TW031"),
        ("order.items.exists(i, i.price > 'x')", "TW032"),
        ("order.items.sum() > 1", "TW032 sum() does not take a list of 'pizza' take a value of each first"),
        ("order.items['x'] == 3", "TW032"),
        ("order.items.join(3) == ''", "TW032 join() takes a list and a text"),
        ("order.items > 3", "TW032"),
        ("order.items[0] > 3", "TW032"),
        ("order.numbers['i1'] == 3", "TW032 the items of a list are counted from 0, this is a text"),
        ("order.items.map(i) == []", "TW032 map() takes a name and an expression"),
    ],
)
def test_wrong_guards_are_found(guard: str, problem: str) -> None:
    found = problems_of(FLOW.replace('"size(order.items) > 1"', f'"{guard}"'))
    assert found
    assert problem.split(maxsplit=1)[0] in found[0]
    assert problem.partition(" ")[2].split(" take a value")[0].split(" did you")[0] in found[0]


def test_a_derived_field_follows_each_change_of_an_item() -> None:
    made = talk(FLOW)
    made.chat.start()
    made.chat.commands([c.Add(field="order.items", item={"price": 5, "count": 3})])
    assert made.chat.state().values["order.total"].value == 15
    made.chat.commands([c.Change(field="order.items", item=1, name="count", value=2)])
    assert made.chat.state().values["order.total"].value == 10
    made.chat.commands([c.Remove(field="order.items", item=1)])
    assert made.chat.state().values["order.total"].value == 0
