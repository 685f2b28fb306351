"""Folds offers: a scope is proposed, asked, and taken, declined or passed over (law 6.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import Proposal, State
from turnwise.core.state import events as e
from turnwise.core.state.events import OfferClosed, Offered
from turnwise.core.state.proposals import BY_NODE


def _offered(state: State, entry: e.Entry, event: Offered) -> State:
    """The proposal waits, in place of an earlier one of the same scope."""
    frame, is_own = state.frame, event.by == BY_NODE
    made = Proposal(
        event.scope,
        event.opener,
        event.by,
        entry.frame,
        frame.node if is_own else "",
        frame.visit if is_own else 0,
        event.given,
        is_worded=event.is_worded,
    )
    others = [one for one in state.offers if (one.scope, one.frame) != (made.scope, made.frame)]
    frame = replace(frame, has_offered=True) if is_own else frame
    return replace(state, offers=(*others, made), frame=frame)


def offers_after_asking(state: State, scope: str, at_ms: int) -> tuple[Proposal, ...]:
    """Return the offers of a state after the offer of `scope` was asked in the frame in charge."""
    return tuple(
        [
            replace(one, status="open", asked=one.asked + 1, asked_ms=at_ms)
            if (one.scope, one.frame) == (scope, state.frame.id)
            else one
            for one in state.offers
        ]
    )


def _closed(state: State, entry: e.Entry, event: OfferClosed) -> State:
    """A proposal that was asked, and not taken, is kept as passed over."""
    kept: list[Proposal] = []
    for one in state.offers:
        if (one.scope, one.frame) != (event.scope, entry.frame):
            kept.append(one)
        elif event.outcome != "taken" and one.asked:
            kept.append(replace(one, status="passed"))
    frame = state.frame
    if frame.question is not None and frame.question.kind == "offer" and frame.question.field == event.scope:
        frame = replace(frame, question=None)
    doing = state.doing
    if event.outcome == "declined" and doing is not None:
        doing = replace(doing, has_declined=True)
    return replace(state, offers=tuple(kept), frame=frame, doing=doing)


def without_frame(offers: tuple[Proposal, ...], frame: int) -> tuple[Proposal, ...]:
    """Return the offers without those made in the frame `frame`, which was closed."""
    return tuple([one for one in offers if one.frame != frame]) if offers else offers


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {Offered: _offered, OfferClosed: _closed}
"""The functions that return the state after an event, by the class of the event."""
