"""Events of overlays: one is forced on or off, and others are active than before.

No event says that nothing has changed, so a turn of a flow with overlays costs no entry.
"""

from __future__ import annotations

from turnwise.core.state.events.incoming import Event


class OverlayForced(Event, frozen=True, tag="overlay_forced"):
    """An overlay was forced on or off, or goes by its dates again (`None`). `by` is who did it, if that is known.

    With `for_all` it was forced for all conversations of the flow, at `since_ms`, and the conversation takes it over
    before its next turn.
    """

    name: str
    on: bool | None
    by: str = ""
    for_all: bool = False
    since_ms: int | None = None


class OverlaysChanged(Event, frozen=True, tag="overlays_changed"):
    """Other overlays are active than in the turn before, from this turn on: all of them, the one with the lowest
    priority number first, and the name that the agent bears by them.
    """

    active: tuple[str, ...]
    """The names of the overlays that are active now."""
    persona_name: str = ""
