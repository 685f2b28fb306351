"""Why an item of a list of records is there, and has the values that it has."""

from __future__ import annotations

import re
from itertools import accumulate

import pytest

import turnwise as tw
from support.why_cases import Talk, every
from turnwise.core.state import commands as c
from turnwise.core.state.fold import fold
from turnwise.why.facts import TurnFacts

SHOP = """
flow: shop
start: cart
records:
  pizza: {kind: string, size: {type: choice, options: [Small, Large]}}
  order: {items: {type: list, of: pizza, max: 3}}
nodes:
  cart: {say: "Yes?", collect: [order.items], transitions: [{when: "size(order.items) > 5", end: done}]}
"""
ITEMS = "order.items"


def did(*commands: c.AnyCommand) -> Talk:
    def send(chat: tw.SyncChat) -> None:
        chat.commands([c.Add(field=ITEMS, item={"kind": "salami"}), c.Add(field=ITEMS, item={"kind": "olives"})])
        chat.commands(commands)

    return Talk(SHOP).did(send)


def facts_of(talk: Talk, turn: int) -> dict[str, str]:
    return {fact.kind: fact.text for fact in every(talk.chat.why(str(turn)))}


def test_each_change_of_an_item_is_a_fact_with_its_position() -> None:
    talk = did(
        c.Copy(field=ITEMS, item=1, changes={"size": "Large"}),
        c.Change(field=ITEMS, item="i2", name="kind", value="basil"),
        c.Move(field=ITEMS, item="i3", to=1),
        c.Remove(field=ITEMS, item={"kind": "basil"}),
    )
    found = facts_of(talk, 2)
    by = "by a command of the program"
    assert found["item_added"] == f"item 3 (salami, Large) was added to order.items as a copy of item 1, {by}"
    assert found["item_changed"] == f"kind of item 2 of order.items was set to basil, {by} (was olives)"
    assert found["item_moved"] == f"item 3 of order.items was moved to position 1, {by}"
    assert found["item_removed"] == f"item 3 (basil) was removed from order.items, {by}"


def test_a_refused_change_names_the_item_and_the_reason() -> None:
    talk = did(c.Change(field=ITEMS, item="i2", name="size", value="Huge"))
    turn = talk.chat.turn()
    *states, _ = accumulate(turn.entries, fold, initial=turn.before)
    found = [fact.text for fact in TurnFacts(turn, states).facts if fact.kind == "value_refused"]
    assert found[0].startswith(
        "the value Huge was refused for order.items because it is none of the options Small, Large"
    )


# asked about a list, an item, a value of an item -----------------------------------------------------

MENU = """
flow: menu
start: cart
commands: [undo]
records:
  pizza:
    kind: {type: choice, options: [Salami, Margherita, Tonno], about: the pizza}
    size: {type: choice, options: [Small, Large], about: the size}
  order: {items: {type: list, of: pizza, max: 4, about: your pizzas}, who: string}
nodes:
  cart: {say: "Yes?", collect: [order.items], transitions: [{when: "size(order.items) > 5", end: done}]}
"""
MENU_TALK = ("a salami pizza", "make it large", "a large tonno", "two small margherita", "remove the salami")


def ordered() -> Talk:
    return Talk(MENU).did(lambda chat: chat.start(), *MENU_TALK)


def line(talk: Talk, question: str, turn: int | None = None) -> str:
    return talk.chat.why(question, turn=turn).line


def test_a_list_says_which_items_it_has_and_what_was_done_to_them() -> None:
    answer = ordered().chat.why(ITEMS)
    assert answer.fact("list_holds").text == (
        "order.items has 3 items: 1: Tonno, Large; 2: Margherita, Small; 3: Margherita, Small"
    )
    kinds = [fact.kind for fact in answer.facts if fact.kind.startswith("item_")]
    assert kinds == ["item_added", "item_changed", "item_added", "item_added", "item_added", "item_removed"]
    assert answer.plain.startswith("I have “Tonno, Large; Margherita, Small; Margherita, Small” for your pizzas.")


def test_an_item_is_named_by_position_and_by_id() -> None:
    talk = ordered()
    for question in (
        "order.items[0]",
        "items[0]",
        "order[0]",
        "order.items[-3]",
        "order.items[i2]",
        "item order.items[0]",
    ):
        answer = talk.chat.why(question)
        assert str(answer.subject) == "item order.items[i2]", question
    assert answer.line.startswith("item 2 (Tonno, Large) was added to order.items, as the rules understood it")
    assert answer.fact("item_holds").text == "item 1 of order.items is Tonno, Large"


def test_a_position_is_that_at_the_end_of_the_turn_asked_about() -> None:
    talk = ordered()
    assert str(talk.chat.why("order.items[0]", turn=3).subject) == "item order.items[i1]"
    empty = talk.chat.why("order.items[i1].size", turn=2)
    assert (empty.facts[0].kind, empty.plain) == (
        "item_part_empty",
        "I do not know the size of number 1 in your pizzas yet.",
    )


def test_a_value_of_an_item_is_traced_to_the_words_that_gave_it() -> None:
    answer = ordered().chat.why("order.items[i1].size", turn=3)
    assert answer.line.startswith("size of item 1 of order.items was set to Large, as the rules understood it")
    assert "make it large" in {fact.values.get("said") for fact in every(answer)}
    assert answer.plain == "In your pizzas, the size of number 1 was set to “Large”. You said so yourself."


