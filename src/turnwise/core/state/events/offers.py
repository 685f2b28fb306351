"""The events of offers: a scope was proposed to the user, and what became of that (law 6.5)."""

from __future__ import annotations

from typing import Any

from turnwise.core.state.events.incoming import Event
from turnwise.core.state.proposals import BY_NODE, LapseReason, OfferOutcome


class Offered(Event, frozen=True, tag="offered"):
    """A scope was proposed to the user. It waits until it may be asked: then `Said` has the question."""

    scope: str
    opener: str
    """The question that proposes it."""
    by: str = BY_NODE
    """`node` for the node in charge, or the name of the schedule that proposed it."""
    given: dict[str, Any] = {}
    """The input of the scope, by address."""
    is_worded: bool = False
    """True where a model puts the opener in words of its own."""


class OfferClosed(Event, frozen=True, tag="offer_closed"):
    """An offer was taken, declined, or has lapsed. Unless it was taken, the user may still begin its scope."""

    scope: str
    outcome: OfferOutcome
    """Whether it was taken, declined or has lapsed."""
    because: LapseReason = ""
    """Why it lapsed; empty if it did not."""
