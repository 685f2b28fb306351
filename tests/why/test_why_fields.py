"""Why a field has its value, or none: traced through rules and turns to the words of the user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of, talk
from support.tools import FakeTool
from support.whys import Asked, Chat, check, table
from turnwise.core.migration import Renaming
from turnwise.core.state.commands import Clear, Set
from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding
from turnwise.stores.memory import MemoryStore

BANK = """
flow: bank
start: desk
records:
  user:
    balance: {type: integer, about: balance}
    name: {type: string, about: full name}
    gold: {type: boolean, about: gold customer}
    bonus: {type: integer}
    level: {type: string}
    rich: {type: boolean, value: user.balance >= 500}
    plan: {type: choice, options: [basic, premium], default: basic}
    start: {type: date, about: first day}
    end: {type: date, validate: user.end >= user.start, about: last day}
    tags: {type: list, of: string, max: 2}
    color: {type: choice, options: [red, {value: green, words: [emerald]}], about: favourite colour}
    pin: {type: string, secret: true, pattern: "[0-9]{4}", about: PIN code}
    never: string
  rate: {score: {type: integer, max: 10}, grade: string}
tools:
  rating: {about: the rating of a customer, args: {balance: integer}}
nodes:
  desk:
    prompt: Ask for the balance.
    collect: [user.balance, user.name, user.start, user.end, user.tags, user.color, user.pin]
    set_on_leave: {user.level: '"known"'}
    transitions:
      - {id: rich, at: before, when: user.balance >= 500, set: {user.gold: true, user.bonus: user.balance / 10}, to: rating}
  rating:
    tool: {name: rating, with: {balance: user.balance}, into: rate}
    transitions: [{id: rated, to: lounge}, {id: failed, at: error, to: lounge}]
  lounge:
    prompt: Hello.
    collect: {fields: [user.name], mode: conversational}
