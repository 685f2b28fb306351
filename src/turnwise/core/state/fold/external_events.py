"""Folds the events about events of other systems: one waits for a frame, and waits no longer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import EventData, State, with_frame
from turnwise.core.state import events as e
from turnwise.core.state.events import EventHeld, EventResumed


def _held(state: State, entry: e.Entry, event: EventHeld) -> State:
    """The event waits in the frame that the entry names."""
    data = EventData(event.name, event.data, state.current.seq)
    outer = tuple(
        [replace(one, held_events=(*one.held_events, data)) if one.id == entry.frame else one for one in state.outer]
    )
    if state.frame.id == entry.frame:
        return with_frame(state, held_events=(*state.frame.held_events, data))
    return replace(state, outer=outer)


def _resumed(state: State, _entry: e.Entry, _event: EventResumed) -> State:
    first, *others = state.frame.held_events
    state = replace(state, doing=replace(state.current, event=first))
    return with_frame(state, held_events=tuple(others))


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {EventHeld: _held, EventResumed: _resumed}
"""The functions that return the state after an event, by the class of the event."""
