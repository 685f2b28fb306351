"""Arms the schedules of a conversation at the end of a turn: when each fires next, and what it waits for (law 6.7)."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core import scopes
from turnwise.core.machine import Machine
from turnwise.core.proposals import LinkedSchedule
from turnwise.core.recurrence.local_time import local_at
from turnwise.core.recurrence.times import end_of_quiet, next_time
from turnwise.core.state import Failed, State
from turnwise.core.state.frames import OPEN_FORM, QuestionKind
from turnwise.core.state.kinds import BY_USER
from turnwise.core.state.proposals import open_offer
from turnwise.core.state.schedules import NEVER_DUE, ArmedSchedule, Schedules, ScheduleWait
from turnwise.core.turn import StepBuilder
from turnwise.core.zones import zone_or_utc

_BEFORE_MS = 60_000
"""How long before its time a schedule is looked at again, beside the pause that it waits for."""
_YES_OR_NO: dict[QuestionKind, ScheduleWait] = {"offer": "offer", "confirmation": "form", "budget": "budget"}
"""Open questions that a yes answers, beside which a `call` asks nothing, and what it waits for then."""


def arm(step: StepBuilder) -> Schedules | None:
    """Return the schedules with their next times after this turn; `None` if nothing changes."""
    state, known = step.state, step.state.schedules
    if known is not None and _stay(step, known):
        return None
    found = armed_at(step.machine, state, step.at_ms, known.said_ms if known is not None else step.at_ms)
    if found.instructions:
        is_used = step.doing.kind in BY_USER and bool(step.doing.prompted) and type(state.status) is not Failed
        kept = [
            one
            for one in found.instructions
            if one.until_ms > step.at_ms and not (is_used and step.machine.schedules[one.schedule].reaches(state))
        ]
        found = replace(found, instructions=tuple(kept))
    return found if found != known else None


def _stay(step: StepBuilder, known: Schedules) -> bool:
    """Return whether all schedules stay as they are armed, as in most turns: none is near, held or idle time."""
    state, frame, machine = step.state, step.state.frame, step.machine
    if known.zone != state.time_zone or known.instructions or state.outer or machine.rearms_each_turn:
        return False
    if frame.question is not None and frame.question.kind in _YES_OR_NO:
        return False
    if frame.person is not None or frame.awaiting_approval is not None or frame.approvals or len(known.armed) == 0:
        return False
    near_ms = step.at_ms + machine.longest_pause_ms + _BEFORE_MS
    return all(one.at_ms > near_ms and not one.waits for one in known.armed)


def armed_at(machine: Machine, state: State, at_ms: int, said_ms: int, *, is_new: bool = False) -> Schedules:
    """Return the schedules of a machine with their next times after a moment; `said_ms` is when the user last did
    something. With `is_new` they come from another version of the flow: times that are not due yet are computed anew.
    """
    known = state.schedules or Schedules(state.time_zone, said_ms)
    moved = is_new or known.zone != state.time_zone
    armed = [_armed(machine, state, one, known, (at_ms, said_ms, moved)) for one in machine.schedules.values()]
    instructions = tuple([one for one in known.instructions if one.schedule in machine.schedules])
    return Schedules(state.time_zone, said_ms, tuple(armed), instructions)


def _armed(
    machine: Machine, state: State, schedule: LinkedSchedule, known: Schedules, at: tuple[int, int, bool]
) -> ArmedSchedule:
    """Return one schedule as it is armed; `at` is now, when the user wrote last, and whether times may be others."""
    at_ms, said_ms, moved = at
    was = known.find(schedule.name) or ArmedSchedule(schedule.name)
    due_ms = _due(schedule, state, known, was, at)
    if due_ms <= 0:
        return ArmedSchedule(was.schedule, due_ms, 0, "", was.count, was.done_ms)
    waits = awaited_before(machine, state, schedule)
    if waits:
        return ArmedSchedule(was.schedule, due_ms, 0, waits, was.count, was.done_ms)
    fires_ms = max(due_ms, at_ms)
    if schedule.pause_ms and fires_ms < said_ms + schedule.pause_ms:
        fires_ms, waits = said_ms + schedule.pause_ms, "pause"
    question, until_ms = _held_by_question(state, schedule, due_ms, said_ms)
    if question and fires_ms < until_ms:
        fires_ms, waits = until_ms, question
    quiet_ms = end_of_quiet(schedule.quiet, zone_or_utc(state.time_zone), fires_ms)
    if quiet_ms > fires_ms:
        fires_ms, waits = quiet_ms, "quiet"
    if fires_ms == at_ms and not moved and was.due_ms == due_ms and 0 < was.at_ms < at_ms:
        fires_ms = was.at_ms  # it has come, and is being handled
    return ArmedSchedule(was.schedule, due_ms, fires_ms, waits, was.count, was.done_ms)


def _due(
    schedule: LinkedSchedule, state: State, known: Schedules, was: ArmedSchedule, at: tuple[int, int, bool]
) -> int:
    """Return when a schedule is due next, as in `ArmedSchedule.due_ms`."""
    at_ms, said_ms, moved = at
    if schedule.plan.idle_ms:
        due_ms = said_ms + schedule.plan.idle_ms
        return due_ms if due_ms > was.done_ms else 0  # once per silence
    is_kept = was.due_ms > 0 and (was.due_ms <= at_ms or not moved)
    if is_kept or (was.due_ms == NEVER_DUE and not moved):
        return was.due_ms
    zone = zone_or_utc(state.time_zone)
    is_each = schedule.schedule.missed == "each" and was.done_ms and not moved
    after_ms = was.done_ms if is_each else max(at_ms, was.done_ms)
    if moved and was.done_ms:
        return next_time(schedule.plan, zone, after_ms, local_at(was.done_ms, zone_or_utc(known.zone))) or NEVER_DUE
    return next_time(schedule.plan, zone, after_ms) or NEVER_DUE


def open_yes_or_no(state: State, schedule: LinkedSchedule) -> ScheduleWait:
    """Return which open yes-or-no question keeps a schedule from asking one too; empty if none does."""
    question = state.frame.question
    if not schedule.schedule.call or question is None:
        return ""
    return _YES_OR_NO.get(question.kind, "")


def _held_by_question(state: State, schedule: LinkedSchedule, due_ms: int, said_ms: int) -> tuple[ScheduleWait, int]:
    """Return the open question for which a schedule waits, and how long: the `grace` of the schedule from when it was
    asked, and not longer than from when the schedule is due, so that questions cannot put it off for ever.
    """
    waits = open_yes_or_no(state, schedule)
    if not waits:
        return "", 0
    offer = open_offer(state)
    asked_ms = offer.asked_ms or due_ms if offer is not None else said_ms
    return waits, min(asked_ms, due_ms) + schedule.grace_ms


def awaited_before(machine: Machine, state: State, schedule: LinkedSchedule) -> ScheduleWait:
    """Return what a schedule has to wait for before it may fire; empty if it may fire now."""
    frame = state.frame
    if state.outer and not schedule.schedule.interrupt:
        return "scope"
    if not schedule.scope:
        return ""
    if frame.person is not None:
        return "person"
    if frame.waiting_calls:
        return "approval"
    if schedule.schedule.offer:
        form = frame.form
        is_asking = form is not None and form.status in OPEN_FORM
        return "form" if is_asking else ""
    why = scopes.why_not_opened(machine, state, schedule.scope)
    return "scope" if why in ("already_open", "frames") else ""
