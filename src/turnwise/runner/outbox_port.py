"""The ports of delivery: what a receiver gets, and the outbox of a store, which keeps what is to be delivered.

A row of the outbox names a turn. It has no words: those are read from the journal when they are sent, so what is
erased there is erased here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Literal, Protocol, runtime_checkable

from msgspec import Struct

from turnwise.core.state.events import Button

DeliveryStatus = Literal["waiting", "sending", "delivered", "failed"]
"""How a delivery stands: it waits for its next attempt, is sent now, was accepted, or was given up."""


class DeliveredMessage(Struct, frozen=True):
    """One message of a delivery."""

    text: str
    """The words of the message."""
    seq: int
    """The position of the message in the journal, which a press of one of its buttons names."""
    buttons: tuple[Button, ...] = ()
    """The buttons of the message."""


class Delivery(Struct, frozen=True):
    """What a receiver gets: the messages of one turn that the machine began."""

    id: str
    """The id of the delivery, the same in each attempt: a receiver that has seen it ignores the repetition."""
    conversation: str
    """The id of the conversation."""
    flow: str
    """The name of the conversation's flow."""
    turn: int
    """The number of the turn whose messages are delivered."""
    seq: int
    """The last position of the turn in the journal."""
    at_ms: int
    """When the turn ended, in milliseconds since 1970."""
    event: str
    """The kind of event that began the turn, such as `timer_fired`."""
    messages: tuple[DeliveredMessage, ...]
    """The messages that the machine sent in the turn, in order."""
    attempt: int = 1
    """The number of this attempt, from 1."""


class StoredDelivery(Struct, frozen=True):
    """A row of the outbox. Times are in milliseconds since 1970."""

    number: int
    """The place of the delivery in the order of all deliveries of the store."""
    id: str
    """The id of the delivery, the same in each attempt to send it."""
    conversation: str
    """The name of the conversation."""
    flow: str
    """The name of the conversation's flow."""
    turn: int
    """The number of the turn whose messages are delivered."""
    seq: int
    """The last position of the turn in the journal."""
    at_ms: int
    """When the turn ended, in milliseconds since 1970."""
    status: DeliveryStatus = "waiting"
    """The status of the delivery: whether it waits, is sent now, was delivered, or was given up."""
    attempts: int = 0
    """How many attempts to send it were begun."""
    due_ms: int | None = None
    """When the next attempt is due, in milliseconds since 1970; `None` where none is due.
    None is due while the delivery waits for an earlier one of its conversation or is being sent, and when it is over.
    """
    since_ms: int = 0
    """When the delivery was queued, or queued again, in milliseconds since 1970."""
    done_ms: int | None = None
    """When the delivery succeeded or was given up, in milliseconds since 1970; `None` while it is open."""
    error: str = ""
    """Why the last attempt failed; empty if none did."""
    reported_in: int = 0
    """The turn whose result reported the messages of a failed delivery to a caller, 0 if none did.
    It is not stored: `App.deliveries` finds it."""


class Settlement(Struct, frozen=True):
    """The outcome of one attempt to send a delivery: delivered, failed for good, or waiting for the next attempt."""

    id: str
    """The id of the delivery."""
    attempt: int
    """The number of the attempt, from 1."""
    status: Literal["waiting", "delivered", "failed"]
    """The status of the delivery after the attempt; `waiting` where another attempt follows."""
    at_ms: int
    """When the attempt ended, in milliseconds since 1970."""
    due_ms: int | None = None
    """When the next attempt is due, in milliseconds since 1970; `None` where none follows."""
    error: str = ""
    """Why the attempt failed; empty if it did not."""


class DeliveryQuery(Struct, frozen=True):
    """A selection of deliveries: by conversation, flow, status and turn; an empty value selects all."""

    conversation: str = ""
    """The conversation of the deliveries; empty for all conversations."""
    flow: str = ""
    """The name of the flow of the deliveries; empty for all flows."""
    status: DeliveryStatus | Literal[""] = ""
    """The status of the deliveries; empty for every status."""
    after: int = 0
    """The number of the delivery after which the list begins; 0 for the beginning."""
    limit: int = 100
    """How many deliveries are listed at most."""
    turn: int = 0
    """The number of the turn whose messages are delivered; 0 for all turns."""


class Outbox(Protocol):
    """The deliveries of a store. Only the oldest open one of a conversation is due, so that they are sent in order.
    A commit with the id of a delivery adds one.
    """

    async def take(self, flow: str, now_ms: int, longest_pause_ms: int, most: int) -> tuple[StoredDelivery, ...]:
        """Take up to `most` due deliveries of a flow, and those that dead processes were sending; each begins a try.
        It belongs to this process until it is settled, however long that takes and whatever the clock does. Others take
        it over only where this process is dead: it has ended, or is silent as one whose turns are taken over
        (`Store.claim`). One that is due later than after `longest_pause_ms` is due now: the clock was set back.
        """
        ...

    async def settle(self, settlement: Settlement) -> bool:
        """Record the outcome of an attempt; return false if another attempt has begun, or the delivery was deleted.
        When a delivery is over, the next one of its conversation is due.
        """
        ...

    async def next_due(self, flow: str) -> int | None:
        """Return when the next delivery of a flow is due, in milliseconds since 1970; `None` if none waits."""
        ...

    async def count_open(self, flow: str, most: int) -> int:
        """Return how many deliveries of a flow wait or are being sent, but no more than `most`.
        It takes no longer where many are over.
        """
        ...

    async def find(self, query: DeliveryQuery) -> tuple[StoredDelivery, ...]:
        """Return the deliveries that match a query, the oldest first."""
        ...

    async def get(self, id: str) -> StoredDelivery | None:  # noqa: A002  the name of the attribute
        """Return the delivery with an id; `None` if there is none."""
        ...

    async def send_again(self, id: str, now_ms: int) -> StoredDelivery | None:  # noqa: A002  as above
        """Queue the delivery with this id again and return it; `None` if there is no such delivery.
        It is due at once, unless another of its conversation is open. One that is being sent stays as it is.
        """
        ...

    async def queued(self, conversation: str, turns: Collection[int]) -> frozenset[int]:
        """Return the numbers of those of the `turns` that have a delivery which has not failed for good."""
        ...


@runtime_checkable
class HasOutbox(Protocol):
    """A store that keeps deliveries."""

    @property
    def outbox(self) -> Outbox:
        """The deliveries of the store."""
        ...


class Deliverer(Protocol):
    """A receiver of deliveries. Returning accepts a delivery; any error causes another attempt.
    `tw.DeliveryFailed` may say when to try again, or that it is of no use.
    """

    async def deliver(self, delivery: Delivery) -> object:
        """Send a delivery to the user."""
        ...


Deliver = Deliverer | Callable[[Delivery], Any]
"""A receiver: a plain or async function of a delivery, or an object with `deliver`."""


class DeliveryRetries(Struct, frozen=True):
    """How deliveries are retried. Each pause is twice the one before, shortened at random by up to a half."""

    first_pause_s: float = 1.0
    """The pause after the first attempt, in seconds."""
    longest_pause_s: float = 3600.0
    """The longest pause between two attempts, in seconds."""
    give_up_after_s: float = 3 * 86400.0
    """The age in seconds at which a delivery fails."""
    most_attempts: int = 1000
    """The number of attempts after which a delivery fails."""
    timeout_s: float = 15.0
    """How long an attempt may take, in seconds."""
    at_once: int = 32
    """How many deliveries are sent at the same time, each of another conversation."""
