"""Performs the action of a schedule that is due: opens its scope, proposes it, or keeps a text for the next reply (law
6.7).

The mark, `ScheduleFired`, is committed with what is done, so that no time is handled twice or lost.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.addresses import local_name
from turnwise.core.decision.frames import open_scope
from turnwise.core.machine import Machine
from turnwise.core.offers import propose
from turnwise.core.proposals import LinkedSchedule
from turnwise.core.recurrence.local_time import local_at
from turnwise.core.recurrence.times import end_of_quiet, missed_times, next_time
from turnwise.core.schedules.arming import awaited_before, open_yes_or_no
from turnwise.core.schedules.inputs import PeriodInput, input_for, read_input
from turnwise.core.scopes import Opening
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.events.schedules import ScheduleDeed, ScheduleReason
from turnwise.core.state.schedules import NEVER_DUE
from turnwise.core.turn import Phase, Refusal, StepBuilder
from turnwise.core.zones import is_zone, zone_or_utc
from turnwise.flow.diagnostic import LONGEST_SHOWN, nearest

_YEAR_MS = 366 * 86_400_000
REASONS_TO_WAIT = {
    "scope": "a scope is open",
    "person": "a person takes part",
    "approval": "a call waits for approval",
    "form": "a form asks a question",
    "offer": "another proposal is open",
    "budget": "more of a budget is asked for",
    "quiet": "its quiet hours",
    "pause": "a pause of the user",
}
"""What a schedule waits for, in words, by the code of the reason."""


class Handled(Struct, frozen=True):
    """The due time that a firing handles, how many earlier times go with it, and whether it is late."""

    due_ms: int
    """The due time of the schedule, in milliseconds since 1970."""
    missed: int = 0
    """How many earlier due times, which were missed, are handled as well."""
    late: bool = False
    """True where the schedule fires so long after its time that it counts as late."""


def refuse(machine: Machine, state: State, event: e.ScheduleDue) -> Refusal | None:
    """Return the refusal if the flow lacks the schedule, or it is not armed for this time; else `None`."""
    if event.schedule not in machine.schedules:
        hint = nearest(event.schedule, machine.schedules) if machine.schedules else "the flow has no schedules"
        return Refusal("unknown_schedule", f"no schedule is called '{event.schedule[:LONGEST_SHOWN]}'; {hint}")
    if event.at_ms is None:
        return None
    armed = state.schedules.find(event.schedule) if state.schedules is not None else None
    if armed is None or armed.at_ms <= 0 or (armed.at_ms, armed.count) != (event.at_ms, event.count):
        return Refusal("not_due", f"the schedule '{event.schedule}' is not due at this time, or no more")
    return None


def fire(step: StepBuilder, before: State, event: e.ScheduleDue) -> Phase:
    """Handle the firing of a schedule: act, put it off or skip it; return the next phase of the turn. `before` is the
    state before the event.
    """
    schedule, zone = step.machine.schedules[event.schedule], zone_or_utc(before.time_zone)
    if not is_zone(before.time_zone):
        step.warn("unknown_time_zone", f"the system knows no time zone '{before.time_zone}'; UTC counts instead")
    by = "" if event.at_ms is not None else event.by or "program"
    if by and (waits := awaited_before(step.machine, step.state, schedule) or open_yes_or_no(step.state, schedule)):
        return _nothing(step, schedule, Handled(step.at_ms), "held", text=REASONS_TO_WAIT[waits], by=by)
    if by:
        return _act(step, schedule, Handled(step.at_ms), event.inputs, by)
    quiet_ms = end_of_quiet(schedule.quiet, zone, step.at_ms)
    handled = _handled(step, before, schedule)
    if quiet_ms > step.at_ms:
        step.emit(e.ScheduleFired(schedule.name, handled.due_ms, "put_off", "quiet", until_ms=quiet_ms))
        return Phase.FINISH
    if handled.late and schedule.schedule.missed == "skip":
        return _nothing(step, schedule, handled, "missed")
    return _act(step, schedule, handled, event.inputs, by)


def _handled(step: StepBuilder, before: State, schedule: LinkedSchedule) -> Handled:
    """Return the time that is handled now: the last one that is due, or the next with `missed: each`."""
    known = before.schedules.find(schedule.name) if before.schedules is not None else None
    assert known is not None, "an armed schedule is known"
    zone, due_ms, count = zone_or_utc(before.time_zone), known.due_ms, 1
    is_each = schedule.schedule.missed == "each" and not schedule.schedule.offer
    if not schedule.plan.idle_ms and not is_each:
        due_ms, count = missed_times(schedule.plan, zone, due_ms, step.at_ms)
    late_ms = step.at_ms - end_of_quiet(schedule.quiet, zone, due_ms)
    return Handled(due_ms, count - 1, late_ms > schedule.grace_ms)


def _nothing(
    step: StepBuilder,
    schedule: LinkedSchedule,
    handled: Handled,
    reason: ScheduleReason,
    *,
    text: str = "",
    by: str = "",
    given: PeriodInput | None = None,
) -> Phase:
    """Record that a schedule was due and did nothing."""
    step.emit(_fired(schedule, handled, "nothing", given or PeriodInput(), reason=reason, text=text, by=by))
    return Phase.FINISH


def _fired(
    schedule: LinkedSchedule, handled: Handled, did: ScheduleDeed, given: PeriodInput, **more: Any
) -> e.ScheduleFired:
    data = dict(given.data) if given.data and schedule.scope else None
    return e.ScheduleFired(
        schedule.name,
        handled.due_ms,
        did,
        scope=schedule.scope,
        period=given.period,
        input=data,
        is_set=given.is_set,
        missed=handled.missed,
        late=handled.late,
        **more,
    )


def _act(step: StepBuilder, schedule: LinkedSchedule, handled: Handled, inputs: Any, by: str) -> Phase:
    """Do what the schedule is for."""
    zone = zone_or_utc(step.state.time_zone)
    if not schedule.scope:
        after_ms = max(handled.due_ms, step.at_ms)
        until_ms = next_time(schedule.plan, zone, after_ms) or after_ms + _YEAR_MS
        step.emit(_fired(schedule, handled, "instructed", PeriodInput(), until_ms=until_ms, by=by))
        return Phase.FINISH
    given = input_for(schedule, inputs, local_at(handled.due_ms, zone))
    if given.data is None:
        text = "no period has an input for this time, and there is no default"
        return _nothing(step, schedule, handled, "no_input", text=text, by=by)
    values, faults = read_input(step.machine.scopes[schedule.scope], given.data, step.rules)
    if faults:
        reason = "bad_input" if faults[0].name else "no_input"
        return _nothing(step, schedule, handled, reason, text=faults[0].message, by=by, given=given)
    mark = step.savepoint()
    if schedule.schedule.offer:
        opener = step.fill(schedule.opener) if schedule.opener is not None else ""
        step.emit(_fired(schedule, handled, "offered", given, by=by))
        lacks = propose(step, schedule.scope, opener, values, schedule.name)
        assert lacks is None, "the input was read"
        return Phase.FINISH
    step.emit(_fired(schedule, handled, "called", given, by=by))
    refused = open_scope(step, Opening(schedule.scope, "schedule", values))
    if refused is None:
        return Phase.UNDERSTAND
    step.roll_back_to(mark)
    return _nothing(step, schedule, handled, "refused", text=refused.message, by=by, given=given)


def what_it_does(schedule: LinkedSchedule) -> str:
    """Return in words what a schedule does when it is due."""
    scope = local_name(schedule.scope)
    if schedule.schedule.call:
        return f"opens '{scope}'"
    return f"proposes '{scope}'" if schedule.scope else "leaves a text for the next reply"


def next_ms(state: State, schedule: str) -> int | None:
    """Return when a schedule is due next, in milliseconds since 1970; `None` if never."""
    armed = state.schedules.find(schedule) if state.schedules is not None else None
    return armed.due_ms if armed is not None and armed.due_ms not in (0, NEVER_DUE) else None
