"""Law 7.1a for lists of records: what a model understood of their items must be borne out by the message."""

from __future__ import annotations

from typing import Any

import pytest

from turnwise.core.prompts import ModelRequest
from turnwise.core.prompts.understanding import TOOL_NAME, read_understanding, understanding_request
from turnwise.core.state import commands as c
from turnwise.core.state.effects import Call
from turnwise.understanding import says_other
from utterances.item_lists import allowed_of

FIELD = "order.pizzas"
Given = dict[str, Any]


def read(message: str, *given: Given, situation: str = "pizzas") -> list[c.AnyCommand]:
    allowed = allowed_of(situation)
    field = allowed.fields[0].address
    calls = [Call("1", TOOL_NAME, {"commands": [{"field": field, **one} for one in given]})]
    commands, claims = read_understanding(calls, message, allowed, "", says_other)
    assert not claims
    return list(commands)


def objections(message: str, *given: Given, situation: str = "pizzas") -> list[str]:
    return [one.objection for one in read(message, *given, situation=situation)]


def a(command: str, words: str = "", **more: Any) -> Given:
    return {"command": command, **more} | ({"words": words} if words else {})


SUPPORT = [
    ("a large salami", a("add", item={"kind": "Salami", "size": "Large"})),
    ("a large salami, you know the one", a("add", "a large salami", item={"kind": "Salami", "size": "Large"})),
    ("something for two", a("add", "something for two", item={"size": "Large"})),
    ("make the second one small, will you?", a("change", "second one small", item="i2", name="size", value="Small")),
    ("no olives on the first", a("change", "no olives on the first", item="i1", name="extras", value=[])),
    ("no garlic on my salami", a("change", item="i2", name="extras", value=["Onions"])),
    ("we are one less, so the hawaii can go", a("remove", "the hawaii can go", item="i3")),
    ("the salami should come first", a("move", "the salami should come first", item="i2", to=1)),
    ("my brother wants what I have: the last one", a("copy", "wants what I have", item="i3")),
    ("the hawaii again, in large", a("copy", item="i3", changes={"size": "Large"})),
    ("remove the second", a("remove", "remove the second", item="i2")),
    ("replace the hawaii with a funghi", a("add", "a funghi", item={"kind": "Funghi"})),
]
NO_SUPPORT = [
    ("hello there", a("add", item={"kind": "Salami"}), "unsupported"),
    ("hello there", a("remove", "hello", item="i1"), "unsupported"),
    ("what does the second cost?", a("remove", "what does the second cost", item="i2"), "unsupported"),
    ("what does the second cost?", a("copy", "the second", item="i2"), "unsupported"),
    ("a large salami", a("add", "a small salami", item={"kind": "Salami", "size": "Small"}), "misquoted"),
    ("not a salami please", a("add", "not a salami", item={"kind": "Salami"}), "unsupported"),
    ("a salami or a hawaii", a("add", "a salami", item={"kind": "Salami"}), "unsupported"),
    ("a large salami", a("add", item={"kind": "Salami", "size": "Small"}), "unsupported"),
    ("a large salami", a("add", "a large salami", item={"kind": "Funghi", "size": "Large"}), "unsupported"),
    ("remove the second", a("remove", "remove the second", item="i3"), "unsupported"),
    ("make the second one small", a("change", item="i1", name="size", value="Small"), "unsupported"),
    ("make the second one small", a("change", "small", item="i2", name="size", value="Medium"), "unsupported"),
    ("the same again", a("copy", item="i1"), "unsupported"),
]


@pytest.mark.law("7.1a", "7.3b")
@pytest.mark.parametrize(("message", "given"), SUPPORT)
def test_what_the_message_says_of_an_item_is_believed(message: str, given: Given) -> None:
    assert objections(message, given) == [""]


