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
    """The time of a schedule has come, or a person or program fires the schedule now."""

    schedule: str
    """The name of the schedule."""
    at_ms: int | None = None
    """The due time for which the schedule fires, in milliseconds since 1970; `None` if a person or program fires it
    now."""
    count: int = 0
    """How many times of the schedule were handled before this one."""
    inputs: dict[str, dict[str, Any]] = {}
    """The inputs that the program has set for periods around this time: by period, then by field."""
    by: str = ""
    """Who fires the schedule now; empty if its time came."""


class ScheduleFired(Event, frozen=True, tag="schedule_fired"):
    """A schedule was handled: what it did at its time; unless it was put off, that time is done."""

    schedule: str
    """The name of the schedule."""
    due_ms: int
    """The time of the schedule, in milliseconds since 1970."""
    did: ScheduleDeed
    """What the schedule did."""
    reason: ScheduleReason = ""
    """The code of why the schedule did nothing or waits; empty if it acted."""
    scope: str = ""
    """The scope that the schedule opened or proposed; empty if none."""
    period: str = ""
    """The period whose input was used; empty if none was."""
    input: dict[str, Any] | None = None
    """The input that was used, by field; `None` if there was none."""
    is_set: bool = False
    """True if the program had set the input, false if the flow did."""
    missed: int = 0
    """How many earlier times, which were missed, were handled with this one."""
    late: bool = False
    """True if the schedule fired so long after its time that it counts as late."""
    until_ms: int = 0
    """Until when its text waits for a reply, or it is put off, in milliseconds since 1970; 0 if neither."""
    text: str = ""
    """Why the schedule did nothing, or what it waits for, in words; empty if it acted."""
    by: str = ""
    """Who fired the schedule before its time; empty if no one did."""


class TimeZoneChanged(Event, frozen=True, tag="time_zone_changed"):
    """The time zone of the conversation changed, since a field that the flow's `time_zone` reads did."""

    time_zone: str
    """The name of the new time zone, such as `Europe/Berlin`."""
