"""Deliveries as clients receive them: messages that the machine sent by itself, and how far each has come."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from turnwise.runner.outbox_port import DeliveryStatus

MOST_DELIVERIES = 200


class DeliveryView(Struct, frozen=True):
    """A delivery of the messages of one turn."""

    id: str
    """The same in each attempt."""
    number: int
    """Its place in the order of all deliveries."""
    conversation: str
    turn: int
    """The turn whose messages it has."""
    at_ms: int
    """When it was queued."""
    about: str
    """What began the turn, in words."""
    status: DeliveryStatus
    """Whether it waits, is sent now, was delivered, or was given up."""
    attempts: int
    """How many attempts were begun."""
    due_ms: int | None
    """When the next attempt is due. Where it is `None` while the delivery waits, an earlier one of the conversation
    goes first.
    """
    done_ms: int | None
    """When it was delivered or given up; `None` while it waits."""
    error: str
    """Why the last attempt failed; empty if none did."""
    reported_in: int = 0
    """The turn that reported a failed delivery to its caller; 0 if none did."""


class DeliveryPage(Struct, frozen=True):
    """Deliveries, the oldest first."""

    deliveries: tuple[DeliveryView, ...]
    next: int | None = None
    """The number to continue after; `None` at the end."""


class DeliveriesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which deliveries: of one status or any, after a number."""

    status: DeliveryStatus | Literal[""] = ""
    """Empty for every status."""
    after: Annotated[int, Meta(ge=0, lt=10**15)] = 0
    """The number of the last delivery that the client has."""
    limit: Annotated[int, Meta(ge=1, le=MOST_DELIVERIES)] = 100
    """How many deliveries a page has at most."""


class SendAgainQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to send a delivery also where a turn has reported it to its caller."""

    confirm: bool = False
    """Send it although a turn has reported it."""
