"""Events of overlays: one is forced on or off, and others are active than before.

No event says that nothing has changed, so a turn of a flow with overlays costs no entry.
"""

from __future__ import annotations

from turnwise.core.state.events.incoming import Event


class OverlayForced(Event, frozen=True, tag="overlay_forced"):
    """An overlay was forced on or off, or follows its dates again."""

    name: str
    """The name of the overlay."""
    on: bool | None
    """True if the overlay is forced on, false if off, `None` if it follows its dates again."""
    by: str = ""
    """The name of the person who forced the overlay; empty if not known."""
    for_all: bool = False
    """True if the overlay was forced for all conversations of the flow; this one adopts that before its next turn."""
    since_ms: int | None = None
    """When the overlay was forced for all conversations, in milliseconds since 1970; `None` if forced in this one only.
    """


class OverlaysChanged(Event, frozen=True, tag="overlays_changed"):
    """The set of active overlays changed, from this turn on."""

    active: tuple[str, ...]
    """The names of all overlays that are active now, the lowest priority number first."""
    persona_name: str = ""
    """The agent's name under these overlays; empty if they set none."""
