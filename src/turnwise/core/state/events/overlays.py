"""Events of overlays: one is forced on or off, and others are active than before.

No event says that nothing has changed, so a turn of a flow with overlays costs no entry.
"""

from __future__ import annotations

from turnwise.core.state.events.incoming import Event


class OverlayForced(Event, frozen=True, tag="overlay_forced"):
    """An overlay was forced on or off, or goes by its dates again."""

    name: str
    """The name of the overlay."""
    on: bool | None
    """True for on, false for off, `None` where it goes by its dates again."""
    by: str = ""
    """Who did it; empty if that is not known."""
    for_all: bool = False
    """True where it was forced for all conversations of the flow: this one takes it over before its next turn."""
    since_ms: int | None = None
    """When it was forced for all conversations; `None` where it was forced in this one."""


class OverlaysChanged(Event, frozen=True, tag="overlays_changed"):
    """Other overlays are active than in the turn before, from this turn on: all of them, the one with the lowest
    priority number first, and the name that the agent bears by them.
    """

    active: tuple[str, ...]
    """The names of the overlays that are active now."""
    persona_name: str = ""
    """The name that the agent bears by them; empty if none gives it one."""
