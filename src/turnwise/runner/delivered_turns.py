"""Which turns are delivered, and what a receiver gets of one (see docs/delivery.md)."""

from __future__ import annotations

from collections.abc import Sequence
from os import urandom

from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.fold.beginnings import UNPROMPTED
from turnwise.runner.outbox_port import DeliveredMessage, Delivery, StoredDelivery


def new_delivery_id(entries: Sequence[e.Entry], state: State, *, is_recovered: bool) -> str:
    """Return a new id for the delivery of a turn that ends; an empty text if it is not delivered.
    It is delivered if the machine said something and no caller waits: the machine began the turn, or it was recovered
    after a crash (`is_recovered`). A fork that may not change the world writes to no user.
    """
    if state.is_bound or not any(type(one.event) is e.Said for one in entries):
        return ""
    return f"msg_{urandom(16).hex()}" if is_recovered or any(_is_unasked(one.event) for one in entries) else ""


def _is_unasked(event: e.AnyEvent) -> bool:
    """Return whether an event begins a turn for which no caller waits; a timer may also be fired by a caller."""
    return type(event) in UNPROMPTED and not (isinstance(event, e.TimerFired) and event.due_ms is None)


def delivery_of(row: StoredDelivery, entries: Sequence[e.Entry]) -> Delivery | None:
    """Return what a receiver gets for a `row` of the outbox: the messages among the `entries` of its turn; `None` if
    none of them is still stored.
    """
    messages = [
        DeliveredMessage(one.event.text, one.seq, one.event.buttons)
        for one in entries
        if isinstance(one.event, e.Said) and one.seq <= row.seq
    ]
    if not messages:
        return None
    began = next((one.event for one in entries if isinstance(one.event, e.OutsideEvent)), entries[0].event)
    return Delivery(
        *(row.id, row.conversation, row.flow, row.turn, row.seq, row.at_ms),
        event=str(began.__struct_config__.tag),
        messages=tuple(messages),
        attempt=row.attempts,
    )
