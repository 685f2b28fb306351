"""What the offline rules propose for lists of records: only what is allowed, only values and items that can be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from support.chats import OneSyncChat, flow_of
from support.counted import calls_of
from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.language import language_of
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.commands import AnyCommand, name_of
from turnwise.core.state.items import Item
from turnwise.core.values import Refused, Rules, read_value
from turnwise.core.values.json_data import as_object
from turnwise.flow.model import Field, Option
from turnwise.understanding import understand
from turnwise.understanding.items.plan import MOST_COPIES
from utterances.item_lists import allowed_of, rows, written

ROWS = (*rows("item_lists.tsv"), *rows("item_lists_held.tsv"))
SITUATIONS = tuple(dict.fromkeys(row.situation for row in ROWS))
WORDS = st.sampled_from([word for row in ROWS for word in row.message.split()])
MESSAGES = st.one_of(
    st.lists(WORDS, max_size=12).map(" ".join),
    st.tuples(st.sampled_from(ROWS), st.sampled_from(ROWS)).map(lambda two: f"{two[0].message}, {two[1].message}"),
    st.text(max_size=60),
)


def values_in(command: AnyCommand) -> dict[str, Any]:
    match command:
        case c.Add():
            return as_object(command.item) or {}
        case c.Copy():
            return command.changes
        case c.Change():
            return {command.name: command.value}
        case _:
            return {}


@pytest.mark.law("7.3b")
@given(MESSAGES, st.sampled_from(SITUATIONS))
def test_only_values_that_a_field_stores_and_items_that_are_there_are_proposed(message: str, situation: str) -> None:
    allowed = allowed_of(situation)
    field = allowed.fields[0]
    parts = {part.name: part for part in field.field.parts}
    rules = Rules(language_of(allowed.language), allowed.zone)
    known = {item["id"] for item in field.value or ()}
    found = understand(message, allowed)
    assert len([one for one in found if isinstance(one, c.Add)]) <= MOST_COPIES * len(message)
    for command in found:
        assert name_of(command) in allowed.commands
        assert command.words is not None
        assert 0 <= command.words[0] < command.words[1] <= len(message)
        for name, value in values_in(command).items():
            stored = read_value(parts[name], value, rules)
            assert stored == value or (isinstance(stored, Refused) and stored.reason in ("min", "max"))
        ref = getattr(command, "item", None)
        if isinstance(command, c.Change | c.Remove | c.Move | c.Copy):
            assert isinstance(ref, int | dict) or ref in known


@pytest.mark.law("7.3b")
@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_a_doubt_or_an_unknown_word_beside_it_stores_nothing(row: Any) -> None:
    allowed = allowed_of(row.situation)
    for message in (
        f"maybe {row.message}",
        f"{row.message} xyzzy",
        f"vielleicht {row.message}",
        f"if so {row.message}",
    ):
        found = understand(message, allowed)
        assert not [one for one in found if isinstance(one, c.ItemCommand)], written(list(found))


@pytest.mark.law("7.3b")
@pytest.mark.parametrize(
    ("situation", "message", "wanted"),
    [
        (
            "none",
            "a large salami with olives one small hawaii with garlic and basil",
            ("add extras=Olives kind=Salami size=Large", "add extras=Garlic+Basil kind=Hawaii size=Small"),
        ),
        ("none", "a small salami and I don't want it in large", ()),
        (
            "none",
            "could I just have a salami and a large hawaii that's all",
            ("add kind=Salami", "add kind=Hawaii size=Large"),
        ),
        ("pizzas", "the first in large the second with basil", ()),
        ("pizzas", "everyone but the hawaii large, thanks", ("change 1 size=Large", "change 2 size=Large")),
        ("pizzas", "make that large", ("change 3 size=Large",)),
        ("pizzas", "make that salami small", ("change 2 size=Small",)),
        ("pizzas", "remove the first, the second small", ()),
        ("pizzas", "remove the salami and make it large", ()),
        ("pizzas", "the hawaii large, and olives on it", ("change 3 extras=Olives", "change 3 size=Large")),
        ("pizzas", "only garlic on the salami", ()),
        ("pizzas", "remove all olives", ()),
        ("pizzas", "a hawaii instead", ()),
        ("pizzas", "scratch the last one, all of them large", ()),
        ("pizzas", "remove the large one, olives on the hawaii too", ()),
        ("pizzas", "remove the third, and a small one with mushrooms", ()),
        ("pizzas", "remove the first, the third", ("remove 1", "remove 3")),
        ("pizzas", "remove the one with olives, large", ()),
        ("pizzas", "I don't want the hawaii, the second one please", ()),
        ("pizzas", "I don't want the hawaii and the second", ("remove 3", "remove 2")),
        ("pizzas", "the first two large and the second small", ()),
        ("pizzas", "delete all pizzas, make the second small", ()),
        ("pizzas", "change the second, the first one should be large", ()),
        ("pizzas", "add basil to all of them, salami small", ()),
        ("pizzas", "two of those, salami small", ()),
        ("pizzas", "no garlic, olives on the hawaii too", ()),
        (
            "pizzas",
            "and a small one with mushrooms, olives on the hawaii too",
            ("add extras=Mushrooms size=Small", "change 3 extras=Olives"),
        ),
        (
            "pizzas",
            "no onions or garlic on the second, add mushrooms to the salami",
            ("change 2 extras=", "change 2 extras=Mushrooms"),
        ),
        ("trip", "please take Bob off the list, a window seat for Ada", ()),
        ("none", "two funghi, we'll take two large ones", ("add kind=Funghi",) * 2 + ("add size=Large",) * 2),
        ("pizzen", "kannst du die zweite klein machen, ist die zweite groß?", ()),
        ("cart", "3 of those in red", ()),
        ("cart", "make the red notebooks blue", ()),
        ("pizzen", "mach die Hawaii kleiner", ()),
        ("korb", "die roten Hefte", ()),
        ("korb", "ein rotes Lineal", ("add artikel=Lineal farbe=rot menge=1",)),
    ],
)
def test_words_belong_to_what_stands_beside_them(situation: str, message: str, wanted: tuple[str, ...]) -> None:
    assert written(list(understand(message, allowed_of(situation)))) == wanted


# another question is open --------------------------------------------------------------------------

DRINK = AllowedField(
    "order.drink",
    Field("drink", "choice", options=(Option("Small"), Option("Large"), Option("None"))),
    "What size of drink would you like?",
)


def beside(**changes: Any) -> AllowedInput:
    allowed = allowed_of("pizzas")
    return replace(allowed, fields=(*allowed.fields, DRINK), **changes)


@pytest.mark.law("7.3b")
@pytest.mark.parametrize(
    "message", ["a large one", "large", "the last one", "make it large", "remove it", "another one"]
)
def test_a_message_that_may_answer_another_question_changes_no_item(message: str) -> None:
    found = understand(message, beside(asked="order.drink", last="order.drink", question="field"))
    assert not [one for one in found if isinstance(one, c.ItemCommand)]


@pytest.mark.law("7.3b")
@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("remove the salami", ("remove 2",)),
        ("make the first large", ("change 1 size=Large",)),
        ("the hawaii small", ("change 3 size=Small",)),
    ],
)
def test_an_item_may_be_changed_by_its_name_while_another_question_is_open(
    message: str, wanted: tuple[str, ...]
) -> None:
    assert written(list(understand(message, beside(asked="order.drink", question="field")))) == wanted


@pytest.mark.law("7.3b")
def test_at_a_question_for_an_item_in_the_making_one_item_answers_it_and_several_are_added() -> None:
    allowed = allowed_of("pizzas")
    parts = [AllowedField(f"pizza.{part.name}", part, part.about) for part in allowed.fields[0].field.parts]
    asked = replace(allowed, fields=(*parts, *allowed.fields), asked="pizza.kind", question="field")
    one = understand("a large salami", asked)
    assert [(name_of(command), getattr(command, "field", "")) for command in one] == [
        ("set", "pizza.size"),
        ("set", "pizza.kind"),
    ]
    several = understand("a large tonno and two small hawaiis", asked)
    assert written(list(several)) == ("add kind=Tonno size=Large", *("add kind=Hawaii size=Small",) * 2)
    assert written(list(understand("make the first medium", asked))) == ("change 1 size=Medium",)


def test_a_command_of_the_conversation_is_none_of_the_list() -> None:
    found = understand("forget it", allowed_of("pizzas"))
    assert not [one for one in found if isinstance(one, c.ItemCommand)]


# it, that, the same ----------------------------------------------------------------------------------

ITEMS = "order.items"
SHOP = """
    flow: shop
    start: cart
    records:
      pizza:
        kind: {type: choice, options: [Margherita, Salami, Funghi]}
        size: {type: choice, options: [Small, Large]}
      order:
        items: {type: list, of: pizza, max: 6}
    nodes:
      cart:
        say: "Your order: {{ order.items }}"
        collect: [order.items]
        transitions: [{when: "size(order.items) > 9", end: done}]
