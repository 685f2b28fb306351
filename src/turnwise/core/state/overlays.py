"""Overlays in the state: which are active, the name that the agent uses, and which were forced on or off."""

from __future__ import annotations

from msgspec import Struct


class ForcedOverlay(Struct, frozen=True, gc=False, array_like=True):
    """An overlay that was forced on or off: by whom, if that is known, and when."""

    name: str
    on: bool
    """True where it is forced on, false where off."""
    by: str
    """Who forced it; empty if that is not known."""
    at_ms: int
    """When it was forced."""


class OverlayState(Struct, frozen=True, gc=False, omit_defaults=True):
    """The overlays of a conversation."""

    active: tuple[str, ...] = ()
    """Those of the current or last turn, the one with the lowest priority number first."""
    persona_name: str = ""
    """The name that the agent bears by them; empty if none gives it one."""
    forced: tuple[ForcedOverlay, ...] = ()
    """What was forced in this conversation."""
    forced_for_all: tuple[ForcedOverlay, ...] = ()
    """What was forced for all conversations of the flow when the last turn began."""

    def forced_overlay(self, name: str) -> ForcedOverlay | None:
        """Return how an overlay is forced: by the conversation, else for all; `None` where its dates decide."""
        for forced in (*self.forced, *self.forced_for_all):
            if forced.name == name:
                return forced
        return None


NO_OVERLAYS = OverlayState()
"""The overlays of a conversation that never had one."""
