"""Links schedules: reads their times, checks that each has one kind of time and one action, and its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time

from turnwise.core.link.builder import Builder
from turnwise.core.linked_scope import LinkedScope
from turnwise.core.proposals import LinkedSchedule
from turnwise.core.recurrence import cron
from turnwise.core.recurrence.times import Plan, Quiet
from turnwise.core.schedules.inputs import EXPECTED_PERIOD, is_period, read_input
from turnwise.core.state.proposals import BY_NODE
from turnwise.flow.diagnostic import nearest
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import Schedule

_CODE = "TW102"
_DAY_S = 86_400
_PAUSE_S = 120.0
"""How long a `call` waits after the user's last message, where the schedule does not say."""
_GRACE_S = 7200.0
"""How late a schedule is still punctual, where it does not say."""
_TIME = late_pattern(r"(\d{1,2}):(\d\d)")
_ACTIONS = ("call", "offer", "instruct")


def link_schedules(builder: Builder, scopes: Mapping[str, LinkedScope]) -> dict[str, LinkedSchedule]:
    """Return the compiled schedules of a flow by name, in the order in which they fire when due at the same time;
    `scopes` are those that they may open, by address.
    """
    linked = [_linked(builder, one, scopes) for one in sorted(builder.flow.schedules, key=lambda one: one.priority)]
    return {one.name: one for one in linked}


def _linked(builder: Builder, schedule: Schedule, scopes: Mapping[str, LinkedScope]) -> LinkedSchedule:
    span = schedule.span
    if schedule.name == BY_NODE:
        builder.report(_CODE, f"a schedule cannot be called '{BY_NODE}'", span, "give it another name")
    scope = _scope(builder, schedule, scopes)
    _check_keys(builder, schedule)
    if scope is not None:
        _check_inputs(builder, schedule, scope)
    pause_s = schedule.pause_s if schedule.pause_s is not None else _PAUSE_S if schedule.call else 0.0
    return LinkedSchedule(
        name=schedule.name,
        schedule=schedule,
        plan=_plan(builder, schedule),
        scope=scope.name if scope is not None else "",
        opener=builder.optional(schedule.opener, span.of("opener")),
        instruct=builder.prompt(schedule.instruct, span.of("instruct")) if schedule.instruct else None,
        quiet=_quiet(builder, schedule),
        pause_ms=round(pause_s * 1000),
        grace_ms=round((schedule.grace_s if schedule.grace_s is not None else _GRACE_S) * 1000),
    )


# what it does ------------------------------------------------------------------------------------


def _scope(builder: Builder, schedule: Schedule, scopes: Mapping[str, LinkedScope]) -> LinkedScope | None:
    """Return the scope that a schedule opens or proposes; report one that is none, and a wrong number of actions."""
    present = [key for key in _ACTIONS if getattr(schedule, key)]
    if len(present) != 1:
        found = f"has {' and '.join(present)}" if present else "does nothing"
        builder.report(
            _CODE, f"the schedule '{schedule.name}' {found}", schedule.span, "give it call, offer or instruct"
        )
        return None
    name = schedule.call or schedule.offer
    if not name:
        return None
    known = {node.name: scopes.get(node.name) for node in builder.flow.nodes if node.scope is not None}
    if known.get(name) is None:
        what = f"the node '{name}' has no scope" if name in builder.names.nodes else f"no node is called '{name}'"
        builder.report(
            _CODE, f"{what}, so there is nothing to open", schedule.span.of(present[0]), nearest(name, known)
        )
    return known.get(name)


def _check_keys(builder: Builder, schedule: Schedule) -> None:
    """Report keys that have no effect beside the others."""
    span, opens = schedule.span, bool(schedule.call or schedule.offer)
    useless = {
        "opener": bool(schedule.opener) and not schedule.offer,
        "with": bool(schedule.input) and not opens,
        "pause": schedule.pause_s is not None and not opens,
        "anchor": bool(schedule.anchor) and schedule.every_s is None,
    }
    needs = {"opener": "'offer'", "with": "'call' or 'offer'", "pause": "'call' or 'offer'", "anchor": "'every'"}
    for key, is_useless in useless.items():
        if is_useless:
            builder.report(_CODE, f"'{key}' has no effect without {needs[key]}", span.of(key))


