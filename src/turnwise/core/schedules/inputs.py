"""The input of a schedule's scope: by period from the flow, or as the program has set it while the flow runs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec import Struct

from turnwise.core.linked_scope import LinkedScope
from turnwise.core.proposals import LinkedSchedule
from turnwise.core.recurrence.times import periods
from turnwise.core.values import Refused, Rules, read_value
from turnwise.core.values.schema import is_needed
from turnwise.flow.diagnostic import nearest
from turnwise.flow.late_pattern import late_pattern

DEFAULT_PERIOD = "default"
"""The name of the period that stands for every period without an input."""
EXPECTED_PERIOD = "a day (2026-11-10), an ISO week (2026-W46), a month (2026-11), a year (2026), or 'default'"
"""How a period is written, for messages."""
_PERIOD = late_pattern(r"\d{4}(-\d\d(-\d\d)?|-W\d\d)?")
_DAY = timedelta(days=1)


def input_setting(schedule: str, period: str = "") -> str:
    """Return the name of the stored setting with a schedule's input for a period; without one the common prefix."""
    return f"schedule {schedule} {period}"


class PeriodInput(Struct, frozen=True):
    """The input of a schedule at a time, the period for which it was set, and whether the program set it."""

    period: str = ""
    """The name of the period, such as `2026-11-01` or `default`; empty if none sets an input."""
    data: Mapping[str, Any] | None = None
    """The input by field; `None` if no period sets one."""
    is_set: bool = False
    """True if the program set the input, false if the flow did."""


class InputFault(Struct, frozen=True):
    """An error in one field of an input."""

    name: str
    """The name of the field."""
    message: str
    """What is wrong with the value of the field, in words."""
    hint: str = ""
    """How to correct it; empty if not known."""


def is_period(name: str) -> bool:
    """Return whether a text is the name of a period: a day, week, month or year, or `default`."""
    if name == DEFAULT_PERIOD:
        return True
    if not _PERIOD.fullmatch(name):
        return False
    if "W" in name:
        form, text = "%G-W%V-%u", f"{name}-1"
    else:
        form, text = "%Y-%m-%d", f"{name}-01-01"[:10] if len(name) < 10 else name
        text = text if len(name) != 7 else f"{name}-01"
    try:
        datetime.strptime(text, form)  # noqa: DTZ007  a date alone has no zone
    except ValueError:
        return False
    return True


def input_for(schedule: LinkedSchedule, given: Mapping[str, Mapping[str, Any]], local: datetime) -> PeriodInput:
    """Return the input of a schedule at a local time: that of the most specific period, the program's first (`given`,
    by period).
    """
    if not given and not schedule.schedule.input:
        return PeriodInput("", {})
    for period in (*periods(local), DEFAULT_PERIOD):
        if period in given:
            return PeriodInput(period, given[period], is_set=True)
        if period in schedule.schedule.input:
            return PeriodInput(period, schedule.schedule.input[period])
    has_periods = bool(schedule.schedule.input)
    return PeriodInput() if has_periods else PeriodInput("", {})


def inputs_about(given: Mapping[str, Any], *times_ms: int) -> dict[str, Any]:
    """Return the program's inputs for periods that may contain one of these moments, in any time zone."""
    names = {DEFAULT_PERIOD}
    for at_ms in times_ms:
        day = datetime.fromtimestamp(at_ms / 1000, UTC)
        names.update(*(periods(day + offset * _DAY) for offset in (-1, 0, 1)))
    return {name: given[name] for name in given if name in names}


def read_input(scope: LinkedScope, given: Mapping[str, Any], rules: Rules) -> tuple[dict[str, Any], list[InputFault]]:
    """Return the input of a scope by address, in stored form, and the errors in it; `given` has the values by name."""
    fields = {field.name: (address, field) for address, field in scope.input.items()}
    found: dict[str, Any] = {}
    faults: list[InputFault] = []
    for name, value in given.items():
        if name not in fields:
            faults.append(InputFault(name, f"the scope takes no input '{name}'", nearest(name, fields)))
            continue
        address, field = fields[name]
        read = read_value(field, value, rules)
        if isinstance(read, Refused):
            faults.append(InputFault(name, f"{value!r} cannot be stored in '{name}': {read.text}"))
        else:
            found[address] = read
    missing = [field.name for address, field in scope.input.items() if is_needed(field) and address not in found]
    refused = {fault.name for fault in faults}
    faults += [InputFault("", f"the scope needs the input '{name}'") for name in missing if name not in refused]
    return found, faults
