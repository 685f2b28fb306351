"""Computes when a schedule is due: the times of its plan in a time zone, and its quiet hours. It reads no clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from itertools import islice
from typing import Literal

from msgspec import Struct

from turnwise.core.recurrence import cron
from turnwise.core.recurrence.local_time import local_at, moment_of

MOST_MISSED_COUNTED = 1000
"""How many missed times are counted; of more it is only known that there were as many."""
_HOUR_MS = 3_600_000
_DAY = timedelta(days=1)
_BEGIN = datetime.min  # noqa: DTZ901  local times have no zone here
_END = date.max - 400 * _DAY
_BACK_MS = tuple([days * 86_400_000 for days in (0.05, 1, 32, 400, 3000)])
"""How far back the last of many missed times is searched, step by step."""


class Plan(Struct, frozen=True):
    """When a schedule is due: by a cron line, at times of day every n days, or a time after the last message."""

    cron: str = ""
    """The cron line; empty for other plans."""
    every_days: int = 0
    """The number of days from one due day to the next, counted from `anchor`; 0 for other plans."""
    anchor: date = date(1970, 1, 1)
    """The date from which `every_days` counts."""
    times_of_day: tuple[time, ...] = ()
    """The local times at which a schedule is due on a due day."""
    idle_ms: int = 0
    """How long after the last message the schedule is due, in milliseconds; 0 for other plans."""


class Quiet(Struct, frozen=True):
    """The hours in which a schedule does not fire, from one local time to another, which may be on the next day."""

    starts: time
    """The local time at which the quiet hours begin."""
    ends: time
    """The local time at which the quiet hours end; on the next day if it is earlier than `starts`."""


PeriodKind = Literal["day", "week", "month", "year"]
"""The kinds of periods."""


def periods(local: datetime) -> tuple[str, ...]:
    """Return the names of the day, ISO week, month and year of a local time, such as `2026-11-01`, in this order."""
    year, week, _ = local.isocalendar()
    return (f"{local:%Y-%m-%d}", f"{year:04}-W{week:02}", f"{local:%Y-%m}", f"{local:%Y}")


def times_after(plan: Plan, zone: tzinfo, after_ms: int, after_local: datetime = _BEGIN) -> Iterator[int]:
    """Yield the moments after `after_ms` at which a plan is due, in order, in ms since 1970; none for idle time.
    Each comes once; also their local times are after `after_local`.
    """
    last = after_ms
    for local in _local_times(plan, local_at(after_ms, zone)):
        if local <= after_local:
            continue
        due_ms = moment_of(local, zone)
        if due_ms > last:
            last = due_ms
            yield due_ms


def next_time(plan: Plan, zone: tzinfo, after_ms: int, after_local: datetime = _BEGIN) -> int | None:
    """Return the first moment after `after_ms` at which a plan is due, in ms since 1970; `None` if there is none. Its
    local time is also after `after_local`.
    """
    if after_local > _BEGIN:
        return next(times_after(plan, zone, after_ms, after_local), None)
    return next((due_ms for due_ms in _times_since(plan, zone, after_ms // _HOUR_MS) if due_ms > after_ms), None)


@lru_cache(1024)
def _times_since(plan: Plan, zone: tzinfo, hour: int) -> tuple[int, ...]:
    """Return the moments at which a plan is due in an hour since 1970, and the next one after it. Conversations that
    are due together ask for the same hour.
    """
    found = list[int]()
    for due_ms in times_after(plan, zone, hour * _HOUR_MS - 1):
        found.append(due_ms)
        if due_ms >= (hour + 1) * _HOUR_MS:
            break
    return tuple(found)


def missed_times(plan: Plan, zone: tzinfo, first_ms: int, now_ms: int) -> tuple[int, int]:
    """Return the last moment at which a plan was due, up to now, in ms since 1970, and how many since `first_ms`.
    The first one is counted, and is not later than now; the count ends at `MOST_MISSED_COUNTED`.
    """
    next_ms = next_time(plan, zone, first_ms)
    if next_ms is None or next_ms > now_ms:
        return first_ms, 1
    found = [first_ms]
    for due_ms in islice(times_after(plan, zone, first_ms), MOST_MISSED_COUNTED):
        if due_ms > now_ms:
            return found[-1], len(found)
        found.append(due_ms)
    if len(found) <= MOST_MISSED_COUNTED:
        return found[-1], len(found)
    return _last_time(plan, zone, found[-1], now_ms), MOST_MISSED_COUNTED


def _last_time(plan: Plan, zone: tzinfo, since_ms: int, now_ms: int) -> int:
    """Return the last moment up to now at which a plan was due, and not before another one."""
    for back_ms in _BACK_MS:
        begin_ms = round(max(since_ms, now_ms - back_ms))
        last = 0
        for due_ms in times_after(plan, zone, begin_ms):
            if due_ms > now_ms:
                break
            last = due_ms
        if last or begin_ms == since_ms:
            return last or since_ms
    return since_ms


def _local_times(plan: Plan, after: datetime) -> Iterator[datetime]:
    """Yield the local times of a plan after a local time, in order."""
    if plan.cron:
        yield from cron.local_times(plan.cron, after)
        return
    if not plan.every_days:
        return
    days = max((after.date() - plan.anchor).days // plan.every_days, 0) * plan.every_days
    day = plan.anchor + days * _DAY
    while day < _END:
        for at in plan.times_of_day:
            local = datetime.combine(day, at)
            if local > after:
                yield local
        day += plan.every_days * _DAY


def end_of_quiet(quiet: Quiet | None, zone: tzinfo, at_ms: int) -> int:
    """Return when the quiet hours around a moment end, or the moment itself if there are none; in ms since 1970."""
    if quiet is None:
        return at_ms
    local = local_at(at_ms, zone)
    now, starts, ends = local.time(), quiet.starts, quiet.ends
    is_quiet = starts <= now < ends if starts < ends else now >= starts or now < ends
    if not is_quiet:
        return at_ms
    day = local.date() if now < ends else local.date() + _DAY
    return max(at_ms, moment_of(datetime.combine(day, ends), zone))