def test_a_value_of_a_copy_is_traced_to_the_item_that_was_copied() -> None:
    talk = did(c.Copy(field=ITEMS, item=1, changes={"size": "Large"}))
    talk.did(lambda chat: chat.commands([c.Remove(field=ITEMS, item="i2"), c.Copy(field=ITEMS, item="i3")]))
    kind, size = talk.chat.why("order.items[i4].kind"), talk.chat.why("order.items[i4].size")
    causes = [[fact.values["id"] for fact in one.facts[0].causes if fact.kind == "item_added"] for one in (kind, size)]
    assert causes == [["i3"], ["i3"]]
    first = talk.chat.why("order.items[i3].size").facts[0]
    assert not [fact for fact in first.causes if fact.kind == "item_added"], "its size is no value of item 1"


def test_a_removed_item_says_who_removed_it_and_when() -> None:
    answer = ordered().chat.why("order.items[i1]")
    assert answer.line.startswith("item 1 (Salami, Large) was removed from order.items, as the rules understood it")
    assert answer.plain == "“Salami, Large” was removed from your pizzas. You said so yourself."
    assert answer.facts[0].turn == 6


def test_an_undone_change_is_said_of_the_item_and_of_its_value() -> None:
    talk = did(c.Change(field=ITEMS, item="i2", name="size", value="Large"))
    talk.chat.undo()
    assert line(talk, "order.items[i2].size").startswith("size of item 2 of order.items has no value: nothing set it")
    undone = talk.chat.why("order.items[i2]").fact("item_change_undone")
    assert (
        undone.text == "turn 3 undid this: size of item 2 of order.items was set to Large, by a command of the program"
    )
    talk.did(lambda chat: chat.commands([c.Add(field=ITEMS, item={"kind": "basil"})]), lambda chat: chat.undo())
    absent = talk.chat.why("order.items[i3]").fact("item_absent")
    assert absent.text == "item i3 is not in order.items: the undo of turn 5 took back that it was added"


def test_items_that_came_with_the_whole_list_say_so() -> None:
    talk = Talk(SHOP).did(lambda chat: chat.commands([c.Set(field=ITEMS, value=[{"kind": "ham"}, {"kind": "egg"}])]))
    answer = talk.chat.why("order.items[1].kind")
    assert answer.line.startswith("kind of item 2 of order.items is egg")
    assert [fact.kind for fact in answer.facts[0].causes] == ["field_set"]
    talk.did(lambda chat: chat.commands([c.Clear(field=ITEMS)]))
    assert (
        line(talk, "order.items[i2]") == "item i2 is not in order.items: order.items was cleared as a whole in turn 2"
    )


def test_a_refused_change_is_said_of_the_value_that_it_was_about() -> None:
    talk = did(c.Change(field=ITEMS, item="i2", name="size", value="Huge"))
    for question in ("order.items[i2]", "order.items[i2].size"):
        assert talk.chat.why(question).fact("value_refused").values["given"] == "Huge", question
    assert "value_refused" not in {fact.kind for fact in talk.chat.why("order.items[i2].kind").facts}


def test_changes_of_items_are_counted() -> None:
    counts = [fact.text for fact in ordered().chat.why(ITEMS).facts if fact.kind == "counted"]
    assert "an item of order.items was added 4 times in this conversation, in turns 2, 4 and 5 (2 times)" in counts
    assert not [text for text in counts if text.startswith("order.items was not set")]


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        ("order.items[4]", "there is order.items[0] to order.items[2]"),
        ("order.items[i9]", "there is order.items[0] to order.items[2]"),
        ("order.items[0].sise", "did you mean 'size'?"),
        ("order.itms[0]", "did you mean 'order.items'?"),
        ("order.who[0]", "order.who is no list of records"),
    ],
)
def test_an_item_that_there_is_not_is_refused_with_those_that_there_are(question: str, hint: str) -> None:
    with pytest.raises(tw.UnknownSubject, match=re.escape(hint)):
        ordered().chat.why(question)


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("why is the second pizza small?", "order.items[i3].size"),
        ("why is there a tonno", "order.items[i2]"),
        ("where is the salami", "order.items[i1]"),
        ("what happened to the salami pizza", "order.items[i1]"),
        ("why is the size of the first pizza large", "order.items[i2].size"),
        ("why is the last one small", "order.items[i4].size"),
        ("warum ist die zweite Pizza da", "order.items[i3]"),
    ],
)
def test_a_question_in_words_names_items_by_place_and_by_value(question: str, subject: str) -> None:
    assert ordered().chat.why(question).subject.name == subject


def test_values_of_a_secret_list_are_in_no_answer() -> None:
    talk = Talk(SHOP.replace("max: 3}", "max: 3, secret: true}"))
    talk.did(lambda chat: chat.commands([c.Add(field=ITEMS, item={"kind": "truffle"})]))
    for question in (ITEMS, "order.items[0]", "order.items[0].kind"):
        answer = talk.chat.why(question)
        assert "truffle" not in answer.plain + "".join(fact.text for fact in every(answer)), question
