"""How long something took, or was to take: a duration with the two times that it lies between."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import turnwise as tw
from support.why_cases import Talk

EXAMPLES = Path("examples")
HEALTH = (EXAMPLES / "health_intake/health_intake.flow.yaml").read_text("utf-8")
CALL_BACK = (EXAMPLES / "health_intake/call_back.flow.yaml").read_text("utf-8")
CASE = (EXAMPLES / "eligibility/eligibility.flow.yaml").read_text("utf-8")


@cache
def turned_away() -> tw.SyncChat:
    """Turns: 1 turned away at 13:00:20, 2 armed anew at 13:10:20, 3 the end at 13:41."""
    talk = Talk(HEALTH, ["Hi."])
    steps = (talk.later(20), "I am Rita, and I am 30", talk.later(600), "what a pity", talk.later(1840), tick)
    return talk.did(*steps).chat


def tick(chat: tw.SyncChat) -> None:
    chat.app.tick()


@cache
def greeted() -> tw.SyncChat:
    return Talk(HEALTH, ["Hi."]).did("hello").chat


@cache
def waited() -> tw.SyncChat:
    """Turns: 3 the wait for a nurse begins, 4 Lena takes over after an hour, 5 she gives back after five minutes."""
    talk = Talk(CALL_BACK)
    steps = ("hello", talk.later(60), "a rash", talk.later(60), "0151 234567", talk.later(3600))
    talk.did(*steps, lambda chat: chat.take_over("Lena"), talk.later(300), lambda chat: chat.give_back("done"))
    return talk.chat


@cache
def checked() -> tw.SyncChat:
    """Turns: 1 begins, 3 an expert is reached after six minutes."""
    talk = Talk(CASE)
    return talk.did("yes", talk.later(120), "yes", talk.later(240), "it is for a referral").chat


LASTED: list[tuple[Callable[[], tw.SyncChat], str, str]] = [
    (turned_away, "timer turned_away", "the timer turned_away gives 30m: from 2026-01-09 "),
    (turned_away, "conversation", "the conversation lasted 40m40s: from "),
    (turned_away, "end", "the conversation lasted 40m40s: from "),
    (turned_away, "node ineligible", "ineligible was in charge for 40m40s: from "),
    (waited, "person", "the wait for a person lasted 1h: from "),
    (waited, "node nurse", "the wait for a person lasted 1h: from "),
    (waited, "person Lena", "Lena was in charge for 5m: from "),
    (waited, "conversation", "the conversation lasted 1h7m: from "),
    (greeted, "model", "the model took 0s: from "),
    (checked, "node intake", "intake was in charge for 6m: from "),
    (checked, "form", "intake was in charge for 6m: from "),
    (checked, "end", "the conversation lasted 6m: from "),
]


@pytest.mark.parametrize(("play", "subject", "text"), LASTED, ids=[f"{row[1]}: {row[2]}" for row in LASTED])
def test_how_long_a_subject_took_is_said_with_both_times(
    play: Callable[[], tw.SyncChat], subject: str, text: str
) -> None:
    answer = play().why(subject)
    passed = answer.fact("time_passed")
    assert passed is not None
    assert passed.text.startswith(text)
    duration, begin, end = (str(passed.values[name]) for name in ("duration", "at", "until"))
    assert f"{duration}: from {begin} (turn {passed.values['since']}) until {end}" in passed.text
    assert answer.facts[0].kind != "time_passed"


def test_the_time_that_a_timer_gives_begins_where_it_was_armed_the_last_time() -> None:
    passed = turned_away().why("timer turned_away").fact("time_passed")
    before = turned_away().why("timer turned_away", turn=1).fact("time_passed")
    assert passed is not None
    assert before is not None
    assert (passed.values["since"], before.values["since"]) == (2, 1)
    assert passed.causes[0].values["due"] == passed.values["until"]


@pytest.mark.parametrize("subject", ["person", "node nurse"])
def test_what_is_not_over_has_no_duration(subject: str) -> None:
    talk = Talk(CALL_BACK).did("hello", "a rash", "0151 234567")
    assert talk.chat.why(subject).fact("time_passed") is None


@pytest.mark.parametrize("subject", ["field user.age", "transition too_young", "message 1", "turn 1"])
def test_what_takes_no_time_has_no_duration(subject: str) -> None:
    assert turned_away().why(subject).fact("time_passed") is None
