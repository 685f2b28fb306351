"""The events of schedules: one came due, what it did, and a conversation goes on in another time zone (law 6.7)."""

from __future__ import annotations

from typing import Any, Literal

from turnwise.core.state.events.base import Event

ScheduleDeed = Literal["called", "offered", "instructed", "nothing", "put_off"]
"""What a schedule did: opened its scope, proposed it, left a text for the next reply, nothing, or waits."""

ScheduleReason = Literal["", "missed", "no_input", "bad_input", "quiet", "held", "refused"]
"""Why a schedule did nothing or waits: its time was missed, its period has no input or a wrong one, it is quiet, a
scope, call, form or person stands in the way, or its scope could not be opened.
"""


class ScheduleDue(Event, frozen=True, tag="schedule_due"):
    """A schedule came due."""

    schedule: str
    at_ms: int | None = None
    """The time at which it fires; `None` where it is fired now, by a person or program."""
    count: int = 0
    """How many times of the schedule were handled before."""
    inputs: dict[str, dict[str, Any]] = {}
    """The inputs that the program has set for periods about this time."""
    by: str = ""
    """Who fires it now; empty where it came due by itself."""


class ScheduleFired(Event, frozen=True, tag="schedule_fired"):
    """A schedule came due, and did something; with this event the time is handled, unless it is put off."""

    schedule: str
    due_ms: int
    """When it came due."""
    did: ScheduleDeed
    """What it did."""
    reason: ScheduleReason = ""
    """The code of why it did nothing or waits."""
    scope: str = ""
    """The scope that it opened or proposed."""
    period: str = ""
    """The period whose input was used; empty if none was."""
    input: dict[str, Any] | None = None
    """The input that was used, by field; `None` without one."""
    is_set: bool = False
    """True where the program had set that input."""
    missed: int = 0
    """How many earlier times were handled with it."""
    late: bool = False
    """True where it fired too late to count as punctual."""
    until_ms: int = 0
    """When its text for the next reply is dropped, or until when it is put off."""
    text: str = ""
    """Why it did nothing, or what it waits for."""
    by: str = ""
    """Who fired it before its time; empty if no one did."""


class TimeZoneChanged(Event, frozen=True, tag="time_zone_changed"):
    """The conversation goes on in another time zone: fields that the flow's `time_zone` reads have other values."""

    time_zone: str
    """The name of the new time zone, such as `Europe/Berlin`."""
