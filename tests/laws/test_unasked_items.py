"""Law 7.1a: while another question is open, a model gives items of a list only values that the message names."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

import turnwise as tw
from support.shell import ROOT
from turnwise.api.documents import link_checked
from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.prompts.understanding import TOOL_NAME, read_understanding
from turnwise.core.state import events as e
from turnwise.core.state.effects import Call
from turnwise.models.scripted import ScriptedModel, understood_reply
from turnwise.understanding import says_other

pytestmark = pytest.mark.law("7.1a")

PIZZA = ROOT / "examples" / "pizza" / "pizza.flow.yaml"
COMMANDS = ("set", "clear", "add", "remove", "change", "move", "copy", "affirm", "deny", "edit", "cancel", "ask")
HAS = [{"id": "1", "kind": "Salami", "size": "Small"}, {"id": "2", "kind": "Margherita", "size": "Small"}]


class Row(NamedTuple):
    """A message at the question for the address, and what a model proposes for the pizzas."""

    message: str
    command: dict[str, Any]
    words: str = ""

    def proposed(self) -> dict[str, Any]:
        return {"field": "order.pizzas", "words": self.words or self.message, **self.command}


def add(**item: Any) -> dict[str, Any]:
    return {"command": "add", "item": item}


def change(item: str, name: str, value: Any) -> dict[str, Any]:
    return {"command": "change", "item": item, "name": name, "value": value}


RIGHT = [
    Row("and a small funghi", add(kind="Funghi", size="Small")),
    Row("one more margherita, medium", add(kind="Margherita", size="Medium")),
    Row("oh, and a mushroom one, large", add(kind="Funghi", size="Large")),
    Row("make the salami large", change("1", "size", "Large")),
    Row("two more please, both small salami", add(kind="Salami", size="Small")),
    Row(
        "Main Street 5, and a large four cheese please",
        add(kind="Quattro Formaggi", size="Large"),
        "a large four cheese",
    ),
    Row("the second should be medium", change("2", "size", "Medium")),
    Row("remove the salami", {"command": "remove", "item": "1"}),
    Row("12 Oak Road. Also a Margherita in small", add(kind="Margherita", size="Small"), "a Margherita in small"),
    Row("another margherita", add(kind="Margherita")),
]
WRONG = [
    Row("Main Street 5", add(kind="Salami", size="Large")),
    Row("12 Oak Road", change("1", "size", "Large")),
    Row("to my office", add(kind="Margherita", size="Small")),
    Row("and a margherita", add(kind="Margherita", size="Large")),
    Row("please hurry up", change("1", "size", "Small")),
    Row("the blue house", change("1", "kind", "Funghi")),
    Row("Bob's place, second floor", add(kind="Salami", size="Medium")),
    Row("third door on the left", change("2", "without", ["Olives"])),
    Row("same as last time", add(kind="Salami", size="Large")),
    Row("number nine", change("2", "size", "Large")),
    Row("the usual", {"command": "set", "value": [{"kind": "Funghi", "size": "Large"}]}),
    Row("at the hospital", change("2", "kind", "Quattro Formaggi")),
]


def objection(row: Row, asked: str = "order.address", question: Any = "field") -> str:
    machine = link_checked(tw.load(PIZZA))
    pizzas = AllowedField("order.pizzas", machine.fields["order.pizzas"], "What would you like?", HAS)
    address = AllowedField(
        "order.address", machine.fields["order.address"], "Where shall we bring it?", is_free_text=True
    )
    allowed = AllowedInput("en", "UTC", 0, (pizzas, address), COMMANDS, asked=asked, last=asked, question=question)
    calls = [Call("1", TOOL_NAME, {"commands": [row.proposed()]})]
    (found,), _ = read_understanding(calls, row.message, allowed, "", says_other)
    return found.objection


@pytest.mark.parametrize("row", RIGHT, ids=lambda row: row.message)
@pytest.mark.parametrize("question", ["field", "confirmation"])
def test_what_a_message_names_is_given_to_an_item(row: Row, question: str) -> None:
    assert not objection(row, "order.address" if question == "field" else "", question)


@pytest.mark.parametrize("row", WRONG, ids=lambda row: row.message)
@pytest.mark.parametrize("question", ["field", "confirmation"])
def test_what_it_does_not_name_is_not(row: Row, question: str) -> None:
    assert objection(row, "order.address" if question == "field" else "", question) in ("not_named", "unsupported")


def test_at_the_question_for_the_list_words_may_mean_a_value_in_any_way() -> None:
    assert not objection(Row("the one for hungry people", change("1", "size", "Large")), "order.pizzas")


def test_an_item_that_is_not_named_is_no_order_and_the_address_is_kept() -> None:
    pizza = {
        "command": "add",
        "field": "order.pizzas",
        "item": {"kind": "Salami", "size": "Small"},
        "words": "small salami",
    }
    more = {**pizza, "item": {"kind": "Funghi", "size": "Large"}, "words": "Main Street 5"}
    address = {"command": "set", "field": "order.address", "value": "Main Street 5", "words": "Main Street 5"}
    replies = [
        understood_reply(pizza),
        understood_reply(more, address),
    ]
    with tw.open_sync(PIZZA, model=ScriptedModel(replies, understands=True)) as app:
        chat = app.chat("ada")
        for message in ("a small salami", "no", "Main Street 5"):
            turn = chat.say(message)
        assert [one["kind"] for one in turn.state.values["order.pizzas"].value] == ["Salami"]
        assert turn.state.values["order.address"].value == "Main Street 5"
        assert [one.reason for one in turn.events if isinstance(one, e.CommandRefused)] == ["not_named"]
        assert chat.replay()
