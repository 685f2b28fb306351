"""Why a timer is armed or not, what it did, why a run goes on or stops, and how much of a limit was used."""

from __future__ import annotations

from functools import cache

import pytest

import turnwise as tw
from support.why_cases import Case, Talk, check
from turnwise.core.state.commands import Set

TIMERS = """
flow: f
start: a
records: {r: {n: integer}}
nodes:
  a:
    prompt: Talk.
    transitions:
      - {id: remind, at: timer, in: 60s, when: r.n > 3, to: b}
      - {id: go, at: before, when: r.n == 9, to: b}
      - {id: finish, at: before, when: r.n == 99, end: done}
  b: {say: B., transitions: [{id: later, at: timer, in: 1h, to: a}, {id: back, at: before, when: r.n == 1, to: a}]}
"""


def sets(value: int) -> object:
    return lambda chat: chat.commands([Set(field="r.n", value=value)])


def fires(timer: str) -> object:
    return lambda chat: chat.fire(timer)


@cache
def timed() -> tw.SyncChat:
    """Turns: 1 and 2 messages, 3 the timer without a value, 4 a value, 5 the timer moves, 6 back, 7 the end."""
    talk = Talk(TIMERS, ["One.", "Two.", "Three.", "Four.", "Five."])
    steps = ("hi", talk.later(10), "more", talk.later(70), fires("remind"), sets(4), talk.later(60), fires("remind"))
    return talk.did(*steps, sets(1), sets(99)).chat  # type: ignore[arg-type]


ASKED = [
    Case(
        "remind",
        "the timer remind is armed since turn 1, and is not due yet: it is due at 2026-01-09 12:01:00",
        {"timer_is_armed": {"since": 1, "delay": "1m"}, "message_received": {"said": "hi"}},
        ("timer_dropped", "timer_not_armed"),
        turn=1,
    ),
    Case(
        "remind",
        "the timer remind is armed since turn 2, and is not due yet: it is due at 2026-01-09 12:01:10",
        {"timer_dropped": {"reason": "it was armed anew"}, "timer_is_armed": {"since": 2}},
        turn=2,
    ),
    Case("later", "the timer later is not armed, because it belongs to b, and a is in charge", turn=2),
    Case(
        "remind",
        "the timer remind came due at 2026-",
        {
            "timer_fired": {"late": "10 s", "did": "remind did not hold, because it needs r.n > 3 (not known)"},
            "timer_not_armed": {},
        },
        ("timer_is_armed", "node_left"),
        turn=3,
    ),
    Case("timer remind", "the timer remind is armed since turn 4", {"timer_is_armed": {"since": 4}}, turn=4),
    Case(
        "remind",
        "the timer remind came due at 2026-",
        {
            "timer_fired": {"late": "", "did": "its transition was taken"},
            "value_read": {"name": "r.n", "value": "4"},
        },
        turn=5,
    ),
    Case(
        "later",
        "the timer later is armed since turn 5, and is not due yet",
        {"node_left": {"transition": "remind"}},
        turn=5,
    ),
    Case(
        "later", "the timer later is not armed, because it belongs to b", {"node_left": {"transition": "back"}}, turn=6
    ),
    Case(
        "remind",
        "the timer remind is not armed, because the conversation has ended; turn 7 dropped it, because the conversation "
        "ended; it came due in turn 5",
        {"timer_not_armed": {"reason": "the conversation has ended"}},
        ("timer_is_armed",),
        turn=7,
    ),
    Case("person timeout", "the timer person timeout is not armed, because no person is awaited", turn=2),
    Case("moves", "the limit moves allows 4 moves in a turn, and turn 5 used 1", turn=5),
    Case("model_calls", "the limit model_calls allows 12 model calls in a turn, and turn 1 used 1", turn=1),
    Case("message_chars", "the limit message_chars allows 10000 characters of a message, and turn 2 used 4", turn=2),
    Case(
        "reply_chars",
        "the limit reply_chars allows 100000 characters of a reply of the model, and turn 1 used 4",
        turn=1,
    ),
    Case(
        "result_chars",
        "the limit result_chars allows 100000 characters of a tool's result, and turn 1 used none",
        turn=1,
    ),
    Case("person_wait", "the limit person_wait allows 10m of waiting for a person", {}, ("limit_used",), turn=1),
]


@pytest.mark.parametrize("case", ASKED, ids=lambda case: f"{case.question} {case.turn}")
def test_a_timer_or_limit(case: Case) -> None:
    check(timed(), case)


def test_a_timer_that_comes_too_late_says_why_it_changed_nothing() -> None:
    talk = Talk(TIMERS, ["One."] * 4)
    talk.did("hi", sets(9))  # type: ignore[arg-type]
    talk.chat.fire("remind")
    check(
        talk.chat,
        Case(
            "remind",
            "the timer remind came due and changed nothing, because b is in charge, which has no such timer",
            {"timer_fired": {}},
            ("transition_judged", "warned"),
        ),
    )
    talk.did(lambda chat: chat.take_over("Lena"), fires("later"))  # type: ignore[arg-type]
    check(talk.chat, Case("later", "the timer later came due and changed nothing, because Lena is in charge"))


# runs ------------------------------------------------------------------------------------------------

RUN = """
flow: f
start: a
autonomous: true
limits: {run_moves: 3}
records: {r: {n: {type: integer, default: 1}}}
nodes:
  a: {prompt: Work., transitions: [{id: on, at: after, to: b}]}
  b: {prompt: More., transitions: [{id: to_c, at: after, to: c}]}
  c: {say: C., transitions: [{id: to_d, at: after, when: r.n == 1, to: d}]}
  d: {say: D., transitions: [{id: loop, at: after, when: r.n == 1, to: e}, {id: ends, at: after, end: over}]}
  e: {prompt: E., transitions: [{id: last, at: before, when: r.n == 5, to: a}]}
"""


@cache
def ran(limit: int) -> tw.SyncChat:
    chat = Talk(RUN.replace("run_moves: 3", f"run_moves: {limit}"), ["One."] * 9).chat
    chat.following(chat.say("go"))
    return chat


RAN = [
    (3, Case("conversation", "", {"run_went_on": {"node": "b", "reason": "the work of the node follows"}}, turn=1)),
    (3, Case("run_moves", "the limit run_moves allows 3 moves in one run, and turn 1 used 1", turn=1)),
    (
        3,
        Case(
            "run_moves",
            "the limit run_moves was reached, which allows 3 moves in one run",
            {"run_stopped": {}, "limit_used": {"used": 3}},
            ("run_went_on",),
        ),
    ),
    (3, Case("e", "loop held, but the move d → e was taken back, because a limit was reached", {"limit_reached": {}})),
    (3, Case("continuation", "the timer continuation is armed since turn 1", {"timer_is_armed": {}}, turn=1)),
    (3, Case("continuation", "the timer continuation is not armed", {"timer_not_armed": {}}, ("timer_is_armed",))),
    (9, Case("conversation", "", {"run_stopped": {"reason": "e waits for a message of the user"}}, ("limit_reached",))),
]


@pytest.mark.parametrize(("limit", "case"), RAN)
def test_a_run_says_why_it_goes_on_or_stops(limit: int, case: Case) -> None:
    check(ran(limit), case)
