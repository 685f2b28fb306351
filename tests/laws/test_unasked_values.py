"""Law 7.1a: while a question is open, a model gives other fields only values that the message names."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import turnwise as tw
from laws.unasked_rows import PUPIL, ROWS, TRIP, Row, options, right, wrong
from laws.unasked_rows_fresh import FRESH
from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.prompts.understanding import TOOL_NAME, read_understanding
from turnwise.core.state import events as e
from turnwise.core.state.effects import Call
from turnwise.flow.model import Field, Record
from turnwise.models.scripted import ScriptedModel
from turnwise.understanding import says_other

COMMANDS = ("set", "clear", "add", "remove", "affirm", "deny", "edit", "cancel", "ask")
NOW_MS = 1796004000000
"""A Monday, 30 November 2026."""
MOST_REFUSED = 0.1


def objections(row: Row, said_before: str = "", **more: Any) -> list[str]:
    fields = PUPIL if any(one.address == row.asked for one in PUPIL) else TRIP
    known = tuple(replace(one, value=row.known.get(one.address)) for one in fields)
    given: dict[str, Any] = {"asked": row.asked, "last": row.asked, "question": "field"} | more
    shown = AllowedInput(row.language, "UTC", NOW_MS, known, COMMANDS, **given)
    commands = [{"command": "set", "field": f, "value": value, "words": words} for f, value, words in row.commands]
    found, _ = read_understanding(
        [Call("1", TOOL_NAME, {"commands": commands})], row.message, shown, said_before, says_other
    )
    return [one.objection for one in found]


@pytest.mark.law("7.1a")
@pytest.mark.parametrize("row", [row for row in (*ROWS, *FRESH) if not row.is_right], ids=lambda row: row.message)
def test_a_value_that_the_message_does_not_name_is_not_stored(row: Row) -> None:
    assert objections(row)[-1] in ("not_named", "unsupported", "no_plain_yes", "no_value")


@pytest.mark.law("7.1a")
@pytest.mark.parametrize("rows", [ROWS, FRESH], ids=["rows", "fresh"])
def test_few_right_values_are_refused(rows: list[Row]) -> None:
    judged = [row for row in rows if row.is_right]
    refused = [row.message for row in judged if objections(row)[-1]]
    assert judged
    assert len(refused) <= len(judged) * MOST_REFUSED, refused


@pytest.mark.law("7.1a")
@pytest.mark.parametrize("row", [row for row in ROWS if len(row.commands) > 1], ids=lambda row: row.message)
def test_the_answer_to_the_open_question_is_not_touched(row: Row) -> None:
    assert set(objections(row)[:-1]) == {""}


@pytest.mark.law("7.1a")
@pytest.mark.parametrize("asked", ["", "time_zone"])
def test_quoted_words_may_mean_the_value_of_the_open_question(asked: str) -> None:
    row = wrong("time_zone", "the capital of England", ("time_zone", "Europe/London", "the capital of England"))
    assert objections(row, asked=asked) == [""]


AT_SUMMARY = [
    (
        wrong("time_zone", "I drink water", ("time_zone", "Europe/London", "I drink water"), time_zone="Europe/Berlin"),
        False,
    ),
    (wrong("name", "I am so tired today", ("name", "tired", "tired"), name="Ada"), False),
    (right("time_zone", "London", ("time_zone", "Europe/London", "London"), time_zone="Europe/Berlin"), True),
    (right("people", "no, 5", ("people", 5, "5"), people=4), True),
    (right("people", "5 please", ("people", 5, "5"), people=4), True),
    (right("people", "there are 5", ("people", 5, "5"), people=4), True),
    (right("name", "Eve please", ("name", "Eve", "Eve"), name="Ada"), True),
    (right("name", "no, Eve", ("name", "Eve", "Eve"), name="Ada"), True),
    (right("destination", "Rome instead of Paris", ("destination", "Rome", "Rome"), destination="Paris"), True),
    (right("day", "no, next Friday", ("day", "2026-12-04", "next Friday"), day="2026-12-03"), True),
]


@pytest.mark.law("7.1a", "5.5")
@pytest.mark.parametrize(("row", "is_stored"), AT_SUMMARY, ids=lambda one: getattr(one, "message", None))
def test_at_a_summary_a_value_is_named_or_corrected(row: Row, is_stored: bool) -> None:
    assert objections(row, asked="", question="confirmation") == ["" if is_stored else "not_named"]


@pytest.mark.law("7.1a")
def test_a_yes_stands_for_the_value_that_was_just_named_to_the_user() -> None:
    row = right("day", "yes", ("destination", "Rome", "yes"), destination="Paris")
    assert objections(row, "You go to Rome, not Paris?") == [""]


FLOW = tw.Flow(
    "unasked",
    start="ask",
    records=[
        Record(
            "user",
            [Field("goal"), Field("town", "choice", options=options("London", "Rome")), Field("pin", secret=True)],
        )
    ],
    nodes=[
        tw.Node(
            "ask",
            form=tw.Form(
                [
                    tw.FormField("user.goal", ask="Your goal?"),
                    tw.FormField("user.town", ask="Your town?"),
                    tw.FormField("user.pin", ask="Your PIN?"),
                ]
            ),
        )
    ],
)


def sets(field: str, value: Any, words: str) -> dict[str, Any]:
    return {"command": "set", "field": f"user.{field}", "value": value, "words": words}


def proposes(*commands: dict[str, Any]) -> Any:
    return tw.call(TOOL_NAME, commands=list(commands))


WATER = proposes(sets("goal", "drink water", "drink water"), sets("town", "London", "drink water"))


def values(turn: tw.Turn) -> dict[str, Any]:
    return {address: found.value for address, found in turn.state.values.items()}


@pytest.mark.law("7.1a")
@pytest.mark.parametrize(("answer", "stored"), [("yes", "London"), ("no", None), ("Rome", "Rome")])
def test_a_value_that_is_not_named_is_asked(answer: str, stored: str | None) -> None:
    with tw.open_sync(FLOW, model=ScriptedModel([WATER], understands=True)) as app:
        chat = app.chat("1")
        chat.start()
        turn = chat.say("I want to drink water")
        assert values(turn) == {"user.goal": "drink water"}
        assert turn.text == "Your town?\nI have “London” here. Is that right?"
        assert [one.reason for one in turn.events if isinstance(one, e.CommandRefused)] == ["not_named"]
        assert values(chat.say(answer)).get("user.town") == stored
        assert chat.replay()


@pytest.mark.law("7.1a")
def test_why_reports_that_the_message_does_not_name_the_value() -> None:
    with tw.open_sync(FLOW, model=ScriptedModel([WATER], understands=True)) as app:
        chat = app.chat("1")
        chat.start()
        chat.say("I want to drink water")
        refused = str(chat.why("message 2"))
        assert "set on user.town to London was refused because another question was open" in refused
        suggested = "London is suggested for user.town because it is what a message may mean"
        assert suggested in str(chat.why("field user.town"))


@pytest.mark.law("7.1a", "3.4")
@pytest.mark.parametrize("wrong_value", [sets("town", "Paris", "drink water"), sets("pin", "1234", "drink water")])
def test_no_secret_and_no_value_that_the_field_refuses_is_suggested(wrong_value: dict[str, Any]) -> None:
    reply = proposes(sets("goal", "drink water", "drink water"), wrong_value)
    with tw.open_sync(FLOW, model=ScriptedModel([reply], understands=True)) as app:
        chat = app.chat("1")
        chat.start()
        turn = chat.say("I want to drink water")
        run = turn.state.frame.form
        assert run is not None
        assert not run.suggested
        assert turn.text == "Your town?"
