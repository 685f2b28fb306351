"""What retention took away is named as erased, with the day and the rule, in every answer; and never shown as false."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from typing import Any

import pytest

import turnwise as tw
from support.chats import NOON_MS, OneSyncChat, flow_of
from support.served import served
from support.whys import lines_of, of_kind
from turnwise.core.explain.decision_lines import lines_of_decision
from turnwise.core.state import events as e
from turnwise.core.state.retention import DAY_MS
from turnwise.errors import UnknownTurn
from turnwise.models.scripted import ScriptedModel
from turnwise.runner.clocks import ManualClock
from turnwise.stores.memory import MemoryStore

FLOW = """
flow: kept
start: desk
commands: [undo]
person: {queue: host}
records: {u: {name: string, age: {type: integer, max: 99}, city: string, n: integer}}
nodes:
  desk:
    prompt: Talk.
    collect: [u]
    transitions:
      - {id: old, at: before, when: u.age > 60, to: rest, because: the guest is old}
      - {id: remind, at: timer, in: 10m, to: rest}
  rest: {say: Rest., transitions: [{id: back, at: before, when: u.n == 1, to: desk}]}
"""
ON = "was erased by retention on 2026-01-19, which keeps events for 5 days"
WORDS = ("Rumpelstilzchen", "1234567")


def sets(field: str, value: object) -> list[tw.commands.Set]:
    return [tw.commands.Set(field=field, value=value)]


@cache
def kept() -> Any:
    """Turns: 1 and 2 a name, 3 refused, 4 a person and 5 back, 6 rest; ten days later 7 to 9. Turns 1 to 6 are erased."""
    clock = ManualClock(NOON_MS)
    model = ScriptedModel(["Hm."] * 30)
    chat: Any = OneSyncChat(flow_of(FLOW), model=model, understand=lambda _m, _e: (), clock=clock, store=MemoryStore())
    chat.say("I am Rumpelstilzchen")
    chat.commands(sets("u.name", "Rumpelstilzchen"))
    chat.commands(sets("u.age", 1234567))
    chat.take_over("eve")
    chat.give_back()
    chat.commands(sets("u.age", 65))
    clock.move_s(10 * 86_400)
    for number in (3, 4, 5):
        chat.commands(sets("u.n", number))
    assert chat.app.retain(tw.Retention(events_days=5)).events
    return chat


ASKED = [
    ("turn 3", f"turn 3 {ON}", ""),
    ("message 1", f"turn 1 {ON}", ""),
    ("u.name", "u.name was Rumpelstilzchen", f"erased: turn 2 {ON}"),
    ("u.age", "u.age was 65", f"erased: turn 6 {ON}"),
    ("u.city", "u.city has no value: nothing in the turns that are still stored set it", ""),
    (
        "person",
        "no person is awaited or in charge; a person comes where the user asks for one, and the user did not",
        "",
    ),
    ("rest", "rest is in charge since turn 6", ""),
    ("desk", "desk is not in charge", ""),
    ("old", "old was not judged in turn 9", ""),
    ("end", "the conversation has not ended", ""),
    ("remind", "the timer remind is not armed, because it belongs to desk", ""),
]


@pytest.mark.parametrize(("question", "line", "tells"), ASKED)
def test_an_answer_that_needs_what_is_erased_says_so(question: str, line: str, tells: str) -> None:
    answer = kept().why(question)
    told = lines_of(answer)
    assert answer.line.startswith(line), told
    assert tells in told, told
    if question != "end":
        assert any(text.endswith(ON) for text in answer.erased), (answer.erased, told)
    said = json.dumps(answer.to_dict(), default=str)
    hidden = WORDS if question != "u.name" else WORDS[1:]  # the value itself is still in the state
    assert not [word for word in hidden if word in said], told


def test_a_node_whose_entry_is_erased_is_in_charge_since_a_turn() -> None:
    answer = kept().why("rest")
    assert (answer.facts[0].kind, answer.plain) == ("node_in_charge", "That is where we are.")
    assert kept().why("u.age").plain == "I have “65” for age because it was entered outside this chat."


def test_every_turn_keeps_the_day_and_the_rule_of_its_own_erasing() -> None:
    clock = ManualClock(NOON_MS)
    with OneSyncChat(flow_of(FLOW), model=ScriptedModel(["Hm."] * 30), clock=clock, store=MemoryStore()) as chat:
        chat.start()
        clock.move_s(10 * 86_400)
        chat.commands(sets("u.n", 2))
        chat.app.retain(tw.Retention(events_days=9))
        clock.move_s(20 * 86_400)
        chat.commands(sets("u.n", 3))
        chat.app.retain(tw.Retention(events_days=7))
        lines = [chat.why(f"turn {number}").line for number in (1, 2)]
    assert lines == [
        "turn 1 was erased by retention on 2026-01-19, which keeps events for 9 days",
        "turn 2 was erased by retention on 2026-02-08, which keeps events for 7 days",
    ]


def test_what_reads_an_erased_turn_is_refused_with_the_day_and_the_rule() -> None:
    chat = kept()
    asks = (
        lambda: chat.turn(2),
        lambda: chat.explain(turn=2),
        lambda: chat.fork("copy", turn=2),
        lambda: chat.what_if(values={"u.n": 1}, turn=2),
        lambda: chat.compare(turn=9, other_turn=2),
    )
    for ask in asks:
        with pytest.raises(UnknownTurn, match=f"turn 2 of conversation 'main' {ON}"):
            ask()


def test_what_a_decision_read_is_said_to_be_erased() -> None:
    clock = ManualClock(NOON_MS)
    with OneSyncChat(flow_of(FLOW), model=ScriptedModel(["Hm."] * 30), clock=clock, store=MemoryStore()) as chat:
        chat.start()
        chat.commands(sets("u.age", 33))
        clock.move_s(4 * 86_400)
        chat.app.retain(tw.Retention(decisions_days=2))
        answer = chat.why("old", turn=2)
    assert answer.line == (
        "old did not hold, because of a value that was erased by retention on 2026-01-13,"
        " which keeps what decisions read for 2 days"
    )


def test_conversations_whose_moves_are_erased_are_not_said_to_have_moved_alike() -> None:
    """The moves that retention took away are unknown: what is left is compared, and that is said."""
    clock = ManualClock(NOON_MS)
    with OneSyncChat(flow_of(FLOW), model=ScriptedModel(["Hm."] * 30), clock=clock, store=MemoryStore()) as chat:
        chat.commands(sets("u.age", 65))
        clock.move_s(10 * 86_400)
        other = chat.app.chat("other")
        for one in (chat, other):
            one.commands(sets("u.n", 7))
        chat.app.retain(tw.Retention(events_days=5))
        for answer in (chat.compare("other"), other.compare("main")):
            assert answer.facts[0].kind == "moves_erased"
            assert answer.line == "the moves of main up to turn 1 are not known: turn 1 " + ON
            assert {fact.values["field"] for fact in answer.facts[1:]} == {"u.age"}
            assert answer.erased == (f"turn 1 {ON}",)


def test_the_other_doors_say_it_too() -> None:
    app = tw.open(flow_of(FLOW), model=ScriptedModel(["Hm."] * 30), clock=(clock := ManualClock(NOON_MS)))

    async def ask() -> None:
        async with served(app) as client:
            chat = app.chat("x")
            await chat.start()
            clock.move_s(10 * 86_400)
            await chat.say("well")
            await app.retain(tw.Retention(events_days=5))
            found = (await client.get("/api/conversations/x/why", params={"subject": "turn 1"})).json()
            assert found["line"] == f"turn 1 {ON}"
            assert found["erased"] == [f"turn 1 {ON}"]
            whole = (await client.get("/api/conversations/x/transcript")).json()
            assert (whole["is_cut"], whole["erasure"]) == (True, "on 2026-01-19, which keeps events for 5 days")
            lines = await chat.export()
            assert e.Erasure(clock.now_ms(), 5) in [getattr(one.event, "by", None) for one in await chat.journal()]
            assert str(NOON_MS + 10 * DAY_MS) in str(lines)

    asyncio.run(ask())


def test_what_would_have_been_is_judged_for_the_turns_that_are_still_stored() -> None:
    chat = kept()
    assert not chat.what_if(values={"u.age": 50}).otherwise
    found = chat.what_if(values={"u.n": 1}).otherwise
    assert [(one.turn, one.would.transition, one.would.target) for one in found] == [
        (turn, "back", "desk") for turn in (7, 8, 9)
    ]
    with pytest.raises(UnknownTurn, match="was erased by retention on 2026-01-19"):
        chat.what_if(values={"u.n": 1}, turn=2)


def test_of_a_conversation_that_is_all_erased_the_state_is_told() -> None:
    clock = ManualClock(NOON_MS)
    with OneSyncChat(flow_of(FLOW), model=ScriptedModel(["Hm."] * 30), clock=clock, store=MemoryStore()) as chat:
        chat.commands(sets("u.age", 65))
        chat.commands(sets("u.n", 7))
        clock.move_s(10 * 86_400)
        chat.app.retain(tw.Retention(events_days=5))
        age, city, person = (chat.why(name) for name in ("u.age", "u.city", "person"))
        assert age.line.startswith("u.age was 65")
        assert f"turn 1 {ON}" in lines_of(age)
        assert "nothing in the turns that are still stored set it" in city.line
        assert person.line.startswith("no person is awaited")
        assert chat.why("conversation").line.startswith("the conversation")
        for asked in ("old", "turn 2", "model", "message 2", "moves"):
            assert chat.why(asked).line == f"turn 2 {ON}", "what happened in the turn is not known"


@pytest.mark.parametrize("is_refused", [False, True])
def test_a_message_that_was_refused_later_takes_no_answer_about_what_stands(is_refused: bool) -> None:
    clock = ManualClock(NOON_MS)
    chat = OneSyncChat(flow_of(FLOW), model=ScriptedModel(["Hm."] * 9), understand=lambda _m, _e: (), clock=clock)
    chat.say("I am Rumpelstilzchen")
    chat.commands(sets("u.name", "Rumpelstilzchen"))
    clock.move_s(8 * 86_400)
    if is_refused:
        assert chat.say(" ").refused == "message_empty"
    assert chat.app.retain(tw.Retention(events_days=5)).events
    assert isinstance(chat.journal()[-1].event, e.EventRefused if is_refused else e.Snapshot)
    assert chat.why("u.city").line.startswith("u.city has no value: nothing in the turns that are still stored set it")
    assert chat.why("u.name").line.startswith("u.name was Rumpelstilzchen")
    assert "was erased by retention" in chat.why("turn 2").line


def test_every_door_says_that_what_a_decision_read_was_erased() -> None:
    clock = ManualClock(NOON_MS)
    erased = "what this decision read was erased by retention on 2026-01-13, which keeps what decisions read for 2 days"
    with OneSyncChat(flow_of(FLOW), model=ScriptedModel(["Hm."] * 30), clock=clock, store=MemoryStore()) as chat:
        chat.start()
        chat.commands(sets("u.age", 33))
        assert all(not one.erased for one in chat.explain(transition="old", turn=2))
        clock.move_s(4 * 86_400)
        chat.app.retain(tw.Retention(decisions_days=2))
        (judged,) = [one for one in chat.explain(transition="old", turn=2) if one.candidates]
        decided = of_kind(chat.why("turn 2"), "decided")[0]
        chat.commands(sets("u.age", 34))
        assert all(not one.erased for one in chat.explain(transition="old", turn=3))
    assert judged.erased == decided.values["erased"] == erased
    assert f"  {erased}" in [line.text for line in lines_of_decision(judged, "old")]
