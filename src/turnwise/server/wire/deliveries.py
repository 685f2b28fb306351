"""Deliveries as clients receive them: messages that the machine sent by itself, and how far each has come."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from turnwise.runner.outbox_port import DeliveryStatus

MOST_DELIVERIES = 200


class DeliveryView(Struct, frozen=True):
    """A delivery of the messages of one turn: what began it, how it stands, and when the next attempt is due.

    `attempts` counts those that were begun, `error` is why the last one failed. Where it waits without `due_ms`, an
    earlier one of the conversation goes first. `reported_in` is the turn that reported a failed one to its caller.
    """

    id: str
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
    attempts: int
    due_ms: int | None
    done_ms: int | None
    """When it was delivered or given up; `None` while it waits."""
    error: str
    reported_in: int = 0


class DeliveryPage(Struct, frozen=True):
    """Deliveries, the oldest first. `next` is the number to continue after, `None` at the end."""

    deliveries: tuple[DeliveryView, ...]
    next: int | None = None


class DeliveriesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which deliveries: of one status or any, after a number."""

    status: DeliveryStatus | Literal[""] = ""
    """Empty for every status."""
    after: Annotated[int, Meta(ge=0, lt=10**15)] = 0
    """The number of the last delivery that the client has."""
    limit: Annotated[int, Meta(ge=1, le=MOST_DELIVERIES)] = 100


class SendAgainQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to send a delivery also where a turn has reported it to its caller."""

    confirm: bool = False
    """Send it although a turn has reported it."""
