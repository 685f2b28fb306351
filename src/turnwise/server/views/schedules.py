"""The schedules of a flow and of a conversation, as the page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from turnwise.archive.conversation_names import title_of_node
from turnwise.core.machine import Machine
from turnwise.core.proposals import LinkedSchedule
from turnwise.core.schedules.arming import open_yes_or_no
from turnwise.core.schedules.firing import what_it_does
from turnwise.core.state import State
from turnwise.flow.model import Schedule
from turnwise.runner.schedules import InputSet
from turnwise.server.views.signs import title_of_name
from turnwise.server.wire.schedules import PeriodInputView, ScheduleView
from turnwise.server.wire.timing import DueView

_DAY_S = 86_400
_UNITS = ((7 * _DAY_S, "week"), (_DAY_S, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def schedule_view(
    machine: Machine, schedule: LinkedSchedule, set_inputs: Iterable[InputSet], words: Mapping[str, str]
) -> ScheduleView:
    """Return a schedule of a flow as clients receive it, with the flow's inputs and `set_inputs`, those set at run
    time, in order of the periods. `words` are the page's sentences.
    """
    found = {
        period: PeriodInputView(period, dict(data), is_set=False) for period, data in schedule.schedule.input.items()
    }
    for one in set_inputs:
        if one.input is not None:
            found[one.period] = PeriodInputView(one.period, dict(one.input), is_set=True, by=one.by, at_ms=one.at_ms)
    linked = machine.scopes.get(schedule.scope) if schedule.scope else None
    takes = linked.scope.input if linked is not None and linked.scope is not None else ()
    return ScheduleView(
        schedule.name,
        rhythm_of(schedule.schedule, words),
        what_it_does(schedule),
        schedule.scope,
        tuple([field.name for field in takes]),
        tuple([found[period] for period in sorted(found)]),
    )


def schedules_due(machine: Machine, state: State, words: Mapping[str, str]) -> Iterator[DueView]:
    """Yield the schedules of a conversation with the time when they are due; `words` are the page's sentences."""
    for armed in state.schedules.armed if state.schedules is not None else ():
        schedule = machine.schedules.get(armed.schedule)
        if schedule is None or armed.due_ms <= 0:
            continue
        is_held = armed.at_ms == 0
        later = bool(armed.waits) and (is_held or armed.at_ms > armed.due_ms)
        yield DueView(
            "schedule",
            armed.schedule,
            title_of_name(armed.schedule),
            armed.due_ms,
            _does(machine, schedule, words),
            f"schedule {armed.schedule}",
            rhythm_of(schedule.schedule, words),
            "",
            armed.waits if later else "",
            can_fire=not is_held and not open_yes_or_no(state, schedule),
            fires_ms=armed.at_ms if later and not is_held else None,
        )


def _does(machine: Machine, schedule: LinkedSchedule, words: Mapping[str, str]) -> str:
    """Return what a schedule does when it is due, as the rest of a sentence."""
    if not schedule.scope:
        return words["instructs"]
    key = "opens" if schedule.schedule.call else "offers"
    return words[key].format(title=title_of_node(machine, schedule.scope))


def rhythm_of(schedule: Schedule, words: Mapping[str, str]) -> str:
    """Return when a schedule is due, in words: `every 2 weeks at 18:00, not in 22:00-08:00`."""
    parts = [_rhythm(schedule, words)]
    if schedule.quiet:
        parts.append(words["not_in"].format(span=schedule.quiet))
    return ", ".join(parts)


def _rhythm(schedule: Schedule, words: Mapping[str, str]) -> str:
    if schedule.cron:
        return words["by_cron"].format(cron=schedule.cron)
    if schedule.idle_s is not None:
        return _counted(words, "after", schedule.idle_s)
    every = words["every_at"].format(
        every=_counted(words, "every", schedule.every_s or _DAY_S), times=", ".join(schedule.at)
    )
    return f"{every}, {words['counted_from'].format(day=schedule.anchor)}" if schedule.anchor else every


def _counted(words: Mapping[str, str], kind: str, seconds: float) -> str:
    """Return a span in its largest whole unit: `every 2 weeks`, `after 90 minutes of silence`."""
    size, unit = next((one for one in _UNITS if seconds % one[0] == 0), _UNITS[-1])
    count = round(seconds / size)
    return words[f"{kind}_{unit}" if count == 1 else f"{kind}_{unit}s"].format(n=count)
