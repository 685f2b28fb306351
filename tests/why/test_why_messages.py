"""What became of a message: who read it, what went where, what was refused, and what nobody read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import turnwise as tw
from support.chats import OneSyncChat, flow_of
from support.whys import Asked, Chat, check, table
from turnwise.core.state.commands import Affirm, HandOver, Set
from turnwise.models.scripted import ScriptedModel, ScriptedUnderstanding

DESK = """
flow: desk
start: menu
commands: [hand_over, undo]
person: {queue: desk, timeout: 10m}
records:
  user:
    name: {type: string, about: full name}
    seats: {type: integer, min: 1, max: 8, about: seats}
    code: {type: string, secret: true, about: door code}
nodes:
  menu: {say: Hi., transitions: [{id: go, at: before, when: 'message.text == "go"', to: book}]}
  book:
    form:
      fields:
        - {field: user.name, ask: Your name?, match: model}
        - {field: user.seats, ask: How many seats?}
        - {field: user.code, ask: Which code?}
      confirm: {}
"""
SILENT = DESK.replace("commands: [hand_over, undo]\n", "").replace("person: {queue: desk, timeout: 10m}\n", "")


def heard(*steps: Any, understand: tuple[Any, ...] = (), flow: str = DESK) -> Callable[[], Chat]:
    """A conversation at the desk: a text is said, another step is done with the chat."""

    def play() -> Chat:
        understood = ScriptedUnderstanding(understand)
        chat: Chat = OneSyncChat(flow_of(flow), understand=understood, model=ScriptedModel(["Well."] * 9))
        chat.start()
        for step in steps:
            chat.say(step) if isinstance(step, str) else step(chat)
        return chat

    return play


BOTH = (
    Set(field="user.name", value="Ann", words=(5, 8), confidence=0.9),
    Set(field="user.seats", value=40, words=(14, 16), confidence=0.7),
)
SECRET = (Set(field="user.name", value="Ann", words=(0, 3)), Set(field="user.code", value="9182", words=(8, 12)))
STORIES = {
    "both": heard("go", "I am Ann, for 40", understand=((), (), BOTH)),
    "nothing": heard("go", "what now", understand=((), (), ())),
    "failed": heard("go", "what now", understand=((), (), RuntimeError("no route"))),
    "exact": heard("go", "Ann", "4", understand=((), (), (Set(field="user.name", value="Ann"),))),
    "typed": heard("go", "Ann", "40", understand=((), (), (Set(field="user.name", value="Ann"),))),
    "secret": heard("go", "Ann, 4, 9182", understand=((), (), SECRET)),
    "yes": heard("go", "yes", understand=((), (), (Affirm(),))),
    "awaited": heard("a person please", "hello?", understand=((HandOver(),),)),
    "in charge": heard(lambda chat: chat.take_over("eve"), "hello?"),
    "unread": heard("hello", flow=SILENT),
    "undone": heard("go", "Ann", lambda chat: chat.undo(), understand=((), (), (Set(field="user.name", value="Ann"),))),
}
ASKED = [
    Asked(
        "both",
        "message",
        "the value 40, as the program's own function understood it, was refused for user.seats "
        "because it is more than the maximum 8",
        "value_refused",
        (
            "field_set: user.name was set to Ann, as the program's own function understood it, from “Ann”",
            "understood by the program's own function: set user.name = Ann, set user.seats = 40",
        ),
    ),
    Asked(
        "nothing",
        "message",
        "the answer about user.name was not understood, so nothing was stored",
        "not_understood",
        ("nothing in the message was understood by the program's own function in book",),
    ),
    Asked(
        "failed",
        "message",
        "understanding failed: RuntimeError: no route",
        "understanding_failed",
        ("not_understood",),
    ),
    Asked(
        "exact",
        "message",
        "user.seats was set to 4, answered by the user",
        "field_set",
        ("message_read_exactly: the message was read as an exact answer or a fixed phrase",),
        ("understood_nothing",),
    ),
    Asked(
        "typed",
        "message",
        "the value 40 was refused for user.seats because it is more than the maximum 8",
        "value_refused",
        ("message_read_exactly",),
    ),
    Asked(
        "secret",
        "message",
        "the command set on user.code was refused because it is secret, and was neither asked for nor named",
        "command_refused",
        ("words_hidden", "the user said “Ann, 4, [secret]”", "set user.code = [secret]"),
        ("9182",),
    ),
    Asked(
        "secret",
        "user.code",
        "user.code has no value: the command set on user.code was refused",
        "field_empty",
        (),
        ("9182",),
    ),
    Asked(
        "yes",
        "message",
        "the command affirm was refused because a message may not do this here",
        "command_refused",
        ("not_understood",),
    ),
    Asked(
        "awaited",
        "message",
        "the message “hello?” was not interpreted because a person of the queue desk is awaited",
        "message_not_interpreted",
        ("the user said “hello?”",),
    ),
    Asked(
        "in charge",
        "message",
        "the message “hello?” was not interpreted because eve is in charge",
        "message_not_interpreted",
        (),
        ("not_understood",),
    ),
    Asked(
        "unread",
        "message",
        "the message was not read for commands because nothing in menu takes any",
        "message_not_read",
    ),
    Asked("undone", "message", "turn 4 has no message of the user: an undo was asked for", "message_none"),
    Asked("undone", "message 3", "user.name was set to Ann", "field_set", ("the user said “Ann”",)),
]


@table(STORIES, ASKED)
def test_a_message_says_what_became_of_it(play: Callable[[], Chat], asked: Asked) -> None:
    check(play(), asked)


def test_a_question_about_a_turn_is_about_that_turn_whatever_turn_is_looked_at() -> None:
    chat = heard("go", "Ada", "2")()
    for question in ("turn 2", "2", "message 2"):
        answer = chat.why(question, turn=4)
        assert answer.turn == 2
        assert answer.facts == chat.why(question).facts
        assert any(fact.text == "the user said “go”" for one in answer.facts for fact in one.walk())


SILENT = """
flow: silent
version: 1
start: a
language: LANGUAGE
fallback: Pardon?
records: {u: {n: {type: integer}}}
nodes:
  a: {transitions: [{id: on, at: before, when: u.n > 1, to: b}]}
  b: {transitions: [{id: back, at: after, to: a}]}
"""


@pytest.mark.parametrize(
    ("language", "plain"),
    [
        ("en", "I had no answer to that here, so I gave a general one."),
        ("de", "Darauf hatte ich hier keine Antwort und gab deshalb eine allgemeine."),
    ],
)
def test_a_turn_in_which_nothing_was_said_says_so(language: str, plain: str) -> None:
    chat = tw.open_sync(tw.loads(SILENT.replace("LANGUAGE", language)), model=ScriptedModel([])).chat("a")
    turn = chat.say("hm")
    assert turn.text == "Pardon?"
    for question in ("1", "message 1"):
        answer = chat.why(question)
        warned = answer.fact("warned")
        assert warned is not None
        assert "'a' said nothing, so the fallback text was sent" in warned.text
        assert answer.plain == plain
    chat.app.close()
