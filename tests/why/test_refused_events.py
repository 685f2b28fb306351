"""Every event that is refused before a turn is recorded, or has a reason why not; answers of why name it (law 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest

import turnwise as tw
from support.opened import close_all, opened
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.state.kinds import RefusalCode
from turnwise.core.step.refused import MOST_REFUSED, UNRECORDED

FLOW = """
flow: desk
version: 1
start: ask
language: en
limits: {message_chars: 40, result_chars: 30}
records: {u: {colour: {type: choice, options: [red, blue]}, age: {type: integer, max: 120}}}
tools: {look: {about: looks, args: {n: {type: integer, max: 5}}}}
nodes:
  ask:
    form: {fields: [{field: u.colour, ask: "Colour?"}, {field: u.age, ask: "Age?"}]}
    transitions: [{id: on, at: after, end: done}, {id: remind, at: timer, in: 5m, stay: true}]
"""
SECRET = """
flow: vault
version: 1
start: ask
language: en
records: {u: {pin: {type: choice, options: [alpha, omega], secret: true}}}
nodes: {ask: {form: {fields: [{field: u.pin, ask: "Pin?"}]}}}
"""


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    close_all()


def look(n: int) -> str:
    return str(n)


def begun(flow: str = FLOW, **options: Any) -> tw.SyncChat:
    chat = opened(tw.loads(flow), clock=tw.ManualClock(1_700_000_000_000), **options)
    chat.start(key="first")
    return chat


def desk() -> tw.SyncChat:
    return begun(tools={"look": look})


AT = "at 2023-11-14 22:13:20 UTC"


def taken(chat: tw.SyncChat) -> None:
    chat.take_over("Lena")


def ended(chat: tw.SyncChat) -> None:
    chat.commands([c.Set(value="red", field="u.colour"), c.Set(value=30, field="u.age")])
    assert chat.state().status.__class__.__name__ == "Ended"


def nothing(_: tw.SyncChat) -> None:
    pass


class Refused(NamedTuple):
    """An event that is refused, what happened before it, what is asked about, and what the answer says."""

    code: str
    send: Callable[[tw.SyncChat], tw.Turn]
    subject: str
    says: str
    before: Callable[[tw.SyncChat], object] = nothing


CASES = (
    Refused(
        "unknown_button",
        lambda chat: chat.choose("green"),
        "message",
        f"the press of the button “green” was refused {AT}, because no such button was offered",
    ),
    Refused(
        "message_empty",
        lambda chat: chat.say("  "),
        "message",
        f"a message was refused {AT}, because it had no text",
    ),
    Refused(
        "message_too_long",
        lambda chat: chat.say("word " * 20),
        "message",
        "longer than the limit of 40 characters",
    ),
    Refused(
        "stale",
        lambda chat: chat.say("30", position=0),
        "message",
        "the user had sent something else since, or another question was asked",
        lambda chat: chat.say("red"),
    ),
    Refused(
        "key_reused",
        lambda chat: chat.say("blue", key="first"),
        "message",
        "the key 'first' came before with another event",
    ),
    Refused(
        "conversation_ended",
        lambda chat: chat.choose("red"),
        "message",
        f"the press of the button “red” was refused {AT}, because the conversation had ended",
        ended,
    ),
    Refused(
        "taken_over",
        lambda chat: chat.take_over("Max"),
        "person Max",
        f"taking over by Max was refused {AT}, because Lena has taken this conversation over already",
        taken,
    ),
    Refused(
        "arguments",
        lambda chat: chat.take_over(" "),
        "person",
        f"taking over was refused {AT}, because an operator needs a name",
    ),
    Refused(
        "taken_over",
        lambda chat: chat.operator_say("hello", operator="Max"),
        "person Max",
        f"a message to the user by Max was refused {AT}, because Lena is in charge of this conversation, not Max",
        taken,
    ),
    Refused(
        "no_person",
        lambda chat: chat.give_back("ok", operator="Max"),
        "person Max",
        f"giving back by Max was refused {AT}, because no person is in charge",
    ),
    Refused(
        "unknown_transition",
        lambda chat: chat.give_back("ok", transition="onn"),
        "person",
        f"giving back with “onn” was refused {AT}, because 'ask' has no transition 'onn'",
        taken,
    ),
    Refused(
        "value_refused",
        lambda chat: chat.give_back("ok", set={"u.age": 400}),
        "u.age",
        "the value 400 was refused for u.age",
        taken,
    ),
    Refused(
        "unknown_field",
        lambda chat: chat.commands([c.Set(value=1, field="u.agee")], by="crm"),
        "person crm",
        f"a list of commands by crm was refused {AT}, because no field is called 'u.agee'",
    ),
    Refused(
        "unknown_tool",
        lambda chat: chat.tool_used("lookk"),
        "conversation",
        f"the use of the tool “lookk” was refused {AT}, because no tool is called 'lookk'",
    ),
    Refused(
        "result_too_long",
        lambda chat: chat.tool_used("look", {"n": 1}, "x" * 40),
        "tool look",
        f"the use of the tool “look” was refused {AT}, because the result is 42 characters long, and 30 are allowed",
    ),
    Refused(
        "unknown_timer",
        lambda chat: chat.fire("remin"),
        "conversation",
        f"the timer “remin” was refused {AT}, because no timer is called 'remin'",
    ),
    Refused(
        "unknown_turn",
        lambda chat: chat.undo(to=7),
        "conversation",
        f"an undo to turn “7” was refused {AT}, because there is no turn 7",
    ),
    Refused(
        "not_json",
        lambda chat: chat.commands([c.Set(value=object(), field="u.age")]),
        "conversation",
        f"a list of commands was refused {AT}, because this event cannot be kept",
    ),
)
ELSEWHERE = {
    "approver",
    "busy",
    "unknown_call",
    "event_too_long",
    "events_waiting",
    "unknown_event",
    "unknown_schedule",
}
"""Codes whose cases need a call that waits for approval, two events at once, events of other systems, or
schedules.
"""


def refusals(chat: tw.SyncChat) -> list[e.AnyEvent]:
    return [one.event for one in chat.journal() if isinstance(one.event, e.EventRefused | e.GiveBackRefused)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}: {case.subject}")
def test_why_names_an_event_that_was_refused_before_a_turn(case: Refused) -> None:
    chat = desk()
    case.before(chat)
    before = chat.state()
    assert case.send(chat).refused == case.code
    assert any(case.says in fact.text for fact in chat.why(case.subject).facts)
    own = chat.why(f"turn {before.turn}").facts
    assert any(case.says in fact.text for fact in own)
    assert own[0].kind != "event_refused"
    after = chat.state()
    assert (after.turn, after.values, after.question, after.status) == (
        before.turn,
        before.values,
        before.question,
        before.status,
    )
    assert chat.rerun().agrees


def test_the_table_has_every_code_of_a_refusal() -> None:
    codes = {case.code for case in CASES}
    assert codes | ELSEWHERE | UNRECORDED == set(get_args(RefusalCode))
    assert codes.isdisjoint(UNRECORDED)


def test_a_refusal_repeated_is_recorded_once_and_the_number_between_two_turns_is_bounded() -> None:
    chat = desk()
    for _ in range(3):
        chat.choose("green")
    assert len(refusals(chat)) == 1
    for number in range(3 * MOST_REFUSED):
        chat.choose(f"button {number}" + "!" * 2000 * (number == 3))
    assert len(refusals(chat)) == MOST_REFUSED
    length = len(chat.journal())
    chat.choose("yet another")
    assert len(chat.journal()) == length
    chat.say("red")
    chat.choose("green")
    assert len(refusals(chat)) == MOST_REFUSED + 1


def test_refused_give_backs_are_bounded_too() -> None:
    chat = desk()
    chat.take_over("Lena")
    for age in range(400, 400 + 2 * MOST_REFUSED):
        chat.give_back("ok", set={"u.age": age})
    assert len(refusals(chat)) == MOST_REFUSED


def test_the_buttons_of_the_question_and_a_repeated_key_work_as_before() -> None:
    chat = desk()
    turn = chat.turn(1)
    chat.choose("green")
    first = chat.choose("red", position=turn.position, key="red")
    assert not first.refused
    chat.choose("green")
    again = chat.choose("red", position=turn.position, key="red")
    assert again.is_duplicate
    assert not again.refused
    assert again.text == "Age?"
    assert again.entries == first.entries


def test_words_of_a_message_and_what_may_be_a_secret_are_not_kept() -> None:
    chat = begun(SECRET)
    assert chat.choose("swordfish").refused == "unknown_button"
    assert "swordfish" not in str(chat.journal())
    assert "the press of the button" in chat.why("message").line
    chat = desk()
    chat.say("a rather long story with a name in it, Maria")
    assert len(refusals(chat)) == 1
    assert "Maria" not in str(chat.journal())


def test_a_second_press_of_an_answer_to_a_secret_question_is_recorded_without_its_value() -> None:
    named = SECRET.replace("secret: true}", "secret: true}, name: string")
    chat = begun(named.replace('"Pin?"}', '"Pin?"}, {field: u.name, ask: "Name?"}'))
    chat.choose("omega")
    assert chat.choose("omega").refused == "unknown_button"
    assert "omega" not in str(refusals(chat))
    chat.choose("green")
    assert "green" in str(refusals(chat))


def test_an_undo_to_turn_0_names_that_turn() -> None:
    chat = desk()
    assert chat.undo(to=0).refused == "unknown_turn"
    assert "to turn “0”" in chat.why("conversation").fact("event_refused").text


def test_a_message_that_was_refused_is_told_after_the_message_of_its_turn() -> None:
    chat = desk()
    chat.say(" ")
    chat.say("red")
    chat.say("400")
    assert "400" in chat.why("message").line
    assert chat.why("message").fact("event_refused") is None
    chat.choose("green")
    own, refused = chat.why("message").facts[0], chat.why("message").fact("event_refused")
    assert "400" in own.text
    assert "no such button was offered" in refused.text


def test_where_a_turn_has_no_message_the_one_that_was_refused_leads() -> None:
    chat = desk()
    assert chat.why("message").line.startswith("turn 1 has no message of the user")
    chat.choose("green")
    answer = chat.why("message")
    assert "no such button was offered" in answer.line
    assert answer.plain == "“green” is not one of the buttons that are offered now."


def test_no_conversation_begins_with_a_refusal(tmp_path: Path) -> None:
    app = opened(tw.loads(FLOW), tools={"look": look}, store=f"sqlite:///{tmp_path / 'a.db'}").app
    chat = app.chat("none")
    assert chat.undo().refused == "unknown_conversation"
    assert chat.say(" ").refused == "message_empty"
    with pytest.raises(tw.UnknownConversation):
        chat.journal()


def test_a_german_flow_answers_its_user_in_german() -> None:
    chat = begun(FLOW.replace("language: en", "language: de"), tools={"look": look})
    chat.take_over("Lena")
    chat.take_over("Max")
    assert chat.why("person Max").plain == "Das war da nicht möglich, deshalb hat sich nichts geändert."
