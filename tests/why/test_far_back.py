"""Questions about what is fifty turns back: answered truly; where a search ends before, the answer says so."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from support.chats import NOON_MS, OneSyncChat, flow_of
from support.tools import FakeTool
from support.whys import lines_of
from turnwise.core.state.commands import Clear, Set
from turnwise.models.scripted import ScriptedModel
from turnwise.runner.clocks import ManualClock
from turnwise.stores.memory import MemoryStore
from turnwise.why import query

QUIET = 50
"""How many turns come after what is asked about; none of them has to do with it."""
FAR = """
flow: far
start: ask
commands: [undo]
person: {queue: host, timeout: 9h}
tools:
  look: {about: looks something up, kind: read}
records:
  u:
    name: {type: string, about: name}
    color: {type: choice, options: [red, green], about: colour}
    age: {type: integer, max: 99}
    city: string
    street: string
    n: integer
  got: {seen: integer}
nodes:
  ask:
    form: {fields: [{field: u.name, ask: Your name?}, {field: u.color, ask: Which colour?}]}
    transitions: [{id: asked, at: after, when: form.status == "confirmed", to: look, because: all is known}]
  look:
    tool: {name: look, into: got}
    transitions: [{id: seen, to: rest}, {id: lost, at: error, to: rest}]
  rest:
    say: Next?
    collect: [u.n, u.age, u.city, u.street]
    transitions:
      - {id: chat, at: before, when: u.n == 777, to: talk}
      - {id: remind, at: timer, in: 10m, when: u.n == 5, to: talk}
  talk: {prompt: Talk., transitions: [{id: back, at: before, when: u.n == 0, to: rest}]}
