"""Events of other systems: what clients send, what they get, and which events a flow takes."""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class NewEvent(Struct, frozen=True, forbid_unknown_fields=True):
    """The data of an event of another system; the flow declares its fields and their types."""

    data: dict[str, Any] = {}
    """The values of the event's fields, by field."""


class EventTaken(Struct, frozen=True):
    """The result of an external event that was sent to a conversation."""

    turn: int
    """The number of the turn that the event began."""
    transition: str = ""
    """The transition that was taken; empty where none held."""
    waits: bool = False
    """True where the event is judged later: when a scope is closed, or a person has given the conversation back."""
    is_duplicate: bool = False
    """True where an event with the same idempotency key was received before."""


class EventType(Struct, frozen=True):
    """An external event that a flow accepts, and the JSON Schema of its data."""

    name: str
    """The name of the event."""
    data: dict[str, Any]
    """The JSON Schema of the event's data."""
