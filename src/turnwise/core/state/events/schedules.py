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
    """A schedule came due: the time at which it fires, and how many times it was handled before. `inputs` are those
    that the program has set for periods about this time. Without `at_ms` it is fired now, by `by`.
    """

    schedule: str
    at_ms: int | None = None
    count: int = 0
    """How many times of the schedule were handled before."""
    inputs: dict[str, dict[str, Any]] = {}
    by: str = ""


class ScheduleFired(Event, frozen=True, tag="schedule_fired"):
    """A schedule came due at `due_ms`, and `did` something; with this event the time is handled, unless it is put off.
    `missed` is how many earlier times were handled with it, `late` says that it is no more punctual. `period` is the
    one whose `input` was used, `is_set` whether the program had set that input. `text` is why it did nothing, or wait
    for what. `by` is who fired it before its time.
    """

    schedule: str
    due_ms: int
    did: ScheduleDeed
    reason: ScheduleReason = ""
    """The code of why it did nothing or waits."""
    scope: str = ""
    """The scope that it opened or proposed."""
    period: str = ""
    input: dict[str, Any] | None = None
    is_set: bool = False
    missed: int = 0
    late: bool = False
    until_ms: int = 0
    """When its text for the next reply is dropped, or until when it is put off."""
    text: str = ""
    by: str = ""


class TimeZoneChanged(Event, frozen=True, tag="time_zone_changed"):
    """The conversation goes on in another time zone: fields that the flow's `time_zone` reads have other values."""

    time_zone: str
