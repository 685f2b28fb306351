"""Secrets and inactive questions take nothing from a message that is not about them."""

from __future__ import annotations

import pytest

from support.chats import NOON_MS, OneChat, Waiting, flow_of, talk
from turnwise.api.open import Turn
from turnwise.core.state import commands as c
from turnwise.runner.clocks import ManualClock

HOTEL = """
flow: hotel
start: ask
language: en
records:
  stay:
    day: {type: date, about: day of arrival}
    room: {type: choice, options: [Double, Suite], about: room}
    pin: {type: string, pattern: "[0-9]{4}", secret: true, about: door code}
    beds: {type: integer, about: number of beds}
    email: {type: email, about: e-mail}
nodes:
  ask:
    form:
      fields:
        - {field: stay.day, ask: When do you arrive?}
        - {field: stay.room, ask: Which room?}
        - {field: stay.beds, ask: How many beds?, ask_when: stay.room == "Suite"}
        - {field: stay.email, ask: Your e-mail?}
        - {field: stay.pin, ask: Choose a door code of four digits., ask_when: stay.room == "Suite"}
"""


def said(*messages: str) -> Turn:
    chat = Waiting(OneChat(flow_of(HOTEL), clock=ManualClock(NOON_MS)))
    turn = chat.start()
    for message in messages:
        turn = chat.say(message)
    return turn


def known(turn: Turn) -> dict[str, object]:
    return {name: found.value for name, found in turn.state.values.items()}


@pytest.mark.law("3.4")
def test_the_year_of_a_date_is_no_secret_code() -> None:
    turn = said("suite, 13 May 2027, 2 beds")
    assert known(turn) == {"stay.room": "Suite", "stay.day": "2027-05-13", "stay.beds": 2}
    assert turn.text == "Your e-mail?"


@pytest.mark.law("3.4")
@pytest.mark.parametrize("message", ["suite, my pin is 4321", "suite, door code 4321"])
def test_a_secret_that_the_message_names_is_understood(message: str) -> None:
    assert known(said(message)) == {"stay.room": "Suite", "stay.pin": "4321"}


@pytest.mark.law("3.4")
def test_a_secret_that_is_asked_is_understood() -> None:
    turn = said("suite, 13 May 2027, 2 beds", "a@example.com", "please take 4321")
    assert known(turn)["stay.pin"] == "4321"


@pytest.mark.law("3.4")
def test_a_secret_that_a_model_finds_in_another_answer_is_refused() -> None:
    taken = [c.Set(field="stay.room", value="Suite"), c.Set((7, 11), field="stay.pin", value="2027")]
    made = talk(HOTEL, understand=[taken, [c.Set((10, 14), field="stay.pin", value="4321")]])
    made.chat.start()
    turn = made.chat.say("suite, 2027")
    assert known(turn) == {"stay.room": "Suite"}
    assert [one.reason for one in turn.events if hasattr(one, "reason")] == ["secret_not_asked"]
    assert known(made.chat.say("door code 4321"))["stay.pin"] == "4321"


@pytest.mark.law("5.4")
def test_an_inactive_question_takes_nothing_that_was_understood() -> None:
    turn = said("double", "my pin is 4321", "change the room to suite")
    assert known(turn) == {"stay.room": "Suite"}
    assert not turn.state.shelved


@pytest.mark.law("5.4")
def test_a_question_that_the_same_message_makes_active_takes_its_answer() -> None:
    assert known(said("double", "3 beds, change the room to suite")) == {"stay.room": "Suite", "stay.beds": 3}


@pytest.mark.law("7.3")
def test_a_bare_value_for_another_question_replaces_no_answer() -> None:
    turn = said("suite", "2 beds", "13 May 2027", "7")
    assert known(turn)["stay.beds"] == 2
    assert turn.text.endswith("Your e-mail?")
    assert known(said("suite", "2 beds", "13 May 2027", "sorry, 7 beds"))["stay.beds"] == 7
