"""The schedules of a flow, and their inputs by period, as clients receive and send them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class PeriodInputView(Struct, frozen=True):
    """The input of a schedule for one period."""

    period: str
    """The period as a day, week, month or year, such as `2026-W14`."""
    input: dict[str, Any]
    """The values by field of the scope's input."""
    is_set: bool
    """True where a program has set the input at run time, in place of any input of the flow."""
    by: str = ""
    """Who set the input; empty where it is the flow's."""
    at_ms: int | None = None
    """When a program set the input, in milliseconds since 1970; `None` where it is the flow's."""


class ScheduleView(Struct, frozen=True):
    """A schedule of a flow with its inputs."""

    name: str
    """The name of the schedule."""
    rhythm: str
    """When the schedule is due, in words."""
    does: str
    """What the schedule does when it is due, in words."""
    scope: str
    """The scope that the schedule opens or proposes; empty without one."""
    takes: tuple[str, ...]
    """The names of the scope's input fields; empty for a schedule without a scope."""
    inputs: tuple[PeriodInputView, ...]
    """The known inputs of the schedule, in order of the periods."""


class ScheduleInput(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to set the input of a schedule for a period."""

    input: dict[str, Any] | None
    """The values by field; `null` removes the input that was set at run time."""
