"""Checks the argument `deliver` of an app, and finds the outbox of its store."""

from __future__ import annotations

from typing import Any, get_args

from turnwise.errors import TurnwiseError, WrongArgument
from turnwise.runner.outbox_port import DeliveryQuery, DeliveryRetries, DeliveryStatus, HasOutbox, Outbox

MOST_LISTED = 1000
"""How many deliveries one call lists at most."""
_A_RECEIVER = "a function of a delivery, or an object with deliver(), such as tw.Webhook(url, secrets=[…])"


def outbox_of(store: object) -> Outbox:
    """Return the outbox of a store. Raises `TurnwiseError` if it has none."""
    if isinstance(store, HasOutbox):
        return store.outbox
    raise TurnwiseError(f"{type(store).__name__} keeps no deliveries: it has no 'outbox' (see docs/delivery.md)")


def check_deliver(deliver: Any, retries: Any) -> None:
    """Raise `WrongArgument` unless `deliver` is a receiver of deliveries and `retries` are valid settings or `None`."""
    if deliver is None:
        raise WrongArgument("deliver", deliver, f"{_A_RECEIVER}, since delivery_retries has no effect without one")
    if not callable(getattr(deliver, "deliver", deliver)) or isinstance(deliver, type):
        raise WrongArgument("deliver", deliver, _A_RECEIVER)
    if retries is None:
        return
    if not isinstance(retries, DeliveryRetries):
        raise WrongArgument("delivery_retries", retries, "tw.DeliveryRetries(…)")
    for name in retries.__struct_fields__:
        value = getattr(retries, name)
        is_whole = name in ("most_attempts", "at_once")
        if isinstance(value, bool) or not isinstance(value, int if is_whole else int | float) or not value > 0:
            raise WrongArgument(f"delivery_retries.{name}", value, "a whole number" if is_whole else "seconds, above 0")


def checked_query(conversation: Any, flow: str, status: Any, after: Any, limit: Any) -> DeliveryQuery:
    """Return a selection of deliveries from the arguments of `App.deliveries`.
    Raises `WrongArgument` for an invalid one.
    """
    known = get_args(DeliveryStatus)
    if status not in ("", *known):
        raise WrongArgument("status", status, f"one of {', '.join(known)}")
    if not isinstance(conversation, str):
        raise WrongArgument("conversation", conversation, "the name of a conversation")
    if not isinstance(limit, int) or not 0 < limit <= MOST_LISTED:
        raise WrongArgument("limit", limit, f"a number from 1 to {MOST_LISTED}")
    if not isinstance(after, int):
        raise WrongArgument("after", after, "the number of a delivery")
    return DeliveryQuery(conversation, flow, status, after, limit)
