"""Adds to the needs of a guard on an overlay the day on which they are met: that on which the overlay's dates begin, or
are over.
"""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.core.machine import Machine
from turnwise.core.overlay_standing import OverlayStanding, standing
from turnwise.core.state import State
from turnwise.core.zones import local_time
from turnwise.flow.late_pattern import late_pattern

_TEST = late_pattern(r"(!?)\s*overlay\.active\([\"']([^\"']+)[\"']\)")


def with_days(machine: Machine, state: State | None, ways: Iterable[str]) -> tuple[str, ...]:
    """Return the sentences `ways`, each with the day from which an overlay makes it true, if it is about one."""
    if not machine.overlays or state is None:
        return tuple(ways)
    return tuple([_with_day(machine, state, way) for way in ways])


def _with_day(machine: Machine, state: State, way: str) -> str:
    for found in _TEST.finditer(way):
        overlay = machine.overlays.get(found[2])
        if overlay is None:
            continue
        of = standing(overlay, state, state.at_ms)
        at_ms = _turns_at_ms(of, wants_active=not found[1])
        if at_ms is not None:
            day = _day(at_ms, state.time_zone)
            is_alone = found[0] == way
            return f"{way} (would hold on {day})" if is_alone else f"{way} ({found[2]} changes on {day})"
    return way


def _turns_at_ms(of: OverlayStanding, *, wants_active: bool) -> int | None:
    """Return when the dates of an overlay make it active, or end it; `None` where no date does, or it is forced."""
    if of.forced is not None or of.is_by_date is wants_active:
        return None
    return of.begins_ms if wants_active else of.ends_ms


def _day(at_ms: int, zone: str) -> str:
    """Return the local day of a moment, with the time where it is not midnight."""
    local = local_time(at_ms, zone)
    return f"{local:%Y-%m-%d}" if (local.hour, local.minute) == (0, 0) else f"{local:%Y-%m-%d %H:%M}"
