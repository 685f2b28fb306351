"""Deliveries as clients receive them: messages that the machine sent by itself, and how far each has come."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from turnwise.runner.outbox_port import DeliveryStatus

MOST_DELIVERIES = 200
"""How many deliveries a page may have."""


class DeliveryView(Struct, frozen=True):
    """A delivery of the messages of one turn to a receiver of the host."""

    id: str
    """The id of the delivery, the same in each attempt."""
    number: int
    """The place of the delivery in the order of all deliveries."""
    conversation: str
    """The name of the conversation."""
    turn: int
    """The number of the turn whose messages are delivered."""
    at_ms: int
    """When the delivery was queued, in milliseconds since 1970."""
    about: str
    """What began the turn, in words."""
    status: DeliveryStatus
    """The status of the delivery: whether it waits, is sent now, was delivered, or was given up."""
    attempts: int
    """How many attempts to send the delivery were begun."""
    due_ms: int | None
    """When the next attempt is due, in milliseconds since 1970; `None` where none is.
    Where it is `None` while the delivery waits, an earlier one of the conversation goes first."""
    done_ms: int | None
    """When the delivery succeeded or was given up, in milliseconds since 1970; `None` while it waits."""
    error: str
    """Why the last attempt failed; empty if none did."""
    reported_in: int = 0
    """The turn whose result reported a failed delivery's messages to a caller; 0 if none did."""


class DeliveryPage(Struct, frozen=True):
    """A page of deliveries, the oldest first."""

    deliveries: tuple[DeliveryView, ...]
    """The deliveries of the page."""
    next: int | None = None
    """The number of the delivery after which the next page begins; `None` at the end."""


class DeliveriesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The query parameters that select deliveries: of one status or any, after a number."""

    status: DeliveryStatus | Literal[""] = ""
    """The status of the deliveries; empty for every status."""
    after: Annotated[int, Meta(ge=0, lt=10**15)] = 0
    """The number of the last delivery that the client has; 0 for none."""
    limit: Annotated[int, Meta(ge=1, le=MOST_DELIVERIES)] = 100
    """How many deliveries a page has at most."""


class SendAgainQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The query parameter that confirms sending a delivery whose messages a turn has reported already."""

    confirm: bool = False
    """True to send the delivery although a turn has reported its messages to its caller."""
