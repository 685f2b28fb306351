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
    """One message of a delivery. `seq` is its position in the journal, which a press of one of its buttons names."""

    text: str
    seq: int
    buttons: tuple[Button, ...] = ()
    """The buttons that it offers."""


class Delivery(Struct, frozen=True):
    """What a receiver gets: the messages of one turn that the machine began.

    `id` is the same in each attempt: a receiver that has seen it ignores the repetition. `seq` is the last position of
    the turn, `at_ms` when it ended, in milliseconds since 1970. `event` is what began it, such as `timer_fired`.
    `attempt` counts from 1.
    """

    id: str
    conversation: str
    flow: str
    turn: int
    seq: int
    at_ms: int
    event: str
    messages: tuple[DeliveredMessage, ...]
    attempt: int = 1


class StoredDelivery(Struct, frozen=True):
    """A row of the outbox. Times are in milliseconds since 1970.

    `due_ms` is when the next attempt is due; `None` where it waits for an earlier one of its conversation, is being
    sent, or is over. `since_ms` is when it was queued, or sent again.
    `attempts` counts those that were begun, `error` is why the last one failed.
    """

    number: int
    """Its place in the order of all deliveries."""
    id: str
    conversation: str
    flow: str
    turn: int
    seq: int
    """The last position of the turn in the journal."""
    at_ms: int
    """When the turn ended."""
    status: DeliveryStatus = "waiting"
    attempts: int = 0
    due_ms: int | None = None
    since_ms: int = 0
    done_ms: int | None = None
    """When it was delivered or given up; `None` while it waits."""
    error: str = ""
    reported_in: int = 0
    """The turn whose result reported the messages of a failed delivery to a caller, 0 if none did. It is not stored:
    `App.deliveries` finds it."""


class Settlement(Struct, frozen=True):
    """The outcome of an attempt: delivered, failed for good, or waiting until `due_ms` for the next."""

    id: str
    attempt: int
    status: Literal["waiting", "delivered", "failed"]
    """What comes of the delivery."""
    at_ms: int
    due_ms: int | None = None
    error: str = ""
    """Why the attempt failed."""


class DeliveryQuery(Struct, frozen=True):
    """Which deliveries are listed: all, or those of a conversation, flow, status, turn; after a number."""

    conversation: str = ""
    flow: str = ""
    status: DeliveryStatus | Literal[""] = ""
    after: int = 0
    """The number after which the list begins."""
    limit: int = 100
    turn: int = 0
    """The turn of the conversation; 0 for all."""


class Outbox(Protocol):
    """The deliveries of a store. A commit with the id of a delivery adds one; only the oldest open one of a
    conversation is due, so that they are sent in order.
    """

    async def take(self, flow: str, now_ms: int, longest_pause_ms: int, most: int) -> tuple[StoredDelivery, ...]:
        """Take deliveries of a flow that are due, and those that dead processes were sending; each begins an attempt.

        It belongs to this process until it is settled, however long that takes and whatever the clock does. Others take
        it over only where this process is dead: it has ended, or is silent as one whose turns are taken over
        (`Store.claim`). One that is due later than after `longest_pause_ms` is due now: the clock was set back.
        """
        ...

    async def settle(self, settlement: Settlement) -> bool:
        """Record the outcome of an attempt; return false if another attempt has begun, or the row was deleted. When a
        delivery is over, the next one of its conversation is due.
        """
        ...

    async def next_due(self, flow: str) -> int | None:
        """Return when the next delivery of a flow is due."""
        ...

    async def count_open(self, flow: str, most: int) -> int:
        """Return how many deliveries of a flow wait or are being sent, but no more than `most`. It takes no longer
        where many are over.
        """
        ...

    async def find(self, query: DeliveryQuery) -> tuple[StoredDelivery, ...]:
        """Return the deliveries that match, the oldest first."""
        ...

    async def get(self, id: str) -> StoredDelivery | None:  # noqa: A002  the name of the attribute
        """Return one delivery."""
        ...

    async def send_again(self, id: str, now_ms: int) -> StoredDelivery | None:  # noqa: A002  as above
        """Queue a delivery again and return it. It is due at once, unless another of its conversation is open. One that
        is being sent stays as it is.
        """
        ...

    async def queued(self, conversation: str, turns: Collection[int]) -> frozenset[int]:
        """Return which turns have a delivery that was not given up."""
        ...


@runtime_checkable
class HasOutbox(Protocol):
    """A store that keeps deliveries."""

    @property
    def outbox(self) -> Outbox:
        """The deliveries of the store."""
        ...


class Deliverer(Protocol):
    """A receiver of deliveries. Returning accepts one. Any error makes it be tried again; `tw.DeliveryFailed` may say
    when, or that it is of no use.
    """

    async def deliver(self, delivery: Delivery) -> object:
        """Send a delivery to the user."""
        ...


Deliver = Deliverer | Callable[[Delivery], Any]
"""A receiver: a plain or async function of a delivery, or an object with `deliver`."""


class DeliveryRetries(Struct, frozen=True):
    """How deliveries are retried. The pause doubles from `first_pause_s` to `longest_pause_s`, each shortened at random
    by up to a half; a delivery older than `give_up_after_s`, or with `most_attempts`, fails. An attempt may take
    `timeout_s`; `at_once` run at the same time, each of another conversation.
    """

    first_pause_s: float = 1.0
    longest_pause_s: float = 3600.0
    give_up_after_s: float = 3 * 86400.0
    most_attempts: int = 1000
    timeout_s: float = 15.0
    at_once: int = 32
