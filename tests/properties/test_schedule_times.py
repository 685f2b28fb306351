"""Law 6.7: each due time of a schedule is handled once, never early, whatever the clock does; `rrule` agrees on the times."""

from __future__ import annotations

import asyncio
from datetime import date, datetime, time, timedelta
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import DAILY, FR, MO, MONTHLY, SA, SU, TH, TU, WE, WEEKLY, rrule
from hypothesis import given, settings
from hypothesis import strategies as st

import turnwise as tw
from turnwise.core.recurrence.local_time import local_at, moment_of
from turnwise.core.recurrence.times import Plan, Quiet, end_of_quiet, missed_times, next_time, times_after
from turnwise.core.state import events as e
from turnwise.core.zones import zone_or_utc

pytestmark = pytest.mark.law("6.7")

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "America/Sao_Paulo")
DAYS = (MO, TU, WE, TH, FR, SA, SU)
HOUR = 3_600_000
BEGIN, END = moment_of(datetime(2011, 12, 1), zone_or_utc("UTC")), moment_of(datetime(2028, 1, 1), zone_or_utc("UTC"))  # noqa: DTZ001
moments = st.integers(BEGIN, END)
clock_times = st.builds(time, st.integers(0, 23), st.sampled_from((0, 15, 30, 59)))


def plan_of(days: int, anchor: date, at: set[time]) -> Plan:
    return Plan(every_days=days, anchor=anchor, times_of_day=tuple(sorted(at)))


of_days = st.builds(
    plan_of,
    st.sampled_from((1, 2, 7, 14, 21)),
    st.dates(date(2011, 1, 1), date(2028, 1, 1)),
    st.sets(clock_times, min_size=1, max_size=3),
)
weekly = st.tuples(clock_times, st.integers(0, 6))
monthly = st.tuples(clock_times, st.integers(0, 6), st.integers(1, 4))


crons = st.sampled_from(("0 18 * * 2#2", "*/7 * * * *", "30 1-3 * * *", "0 9 5 * 1", "0 0 L 2 *"))


