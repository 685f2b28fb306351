"""Overlays in the state: which are active, the name that the agent uses, and which were forced on or off."""

from __future__ import annotations

from msgspec import Struct


class ForcedOverlay(Struct, frozen=True, gc=False, array_like=True):
    """An overlay that was forced on or off, by whom and when."""

    name: str
    """The name of the overlay."""
    on: bool
    """True if the overlay is forced on, false if off."""
    by: str
    """The name of the person who forced it; empty if not known."""
    at_ms: int
    """When the overlay was forced, in milliseconds since 1970."""


class OverlayState(Struct, frozen=True, gc=False, omit_defaults=True):
    """The active and the forced overlays of a conversation."""

    active: tuple[str, ...] = ()
    """The names of the overlays active in the current or last turn, the lowest priority number first."""
    persona_name: str = ""
    """The agent's name under the active overlays; empty if they set none."""
    forced: tuple[ForcedOverlay, ...] = ()
    """The overlays that were forced in this conversation."""
    forced_for_all: tuple[ForcedOverlay, ...] = ()
    """The overlays that were forced for all conversations of the flow when the last turn began."""

    def forced_overlay(self, name: str) -> ForcedOverlay | None:
        """Return how an overlay is forced, by this conversation or for all; `None` if its dates decide."""
        for forced in (*self.forced, *self.forced_for_all):
            if forced.name == name:
                return forced
        return None


NO_OVERLAYS = OverlayState()
"""The overlays of a conversation that never had one."""
