"""No part of a message that was understood is lost in silence; whole amounts are written without a decimal part."""

from __future__ import annotations

import pytest

from support.chats import NOON_MS, OneChat, Waiting, flow_of
from turnwise.api.open import Turn
from turnwise.core.state.events import CommandRefused
from turnwise.runner.clocks import ManualClock

STAY = """
flow: stay
start: ask
language: {language}
commands: [hand_over]
records:
  s:
    day: {{type: date, about: day}}
    clock: {{type: time, about: clock}}
    room: {{type: choice, options: [Single, Double], about: room}}
    pets: {{type: choice, options: ["Yes", "No"], about: pets}}
    rush: {{type: choice, options: [Urgent, No Rush], about: urgency}}
nodes:
  ask:
    form:
      fields:
        - {{field: s.pets, ask: Any pets?}}
        - {{field: s.day, ask: When?}}
        - {{field: s.clock, ask: At what time?}}
        - {{field: s.room, ask: Which room?}}
        - {{field: s.rush, ask: How urgent is it?}}
      confirm: {{}}
"""
PRICE = """
flow: price
start: pay
language: {language}
records: {{p: {{amount: {{type: number, about: price, default: {amount}}}}}}}
tools: {{pay: {{about: pay, kind: effect, confirm: true, args: {{amount: number}}}}}}
nodes:
  pay: {{say: "Now {{{{ p.amount }}}} and {{{{ p.amount * 2.0 }}}}.", transitions: [{{to: ask}}]}}
  ask: {{tool: {{name: pay, with: {{amount: p.amount}}}}, end: done}}
"""


def said(flow: str, *messages: str) -> Turn:
    chat = Waiting(OneChat(flow_of(flow), clock=ManualClock(NOON_MS)))
    turn = chat.start()
    for message in messages:
        turn = chat.say(message)
    return turn


def known(turn: Turn) -> dict[str, object]:
    return {name.removeprefix("s."): found.value for name, found in turn.state.values.items()}


def refused(turn: Turn) -> list[tuple[str, str]]:
    return [(one.field, one.reason) for one in turn.events if isinstance(one, CommandRefused)]


@pytest.mark.law("3.4")
def test_a_date_that_may_be_two_is_asked_about_beside_a_clear_answer() -> None:
    turn = said(STAY.format(language="en"), "double, 12/5/2026")
    assert known(turn) == {"room": "Double"}
    assert refused(turn) == [("s.day", "ambiguous")]
    assert turn.text.startswith("That may be May 12, 2026 or Dec 5, 2026.")


@pytest.mark.law("3.4")
@pytest.mark.parametrize(
    ("language", "message", "told"),
    [
        ("en", "double, half past six", "That may be 6:30 AM or 6:30 PM."),
        ("de", "Double, halb acht", "Das kann 07:30 oder 19:30 sein."),
    ],
)
def test_a_time_that_may_be_two_is_refused_in_words(language: str, message: str, told: str) -> None:
    turn = said(STAY.format(language=language), message)
    assert known(turn) == {"room": "Double"}
    assert refused(turn) == [("s.clock", "ambiguous")]
    assert turn.text.startswith(told)


@pytest.mark.law("5.4")
def test_an_option_that_begins_with_no_answers_a_later_question() -> None:
    assert known(said(STAY.format(language="en"), "no rush")) == {"rush": "No Rush"}


@pytest.mark.law("5.6")
def test_a_named_answer_is_changed_to_a_yes_in_one_message() -> None:
    turn = said(STAY.format(language="en"), "no", "change pets to Yes")
    assert known(turn) == {"pets": "Yes"}
    assert turn.text == "When?"


@pytest.mark.law("5.10")
@pytest.mark.parametrize("message", ["hand me over to a human", "Hand me over to a person, please"])
def test_a_person_is_asked_for_in_other_words(message: str) -> None:
    assert "HANDOFF" in [artefact.kind for artefact in said(STAY.format(language="en"), message).artefacts]


@pytest.mark.law("5.13")
@pytest.mark.parametrize(
    ("language", "amount", "told", "twice"),
    [
        ("en", "120.0", "120", "240"),
        ("de", "120.0", "120", "240"),
        ("en", "0.25", "0.25", "0.5"),
        ("de", "0.25", "0,25", "0,5"),
    ],
)
def test_a_whole_amount_is_written_without_a_decimal_part(language: str, amount: str, told: str, twice: str) -> None:
    turn = said(PRICE.format(language=language, amount=amount))
    assert f"Now {told} and {twice}." in turn.text
    assert f"- amount: {told}\n" in turn.text