@pytest.mark.law("7.1a", "7.3b")
@pytest.mark.parametrize(("message", "given", "objection"), NO_SUPPORT)
def test_what_the_message_does_not_say_of_an_item_is_refused(message: str, given: Given, objection: str) -> None:
    assert objections(message, given) == [objection]


@pytest.mark.law("7.1a")
def test_a_number_of_an_item_is_compared_with_its_words() -> None:
    twelve = a("change", "twelve", item="i2", name="quantity", value=20)
    assert objections("the pens, I need twelve, if you have them", twelve, situation="cart") == ["unsupported"]
    twenty = a("change", "twenty", item="i2", name="quantity", value=20)
    assert objections("the pens, I need twenty, if you have them", twenty, situation="cart") == [""]


@pytest.mark.law("7.1a")
def test_a_placeholder_is_no_value_of_an_item() -> None:
    assert objections("one more passenger", a("add", item={"name": "unknown"}), situation="trip") == ["no_value"]


def test_objects_and_numbers_that_a_model_sends_as_text_are_read() -> None:
    found = read(
        "a large salami, and remove the third, oh and the salami large, and the second up",
        a("add", "a large salami", item='{"kind": "Salami", "size": "Large"}'),
        a("remove", "remove the third", item="3"),
        a("change", "the salami large", item='{"id": "i2", "kind": "Salami"}', name="size", value="Large"),
        a("move", "the second up", item="i2", to="1"),
        a("copy", "the second", item="i2", count="2", changes='{"size": "Large"}'),
    )
    assert isinstance(found[0], c.Add)
    assert found[0].item == {"kind": "Salami", "size": "Large"}
    assert [getattr(one, "item", None) for one in found[1:]] == [3, "i2", "i2", "i2"]
    assert isinstance(found[3], c.Move)
    assert found[3].to == 1
    assert isinstance(found[4], c.Copy)
    assert (found[4].count, found[4].changes) == (2, {"size": "Large"})


def test_a_model_is_shown_the_items_with_their_ids_and_values() -> None:
    allowed = allowed_of("pizzas")
    request = understanding_request("hi", allowed, (), "m", node="n")
    text = "\n".join(request.instructions)
    assert "item 2, id i2: kind: 'Salami', size: 'Large', extras: ['Onions', 'Garlic']" in text
    assert "size (choice): Size; one of: Small, Medium (also: regular), Large (also: big)" in text
    added, others = (schemas_of(request, command)[0] for command in ("add", "change"))
    assert list(added["properties"]["item"]["properties"]) == ["kind", "size", "extras"]
    assert "required" not in added["properties"]["item"]
    assert others["properties"]["command"]["enum"] == ["change", "remove", "move", "copy"]
    assert others["properties"]["name"]["enum"] == ["kind", "size", "extras"]
    by_id, by_place, by_values = others["properties"]["item"]["anyOf"]
    assert (by_id["type"], by_place["type"]) == ("string", "integer")
    assert list(by_values["properties"]) == ["kind", "size", "extras"]
    assert {"to", "count", "changes"} <= set(others["properties"])
    assert [*added["required"], *others["required"]] == ["words", "command", "field", "item"] * 2


def schemas_of(request: ModelRequest, command: str) -> list[dict[str, Any]]:
    """The schemas of a command in a request."""
    found = request.tools[0].parameters["properties"]["commands"]["items"]["anyOf"]
    return [one for one in found if command in one["properties"]["command"]["enum"]]


def test_a_model_of_a_plain_list_is_shown_no_words_for_items() -> None:
    allowed = allowed_of("pizzas")
    plain = allowed.fields[0].field.parts[2]
    field = type(allowed.fields[0])("order.extras", plain, "Extras")
    request = understanding_request("hi", type(allowed)("en", "UTC", 0, (field,), ("add", "remove")), (), "m", node="n")
    (schema,) = schemas_of(request, "add")
    assert set(schema["properties"]) == {"words", "command", "field", "item", "confidence"}
    assert "list of items" not in request.instructions[0]
