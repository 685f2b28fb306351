"""The schedules of a flow, and their inputs by period, as clients receive and send them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class PeriodInputView(Struct, frozen=True):
    """The input of a schedule for a period."""

    period: str
    """The day, week, month or year, as `2026-W14`."""
    input: dict[str, Any]
    """Values by field of the scope's input."""
    is_set: bool
    """True where a program has set it, in the place of what the flow has for the period, if it has something."""
    by: str = ""
    """Who set it; empty where no program did."""
    at_ms: int | None = None
    """When the program set it."""


class ScheduleView(Struct, frozen=True):
    """A schedule of a flow."""

    name: str
    rhythm: str
    """When it is due, in words."""
    does: str
    """What it does when it is due."""
    scope: str
    """The scope that it opens or proposes; empty without one."""
    takes: tuple[str, ...]
    """The fields of the scope's input; empty for a schedule without a scope."""
    inputs: tuple[PeriodInputView, ...]
    """The inputs that are known, by period."""


class ScheduleInput(Struct, frozen=True, forbid_unknown_fields=True):
    """The input of a schedule for a period."""

    input: dict[str, Any] | None
    """Values by field; `null` takes away what was set."""