"""


def shop(*messages: str) -> OneSyncChat:
    chat = OneSyncChat(flow_of(SHOP))
    chat.start()
    for message in messages:
        chat.say(message)
    return chat


def items(chat: OneSyncChat) -> list[str]:
    found = chat.state().values.get(ITEMS)
    known: list[Item] = found.value if found is not None else []
    return [" ".join(str(one) for one in item.values()) for item in known]


@pytest.mark.law("7.3b")
def test_it_is_the_item_that_was_changed_last() -> None:
    with shop("a salami and a small funghi", "make the first large", "make it small") as chat:
        assert items(chat) == ["i1 Salami Small", "i2 Funghi Small"]


@pytest.mark.law("7.3b")
@pytest.mark.parametrize(
    ("change", "left"),
    [
        ("remove the first", ["i2 Funghi Small"]),
        ("both small", ["i1 Salami Small", "i2 Funghi Small"]),
        ("a salami and a funghi", ["i1 Salami", "i2 Funghi Small", "i3 Salami", "i4 Funghi"]),
        ("swap the first two", ["i2 Funghi Small", "i1 Salami"]),
    ],
)
def test_it_is_unclear_behind_a_change_of_several_items_or_a_removal(change: str, left: list[str]) -> None:
    with shop("a salami and a small funghi", change) as chat:
        assert items(chat) == left
        chat.say("make it large")
        assert items(chat) == left


@pytest.mark.law("7.3b")
def test_several_that_fit_are_named_and_none_is_changed() -> None:
    with shop("a small salami and a large salami") as chat:
        turn = chat.say("remove the salami")
        assert [one.reason for one in turn.events if isinstance(one, e.CommandRefused)] == ["several_items"]
        assert "1: Salami, Small; 2: Salami, Large" in turn.text
        assert len(items(chat)) == 2


def test_a_message_changes_several_items_at_once() -> None:
    orders = ("two small margheritas and a large salami", "remove the second and make the first large")
    with shop(*orders) as chat:
        assert items(chat) == ["i1 Margherita Large", "i3 Salami Large"]
        chat.say("another salami")
        assert items(chat)[-1] == "i4 Salami"


# what it costs ---------------------------------------------------------------------------------------


def long_list(count: int) -> AllowedInput:
    allowed = allowed_of("trip")
    known = [{"id": f"i{at}", "name": f"Guest {at}", "age": at % 90} for at in range(1, count + 1)]
    return replace(allowed, fields=(replace(allowed.fields[0], value=known),))


@pytest.mark.parametrize(
    "message", ["Guest 2 is 10", "make the second vegan", "remove Guest 1", "vegan for the first two"]
)
def test_a_message_about_two_hundred_items_costs_little_more_than_about_two(message: str) -> None:
    short, long = long_list(2), long_list(200)
    assert understand(message, long)
    least = calls_of(lambda: understand(message, short))
    assert calls_of(lambda: understand(message, long)) <= 1.5 * least
