"""Why a form asks for an item of a list, which one, and whether another follows (law 5.17)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import turnwise as tw

FLOW = """
flow: pizzeria
start: order
records:
  pizza: {size: {type: choice, options: [Small, Large]}, kind: {type: choice, options: [Salami, Tonno]}}
  order: {items: {type: list, of: pizza, max: 4}, street: string}
nodes:
  order:
    form:
      fields:
        - field: order.items
          more: Anything else?
          items: [{field: size, ask: Which size?}, {field: kind, ask: Which pizza?}]
        - {field: order.street, ask: Where to?}
"""


@pytest.fixture
def chat() -> Iterator[tw.SyncChat]:
    with tw.open_sync(tw.loads(FLOW)) as app:
        chat = app.chat("1")
        chat.start()
        yield chat


def said(chat: tw.SyncChat, *messages: str) -> None:
    for message in messages:
        chat.say(message)


@pytest.mark.law("5.17")
def test_why_says_which_question_of_which_item_is_open(chat: tw.SyncChat) -> None:
    said(chat, "large", "tonno", "yes", "small")
    assert "it is about item 2 of order.items" in str(chat.why("pizza.kind"))


@pytest.mark.law("5.17")
def test_why_says_why_another_item_is_asked_about(chat: tw.SyncChat) -> None:
    said(chat, "large", "tonno")
    text = str(chat.why("order.items"))
    assert "order.items is asked for another item because it has 1 of at most 4" in text
    assert "the item of order.items for which it was asked is done with" in str(chat.why("pizza.size"))


@pytest.mark.law("5.17")
def test_undo_brings_the_half_item_back_and_ids_are_not_given_again(chat: tw.SyncChat) -> None:
    said(chat, "large", "tonno")
    chat.undo()
    assert chat.state().values["pizza.size"].value == "Large"
    said(chat, "salami")
    assert [one["id"] for one in chat.state().values["order.items"].value] == ["i2"]


@pytest.mark.law("5.17")
def test_the_form_as_data_has_the_item_only_while_it_is_asked_for(chat: tw.SyncChat) -> None:
    turn = chat.say("large")
    assert turn.form is not None
    assert turn.form["asked"] == "pizza.kind"
    assert turn.form["answers"] == {"pizza.size": "Large"}
    turn = chat.say("tonno")
    assert turn.form is not None
    assert turn.form["answers"] == {"order.items": [{"id": "i1", "size": "Large", "kind": "Tonno"}]}
    assert turn.form["asked"] == "order.items"
    assert turn.form["progress"] == 50
