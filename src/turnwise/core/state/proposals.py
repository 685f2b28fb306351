"""Scopes that are proposed to the user (law 6.5): each waits, is the open question, or was passed over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from turnwise.core.state import State

BY_NODE: Final = "node"
"""Who proposes a scope by its own `offer`; a schedule proposes by its name."""

OfferOutcome = Literal["taken", "declined", "lapsed"]
"""The outcome of an offer."""

LapseReason = Literal["", "other_turn", "left", "question", "scope", "closed", "refused"]
"""Why an offer lapsed: the user spoke of something else, its node was left, another question was asked, another scope
was opened, the scope in which it was made was closed, or its own scope could not be opened.
"""


class Proposal(Struct, frozen=True, gc=False, omit_defaults=True):
    """A scope that is proposed to the user: its opener, who proposes it, and its input."""

    scope: str
    """The qualified name of the scope."""
    opener: str
    """The question that proposes the scope."""
    by: str = BY_NODE
    """Who proposes the scope: `node`, or the name of a schedule."""
    frame: int = 0
    """The id of the frame in which the scope is proposed; 0 for the root."""
    node: str = ""
    """The node that was in charge when the scope was proposed."""
    visit: int = 0
    """The number of the visit to that node."""
    given: dict[str, Any] = {}
    """The input with which the scope would open, by field address."""
    status: Literal["waiting", "open", "passed"] = "waiting"
    """`waiting` until it may be asked, then `open`; `passed` if declined or lapsed: the user may still begin it."""
    asked: int = 0
    """How often the opener was asked."""
    is_worded: bool = False
    """True if a model rephrases the opener."""
    asked_ms: int = 0
    """When the opener was asked last, in milliseconds since 1970; 0 if never."""


def open_offer(state: State) -> Proposal | None:
    """Return the offer that is the open question of the frame in charge; `None` if there is none."""
    question = state.frame.question
    if not state.offers or question is None or question.kind != "offer":
        return None
    return next((one for one in offers_here(state) if one.status == "open" and one.scope == question.field), None)


def startable_offers(state: State) -> Iterator[Proposal]:
    """Yield the offers whose scope the user may begin by its title or phrase: the open one, and all passed over."""
    return (one for one in offers_here(state) if one.status != "waiting")


def offers_here(state: State) -> Iterator[Proposal]:
    """Yield the offers of the frame in charge."""
    return (one for one in state.offers if one.frame == state.frame.id)
