"""Folds the events of schedules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.schedules import ArmedSchedule, Instruction, Schedules


def _fired(state: State, entry: e.Entry, event: e.ScheduleFired) -> State:
    """The time is handled: the mark is in the same event as what was done (law 6.7)."""
    known = state.schedules or Schedules(state.time_zone, entry.at_ms)
    was = known.find(event.schedule) or ArmedSchedule(event.schedule)
    if event.did == "put_off":
        now = replace(was, at_ms=event.until_ms)
    elif event.by:
        now = was
    else:
        now = ArmedSchedule(event.schedule, count=was.count + 1, done_ms=event.due_ms)
    armed = tuple([now if one is was else one for one in known.armed])
    instructions = known.instructions
    if event.did == "instructed":
        left = [one for one in instructions if one.schedule != event.schedule]
        instructions = (*left, Instruction(event.schedule, event.until_ms))
    known = replace(known, armed=armed if was in known.armed else (*armed, now), instructions=instructions)
    return replace(state, schedules=known)


def _time_zone_changed(state: State, _entry: e.Entry, event: e.TimeZoneChanged) -> State:
    return replace(state, time_zone=event.time_zone)


def after_message(state: State, entry: e.Entry) -> Schedules | None:
    """Return the schedules after an event of the user, which restarts the measuring of silence; `None` if the flow has
    none.
    """
    known = state.schedules
    return replace(known, said_ms=entry.at_ms) if known is not None else None


def without_times(state: State) -> Schedules | None:
    """Return the schedules of a state without their next times, but with what was handled; `None` if there are none."""
    known = state.schedules
    if known is None:
        return None
    kept = [ArmedSchedule(one.schedule, count=one.count, done_ms=one.done_ms) for one in known.armed]
    return replace(known, armed=tuple(kept), instructions=())


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    e.ScheduleFired: _fired,
    e.TimeZoneChanged: _time_zone_changed,
}
"""The functions that return the state after an event, by the class of the event."""
