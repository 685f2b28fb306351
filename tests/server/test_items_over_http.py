"""Items of lists of records over HTTP: read with their ids, changed by them, refused by name, hidden where secret."""

from __future__ import annotations

from typing import Any

import turnwise as tw
from support.chats import flow_of
from support.served import in_loop, served

SHOP = """
flow: shop
start: cart
records:
  pizza:
    kind: {type: choice, options: [Salami, Margherita, Tonno], about: the pizza}
    size: {type: choice, options: [Small, Large], about: the size}
  order: {items: {type: list, of: pizza, max: 3, about: your pizzas}, note: string}
nodes:
  cart: {say: "Yes?", collect: [order.items, order.note], transitions: [{when: "size(order.items) > 5", end: done}]}
"""
PATH = "/api/conversations/x"
ITEMS = "order.items"


async def begun(client: Any, *edits: dict[str, Any]) -> None:
    await client.post("/api/conversations", json={"flow": "shop", "name": "x"})
    if edits:
        assert (await client.patch(f"{PATH}/records", json={"items": list(edits)})).status_code == 200


def of_items(records: Any) -> Any:
    return next(one for one in records["values"] if one["field"] == ITEMS)


def change(type_: str, **values: Any) -> dict[str, Any]:
    return {"type": type_, "field": ITEMS, **values}


@in_loop
async def test_an_operator_adds_changes_moves_copies_and_removes_items_by_id() -> None:
    async with served(tw.open(flow_of(SHOP))) as client:
        await begun(
            client, change("add", item={"kind": "Salami"}), change("add", item={"kind": "Tonno", "size": "Small"})
        )
        edits = [
            change("change", item="i2", name="size", value="Large"),
            change("copy", item="i2", changes={"kind": "Margherita"}),
            change("move", item="i3", to=1),
            change("remove", item="i1"),
        ]
        edited = (await client.patch(f"{PATH}/records", json={"items": edits})).json()
        for found in (
            edited["records"],
            (await client.get(f"{PATH}/records")).json(),
            (await client.get(f"{PATH}/state")).json(),
        ):
            view = of_items(found)
            assert view["value"] == [
                {"id": "i3", "kind": "Margherita", "size": "Large"},
                {"id": "i2", "kind": "Tonno", "size": "Large"},
            ]
        assert [one["id"] for one in view["before"]] == ["i1", "i2"]
        assert view["most"] == 3
        assert [(part["name"], part["title"], part["options"]) for part in view["item_fields"]] == [
            ("kind", "the pizza", ["Salami", "Margherita", "Tonno"]),
            ("size", "the size", ["Small", "Large"]),
        ]


@in_loop
async def test_a_refused_change_is_named_by_its_place_and_nothing_is_done() -> None:
    async with served(tw.open(flow_of(SHOP))) as client:
        await begun(client, change("add", item={"kind": "Salami"}))
        edits = [
            change("change", item="i1", name="size", value="Large"),
            change("change", item="i1", name="kind", value="Ham"),
            change("remove", item="i9"),
        ]
        answer = await client.patch(f"{PATH}/records", json={"items": edits})
        assert answer.status_code == 422
        faults = {one["at"]: one["message"] for one in answer.json()["errors"]}
        assert faults.keys() == {"/items/1", "/items/2"}
        assert "Salami, Margherita, Tonno" in faults["/items/1"]
        assert "i9" in faults["/items/2"]
        assert of_items((await client.get(f"{PATH}/records")).json())["value"] == [{"id": "i1", "kind": "Salami"}]


@in_loop
async def test_a_change_without_what_it_needs_is_refused_by_its_shape() -> None:
    async with served(tw.open(flow_of(SHOP))) as client:
        await begun(client)
        answer = await client.patch(f"{PATH}/records", json={"items": [{"type": "set", "field": ITEMS, "value": []}]})
        assert answer.status_code == 422
        answer = await client.patch(f"{PATH}/records", json={})
        assert "'items'" in answer.json()["detail"]


@in_loop
async def test_why_answers_about_an_item_by_position_and_by_id() -> None:
    async with served(tw.open(flow_of(SHOP))) as client:
        await begun(client, change("add", item={"kind": "Salami"}))
        for name in ("order.items[0].kind", "item order.items[i1].kind"):
            answer = (await client.get(f"{PATH}/why", params={"subject": name})).json()
            assert answer["subject"] == {"kind": "item", "name": "order.items[i1].kind"}
            assert answer["line"].startswith("item 1 (Salami) was added to order.items")
        wrong = await client.get(f"{PATH}/why", params={"subject": "order.items[5]"})
        assert (wrong.status_code, "order.items[0]" in wrong.text) == (422, True)


