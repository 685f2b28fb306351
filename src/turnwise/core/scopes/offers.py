"""Closes the offers that the opening or the closing of a scope makes void (law 6.5).

How scopes are offered, asked and taken is in `core.offers`, which opens them.
"""

from __future__ import annotations

from turnwise.core.state import OpenedBy
from turnwise.core.state.events import OfferClosed
from turnwise.core.state.proposals import offers_here
from turnwise.core.turn import StepBuilder

_TAKING: frozenset[OpenedBy] = frozenset(("offer", "user", "program", "tool"))


def scope_opened(step: StepBuilder, scope: str, by: OpenedBy) -> None:
    """Close the offers that end when a scope is opened: its own as taken, any other open one as lapsed.
    If the flow opened the scope, its own offer has lapsed, too.
    """
    for one in tuple(offers_here(step.state)):
        if one.scope == scope and by in _TAKING:
            step.emit(OfferClosed(scope, "taken"))
        elif one.status == "open":
            step.emit(OfferClosed(one.scope, "lapsed", "scope"))


def close_inner_offers(step: StepBuilder) -> None:
    """Close the offers that were made inside the scope in charge, which is being closed."""
    for one in tuple(offers_here(step.state)):
        if one.status != "passed":
            step.emit(OfferClosed(one.scope, "lapsed", "closed"))
