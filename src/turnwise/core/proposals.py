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
    """A compiled schedule: when it is due, and the scope that it opens or proposes, or its text for the next reply."""

    name: str
    """The name of the schedule."""
    schedule: Schedule
    """The declaration of the schedule."""
    plan: Plan
    """When the schedule is due."""
    scope: str = ""
    """The scope that the schedule opens or proposes; empty for a text."""
    opener: Template | None = None
    """The question that proposes the scope; `None` if the scope opens without one."""
    instruct: Template | None = None
    """The text for the prompt of the next reply; `None` if it has none."""
    quiet: Quiet | None = None
    """The hours in which the schedule does not fire; `None` for none."""
    pause_ms: int = 0
    """How long the user must not have written before the schedule fires, in milliseconds; 0 for no pause."""
    grace_ms: int = 0
    """How much later than its time the schedule may fire without being late, in milliseconds."""

    def reaches(self, state: State) -> bool:
        """Return true outside of scopes; inside a scope, return whether the schedule may interrupt."""
        return not state.outer or self.schedule.interrupt


class LinkedOffer(Struct, frozen=True):
    """The offer of a node: the proposed scope, its opener and input."""

    scope: str
    """The address of the proposed scope."""
    opener: Template | None
    """The question that proposes the scope; `None` for a fixed text."""
    input: tuple[Write, ...] = ()
    """The input fields of the scope, with the values that they get."""
    is_worded: bool = False
    """True if a model rephrases the opener."""


class LinkedOverlay(Struct, frozen=True):
    """A compiled overlay: its dates, and its texts for models."""

    overlay: Overlay
    """The declaration of the overlay."""
    dates: Dates
    """The dates at which the overlay is active."""
    persona: Template | None = None
    """The persona in place of the flow's; `None` to keep that."""
    addendum: Template | None = None
    """The text that is added to the persona; `None` for none."""