@given(of_days | st.builds(Plan, crons), st.sampled_from(ZONES), moments, st.integers(-1, 1))
@settings(max_examples=100, deadline=None)
def test_the_next_time_is_the_first_after_a_moment_whichever_was_asked_before(
    plan: Plan, zone: str, near_ms: int, off: int
) -> None:
    info = zone_or_utc(zone)
    first = next(times_after(plan, info, near_ms), None)
    moments_near = (near_ms, (first or near_ms) + off, near_ms // HOUR * HOUR + off)
    for after_ms in moments_near:
        assert next_time(plan, info, after_ms) == next(times_after(plan, info, after_ms), None)


def by_rule(rule: rrule, zone: str, after_ms: int, count: int) -> list[int]:
    """The moments of a rule's local times after a moment, by dateutil and the zone's own offsets."""
    begin = local_at(after_ms, zone_or_utc(zone)) - timedelta(days=2)
    found = (by_offset(local, zone) for local in rule.xafter(begin, inc=True))
    seen: list[int] = []
    for at_ms in found:
        if at_ms > after_ms and (not seen or at_ms > seen[-1]):
            seen.append(at_ms)
        if len(seen) == count:
            break
    return seen


def by_offset(local: datetime, zone: str) -> int:
    """The moment of a local time: the first minute at which a clock of the zone shows it, or a later time."""
    info = ZoneInfo(zone)
    guess = int(local.replace(tzinfo=ZoneInfo("UTC")).timestamp()) * 1000 - 28 * HOUR
    shown = local_at(guess, info)
    while shown < local:
        step = min(max((local - shown) // timedelta(minutes=2), 1), 60 * 24)
        if local - shown < timedelta(hours=30):
            step = 1
        guess += step * 60_000
        shown = local_at(guess, info)
    return guess


@settings(max_examples=60, deadline=None)
@given(of_days, moments, st.sampled_from(ZONES))
def test_days_from_an_anchor_are_those_of_rrule(plan: Plan, after_ms: int, zone: str) -> None:
    begins = datetime.combine(plan.anchor, time())
    at = [(one.hour, one.minute) for one in plan.times_of_day]
    rules = [rrule(DAILY, begins.replace(hour=h, minute=m), plan.every_days) for h, m in at]
    expected = sorted({one for rule in rules for one in by_rule(rule, zone, after_ms, 4)})[:4]
    assert list(islice(times_after(plan, zone_or_utc(zone), after_ms), 4)) == expected


@settings(max_examples=40, deadline=None)
@given(weekly, moments, st.sampled_from(ZONES))
def test_a_weekday_of_a_cron_line_is_that_of_rrule(at: tuple[time, int], after_ms: int, zone: str) -> None:
    clock, day = at
    plan = Plan(cron=f"{clock.minute} {clock.hour} * * {(day + 1) % 7}")
    rule = rrule(WEEKLY, datetime(2011, 1, 1, clock.hour, clock.minute), byweekday=DAYS[day])  # noqa: DTZ001
    assert list(islice(times_after(plan, zone_or_utc(zone), after_ms), 3)) == by_rule(rule, zone, after_ms, 3)


@settings(max_examples=40, deadline=None)
@given(monthly, moments, st.sampled_from(ZONES))
def test_the_second_tuesday_is_that_of_rrule(at: tuple[time, int, int], after_ms: int, zone: str) -> None:
    clock, day, nth = at
    plan = Plan(cron=f"{clock.minute} {clock.hour} * * {(day + 1) % 7}#{nth}")
    rule = rrule(MONTHLY, datetime(2011, 1, 1, clock.hour, clock.minute), byweekday=DAYS[day](nth))  # noqa: DTZ001
    assert list(islice(times_after(plan, zone_or_utc(zone), after_ms), 2)) == by_rule(rule, zone, after_ms, 2)


@settings(max_examples=100, deadline=None)
@given(of_days, moments, st.sampled_from(ZONES), st.integers(0, 400))
def test_the_last_missed_time_is_the_last_of_all(plan: Plan, first_ms: int, zone: str, days: int) -> None:
    first = next_time(plan, zone_or_utc(zone), first_ms)
    assert first is not None
    now_ms = first + days * 24 * HOUR
    every = [first, *takewhile(lambda one: one <= now_ms, times_after(plan, zone_or_utc(zone), first))]
    last, count = missed_times(plan, zone_or_utc(zone), first, now_ms)
    assert last == every[-1]
    assert count == min(len(every), 1000)


@settings(max_examples=100, deadline=None)
@given(clock_times, clock_times, moments, st.sampled_from(ZONES))
def test_quiet_hours_end_where_they_say(starts: time, ends: time, at_ms: int, zone: str) -> None:
    if starts == ends:
        return
    quiet, info = Quiet(starts, ends), zone_or_utc(zone)
    end_ms = end_of_quiet(quiet, info, at_ms)
    assert at_ms <= end_ms <= at_ms + 49 * HOUR
    assert end_of_quiet(quiet, info, end_ms) == end_ms or local_at(end_ms, info).time() < ends


FLOW = """
flow: f
start: a
time_zone: ZONE
nodes: {a: {say: Hi., transitions: [{at: before, when: 'false', to: a}]}}
schedules: {s: {TIMES, missed: MISSED, instruct: Ask.}}
"""


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(ZONES[:4]),
    st.sampled_from(
        (
            "cron: '30 2 * * *'",
            "cron: '0 */7 * * *'",
            "at: ['02:30', '18:00']",
            "every: 2d, anchor: 2026-03-01, at: '02:10'",
        )
    ),
    st.sampled_from(("once", "each", "skip")),
    st.lists(st.integers(-30 * HOUR, 40 * HOUR), min_size=3, max_size=12),
    st.sampled_from((datetime(2026, 3, 27, 12), datetime(2026, 10, 23, 12), datetime(2026, 10, 31, 12))),  # noqa: DTZ001
)
def test_each_time_is_handled_once_and_never_early(
    zone: str, times: str, missed: str, jumps: list[int], begins: datetime
) -> None:
    text = FLOW.replace("ZONE", zone).replace("TIMES", times).replace("MISSED", missed)
    asyncio.run(_jump(text, moment_of(begins, zone_or_utc("UTC")), jumps))


async def _jump(text: str, begin_ms: int, jumps: list[int]) -> None:
    clock = tw.ManualClock(begin_ms)
    app = tw.open(tw.loads(text), clock=clock)
    chat, latest = app.chat("main"), begin_ms
    await chat.start()
    for jump in jumps:
        clock.set_ms(clock.now_ms() + jump)
        latest = max(latest, clock.now_ms())
        while await app.tick():
            pass
    plan = app.machine.schedules["s"].plan
    zone = zone_or_utc((await chat.state()).time_zone)
    fired = [(one.at_ms, one.event) for one in await chat.journal() if isinstance(one.event, e.ScheduleFired)]
    assert all(at_ms >= event.due_ms for at_ms, event in fired)  # never early
    due = [event.due_ms for _, event in fired]
    assert due == sorted(set(due))  # each once
    expected = list(takewhile(lambda one: one <= latest, times_after(plan, zone, begin_ms)))
    assert sum(1 + event.missed for _, event in fired) == len(expected)  # none is lost
    assert set(due) <= set(expected)
    assert (await chat.rerun()).agrees
    await app.close()
