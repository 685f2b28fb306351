"""What came from outside: the user, the host, time, and the flow that goes on by itself."""

from __future__ import annotations

from typing import Any

from turnwise.core.commands import AnyCommand
from turnwise.core.events.base import Event
from turnwise.core.state import Timer


class Started(Event, frozen=True, tag="started"):
    """A conversation began. Always the first event. The first node is entered with it, unless a write
    that belongs to entering was refused.
    """

    flow: str
    version: int
    fingerprint: str
    node: str
    time_zone: str = "UTC"
    language: str = "en"
    is_entered: bool = True


class UserSaid(Event, frozen=True, tag="user_said"):
    """The user said something."""

    text: str


class UserChose(Event, frozen=True, tag="user_chose"):
    """The user pressed a button: its value (or label), and the position that offered it."""

    value: str
    position: int | None = None


class Commands(Event, frozen=True, tag="commands"):
    """Commands came from the host: an importer, a test, another understanding."""

    commands: tuple[AnyCommand, ...]


class ToolUsed(Event, frozen=True, tag="tool_used"):
    """The host's own code used a tool."""

    tool: str
    arguments: dict[str, Any] = {}
    result: Any = None


class TimerFired(Event, frozen=True, tag="timer_fired"):
    """A timer came due: the transition it belongs to, the visit for which it was armed, and its time."""

    timer: str
    visit: int | None = None
    due_ms: int | None = None

    def means(self, timer: Timer) -> bool:
        """True if this is that timer; one that was armed anew since is another."""
        is_visit = self.visit is None or timer.visit == self.visit
        return timer.transition == self.timer and is_visit and self.due_ms in (None, timer.due_ms)


class Continued(Event, frozen=True, tag="continued"):
    """An autonomous flow goes on by itself (law 2.8)."""


class UndoAsked(Event, frozen=True, tag="undo_asked"):
    """The host takes the last turn back, or all turns after `to`."""

    to: int | None = None


OutsideEvent = UserSaid | UserChose | Commands | ToolUsed | TimerFired | Continued | UndoAsked