"""


def sets(chat: Any, **values: Any) -> None:
    chat.commands([Set(field=f"u.{name}", value=value) for name, value in values.items()])


def quiet(chat: Any, turns: int = QUIET) -> Any:
    for number in range(turns):
        chat.runtime.clock.move_s(1)
        sets(chat, n=100 + number)
    return chat


def begun() -> Any:
    """Turns: 1 start, 2 name, 3 colour not understood, 4 colour; the tool runs, and `rest` is in charge."""
    model, tools = ScriptedModel(["Hello."] * (2 * QUIET)), {"look": FakeTool({"seen": 7})}
    clock = ManualClock(NOON_MS)
    chat: Any = OneSyncChat(flow_of(FAR), model=model, tools=tools, clock=clock, store=MemoryStore())
    chat.start()
    for text in ("Ann", "blue", "red"):
        chat.say(text)
    assert chat.state().node == "rest"
    return chat


@cache
def long_ago() -> Any:
    """Turns: 5 talk, 6 a value refused, 7 back, 8 and 9 a value set and cleared, 10 and 11 a value undone."""
    chat = begun()
    sets(chat, n=777)
    sets(chat, age=100)
    sets(chat, n=0)
    sets(chat, city="Ulm")
    chat.commands([Clear(field="u.city")])
    sets(chat, street="Main")
    chat.undo()
    return quiet(chat)


@cache
def with_person() -> Any:
    """Turn 5: a person takes over. Then the user writes to the person."""
    chat = begun()
    chat.take_over("eve", reason="a hard case")
    for _ in range(QUIET):
        chat.say("well")
    return chat


@cache
def without_person() -> Any:
    """Turns 5 and 6: a person takes over, and gives back."""
    chat = begun()
    chat.take_over("eve")
    chat.give_back()
    return quiet(chat)


@cache
def fired() -> Any:
    """Turn 5 sets what lets the timer move the conversation, which then stays where it went."""
    chat = begun()
    sets(chat, n=5)
    chat.runtime.clock.move_s(600)
    chat.fire("remind")
    return quiet(chat)


@cache
def forked() -> Any:
    """A copy of turn 4."""
    chat = begun().fork("copy", turn=4)
    for number in range(QUIET):
        sets(chat, n=100 + number)
    return chat


PLAYS = {play.__name__: play for play in (long_ago, with_person, without_person, fired, forked)}
ASKED = [
    ("long_ago", "u.name", "u.name was set to Ann", "the user said “Ann”"),
    ("long_ago", "u.color", "u.color was set to red", "the user said “red”"),
    ("long_ago", "u.age", "u.age has no value: the value 100 was refused", "set u.age = 100"),
    ("long_ago", "u.city", "u.city has no value: u.city lost its value Ulm", "clear u.city"),
    (
        "long_ago",
        "u.street",
        "u.street has no value: u.street had the value Main until the undo of turn 11",
        "the state of the end of turn 9",
    ),
    ("long_ago", "got.seen", "got.seen was set to 7, by the tool look", "look was called by the node look"),
    ("long_ago", "question u.name", "the user was asked for u.name in turn 1", "the form of ask was left"),
    ("long_ago", "question u.color", "the user was asked for u.color in turn 3", "was not understood"),
    ("long_ago", "form ask", "the form of ask was left after it was confirmed", "ask → look by asked"),
    ("long_ago", "form", "the form of ask was left after it was confirmed", "ask → look by asked"),
    ("long_ago", "node ask", "ask is not in charge", "ask → look by asked: all is known"),
    ("long_ago", "node talk", "talk is not in charge: the conversation is in rest", "talk → rest by back"),
    ("long_ago", "rest", "talk → rest by back", "u.n was set to 0"),
    ("long_ago", "asked", "asked was taken in turn 4: all is known", "ask → look by asked"),
    ("long_ago", "back", "back was taken in turn 7", "u.n was 0"),
    ("long_ago", "tool look", "look was used once so far, the last time in turn 4", 'look returned {"seen":7}'),
    ("long_ago", "model", "no model was called", "the model scripted replied: “Hello.”"),
    ("with_person", "person", "eve is in charge", "eve took over: a hard case"),
    ("with_person", "u.name", "u.name was set to Ann", "the user said “Ann”"),
    ("with_person", "conversation", "the conversation is with eve", ""),
    ("without_person", "person", "no person is awaited or in charge; the last time was in turn 6", "eve gave"),
    ("fired", "timer remind", "the timer remind is not armed", "the timer remind came due"),
    ("fired", "node talk", "rest → talk by remind", "u.n was 5"),
    ("forked", "u.name", "u.name was set to Ann", "everything before was copied from the conversation main"),
    ("forked", "u.street", "u.street has no value: nothing has set it yet", ""),
]


@pytest.mark.parametrize(("play", "question", "line", "tells"), ASKED)
def test_what_is_fifty_turns_back_is_answered(play: str, question: str, line: str, tells: str) -> None:
    answer = PLAYS[play]().why(question)
    told = lines_of(answer)
    assert answer.line.startswith(line), told
    assert tells in told, told
    assert answer.fact("not_searched") is None, told


SAID = [
    ("long_ago", "u.age", "u.age has no value: nothing in turns {first} to {last} set it"),
    ("long_ago", "u.city", "u.city has no value: nothing in turns {first} to {last} set it"),
    ("long_ago", "question u.name", "u.name is not asked because the form of ask was left"),
    ("long_ago", "node ask", "ask is not in charge: the conversation is in rest"),
    ("long_ago", "asked", "asked was not judged in turn {last}"),
    ("long_ago", "model", "no model was called in turn {last}"),
    (
        "without_person",
        "person",
        "no person is awaited or in charge; a person comes where the user asks for one,"
        " and the user did not in turns {first} to {last}",
    ),
    ("fired", "timer remind", "the timer remind is not armed, because it belongs to rest"),
]


@pytest.mark.parametrize(("play", "question", "line"), SAID)
def test_a_search_that_ended_before_is_said(
    play: str, question: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no turn is named by the state, and the answer lies before what is searched."""
    monkeypatch.setattr(query, "MOST_ENTRIES_READ", 100)
    monkeypatch.setattr(query, "_BLOCK", 50)
    answer = PLAYS[play]().why(question)
    note = answer.facts[-1]
    assert note.kind == "not_searched", lines_of(answer)
    first = note.values["first"]
    assert 1 < first < answer.turn
    assert note.text == f"the turns before turn {first} were not searched for this answer"
    assert answer.line.startswith(line.format(first=first, last=answer.turn)), lines_of(answer)


@pytest.mark.parametrize(("question", "tells"), [("u.name", "the user said “Ann”"), ("rest", "talk → rest by back")])
def test_what_the_state_names_needs_no_search(question: str, tells: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(query, "MOST_ENTRIES_READ", 1)
    assert tells in lines_of(long_ago().why(question))


def test_the_decision_that_two_conversations_have_in_common_is_found_far_back() -> None:
    """It was made fifty turns before the end of the one that did not move on."""
    chat = begun()
    stays, moves = chat.fork("stays", turn=4), chat.fork("moves", turn=4)
    sets(stays, n=1)
    for _ in range(QUIET + 10):
        stays.say("well")
    sets(moves, n=777)
    answer = moves.compare("stays")
    assert answer.line.startswith("after the same 2 moves, moves went to talk by chat in turn 5")
    assert [fact.values["field"] for fact in answer.facts[1:]] == ["u.n"]
    assert answer.facts[1].values["is_decisive"]
