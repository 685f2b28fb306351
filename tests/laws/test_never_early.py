"""A timer or schedule that was seen as due does not fire when the clock is set back before its turn (laws 2.15, 6.7)."""

from __future__ import annotations

import pytest

from support.chats import NOON_MS, machine_of
from turnwise.core.state import commands as c
from turnwise.core.state import events as e
from turnwise.core.step import start, step
from turnwise.core.turn import Refusal, Step

FLOW = """
flow: early
start: a
commands: {start: [survey]}
records: {r: {x: string}}
nodes:
  a: {say: Waiting., transitions: [{id: wake, at: timer, in: 1h, to: b}, {at: before, when: 'false', to: a}]}
  b: {say: Awake., transitions: [{at: before, when: 'false', to: a}]}
  survey: {scope: {returns: r}, form: {fields: [{field: r.x, ask: How?}]}}
schedules:
  note: {at: "18:00", instruct: Ask.}
"""


@pytest.mark.law("2.15", "6.7")
def test_what_is_due_waits_for_a_clock_that_was_set_back() -> None:
    machine = machine_of(FLOW)
    begun = start(machine, NOON_MS)
    assert isinstance(begun, Step)
    (timer,) = begun.state.timers
    armed = begun.state.schedules.find("note") if begun.state.schedules is not None else None
    assert armed is not None
    for event, due_ms in (
        (e.TimerFired("wake", timer.visit, timer.due_ms), timer.due_ms),
        (e.ScheduleDue("note", armed.at_ms, armed.count), armed.at_ms),
    ):
        early = step(machine, begun.state, event, due_ms - 1)
        assert isinstance(early, Refusal)
        assert early.code == "not_due"
        assert isinstance(step(machine, begun.state, event, due_ms), Step)


@pytest.mark.law("6.7")
def test_a_schedule_that_is_held_is_due_at_no_time() -> None:
    """Its row has no time; an event without one, or with none that is a time, does not fire it."""
    machine = machine_of(FLOW)
    begun = start(machine, NOON_MS)
    assert isinstance(begun, Step)
    opened = step(machine, begun.state, e.Commands((c.Start(target="survey"),)), NOON_MS)
    assert isinstance(opened, Step)
    armed = opened.state.schedules.find("note") if opened.state.schedules is not None else None
    assert armed is not None
    assert (armed.at_ms, armed.waits) == (0, "scope")
    held = e.ScheduleDue("note", 0, 0)
    refused = step(machine, opened.state, held, NOON_MS)
    assert isinstance(refused, Refusal)
    assert refused.code == "not_due"
