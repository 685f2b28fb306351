"""Evaluates a what-if at another time: `now`, `today` and the overlays are those of that time."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from msgspec.structs import replace

from turnwise.core.machine import Machine
from turnwise.core.overlay_dates import YEARS
from turnwise.core.state import State
from turnwise.core.state.fold.overlays import with_overlays
from turnwise.core.state.overlays import NO_OVERLAYS
from turnwise.core.step.overlays import active_at, persona_name_of
from turnwise.core.zones import local_time, zone_or_utc

SUPPOSED_NOW: Final = "now"
"""The name by which values of a what-if suppose another time."""
EXPECTED_TIME: Final = (
    "write a day (2026-12-05, at the same time of day) or a moment (2026-12-05T18:00, in the conversation's zone)"
)
"""How a time is written, for messages."""


def wrong_time(value: Any) -> str:
    """Return in words why a value cannot be supposed as the time `now`; empty if it can."""
    return "" if _read(value) is not None else f"{value!r:.60} is no time; {EXPECTED_TIME}"


def at_time(machine: Machine, state: State, value: Any) -> State:
    """Return a state as it would be at another time, with the overlays that are active then."""
    found, zone = _read(value), zone_or_utc(state.time_zone)
    assert found is not None, "checked before"
    if not isinstance(found, datetime):
        found = datetime.combine(found, local_time(state.at_ms, state.time_zone).time())
    moment = found if found.tzinfo is not None else found.replace(tzinfo=zone)
    state = replace(state, at_ms=round(moment.timestamp() * 1000))
    if not machine.overlays and state.overlays is None:
        return state
    active = active_at(machine, state, state.at_ms)
    known = state.overlays or NO_OVERLAYS
    return with_overlays(state, replace(known, active=active, persona_name=persona_name_of(machine, active)))


def _read(value: Any) -> date | datetime | None:
    try:
        if not isinstance(value, date):  # a datetime is one
            value = date.fromisoformat(value) if len(value) == len("2026-12-05") else datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return value if value.year in YEARS else None
