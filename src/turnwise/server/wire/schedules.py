"""The schedules of a flow, and their inputs by period, as clients receive and send them."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class PeriodInputView(Struct, frozen=True):
    """The input of a schedule for a period. With `is_set` the program has set it, `by` whom and when, in the place of
    what the flow has for the period, if it has something.
    """

    period: str
    """The day, week, month or year, as `2026-W14`."""
    input: dict[str, Any]
    """Values by field of the scope's input."""
    is_set: bool
    by: str = ""
    at_ms: int | None = None
    """When the program set it."""


class ScheduleView(Struct, frozen=True):
    """A schedule of a flow: when it is due (`rhythm`), what it then does, and the inputs of its scope by period.

    `takes` are the fields of the scope's input; a schedule without a scope takes none.
    """

    name: str
    rhythm: str
    does: str
    """What it does when it is due."""
    scope: str
    """The scope that it opens or proposes; empty without one."""
    takes: tuple[str, ...]
    inputs: tuple[PeriodInputView, ...]
    """The inputs that are known, by period."""


class ScheduleInput(Struct, frozen=True, forbid_unknown_fields=True):
    """The input of a schedule for a period; `null` takes away what was set."""

    input: dict[str, Any] | None
