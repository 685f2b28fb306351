"""Events about what happened in other systems: it was received, it waits for a frame, and it is judged later."""

from __future__ import annotations

from typing import Any

from turnwise.core.state.events.base import Event


class EventReceived(Event, frozen=True, tag="event_received"):
    """An event of another system was received over the API: its name, its data and its sender."""

    name: str
    """The name of the event, as the flow declares it."""
    data: dict[str, Any] = {}
    """The data of the event, by field."""
    by: str = ""
    """The name of the client that sent the event; empty if not known."""


class EventHeld(Event, frozen=True, tag="event_held"):
    """An event of another system is kept until the frame that it is for is in charge, and no person takes part.

    The data is repeated here, since what was received inside a scope may be erased when that is closed, and the event
    is judged only then.
    """

    name: str
    """The name of the event."""
    data: dict[str, Any] = {}
    """The data of the event, by field."""
    inside: str = ""
    """The scope that is open above the frame; empty where a person takes part instead."""


class EventResumed(Event, frozen=True, tag="event_resumed"):
    """The first kept event of a frame is judged now, since the frame is in charge and no person takes part.

    Its data is bound again for the guards, the texts and the writes of this turn. Whatever comes of it, it waits no
    longer: an event that nothing takes is recorded, and no later turn judges it.
    """

    name: str
    """The name of the event that is judged."""
