"""The schedules in a state: when each is due next, which of its times were handled, and texts for the next reply."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from turnwise.core.state.frames import Timer

TIMER_PREFIX: Final = "schedule "
"""What the timer of a schedule is called, before its name. No transition can have such a name."""

ScheduleWait = Literal["", "quiet", "pause", "scope", "form", "approval", "person", "offer", "budget"]
"""What a schedule that is due waits for: the end of its quiet hours, a pause of the user, the end of a scope, of a
form's questions, of a call's approval, of a person's part, of another proposal, or of the question for more of a
budget.
"""

NEVER_DUE: Final = -1
"""The due time of a schedule that has no more."""


class ArmedSchedule(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """One schedule of a conversation: its next time, and what was handled so far."""

    schedule: str
    """The name of the schedule."""
    due_ms: int = 0
    """The next time of the schedule, in milliseconds since 1970; 0 if not known, `NEVER_DUE` if there is none."""
    at_ms: int = 0
    """When the schedule fires, in milliseconds since 1970; 0 while something (`waits`) holds it back."""
    waits: ScheduleWait = ""
    """Why the schedule fires later than its time; empty if it does not."""
    count: int = 0
    """How many times of the schedule were handled."""
    done_ms: int = 0
    """When the last time of the schedule was handled, in milliseconds since 1970; 0 if none was."""


class Instruction(Struct, frozen=True, gc=False, array_like=True):
    """A text of a schedule that is added to the next reply's prompt, and when it is dropped."""

    schedule: str
    """The name of the schedule."""
    until_ms: int
    """When the text is dropped, in milliseconds since 1970."""


class Schedules(Struct, frozen=True, gc=False, omit_defaults=True):
    """The schedules of a conversation, with the time zone in which their times were computed."""

    zone: str
    """The time zone, such as `Europe/Berlin`."""
    said_ms: int
    """When the user wrote last, or the conversation began, in milliseconds since 1970."""
    armed: tuple[ArmedSchedule, ...] = ()
    """The next time of each schedule, and what was handled."""
    instructions: tuple[Instruction, ...] = ()
    """Texts of schedules for the next reply."""

    @property
    def timers(self) -> tuple[Timer, ...]:
        """The schedules that have a next time, as timers for the store."""
        return tuple(
            [Timer(TIMER_PREFIX + one.schedule, "", 0, one.at_ms, one.count) for one in self.armed if one.at_ms > 0]
        )

    def find(self, schedule: str) -> ArmedSchedule | None:
        """Return the entry of a schedule in `armed`; `None` if it has none."""
        for one in self.armed:
            if one.schedule == schedule:
                return one
        return None
