"""Reports times of schedules that are probably a mistake, and keys that have no effect."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC
from itertools import combinations, islice

from turnwise.check.checked_flow import CheckedFlow
from turnwise.core.proposals import LinkedSchedule
from turnwise.core.recurrence import cron
from turnwise.core.recurrence.times import Plan, times_after
from turnwise.flow.diagnostic import Diagnostic, problem

_SINCE_MS = 1_767_225_600_000
"""The beginning of 2026: times are compared from a fixed moment on, so that a report is the same on each day."""
_COMPARED = 5
"""How many times of two schedules are compared."""


def check_times(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """Report cron lines with both kinds of days, schedules that never fire, and two that always fire together."""
    schedules = list(checked.machine.schedules.values())
    for one in schedules:
        yield from _of_one(one)
    opening = [one for one in schedules if one.scope and one.plan != Plan()]
    for one, other in combinations(opening, 2):
        if one.scope != other.scope and _times(one) == _times(other) != []:
            message = f"'{one.name}' and '{other.name}' are due at the same times, so '{other.name}' always waits"
            yield problem("TW103", message, other.schedule.span, "let one of them come later")


def _of_one(schedule: LinkedSchedule) -> Iterator[Diagnostic]:
    plan, span = schedule.plan, schedule.schedule.span
    if plan.cron and cron.names_both_days(plan.cron):
        message = f"'{plan.cron}' names days of the month and weekdays, and fires on either of them"
        yield problem("TW103", message, span.of("cron"), "write 2#2 for the second Tuesday")
    if (plan.cron or plan.every_days) and not _times(schedule):
        key = "cron" if plan.cron else "anchor"
        yield problem("TW103", f"'{schedule.name}' never fires", span.of(key), "look at its days")


def _times(schedule: LinkedSchedule) -> list[int]:
    return list(islice(times_after(schedule.plan, UTC, _SINCE_MS), _COMPARED))


def check_keys(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """Report keys of schedules that other keys of the same schedule make useless."""
    for linked in checked.machine.schedules.values():
        one, span = linked.schedule, linked.schedule.span
        if one.grace_s is not None and one.missed != "skip" and not one.call:
            message = f"'grace' has no effect: '{one.name}' fires however late it is"
            yield problem("TW104", message, span.of("grace"), "add 'missed: skip', or leave 'grace' out")
        if one.missed == "each" and (one.offer or linked.plan.idle_ms):
            what = "makes one offer" if one.offer else "is due once in a silence"
            message = f"'missed: each' has no effect: '{one.name}' {what}, however many times were missed"
            yield problem("TW104", message, span.of("missed"), "leave 'missed' out")
