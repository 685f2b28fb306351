"""Events about what happened in other systems: it was received, it waits for a frame, and it is judged later."""

from __future__ import annotations

from typing import Any

from turnwise.core.state.events.base import Event


class EventReceived(Event, frozen=True, tag="event_received"):
    """Something happened in another system: the name of the event, its data, and who sent it over the API."""

    name: str
    """The name of the event in the flow."""
    data: dict[str, Any] = {}
    """Its values by field."""
    by: str = ""
    """Who sent it over the API."""


class EventHeld(Event, frozen=True, tag="event_held"):
    """An event of another system waits for this frame.

    The data is repeated here, since what was received inside a scope may be erased when that is closed, and the event
    is judged only then.
    """

    name: str
    """The name of the event."""
    data: dict[str, Any] = {}
    """Its values by field."""
    inside: str = ""
    """The scope that is open above the frame; empty where a person takes part."""


class EventResumed(Event, frozen=True, tag="event_resumed"):
    """The first event that waits for this frame is judged now, once: the frame is in charge, and no person takes part.

    Its data is bound again for the guards, the texts and the writes of this turn. Whatever comes of it, it waits no
    longer: an event that nothing takes is recorded, and no later turn judges it.
    """

    name: str
    """The name of the event."""
