"""The schedules that could open or propose a scope next, when they are due."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.machine import Machine
from turnwise.core.phrase import phrase
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.zones import local_time
from turnwise.why.ways.act import Act


def acts_of_schedules(machine: Machine, state: State) -> Iterator[Act]:
    """Yield acts for the armed schedules that open or propose a scope, with the inputs of the flow.

    A schedule that is held comes only after another act, for which it waits; one that only leaves a text decides
    nothing.
    """
    for armed in state.schedules.armed if state.schedules is not None else ():
        schedule = machine.schedules.get(armed.schedule)
        if schedule is None or not schedule.scope or armed.at_ms <= 0:
            continue
        at = local_time(armed.at_ms, state.time_zone)
        event = e.ScheduleDue(armed.schedule, armed.at_ms, armed.count)
        text = phrase("wait until the schedule {schedule} is due at {at}", schedule=armed.schedule, at=at)
        yield Act("timer", text, event, max(0, armed.at_ms - state.at_ms))


def scopes_of_schedules(machine: Machine) -> tuple[str, ...]:
    """Return the names of the scopes that schedules open or propose, from any node."""
    return tuple(dict.fromkeys(one.scope for one in machine.schedules.values() if one.scope))
