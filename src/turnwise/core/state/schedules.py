"""What a state holds of schedules: when each is due next, what of it has been handled, and texts for the next reply."""

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
    """One schedule of a conversation: its next time, and what was handled."""

    schedule: str
    due_ms: int = 0
    """Its next time; 0 where none is known, `NEVER_DUE` where none comes."""
    at_ms: int = 0
    """When it fires; 0 while it is held."""
    waits: ScheduleWait = ""
    """Why it fires later than at its time; empty if it does not."""
    count: int = 0
    """How many times were handled."""
    done_ms: int = 0
    """When the last one was handled."""


class Instruction(Struct, frozen=True, gc=False, array_like=True):
    """A text of a schedule for the next reply, and when it is dropped."""

    schedule: str
    until_ms: int
    """When it is dropped."""


class Schedules(Struct, frozen=True, gc=False, omit_defaults=True):
    """The schedules of a conversation, in the time zone by which they were computed."""

    zone: str
    """The time zone of the conversation."""
    said_ms: int
    """When the user wrote last, or the conversation began."""
    armed: tuple[ArmedSchedule, ...] = ()
    """Where each schedule stands."""
    instructions: tuple[Instruction, ...] = ()
    """Texts for the next reply."""

    @property
    def timers(self) -> tuple[Timer, ...]:
        """The armed schedules as timers of the store."""
        return tuple(
            [Timer(TIMER_PREFIX + one.schedule, "", 0, one.at_ms, one.count) for one in self.armed if one.at_ms > 0]
        )

    def find(self, schedule: str) -> ArmedSchedule | None:
        """Return what is known of a schedule."""
        for one in self.armed:
            if one.schedule == schedule:
                return one
        return None
