"""A model reads the answer to the question which item is meant: it is told which are shown, and its choice is checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

import turnwise as tw
from support.chats import flow_of
from turnwise.core.call_names import UNDERSTANDING_TOOL
from turnwise.models.scripted import ScriptedModel, call

FLOW = """
flow: shop
start: cart
language: en
records:
  pizza: {kind: {type: choice, options: [Salami, Funghi]}, size: {type: choice, options: [Small, Medium, Large]}}
  order: {items: {type: list, of: pizza, max: 6}}
nodes:
  cart:
    form:
      fields:
        - {field: order.items, ask: Which pizzas?, more: Anything else?, label: "{{ pizza.size }} {{ pizza.kind }}"}
      confirm: {}
"""
THREE = [{"kind": "Funghi", "size": "Small"}, {"kind": "Salami", "size": "Large"}, {"kind": "Salami", "size": "Small"}]
CHANGE = {
    "words": "make the salami medium",
    "command": "change",
    "field": "order.items",
    "item": {"kind": "Salami"},
    "name": "size",
    "value": "Medium",
}


def answered(message: str, field: str) -> tuple[list[Any], ScriptedModel, tw.Turn]:
    """Return the items and the turn after a model understood a message as the choice of an item."""
    choice = {"words": message, "command": "edit", "field": field}
    model = ScriptedModel(
        [call(UNDERSTANDING_TOOL, commands=[CHANGE]), call(UNDERSTANDING_TOOL, commands=[choice])], understands=True
    )
    with tw.open_sync(flow_of(FLOW), model=model) as app:
        chat = app.chat("main")
        chat.start()
        chat.commands([tw.commands.Set(field="order.items", value=THREE)])
        asked = chat.say("make the salami medium")
        assert asked.text is not None
        assert "Which one do you mean" in asked.text
        turn = chat.say(message)
        assert turn.state is not None
        return turn.state.values["order.items"].value, model, turn


def test_a_model_is_told_which_items_are_shown_and_chooses_one() -> None:
    items, model, _ = answered("the one that I ordered for my son", "order.items[i3]")
    request = model.calls[-1]
    assert "1 is order.items[i2], 2 is order.items[i3]" in request.instructions[1]
    assert '"order.items[i3]"' in json.dumps(request.tools[0].parameters)
    assert '"order.items[i1]"' not in json.dumps(request.tools[0].parameters)
    assert [one["size"] for one in items] == ["Small", "Large", "Medium"]


@pytest.mark.law("7.3b")
@pytest.mark.parametrize(
    ("message", "field", "sizes"),
    [
        ("hmm, my son's one", "order.items[i1]", ["Small", "Large", "Small"]),  # an item that is not shown
        ("hmm, my son's one", "order.items[i9]", ["Small", "Large", "Small"]),  # none at all
        ("the second", "order.items[i2]", ["Small", "Large", "Medium"]),  # the message names the other one
        ("the small one", "order.items[i2]", ["Small", "Large", "Medium"]),
    ],
)
def test_a_choice_that_is_not_shown_or_not_said_is_not_taken(message: str, field: str, sizes: list[str]) -> None:
    items, model, turn = answered(message, field)
    assert model.calls
    assert [one["size"] for one in items] == sizes, turn.text
