"""What a flow does by itself, linked: schedules, the offers of nodes, and overlays."""

from __future__ import annotations

from msgspec import Struct

from turnwise.core.candidates import Write
from turnwise.core.overlay_dates import Dates
from turnwise.core.recurrence.times import Plan, Quiet
from turnwise.core.state import State
from turnwise.core.template import Template
from turnwise.flow.model import Overlay, Schedule


class LinkedSchedule(Struct, frozen=True):
    """A linked schedule: when it is due, the scope that it opens or proposes, or the text that it leaves."""

    name: str
    schedule: Schedule
    plan: Plan
    scope: str = ""
    opener: Template | None = None
    instruct: Template | None = None
    quiet: Quiet | None = None
    pause_ms: int = 0
    grace_ms: int = 0

    def reaches(self, state: State) -> bool:
        """Return whether its text is for the frame in charge: only the outermost one, unless it may interrupt."""
        return not state.outer or self.schedule.interrupt


class LinkedOffer(Struct, frozen=True):
    """The offer of a node: its scope, its opener, the input of the scope, and whether a model words the opener."""

    scope: str
    opener: Template | None
    input: tuple[Write, ...] = ()
    is_worded: bool = False


class LinkedOverlay(Struct, frozen=True):
    """A linked overlay: when it is active by its dates, and its texts for models."""

    overlay: Overlay
    dates: Dates
    persona: Template | None = None
    addendum: Template | None = None
