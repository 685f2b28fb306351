"""Schedules as the runner sees them: events of those that are due, and the inputs that a program sets for periods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from turnwise.core.machine import Machine
from turnwise.core.proposals import LinkedSchedule
from turnwise.core.schedules.inputs import EXPECTED_PERIOD, input_setting, inputs_about, is_period, read_input
from turnwise.core.state import Timer
from turnwise.core.state.events import ScheduleDue
from turnwise.core.state.schedules import TIMER_PREFIX
from turnwise.errors import UnknownSchedule, WrongArgument
from turnwise.flow.diagnostic import nearest
from turnwise.runner.ports import Clock, Store


class InputSet(Struct, frozen=True):
    """The input of a schedule that a program set for one period, with who set it and when."""

    schedule: str
    """The name of the schedule."""
    period: str
    """The day, week, month or year, as `2026-W14`."""
    input: Mapping[str, Any] | None
    """The values by field; `None` where the input was taken away."""
    by: str
    """Who set the input."""
    at_ms: int
    """When the input was set, in milliseconds since 1970."""


def schedule_of(timer: Timer) -> str:
    """Return the schedule that a timer of the store belongs to, empty for any other timer."""
    return timer.transition[len(TIMER_PREFIX) :] if timer.transition.startswith(TIMER_PREFIX) else ""


def key_of(timer: Timer) -> str:
    """Return the idempotency key of a schedule's timer: the schedule fires once per due time, however often it is
    tried.
    """
    return f"{timer.transition.replace(' ', '/')}/{timer.fired}/{timer.due_ms}"


class KnownInputs:
    """The inputs that programs set for the schedules of a flow, read once for all conversations that are due."""

    def __init__(self, store: Store, flow: str) -> None:
        self._store = store
        self._flow = flow
        self._of: dict[str, dict[str, Any]] = {}

    async def about(self, schedule: str, *times_ms: int) -> dict[str, Any]:
        """Return the inputs of a schedule by period, for the periods that may include one of these times."""
        known = self._of.get(schedule)
        if known is None:
            prefix = input_setting(schedule)
            found = await self._store.settings(self._flow, prefix)
            known = self._of[schedule] = {one.name[len(prefix) :]: one.data for one in found}
        return inputs_about(known, *times_ms) if known else {}


async def due_event(inputs: KnownInputs, timer: Timer, now_ms: int) -> ScheduleDue:
    """Return the event of a schedule that is due, with the `inputs` that were set for its due time and for `now_ms`."""
    schedule = schedule_of(timer)
    return ScheduleDue(schedule, timer.due_ms, timer.fired, await inputs.about(schedule, timer.due_ms, now_ms))


async def event_now(inputs: KnownInputs, schedule: str, now_ms: int, by: str) -> ScheduleDue:
    """Return the event by which a schedule is fired at `now_ms`, before its time; `by` is who fires it."""
    return ScheduleDue(schedule, inputs=await inputs.about(schedule, now_ms), by=by)


def known_schedule(machine: Machine, schedule: str) -> LinkedSchedule:
    """Return a schedule of a flow. Raises `UnknownSchedule` with the nearest name."""
    found = machine.schedules.get(schedule)
    if found is None:
        hint = nearest(schedule, machine.schedules) if machine.schedules else "the flow has no schedules"
        raise UnknownSchedule(schedule, hint)
    return found


async def set_input(
    store: Store, clock: Clock, machine: Machine, schedule: str, period: str, data: Mapping[str, Any] | None, by: str
) -> None:
    """Set the input of a schedule for a period, such as `2026-W14`, or take it away with `None`. `by` is who does.
    Raises `UnknownSchedule`, and `WrongArgument` for an invalid period and for an input that the scope does not take.
    """
    linked = known_schedule(machine, schedule)
    if not is_period(period):
        raise WrongArgument("period", period, EXPECTED_PERIOD)
    if data is not None:
        scope = machine.scopes.get(linked.scope) if linked.scope else None
        if scope is None:
            raise WrongArgument("schedule", schedule, "a schedule that opens or proposes a scope")
        _, faults = read_input(scope, data, machine.rules)
        if faults:
            hint = f"; {faults[0].hint}" if faults[0].hint else ""
            raise WrongArgument("input", dict(data), f"the input of the scope: {faults[0].message}{hint}")
    data = dict(data) if data is not None else None
    await store.set_setting(machine.flow.name, input_setting(schedule, period), data, by, clock.now_ms())


async def inputs_set(store: Store, machine: Machine, schedule: str) -> tuple[InputSet, ...]:
    """Return the inputs that programs have set for a schedule, in order of the periods."""
    known_schedule(machine, schedule)
    prefix = input_setting(schedule)
    found = await store.settings(machine.flow.name, prefix)
    return tuple([InputSet(schedule, one.name[len(prefix) :], one.data, one.by, one.at_ms) for one in found])
