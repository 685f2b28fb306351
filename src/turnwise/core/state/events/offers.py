"""The events of offers: a scope was proposed to the user, and what became of that (law 6.5)."""

from __future__ import annotations

from typing import Any

from turnwise.core.state.events.incoming import Event
from turnwise.core.state.proposals import BY_NODE, LapseReason, OfferOutcome


class Offered(Event, frozen=True, tag="offered"):
    """A scope was proposed to the user by the node in charge, or by a schedule of the name `by`. It waits until it may
    be asked: then `Said` has the question. `given` is the input of the scope by address; with `is_worded` a model puts
    the opener in words of its own.
    """

    scope: str
    opener: str
    """The question that proposes it."""
    by: str = BY_NODE
    given: dict[str, Any] = {}
    is_worded: bool = False


class OfferClosed(Event, frozen=True, tag="offer_closed"):
    """An offer was taken, declined, or has lapsed; `because` is why it lapsed. Unless it was taken, the user may still
    begin its scope.
    """

    scope: str
    outcome: OfferOutcome
    """Whether it was taken, declined or has lapsed."""
    because: LapseReason = ""
