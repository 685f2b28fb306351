"""Questions how long something took, or was to take: a duration with the two times that it lies between."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import turnwise as tw
from support.why_cases import Case, Talk, check
from turnwise.errors import UnknownSubject

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
    talk.did(*steps, lambda chat: chat.take_over("Lena"), talk.later(300), lambda chat: chat.give_back("helped"))
    return talk.chat


@cache
def checked() -> tw.SyncChat:
    """Turns: 1 begins, 3 an expert is reached after six minutes."""
    talk = Talk(CASE)
    return talk.did("yes", talk.later(120), "yes", talk.later(240), "it is for a referral").chat


ASKED: list[tuple[Callable[[], tw.SyncChat], str, str]] = [
    (turned_away, "How long did she have to correct herself?", "the timer turned_away gives 30m: from 2026-01-09 "),
    (turned_away, "Until when could she correct herself?", "the timer turned_away gives 30m: from "),
    (turned_away, "How long did she have?", "the timer turned_away gives 30m: from "),
    (turned_away, "Wie lange hatte sie Zeit?", "the timer turned_away gives 30m: from "),
    (turned_away, "How long did it last?", "the conversation lasted 40m40s: from "),
    (turned_away, "how long did it take from turn 1 to turn 2?", "from turn 1 to turn 2 it took 10m: from "),
    (turned_away, "how much time passed between turns 2 and 3?", "from turn 2 to turn 3 it took 30m40s: from "),
    (waited, "how long did she wait for a nurse?", "the wait for a person lasted 1h: from "),
    (waited, "how long did she wait for Lena?", "the wait for a person lasted 1h: from "),
    (waited, "Wie lange hat sie gewartet?", "the wait for a person lasted 1h: from "),
    (turned_away, "How long did it wait before ending?", "the timer turned_away gives 30m: from "),
    (turned_away, "Wie lange wurde gewartet?", "the timer turned_away gives 30m: from "),
    (turned_away, "How long was she in ineligible?", "ineligible was in charge for 40m40s: from "),
    (greeted, "How long did the model take?", "the model took 0s: from "),
    (waited, "Seit wann war Lena zuständig?", "Lena was in charge for 5m: from "),
    (waited, "Since when was Lena in charge?", "Lena was in charge for 5m: from "),
    (waited, "how long was Lena in charge?", "Lena was in charge for 5m: from "),
    (checked, "how long did it take until the expert?", "from the beginning until expert was taken it took 6m: from "),
    (checked, "When did it reach the expert, and how long after the beginning?", "from the beginning until expert was"),
    (checked, "how long did she need for the whole form?", "intake was in charge for 6m: from "),
]


@pytest.mark.parametrize(("play", "question", "line"), ASKED, ids=[row[1] for row in ASKED])
def test_how_long_something_took_is_said_with_both_times(
    play: Callable[[], tw.SyncChat], question: str, line: str
) -> None:
    answer = check(play(), Case(question, line))
    passed = answer.facts[0]
    assert passed.kind == "time_passed"
    duration, begin, end = (str(passed.values[name]) for name in ("duration", "at", "until"))
    assert f"{duration}: from {begin} (turn {passed.values['since']}) until {end}" in passed.text
    assert answer.plain == f"It was {duration}: from {begin} until {end}."


def test_the_time_that_a_timer_gives_begins_where_it_was_armed_the_last_time() -> None:
    passed = turned_away().why("how long did she have?").facts[0]
    assert passed.values["since"] == 2
    assert passed.causes[0].values["due"] == passed.values["until"]
    assert turned_away().why("how long did she have?", turn=1).facts[0].values["since"] == 1


def test_what_is_not_over_has_no_duration() -> None:
    talk = Talk(CALL_BACK).did("hello", "a rash", "0151 234567")
    assert talk.chat.why("how long did she wait for a nurse?").fact("time_passed") is None
    assert talk.chat.why("how long was nurse in charge?").fact("time_passed") is None


def test_a_duration_from_a_moment_that_is_not_known_is_refused() -> None:
    with pytest.raises(UnknownSubject, match="how long from turn 1 to turn 2"):
        turned_away().why("How long after the failure did it go on?")