def _check_inputs(builder: Builder, schedule: Schedule, scope: LinkedScope) -> None:
    """Report periods that are none, and inputs that the scope does not take."""
    span = schedule.span
    for period, given in schedule.input.items():
        if not is_period(period):
            builder.report(_CODE, f"'{period}' is no period", span.of(f"with.{period}"), f"write {EXPECTED_PERIOD}")
            continue
        _, faults = read_input(scope, given, builder.rules)
        for fault in faults:
            place = span.of(f"with.{period}.{fault.name}" if fault.name else f"with.{period}")
            builder.report(_CODE, fault.message, place, fault.hint)


# when it is due ----------------------------------------------------------------------------------


def _plan(builder: Builder, schedule: Schedule) -> Plan:
    """Return when a schedule is due; report what is wrong with it."""
    span = schedule.span
    kinds = {
        "cron": bool(schedule.cron),
        "every" if schedule.every_s is not None else "at": bool(schedule.at) or schedule.every_s is not None,
        "idle": schedule.idle_s is not None,
    }
    present = [kind for kind, is_given in kinds.items() if is_given]
    if len(present) != 1:
        found = f"has {' and '.join(present)}" if present else "is never due"
        hint = "give it cron, at (with every and anchor for some days only), or idle"
        builder.report(_CODE, f"the schedule '{schedule.name}' {found}", span, hint)
        return Plan()
    if schedule.cron:
        fault = cron.fault_of(schedule.cron)
        if fault:
            hint = "such as '0 18 * * 2#2': at 18:00 on the second Tuesday"
            builder.report(_CODE, fault, span.of("cron"), hint)
        return Plan(cron=schedule.cron) if not fault else Plan()
    if schedule.idle_s is not None:
        if schedule.idle_s < 1:
            builder.report(_CODE, "'idle' is a time of at least a second", span.of("idle"))
        return Plan(idle_ms=max(1000, round(schedule.idle_s * 1000)))
    return _days(builder, schedule)


def _days(builder: Builder, schedule: Schedule) -> Plan:
    """Return the plan of times of day, on every day or on every n-th from an anchor."""
    span = schedule.span
    times = [_time(builder, schedule, number, text) for number, text in enumerate(schedule.at)]
    if schedule.every_s is None:
        return Plan(every_days=1, times_of_day=_in_order(times))
    days, rest = divmod(schedule.every_s, _DAY_S)
    if days < 1 or rest:
        hint = "shorter times are written as cron, such as '0 */6 * * *'"
        builder.report(_CODE, "'every' counts whole days or weeks", span.of("every"), hint)
    anchor = _anchor(builder, schedule)
    if anchor is not None and anchor.time() != time():
        times.append(anchor.time())
    elif not schedule.at:
        builder.report(_CODE, "'every' does not say at which time of day", span.of("every"), "add 'at: \"18:00\"'")
    day = anchor.date() if anchor is not None else date(1970, 1, 1)
    return Plan(every_days=max(1, int(days)), anchor=day, times_of_day=_in_order(times))


def _in_order(times: list[time | None]) -> tuple[time, ...]:
    return tuple(sorted({one for one in times if one is not None}))


def _anchor(builder: Builder, schedule: Schedule) -> datetime | None:
    """Return the date from which days are counted; report one that is missing or none."""
    span = schedule.span
    if not schedule.anchor:
        builder.report(_CODE, "'every' counts from an 'anchor'", span.of("every"), "add 'anchor: 2026-11-10'")
        return None
    try:
        found = datetime.fromisoformat(schedule.anchor)
    except ValueError:
        found = None
    if found is None or found.tzinfo is not None:
        builder.report(_CODE, f"'{schedule.anchor}' is no date", span.of("anchor"), "write 2026-11-10")
        return None
    return found


def _time(builder: Builder, schedule: Schedule, number: int, text: str) -> time | None:
    found = _read_time(text)
    if found is None:
        span = schedule.span.of(f"at.{number}")
        builder.report(_CODE, f"'{text}' is no time of day", span, "write 18:00, in quotes")
    return found


def _read_time(text: str) -> time | None:
    """Return a time of day such as `18:00`; `None` for any other text."""
    found = _TIME.fullmatch(text.strip())
    if found is None or int(found[1]) > 23 or int(found[2]) > 59:
        return None
    return time(int(found[1]), int(found[2]))


def _quiet(builder: Builder, schedule: Schedule) -> Quiet | None:
    """Return the quiet hours of a schedule; report those that are none."""
    if not schedule.quiet:
        return None
    starts, _, ends = schedule.quiet.partition("-")
    first, last = _read_time(starts), _read_time(ends)
    if first is None or last is None or first == last:
        builder.report(_CODE, f"'{schedule.quiet}' are no hours", schedule.span.of("quiet"), "write 22:00-08:00")
        return None
    return Quiet(first, last)
