"""Folds events of overlays: which are forced on or off, and which are active."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.overlays import NO_OVERLAYS, ForcedOverlay, OverlayState


def with_overlays(state: State, found: OverlayState) -> State:
    """Return the state with the overlays `found`; with `None` if it has neither active nor forced ones."""
    return replace(state, overlays=found if found != NO_OVERLAYS else None)


def _forced(state: State, entry: e.Entry, event: e.OverlayForced) -> State:
    before = state.overlays or NO_OVERLAYS
    kept = before.forced_for_all if event.for_all else before.forced
    now = [one for one in kept if one.name != event.name]
    if event.on is not None:
        at_ms = entry.at_ms if event.since_ms is None else event.since_ms
        now.append(ForcedOverlay(event.name, event.on, event.by, at_ms))
    key = "forced_for_all" if event.for_all else "forced"
    return with_overlays(state, replace(before, **{key: tuple(sorted(now, key=lambda one: one.name))}))


def _changed(state: State, _entry: e.Entry, event: e.OverlaysChanged) -> State:
    before = state.overlays or NO_OVERLAYS
    return with_overlays(state, replace(before, active=event.active, persona_name=event.persona_name))


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    e.OverlayForced: _forced,
    e.OverlaysChanged: _changed,
}
"""The functions that return the state after an event, by the class of the event."""
