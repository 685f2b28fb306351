"""Values that undos took back: each is named by the field, and the undo by the turn."""

from __future__ import annotations

from functools import cache

import turnwise as tw
from support.why_cases import Case, Talk, check
from turnwise.core.state.commands import Set
from turnwise.models.scripted import call

HEALTH = "examples/health_intake/health_intake.flow.yaml"


@cache
def undone() -> tw.SyncChat:
    """Turns: 1 a greeting, 2 an age of 34, 3 of 44, 4 and 5 an undo of each, 6 an age of 39 by the program."""
    chat = tw.open_sync(HEALTH).chat("a")
    for text in ("hello", "I am 34", "sorry, I am 44"):
        chat.say(text)
    chat.undo()
    chat.undo(to=1)
    chat.commands([Set(field="user.age", value=39)])
    return chat


def test_a_field_names_every_value_that_undos_took_back_the_last_one_first() -> None:
    answer = check(undone(), Case("user.age", "user.age was set to 39"))
    lost = [fact.text for fact in answer.facts if fact.kind == "value_undone"]
    assert lost == [
        f"user.age had the value {value} until the undo of turn {turn}" for value, turn in ((34, 5), (44, 4))
    ]


def test_an_empty_field_names_them_too() -> None:
    answer = check(undone(), Case("user.age", "user.age has no value: user.age had the value 34", turn=5))
    assert [fact.values["before"] for fact in answer.facts if fact.kind == "value_undone"] == ["44"]


def test_a_message_whose_value_was_undone_names_its_undo_and_not_a_later_one() -> None:
    chat = tw.open_sync(HEALTH).chat("a")
    chat.say("hello")
    for _ in range(2):
        chat.say("I am 44")
        chat.undo()
    for turn in (2, 4):
        undos = [fact.turn for fact in chat.why(f"message {turn}").facts if fact.kind == "turn_undone"]
        assert undos == [turn + 1]


def test_a_use_that_an_undo_took_back_is_named_beside_those_that_count() -> None:
    flow = "flow: f\nstart: a\nrecords: {r: {n: integer}}\nnodes: {a: {prompt: A., writes: [r]}}"
    chat = Talk(flow, ["Hi.", call("write_r", set={"n": 1}), "Noted.", call("write_r", set={"n": 2}), "Noted."]).chat
    for text in ("hello", "one", "two"):
        chat.say(text)
    assert chat.why("write_r", turn=3).fact("tool_used").values["times"] == "2 times so far"
    chat.undo()
    assert (
        chat.why("write_r")
        .fact("tool_used")
        .text.startswith(
            "write_r was used once so far (and 1 more, which the undo of turn 4 took back), the last time in turn 2"
        )
    )
