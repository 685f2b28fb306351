"""The events of offers: a scope was proposed to the user, and what became of that (law 6.5)."""

from __future__ import annotations

from typing import Any

from turnwise.core.state.events.incoming import Event
from turnwise.core.state.proposals import BY_NODE, LapseReason, OfferOutcome


class Offered(Event, frozen=True, tag="offered"):
    """A scope was proposed to the user; the question itself is sent later, as a `Said`."""

    scope: str
    """The address of the scope."""
    opener: str
    """The question that proposes the scope."""
    by: str = BY_NODE
    """Who proposed the scope: `node` for the node in charge, or the name of a schedule."""
    given: dict[str, Any] = {}
    """The input with which the scope would open, by field address."""
    is_worded: bool = False
    """True if a model rephrases the opener."""


class OfferClosed(Event, frozen=True, tag="offer_closed"):
    """An offer was taken, declined, or lapsed; unless it was taken, the user may still begin its scope."""

    scope: str
    """The address of the scope."""
    outcome: OfferOutcome
    """Whether the offer was taken, was declined or lapsed."""
    because: LapseReason = ""
    """Why the offer lapsed; empty if it did not."""
