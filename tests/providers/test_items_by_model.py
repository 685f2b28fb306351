"""A model changes lists of records: by commands that it understood, and by the tool of the record."""

from __future__ import annotations

import json
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.core.call_names import UNDERSTANDING_TOOL
from turnwise.core.state import events as e
from turnwise.models.scripted import ScriptedModel, call

FLOW = """
flow: shop
start: cart
language: en
records:
  pizza: {kind: string, size: {type: choice, options: [Small, Large]}, count: {type: integer, min: 1, max: 9}}
  order: {items: {type: list, of: pizza, min: 2, max: 4}}
nodes:
  cart:
    prompt: Take the order.
    NODE
    transitions: [{when: "size(order.items) > 5", end: done}]
"""


def understood(
    message: str, *commands: dict[str, Any], before: tuple[dict[str, Any], ...] = ()
) -> tuple[Any, ScriptedModel, tw.Turn]:
    model = ScriptedModel(
        ["Hi.", *["Ok."] * bool(before), call(UNDERSTANDING_TOOL, commands=list(commands)), "Noted."], understands=True
    )
    app = tw.open_sync(flow_of(FLOW.replace("NODE", "collect: [order]")), model=model)
    chat = app.chat("main")
    chat.start()
    if before:
        chat.commands([tw.commands.Set(field="order.items", value=list(before))])
    return chat, model, chat.say(message)


def items(chat: Any) -> list[dict[str, Any]]:
    found = chat.state().values.get("order.items")
    return found.value if found is not None else []


def refusals(turn: tw.Turn) -> list[tuple[str, str]]:
    return [(one.command, one.reason) for one in turn.events if isinstance(one, e.CommandRefused)]


TWO = ({"kind": "salami", "size": "Small"}, {"kind": "olives", "size": "Small"})


def test_several_items_come_in_one_call() -> None:
    chat, model, turn = understood(
        "a large salami and a small one with olives",
        {
            "command": "add",
            "field": "order.items",
            "item": {"kind": "salami", "size": "Large"},
            "words": "a large salami",
        },
        {
            "command": "add",
            "field": "order.items",
            "item": json.dumps({"kind": "olives", "size": "Small"}),
            "words": "a small one with olives",
        },
    )
    assert not refusals(turn)
    assert items(chat) == [
        {"id": "i1", "kind": "salami", "size": "Large"},
        {"id": "i2", "kind": "olives", "size": "Small"},
    ]
    assert not refusals(turn)
    schema = json.dumps(model.calls[-2].tools[0].parameters)
    assert '"change"' in schema
    assert '"name"' in schema


@pytest.mark.parametrize(
    "ref", ["i2", 2, "2", -1, {"kind": "olives"}, '{"kind": "olives"}', {"id": "i2", "kind": "olives"}]
)
def test_a_model_names_an_item_in_any_way(ref: Any) -> None:
    given = {
        "command": "change",
        "field": "order.items",
        "item": ref,
        "name": "size",
        "value": "Large",
        "words": "make the second one large",
    }
    chat, model, turn = understood("make the second one large", given, before=TWO)
    assert not refusals(turn)
    assert [item["size"] for item in items(chat)] == ["Small", "Large"]
    assert "i2" in model.calls[-2].instructions[1]


def test_what_cannot_be_is_refused_item_by_item() -> None:
    chat, _, turn = understood(
        "remove the tuna, make the first large, and a huge basil",
        {"command": "remove", "field": "order.items", "item": {"kind": "tuna"}, "words": "remove the tuna"},
        {
            "command": "change",
            "field": "order.items",
            "item": 1,
            "name": "size",
            "value": "Large",
            "words": "make the first large",
        },
        {"command": "add", "field": "order.items", "item": {"kind": "basil", "count": 5}},
        before=TWO,
    )
    assert sorted(refusals(turn)) == [("add", "unsupported"), ("remove", "no_item")]
    assert [item["size"] for item in items(chat)] == ["Large", "Small"]


def written(*calls: dict[str, Any]) -> tuple[Any, list[dict[str, Any]]]:
    model = ScriptedModel(["Hi.", *[call("write_order", **one) for one in calls], "Done."])
    app = tw.open_sync(flow_of(FLOW.replace("NODE", "reads: [order]\n    writes: [order]")), model=model)
    chat = app.chat("main")
    chat.start()
    turn = chat.say("go")
    results = [one.result for one in turn.events if isinstance(one, e.CallAnswered)]
    results += [{"refused": one.text} for one in turn.events if isinstance(one, e.CallRefused)]
    return chat, results