"""


def played(
    *steps: Any, score: Any = 7, understand: tuple[Any, ...] = (), then: Callable[[Chat], Chat] | None = None
) -> Callable[[], Chat]:
    """A conversation at the bank: a text is said, another step is done with the chat."""

    def play() -> Chat:
        chat: Chat = OneSyncChat(
            flow_of(BANK),
            understand=ScriptedUnderstanding(understand),
            model=ScriptedModel(["Well."] * 30),
            tools={"rating": FakeTool({"score": score})},
        )
        chat.start()
        for step in steps:
            chat.say(step) if isinstance(step, str) else step(chat)
        return then(chat) if then is not None else chat

    return play


def sets(**values: Any) -> tuple[Set, ...]:
    """One understanding."""
    return tuple(Set(field=f"user.{name}", value=value, confidence=0.8) for name, value in values.items())


def forked(chat: Chat) -> Chat:
    """A copy of a conversation."""
    return chat.fork("copy")


PAID = (Set(field="user.balance", value=500, words=(7, 10), confidence=0.8),)
STORIES = {
    "rich": played("I have 500 euro", understand=(PAID, ())),
    "poor": played("I have 20", understand=(sets(balance=20),)),
    "nothing": played("hello", understand=((),)),
    "bad dates": played("in May", "end in April", understand=(sets(start="2026-05-01"), sets(end="2026-04-01"))),
    "bad colour": played("blue", understand=(sets(color="blue"),)),
    "bad tags": played("a, b, c", understand=(sets(tags=["a", "b", "c"]),)),
    "bad pin": played("my PIN code is 12", understand=((Set(field="user.pin", value="12", words=(15, 17)),),)),
    "pin": played("my PIN code is 9182", understand=((Set(field="user.pin", value="9182", words=(15, 19)),),)),
    "derived": played("rich!", understand=(sets(rich=True),)),
    "known": played("I am Ann", "I am Bob", understand=(sets(name="Ann"), sets(name="Bob"))),
    "program": played(
        lambda chat: chat.commands([Set(field="user.balance", value=20), Set(field="user.color", value="red")])
    ),
    "cleared": played("I am Ann", "forget it", understand=(sets(name="Ann"), (Clear(field="user.name"),))),
    "undone": played("I am Ann", lambda chat: chat.undo(), understand=(sets(name="Ann"),)),
    "undone later": played(
        "I am Ann",
        "I am now Bob",
        lambda chat: chat.undo(),
        understand=(sets(name="Ann"), (Set(field="user.name", value="Bob", correction=True),)),
    ),
    "operator": played(lambda chat: chat.take_over("eve"), lambda chat: chat.give_back(set={"user.name": "Cy"})),
    "forked": played("I am Ann", understand=(sets(name="Ann"),), then=forked),
    "strange": played("I have 500 euro", understand=(PAID, ()), score=99),
    "long ago": played("blue", *["well"] * 24, understand=(sets(color="blue"), *[()] * 24)),
    "emerald": played("I like emerald", understand=(sets(color="green"),)),
    "kept long": played("I am Ann", *["well"] * 24, understand=(sets(name="Ann"), *[()] * 24)),
}
ASKED = [
    Asked(
        "rich",
        "gold",
        "user.gold was set to true, by the transition rich",
        "field_set",
        (
            "decided: before: desk → rating by rich",
            "value_read: user.balance was 500",
            "the user said “I have 500 euro”",
        ),
    ),
    Asked(
        "rich",
        "user.balance",
        "user.balance was set to 500, as the program's own function understood it, from “500” with a confidence of 0.8",
        "field_set",
        ("the user said “I have 500 euro”",),
    ),
    Asked(
        "rich",
        "bonus",
        "user.bonus was set to 50, by the transition rich",
        "field_set",
        ("value_read: user.balance was 500",),
    ),
    Asked(
        "rich",
        "user.rich",
        "user.rich was set to true, computed",
        "field_set",
        ("value_read: user.balance was 500", "the user said “I have 500 euro”"),
    ),
    Asked(
        "rich",
        "score",
        "rate.score was set to 7, by the tool rating",
        "field_set",
        ("tool_returned: rating returned", "tool_called: rating was called with balance = 500"),
    ),
    Asked("rich", "level", "user.level was set to known, by the node desk", "field_set"),
    Asked(
        "rich",
        "grade",
        "rate.grade has no value: rating returned no value for rate.grade in turn 2, which leaves it as it is",
        "field_empty",
    ),
    Asked(
        "poor",
        "gold",
        "user.gold has no value: nothing has set it yet; user.gold can be set by the transition rich",
        "field_empty",
        ("field_written_by",),
    ),
    Asked(
        "poor", "user.rich", "user.rich was set to false, computed", "field_set", ("value_read: user.balance was 20",)
    ),
    Asked("nothing", "plan", "user.plan has no value of its own; guards read its default basic", "field_default"),
    Asked(
        "nothing",
        "user.never",
        "no form asks for user.never, and no node takes it from what the user says",
        "field_empty",
    ),
    Asked(
        "nothing",
        "balance",
        "user.balance has no value: nothing has set it yet; no form asks for user.balance; it is "
        "taken from what the user says in desk",
        "field_empty",
    ),
    Asked("nothing", "user.rich", "user.rich has no value", "field_empty", ("it is computed from other fields",)),
    Asked(
        "bad dates",
        "user.end",
        "the value 2026-04-01, as the program's own function understood it, was refused for "
        "user.end because the validator user.end >= user.start does not hold",
        "field_empty",
        ("value_read: user.start was 2026-05-01", "the user said “in May”"),
    ),
    Asked(
        "bad colour",
        "user.color",
        "was refused for user.color because it is none of the options red, green",
        "field_empty",
        ("the value blue",),
    ),
    Asked("bad tags", "tags", "was refused for user.tags because it has more than 2 items", "field_empty"),
    Asked(
        "bad pin",
        "user.pin",
        "was refused for user.pin because it does not match the pattern [0-9]{4}",
        "field_empty",
        ("the value [secret]",),
        ("is 12", "“12”", "value 12"),
    ),
    Asked("pin", "user.pin", "user.pin was set to [secret]", "field_set", (), ("9182",)),
    Asked(
        "derived",
        "user.rich",
        "the command set on user.rich to true was refused because it is computed from other fields",
        "field_empty",
    ),
    Asked(
        "known",
        "user.name",
        "user.name was set to Ann",
        "field_set",
        (
            "command_refused: the command set on user.name to Bob was refused because it has another value, which only a "
            "correction overwrites",
            "the user said “I am Bob”",
        ),
    ),
    Asked(
        "program",
        "color",
        "user.color was set to red, by a command",
        "field_set",
        ("the program sent commands: set user.balance = 20, set user.color = red",),
    ),
    Asked(
        "cleared",
        "name",
        "user.name has no value: user.name lost its value Ann",
        "field_empty",
        ("the user said “forget it”",),
    ),
    Asked(
        "undone",
        "name",
        "user.name has no value: user.name had the value Ann until the undo of turn 3",
        "field_empty",
        ("the state of the end of turn 1 was restored",),
    ),
    Asked(
        "undone later",
        "name",
        "user.name was set to Ann",
        "field_set",
        ("value_undone: user.name had the value Bob until the undo of turn 4",),
    ),
    Asked("undone later", "name", "user.name was set to Bob", "field_set", ("(was Ann)",), turn=3),
    Asked(
        "operator",
        "name",
        "user.name was set to Cy, by eve, who was in charge",
        "field_set",
        ("eve gave the conversation back",),
    ),
    Asked(
        "forked",
        "name",
        "user.name was set to Ann",
        "field_set",
        ("value_copied: the value of user.name was copied from the conversation main, which was forked at turn 2",),
    ),
    Asked("strange", "score", "rate.score has no value: a write was refused", "field_empty", ("99",)),
    Asked(
        "long ago",
        "color",
        "user.color has no value: the value blue, as the program",
        "field_empty",
        (),
        (),
    ),
    Asked(
        "emerald", "color", "user.color was set to green, as the program's own function understood it, as “emerald” is"
    ),
    Asked("kept long", "name", "user.name was set to Ann", "field_set", ("the user said “I am Ann”",)),
    Asked("rich", "gold", "user.gold has no value: nothing has set it yet", "field_empty", turn=1),
]


@table(STORIES, ASKED)
def test_a_field_says_where_its_value_comes_from(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


OLD = """
flow: m
start: ask
records: {u: {a: string, b: string, c: string}}
nodes:
  ask: {form: {fields: [{field: u.a, ask: First name?}, {field: u.b, ask: Last name?}, {field: u.c, ask: Else?}]}}
