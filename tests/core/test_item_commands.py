"""Commands on lists of records: items by id, position or content, ids that are never used again, refusals one by one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.chats import Talk, machine_of, problems_of, talk
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.codec import decode_entry, decode_state, encode_entry, encode_state
from turnwise.core.values import read_value
from turnwise.core.values.from_model import as_declared
from turnwise.core.values.schema import value_schema

ITEMS = "order.items"
SHOP = """
    flow: shop
    start: cart
    limits: {{list_bytes: {bytes}}}
    records:
      pizza:
        kind: string
        size: {{type: choice, options: [Small, Large]}}
        toppings: {{type: list, of: string}}
        count: {{type: integer, min: 1, max: 9, validate: 'pizza.size != "Large" || pizza.count < 4', refuse: "No more than 3 large ones."}}
      order:
        items: {{type: list, of: pizza, min: 2, max: {most}, validate: 'size(order.items) != 3', refuse: "Three are unlucky."}}
        plain: {{type: list, of: string}}
    nodes:
      cart:
        say: "Your order: {{{{ order.items }}}}"
        collect: [order.items, order.plain]
        transitions: [{{when: "order.plain == ['end']", end: done}}]
"""


def shop(most: int = 20, max_bytes: int = 262_144) -> Talk:
    made = talk(SHOP.format(most=most, bytes=max_bytes))
    made.chat.start()
    return made


def add(**values: Any) -> c.Add:
    return c.Add(field=ITEMS, item=values)


def items(made: Talk) -> list[dict[str, Any]]:
    found = made.chat.state().values.get(ITEMS)
    return found.value if found is not None else []


def kinds(made: Talk) -> str:
    return " ".join(f"{item['id']}:{item.get('kind', '-')}" for item in items(made))


def refusals(made: Talk, *commands: c.AnyCommand) -> list[e.CommandRefused]:
    turn = made.chat.commands(commands)
    return [event for event in turn.events if isinstance(event, e.CommandRefused)]


def two() -> Talk:
    made = shop()
    made.chat.commands(
        [add(kind="Salami", size="Large"), add(kind="Olives", size="Small", toppings=["olives", "basil"])]
    )
    return made


def test_items_get_ids_and_keep_them() -> None:
    made = two()
    assert items(made) == [
        {"id": "i1", "kind": "Salami", "size": "Large"},
        {"id": "i2", "kind": "Olives", "size": "Small", "toppings": ["olives", "basil"]},
    ]
    made.chat.commands([c.Copy(field=ITEMS, item="i1", count=2, changes={"size": "Small"})])
    assert [item["size"] for item in items(made)] == ["Large", "Small", "Small", "Small"]
    made.chat.commands([c.Move(field=ITEMS, item="i4", to=1), c.Move(field=ITEMS, item="i2", to=-1)])
    assert kinds(made) == "i4:Salami i1:Salami i3:Salami i2:Olives"


@pytest.mark.parametrize(
    ("ref", "id_"),
    [
        ("i2", "i2"),
        (1, "i1"),
        (-1, "i2"),
        ({"kind": "OLIVES"}, "i2"),
        ({"size": "large"}, "i1"),
        ({"toppings": ["basil"]}, "i2"),
    ],
)
def test_an_item_is_named_by_its_id_its_position_or_its_values(ref: Any, id_: str) -> None:
    made = two()
    assert not refusals(made, c.Change(field=ITEMS, item=ref, name="kind", value="Other"))
    assert [item["id"] for item in items(made) if item["kind"] == "Other"] == [id_]


@pytest.mark.parametrize(
    ("command", "reason", "text"),
    [
        (c.Remove(field=ITEMS, item="i9"), "no_item", "There is no item i9 in the list."),
        (c.Remove(field=ITEMS, item=0), "no_position", "There is no position 0: the list has 2 items."),
        (c.Remove(field=ITEMS, item=3), "no_position", "There is no position 3: the list has 2 items."),
        (c.Move(field=ITEMS, item=1, to=-3), "no_position", "There is no position -3: the list has 2 items."),
        (c.Remove(field=ITEMS, item={"kind": "Tuna"}), "no_item", "That is not in the list."),
        (
            c.Remove(field=ITEMS, item={}),
            "several_items",
            "Several items fit that: 1: Salami, Large; 2: Olives, Small, olives, basil. Please say which one.",
        ),
        (
            c.Remove(field=ITEMS, item={"colour": "red"}),
            "unknown_argument",
            "There is no value called colour. (known: count, kind, size, toppings)",
        ),
        (
            c.Change(field=ITEMS, item=2, name="size", value="Huge"),
            "option",
            "size: That is not one of the options: Small, Large.",
        ),
        (
            c.Change(field=ITEMS, item=2, name="sise", value="Large"),
            "unknown_argument",
            "sise: There is no value called sise. (did you mean 'size'?)",
        ),
        (c.Change(field=ITEMS, item=1, name="count", value=5), "validate", "count: No more than 3 large ones."),
        (c.Copy(field=ITEMS, item=1, count=0), "min", "That is less than 1."),
        (add(kind="Tuna"), "validate", "Three are unlucky."),
        (c.Add(field=ITEMS, item="a salami"), "item", "That is no item: its values are needed, each with its name."),
        (c.Change(field="order.plain", item=1, name="kind", value="x"), "no_list", ""),
    ],
)
def test_a_command_is_refused_with_its_reason(command: c.AnyCommand, reason: str, text: str) -> None:
    made = two()
    before = items(made)
    refused = refusals(made, command)
    assert [one.reason for one in refused] == [reason]
    assert not text or refused[0].text == text
    assert items(made) == before


def test_each_command_is_refused_by_itself() -> None:
    made = two()
    refused = refusals(
        made,
        c.Change(field=ITEMS, item="i1", name="size", value="Huge"),
        c.Change(field=ITEMS, item="i2", name="size", value="Large"),
    )
    assert [(one.item, one.name) for one in refused] == [("i1", "size")]
    assert items(made)[1]["size"] == "Large"


def test_a_list_is_never_longer_than_its_bound() -> None:
    made = shop(most=2)
    refused = refusals(made, add(kind="a"), add(kind="b"), add(kind="c"), c.Copy(field=ITEMS, item=1))
    assert [(one.command, one.text) for one in refused] == [
        ("add", "There are at most 2 items."),
        ("copy", "There are at most 2 items."),
    ]
    assert kinds(made) == "i1:a i2:b"


def test_a_list_has_a_bound_in_bytes() -> None:
    made = shop(max_bytes=100)
    refused = refusals(
        made, add(kind="a" * 40), add(kind="b" * 40), c.Change(field=ITEMS, item=1, name="kind", value="c" * 90)
    )
    assert [one.reason for one in refused] == ["list_bytes", "list_bytes"]
    assert refused[0].text == "The list is too long: it may have 100 bytes."


def test_two_hundred_long_items_are_refused_with_the_name_of_the_limit() -> None:
    made = shop(most=300)
    refused = refusals(made, c.Set(field=ITEMS, value=[{"kind": "x" * 10_000}] * 200))
    assert [one.reason for one in refused] == ["list_bytes"]
    refused = refusals(made, c.Set(field=ITEMS, value=[{"kind": "x"}] * 201))
    assert [one.reason for one in refused] == ["items"]


def test_a_list_that_is_set_as_a_whole_says_what_is_wrong_with_each_item() -> None:
    refused = refusals(two(), c.Set(field=ITEMS, value=[{"size": "Huge"}, {"kind": "ok"}, {"kin": "x"}]))
    assert refused[0].text == (
        "Item 1: size: That is not one of the options: Small, Large. "
        "Item 3: There is no value called kin. (did you mean 'kind'?)"
    )


def test_items_of_a_whole_list_keep_the_ids_that_the_list_has() -> None:
    made = two()
    new = [{"id": "i2", "kind": "Olives"}, {"kind": "Tuna"}, {"id": "i2", "kind": "twice"}, {"id": "i77", "kind": "x"}]
    made.chat.commands([c.Set(field=ITEMS, value=new)])
    assert kinds(made) == "i2:Olives i3:Tuna i4:twice i5:x"


def test_an_id_is_never_used_again_not_even_after_an_undo() -> None:
    made = two()
    made.chat.commands([c.Copy(field=ITEMS, item="i1", count=2)])
    made.chat.undo()
    assert kinds(made) == "i1:Salami i2:Olives"
    made.chat.commands([c.Copy(field=ITEMS, item="i1", count=2)])
    assert kinds(made) == "i1:Salami i2:Olives i5:Salami i6:Salami"
    assert [one.reason for one in refusals(made, c.Remove(field=ITEMS, item="i3"))] == ["no_item"]


def test_a_list_without_items_has_no_value() -> None:
    made = two()
    made.chat.commands([c.Remove(field=ITEMS, item=1), c.Remove(field=ITEMS, item=1)])
    assert ITEMS not in made.chat.state().values
    made.chat.commands([add(kind="new")])
    assert kinds(made) == "i3:new"
    made.chat.commands([c.Clear(field=ITEMS)])
    assert ITEMS not in made.chat.state().values


def test_a_change_is_one_small_event_and_the_journal_leads_to_the_same_state() -> None:
    made = shop(most=200)
    made.chat.commands([c.Set(field=ITEMS, value=[{"kind": "pizza"}] * 150)])
    turn = made.chat.commands([c.Change(field=ITEMS, item=-1, name="size", value="Large")])
    assert [len(encode_entry(entry)) < 200 for entry in turn.entries if isinstance(entry.event, e.ItemChanged)] == [
        True
    ]
    state = made.chat.state()
    assert decode_state(encode_state(state)) == state
    assert all(decode_entry(encode_entry(entry)) == entry for entry in made.chat.journal())
    assert made.chat.replay()


def test_a_model_may_send_a_list_as_json_text() -> None:
    machine = machine_of(SHOP.format(most=20, bytes=1000))
    field, rules = machine.fields[ITEMS], machine.rules
    given = [{"id": "i1", "kind": "a", "count": "2"}, {"kind": "b", "toppings": '["x"]'}]
    expected = [{"id": "i1", "kind": "a", "count": 2}, {"kind": "b", "toppings": ["x"]}]
    for raw in (given, json.dumps(given), [json.dumps(one) for one in given]):
        assert read_value(field, as_declared(field, raw, rules), rules) == expected
    assert read_value(field, as_declared(field, {"kind": "a", "id": None}, rules), rules).reason == "min"  # type: ignore[union-attr]


def test_the_schema_of_a_list_of_records_is_that_of_its_record() -> None:
    machine = machine_of(SHOP.format(most=20, bytes=1000))
    found = value_schema(machine.fields[ITEMS])
    assert (found["type"], found["minItems"], found["maxItems"]) == ("array", 2, 20)
    assert list(found["items"]["properties"]) == ["id", "kind", "size", "toppings", "count"]
    assert found["items"]["properties"]["size"] == {"type": "string", "enum": ["Small", "Large"]}
    assert "required" not in found["items"]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("id: string", "its field 'id' has the name under which each item has its own id"),
        ("pin: {type: string, secret: true}", "its field 'pin' is secret; make the whole list secret instead"),
        ("twice: {type: integer, value: 'part.n * 2'}", "its field 'twice' is derived"),
        ("more: {type: list, of: part}", "its field 'more' is a list of part"),
        ("asked: {type: list, of: question}", "its field 'asked' is a list of question"),
    ],
)
def test_some_records_cannot_be_items(field: str, text: str) -> None:
    found = problems_of(f"""
        flow: f
        start: a
        records:
          part: {{n: integer, {field}}}
          whole: {{parts: {{type: list, of: part}}}}
        nodes: {{a: {{say: "x"}}}}
    """)
    assert any(f"TW114 'part' cannot be an item of a list: {text}" in one for one in found)


MENU = """
    flow: f
    start: a
    records:
      dish: {name: string, price: number}
      menu: {dishes: {type: list, of: dish}, sauces: {type: list, of: string}}
      part: {FIELD}
      whole: {parts: {type: list, of: part}}
    nodes: {a: {say: "x", collect: [whole, menu], transitions: [{when: size(whole.parts) > 9, end: done}]}}
"""


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("{list: menu.sauces}", "part.of in menu.sauces"),
        (
            "{list: menu.dishes, label: '{{ option.name }}', value: name}",
            "menu.dishes.exists(one, one.name == part.of)",
        ),
    ],
)
def test_an_item_whose_values_come_from_a_list_is_checked_against_it(source: str, rule: str) -> None:
    (found,) = problems_of(MENU.replace("FIELD", f"of: {{type: choice, options_from: {source}}}"))
    assert f"of: {{type: string, validate: '{rule}'}}" in found
    made = talk(MENU.replace("FIELD", f'of: {{type: string, validate: "{rule}", refuse: "We have none."}}'))
    made.chat.start()
    sources = [c.Set(field="menu.sauces", value=["soy"]), c.Set(field="menu.dishes", value=[{"name": "soy"}])]
    made.chat.commands(sources)
    refused = made.chat.commands(
        [c.Add(field="whole.parts", item={"of": "soy"}), c.Add(field="whole.parts", item={"of": "mayo"})]
    )
    assert [one.text for one in refused.events if isinstance(one, e.CommandRefused)] == ["of: We have none."]
    assert [item["of"] for item in made.chat.state().values["whole.parts"].value] == ["soy"]