def test_the_tool_of_a_record_adds_changes_and_removes_items() -> None:
    chat, results = written(
        {"add": {"items": [{"kind": "a"}, {"kind": "b", "count": "2"}, {"kind": "c"}]}},
        {"change": {"items": [{"id": "i2", "count": None, "size": "Large"}]}, "remove": {"items": ["i1"]}},
        {"set": {"items": [{"id": "i3", "kind": "cc"}, {"kind": "d"}]}},
    )
    assert items(chat) == [{"id": "i3", "kind": "cc"}, {"id": "i4", "kind": "d"}]
    assert results[0]["values"]["items"][1] == {"id": "i2", "kind": "b", "count": 2}
    assert results[1]["values"]["items"] == [{"id": "i2", "kind": "b", "size": "Large"}, {"id": "i3", "kind": "c"}]


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"remove": {"items": ["i9"]}}, "items: There is no item i9 in the list."),
        ({"change": {"items": [{"kind": "x"}]}}, "items: There is no item"),
        (
            {"change": {"items": [{"id": "i1", "size": "Huge"}]}},
            "items: size: That is not one of the options: Small, Large.",
        ),
        ({"add": {"items": [{"kind": "x"}, {"kin": "y"}]}}, "items: entry 2: There is no value called kin."),
        ({"add": {"items": [{}, {}, {}, {}]}}, "items: entry 4: There are at most 4 items."),
    ],
)
def test_the_tool_refuses_all_and_names_the_entry(given: dict[str, Any], text: str) -> None:
    chat, results = written({"add": {"items": [{"kind": "a"}]}}, given)
    assert text in json.dumps(results[-1])
    assert items(chat) == [{"id": "i1", "kind": "a"}]


def test_a_model_that_removes_an_item_twice_is_told_so() -> None:
    _, results = written(
        {"add": {"items": [{"kind": "a"}]}}, {"remove": {"items": ["i1"]}}, {"remove": {"items": ["i1"]}}
    )
    assert "There is no item i1" in json.dumps(results[-1])


@pytest.mark.parametrize(
    "held", [{"remove": {"items": ["i1"]}}, {"change": {"items": [{"id": "i1", "size": "Large"}]}}]
)
def test_a_removed_item_that_a_model_still_names_is_refused_by_its_id(held: dict[str, Any]) -> None:
    chat, results = written(
        {"add": {"items": [{"kind": "a"}, {"kind": "b"}]}},
        {"remove": {"items": ["i1"]}},
        {**held, "add": {"items": [{}]}},
    )
    assert "items: There is no item i1 in the list." in json.dumps(results[-1])
    assert items(chat) == [{"id": "i2", "kind": "b"}]


def test_a_removed_item_that_a_tool_gives_back_is_a_new_item_and_not_the_old_one() -> None:
    flow = flow_of("""
        flow: shop
        start: cart
        records:
          pizza: {kind: string}
          order: {items: {type: list, of: pizza}}
        tools: {cart_of: {about: load the cart, into: order.items}}
        nodes:
          cart: {say: "What?", collect: [order], transitions: [{at: before, when: size(order.items) == 1, to: load}]}
          load: {tool: cart_of, transitions: [{to: rest}]}
          rest: {say: "Loaded.", end: done}
    """)
    with tw.open_sync(flow, tools={"cart_of": lambda: [{"id": "i1", "kind": "a"}, {"id": "i2", "kind": "b"}]}) as app:
        chat = app.chat("main")
        chat.start()
        chat.commands([tw.commands.Set(field="order.items", value=[{"kind": "a"}, {"kind": "b"}])])
        turn = chat.commands([tw.commands.Remove(field="order.items", item="i1")])
        assert turn.state is not None
        assert turn.state.values["order.items"].value == [{"id": "i3", "kind": "a"}, {"id": "i2", "kind": "b"}]
        assert chat.replay()


def test_the_same_item_twice_is_two_items() -> None:
    chat, _ = written({"add": {"items": [{"kind": "a"}, {"kind": "a"}]}}, {"remove": {"items": ["i1"]}})
    assert items(chat) == [{"id": "i2", "kind": "a"}]
