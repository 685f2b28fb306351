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
    """Its declaration."""
    plan: Plan
    """When it is due."""
    scope: str = ""
    """The scope that it opens or proposes; empty for a text."""
    opener: Template | None = None
    """The question that proposes the scope."""
    instruct: Template | None = None
    """The text for the next reply."""
    quiet: Quiet | None = None
    """The hours in which it keeps silent."""
    pause_ms: int = 0
    """How long no message of the user must have come before it fires."""
    grace_ms: int = 0
    """How late it may be and still be punctual."""

    def reaches(self, state: State) -> bool:
        """Return whether its text is for the frame in charge: only the outermost one, unless it may interrupt."""
        return not state.outer or self.schedule.interrupt


class LinkedOffer(Struct, frozen=True):
    """The offer of a node: its scope, its opener, the input of the scope, and whether a model words the opener."""

    scope: str
    opener: Template | None
    """The question that proposes it; `None` for a fixed text."""
    input: tuple[Write, ...] = ()
    """What the scope is opened with."""
    is_worded: bool = False
    """True where a model words the opener."""


class LinkedOverlay(Struct, frozen=True):
    """A linked overlay: when it is active by its dates, and its texts for models."""

    overlay: Overlay
    """Its declaration."""
    dates: Dates
    """When it is active by its dates."""
    persona: Template | None = None
    """The persona instead of the flow's."""
    addendum: Template | None = None
    """What is added to the persona."""