"""
NEW = OLD.replace("a: string", "first: string").replace("u.a", "u.first")


def migrated() -> Chat:
    """A conversation that went on with another version, in which one field has another name and one lost its value."""
    store = MemoryStore()
    chat = talk(OLD, store=store, understand=[(Set(field="u.a", value="Al"),), (Set(field="u.b", value="Lee"),)]).chat
    chat.start()
    chat.say("Al")
    chat.say("Lee")
    chat = talk(NEW, store=store).chat
    assert chat.migrate(Renaming(fields={"u.a": "u.first", "u.b": ""})).conversations[0].is_moved
    return chat


ASKED_MIGRATED = [
    Asked(
        "migrated",
        "first",
        "u.first was Al, understood from the message in turn 2",
        "value_read",
        ("field_set: u.a was set to Al", "the user said “Al”", "migrated: the conversation went on"),
    ),
    Asked(
        "migrated",
        "b",
        "u.b has no value: u.b had the value Lee until the conversation went on with another version",
        "field_empty",
        ("value_lost",),
    ),
    Asked(
        "migrated",
        "question",
        "u.c is asked because its question was open already; u.b comes next in the order",
        "question_kept",
    ),
    Asked("migrated", "u.a", "u.a was set to Al", "field_set", turn=2),
]


@table({"migrated": migrated}, ASKED_MIGRATED)
def test_a_value_is_traced_into_another_version(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


def test_a_value_is_traced_in_a_chain_to_the_words_of_the_user() -> None:
    assert [fact.kind for fact in STORIES["rich"]().why("gold").chain] == [
        "field_set",
        "decided",
        "value_read",
        "field_set",
        "understood",
        "message_received",
    ]


def test_a_word_for_an_option_that_was_not_taken_is_named() -> None:
    chat: Chat = OneSyncChat(flow_of(BANK), model=ScriptedModel(["Well."] * 2))
    chat.start()
    chat.say("my car is emerald")
    answer = chat.why("color")
    assert answer.line.startswith("user.color has no value: “emerald” in the message of turn 2 stands for green")
    assert answer.fact("message_received") is not None


def test_a_message_that_a_person_answered_stands_for_no_value() -> None:
    chat = played(lambda chat: chat.take_over("Mo"), "emerald")()
    assert "user.color has no value: the message “emerald” was not interpreted because Mo" in chat.why("color").line


@pytest.mark.parametrize("text", ["emeralds for everybody", "I'm a greenhorn"])
def test_a_part_of_a_word_stands_for_no_option(text: str) -> None:
    assert "nothing has set it yet" in played(text, understand=((),))().why("color").line


def test_only_a_whole_word_is_said_to_be_a_word_for_an_option() -> None:
    for text, is_there in (("emerald!", True), ("something emeraldish", False)):
        line = played(text, understand=(sets(color="green"),))().why("color").line
        assert ("as “emerald” is a word for it in the flow" in line) == is_there, line


def test_a_word_that_another_field_took_is_not_said_to_be_passed_over() -> None:
    flow = flow_of(
        BANK.replace(
            "plan: {type: choice, options: [basic, premium], default: basic}",
            "plan: {type: choice, options: [basic, green]}",
        )
    )
    chat: Chat = OneSyncChat(
        flow, understand=ScriptedUnderstanding((sets(color="green"),)), model=ScriptedModel(["Well."] * 9)
    )
    chat.start()
    chat.say("green")
    assert "nothing has set it yet" in chat.why("plan").line


def test_the_words_for_the_items_of_a_list_are_named() -> None:
    chat = tw.open_sync("examples/health_intake/health_intake.flow.yaml").chat("a")
    chat.say("I'm Ida, 50, I agree to the terms")
    chat.say("insomnia, I cannot sleep, and my knees")
    line = chat.why("symptoms.groups").line
    assert "as “insomnia” and “cannot sleep” are words for sleep and “knees” is a word for joints in the flow" in line
    chat.say("and night sweats")
    line = chat.why("symptoms.groups").line
    assert "as “night sweats” is a word for hot flushes in the flow" in line
    assert "insomnia" not in line
