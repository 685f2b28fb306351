"""How the overlays of a conversation stand at a moment: active or not, by dates or forced, until or from when."""

from __future__ import annotations

from msgspec import Struct

from turnwise.core.machine import Machine
from turnwise.core.overlay_dates import current_span, last_span, next_span
from turnwise.core.proposals import LinkedOverlay
from turnwise.core.state import ForcedOverlay, State
from turnwise.core.state.overlays import NO_OVERLAYS


class OverlayStanding(Struct, frozen=True):
    """Whether and why an overlay is active in a conversation. All times are in milliseconds since 1970."""

    name: str
    """The name of the overlay."""
    is_active: bool
    """True if the overlay was active in the last turn."""
    is_next: bool
    """True if the overlay is active in a turn that begins now."""
    forced: ForcedOverlay | None = None
    """How the overlay is forced; `None` if its dates decide."""
    is_forced_for_all: bool = False
    """True if the overlay is forced for all conversations of the flow."""
    is_by_date: bool = False
    """True if the overlay's dates make it active now, whether or not it is forced."""
    begins_ms: int | None = None
    """When the dates of the overlay begin to hold, in ms since 1970: the current span, else the next; `None` without
    one."""
    ends_ms: int | None = None
    """The first moment after the span of `begins_ms`, in milliseconds since 1970; `None` if that span has no end."""
    ended_ms: int | None = None
    """The first moment after the last past span, in milliseconds since 1970; `None` without one."""


def standings(machine: Machine, state: State, at_ms: int) -> tuple[OverlayStanding, ...]:
    """Return the standing of each overlay of a flow in a conversation, the lowest priority number first."""
    return tuple([standing(overlay, state, at_ms) for overlay in machine.overlays.values()])


def standing(overlay: LinkedOverlay, state: State, at_ms: int) -> OverlayStanding:
    """Return whether and why an overlay is active in a conversation at a moment (ms since 1970)."""
    overlays, name, zone = state.overlays or NO_OVERLAYS, overlay.overlay.name, state.time_zone
    forced = overlays.forced_overlay(name)
    now = current_span(overlay.dates, at_ms, zone)
    span = now or next_span(overlay.dates, at_ms, zone)
    last = last_span(overlay.dates, at_ms, zone)
    return OverlayStanding(
        name,
        is_active=name in overlays.active,
        is_next=forced.on if forced is not None else now is not None,
        forced=forced,
        is_forced_for_all=forced is not None and forced not in overlays.forced,
        is_by_date=now is not None,
        begins_ms=span.begin_ms if span is not None else None,
        ends_ms=span.end_ms if span is not None else None,
        ended_ms=last.end_ms if last is not None else None,
    )