@in_loop
async def test_readers_without_the_right_see_no_value_of_a_secret_list() -> None:
    flow = flow_of(
        SHOP.replace("max: 3,", "max: 3, secret: true,").replace(
            "options: [Salami, Margherita, Tonno]", "options: [Truffle, Tonno]"
        )
    )
    async with served(tw.open(flow), keys=True) as client:
        admin, reader = client.as_("root", "admin"), client.as_("eve", "debug:read", "chat", "operator")
        await client.post("/api/conversations", json={"flow": "shop", "name": "x"}, headers=reader)
        path = "/api/conversations/eve:x"
        edits = [
            change("add", item={"kind": "Tonno"}),
            change("copy", item="i1", changes={"kind": "Truffle", "size": "Small"}),
            change("change", item="i1", name="kind", value="Truffle"),
            change("remove", item={"kind": "Truffle", "size": "Small"}),
        ]
        edited = await client.patch(f"{path}/records", json={"items": edits}, headers=admin)
        assert edited.status_code == 200, edited.text
        for place in (
            "records",
            "state",
            "events",
            "trace?turn=2",
            "transcript",
            "why?subject=order.items[i1].kind",
            "why?subject=2",
        ):
            answer = await client.get(f"{path}/{place}", headers=reader)
            assert answer.status_code == 200, (place, answer.text)
            shown = answer.text.replace('"options":["Truffle","Tonno"]', "")
            assert "Truffle" not in shown, place
            assert "Tonno" not in shown, place


CARD = """
flow: shop
start: cart
records:
  pizza: {kind: {type: string, about: the pizza}, size: {type: choice, options: [Small, Large]}}
  order: {items: {type: list, of: pizza, SECRET}}
tools: {send: {about: send the order, kind: effect, confirm: true, args: {items: {type: list, of: pizza, about: what}}}}
nodes:
  cart:
    form: {fields: [{field: order.items, ask: "Which pizzas?", more: "Another one?"}], confirm: {}}
    transitions: [{at: after, when: form.status == "confirmed", to: send}]
  send: {tool: {name: send, with: {items: order.items}}, transitions: [{to: end}]}
  end: {say: "Sent.", end: done}
"""
TWO = [{"kind": "Salami", "size": "Large"}, {"kind": "Tonno", "size": "Small"}]


async def card(client: Any, **event: Any) -> Any:
    return (await client.post(f"{PATH}/turns", json=event)).json()


@in_loop
async def test_the_cards_to_confirm_and_to_approve_have_the_items_as_rows() -> None:
    app = tw.open(flow_of(CARD.replace("SECRET", "secret: false")), tools={"send": lambda items: "sent"})
    async with served(app) as client:
        await begun(client, *[change("add", item=item) for item in TWO])
        turn = await card(client, text="no")
        (listed,) = [one for one in turn["form"]["items"] if one["field"] == ITEMS]
        assert listed["items"] == {
            "columns": ["the pizza", "size"],
            "rows": [{"id": "i1", "cells": ["Salami", "Large"]}, {"id": "i2", "cells": ["Tonno", "Small"]}],
        }
        await card(client, text="yes")
        (held,) = (await client.get(f"{PATH}/approvals")).json()
        assert held["arguments"][0]["items"]["rows"] == listed["items"]["rows"]


@in_loop
async def test_a_message_says_what_became_of_the_items_that_it_is_about() -> None:
    async with served(tw.open(flow_of(SHOP))) as client:
        await begun(client)
        for text in ("a large salami pizza and a small tonno", "make the second one large", "remove the salami"):
            assert (await client.post(f"{PATH}/turns", json={"text": text})).status_code == 200
        shown = (await client.get(f"{PATH}/transcript")).json()["messages"]
        found = [[(one["field"], one["did"], one["value"]) for one in message["understood"]] for message in shown]
        assert [one for one in found if one] == [
            [
                ("order.items[i1]", "added", {"kind": "Salami", "size": "Large"}),
                ("order.items[i2]", "added", {"kind": "Tonno", "size": "Small"}),
            ],
            [("order.items[i2].size", "changed", "Large")],
            [("order.items[i1]", "removed", None)],
        ]


@in_loop
async def test_each_item_that_was_understood_has_its_position_and_all_of_its_values() -> None:
    async with served(tw.open("examples/pizza/pizza.flow.yaml")) as client:
        await client.post("/api/conversations", json={"flow": "pizza", "name": "two"})
        for text in ("two small funghis", "make the second one large", "no cheese on the first", "remove the first"):
            await client.post("/api/conversations/two/turns", json={"text": text})
        messages = (await client.get("/api/conversations/two/transcript")).json()["messages"]
        shown = [
            (one["did"], one["item"]["number"], one["item"]["text"])
            for message in messages
            for one in message["understood"]
        ]
        assert shown == [
            ("added", 1, "Small Funghi"),
            ("added", 2, "Small Funghi"),
            ("changed", 2, "Large Funghi"),
            ("changed", 1, "Small Funghi without Cheese"),
            ("removed", 1, "Small Funghi without Cheese"),
        ]
