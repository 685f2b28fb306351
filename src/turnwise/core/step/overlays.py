"""Determines at the beginning of a turn which overlays are active in it (law 3.2).

Which are active is a pure function of its moment, the zone of the conversation and what was forced.
"""

from __future__ import annotations

from turnwise.core.machine import Machine
from turnwise.core.overlay_dates import current_span
from turnwise.core.state import State
from turnwise.core.state.events import OverlaysChanged
from turnwise.core.state.overlays import NO_OVERLAYS
from turnwise.core.turn import StepBuilder


def active_at(machine: Machine, state: State, at_ms: int) -> tuple[str, ...]:
    """Return the names of the overlays active at a moment (ms since 1970), the lowest priority number first."""
    overlays = state.overlays or NO_OVERLAYS
    found: list[str] = []
    for name, overlay in machine.overlays.items():
        forced = overlays.forced_overlay(name)
        if forced.on if forced is not None else current_span(overlay.dates, at_ms, state.time_zone) is not None:
            found.append(name)
    return tuple(found)


def persona_name_of(machine: Machine, active: tuple[str, ...]) -> str:
    """Return the agent's name that the first active overlay with a name sets; empty if no overlay sets a name."""
    names = [machine.overlays[name].overlay.persona_name for name in active]
    return next(filter(None, names), "")


def follow_overlays(step: StepBuilder) -> None:
    """Record the active overlays and the agent's name under them at the beginning of a turn, if they changed.

    Flows without overlays do not come here, unless the conversation had one before it was migrated.
    """
    machine, before = step.machine, step.state.overlays or NO_OVERLAYS
    active = active_at(machine, step.state, step.at_ms)
    name = persona_name_of(machine, active)
    if (active, name) != (before.active, before.persona_name):
        step.emit(OverlaysChanged(active, name))
