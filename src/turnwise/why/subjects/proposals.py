"""How the offer of a scope stands: it is open, waits and for what, was passed over, or is not made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.decision.moves import input_of
from turnwise.core.machine import Machine
from turnwise.core.offers.asking import Hindrance, why_not_proposed
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.proposals import LinkedOffer
from turnwise.core.scopes import Opening, lacking_input
from turnwise.core.state import Fault, Proposal, State
from turnwise.core.state import events as e
from turnwise.core.turn import StepBuilder
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.offers import offered_by
from turnwise.why.query import Query

_WAITS: dict[Hindrance, str] = {
    "scope": Phrase("another scope is open"),
    "person": Phrase("a person takes part"),
    "call": Phrase("a call waits for approval"),
    "offer": Phrase("another offer is open"),
    "form": Phrase("a form asks or confirms"),
    "work": Phrase("the node has not done its work yet"),
    "cannot_open": Phrase("the scope cannot be opened in this turn"),
}
"""Why an offer waits, in words."""


async def answer_offer(query: Query, scope: str) -> list[Fact]:
    """Return facts about the offers of a scope at the end of the turn; empty if it was and is never offered.
    With who made the last one and what became of it.
    """
    made = await query.last(e.Offered, scope=scope)
    closed = await query.last(e.OfferClosed, scope=scope)
    if made is not None and closed is not None and closed.seq < made.seq:
        closed = None
    found = [
        query.end.fact_of_state("offer_stands", *_about(query, scope), causes=(made, closed), scope=scope, how=how)
        for how in _standing(query, scope)
    ]
    return [*found, *[one for one in (closed, made) if one is not None]]


def _about(query: Query, scope: str) -> tuple[Subject, ...]:
    return query.subject, *([Subject("node", scope)] if query.subject != Subject("node", scope) else [])


def _standing(query: Query, scope: str) -> Iterator[str]:
    state, machine = query.state, query.machine
    offers = [one for one in state.offers if one.scope == scope]
    for one in offers:
        yield _how(machine, state, one)
    own = machine.nodes[state.node].offer
    if not offers and own is not None and own.scope == scope and not state.frame.has_offered:
        lacks = _lacking(machine, state, own)
        why = lacks or _WAITS["work"]
        yield phrase("is not made at {node}: {why}", node=state.node, why=why)


def _how(machine: Machine, state: State, offer: Proposal) -> str:
    who = offered_by(offer.by, offer.node)
    match offer.status:
        case "open":
            return phrase("by {who} is the open question: yes opens it, no declines it", who=who)
        case "passed":
            text = "by {who} was passed over: the user may still begin it, as “{title}”"
            return phrase(text, who=who, title=machine.node_title(offer.scope))
        case "waiting":
            why = why_not_proposed(machine, state, offer.scope, offer.frame)
            return (
                phrase("by {who} waits, because {reason}", who=who, reason=_WAITS[why])
                if why is not None
                else phrase("by {who} waits for the next turn", who=who)
            )


def _lacking(machine: Machine, state: State, own: LinkedOffer) -> str:
    """Return which part of its input an offer lacks; empty where it has all."""
    given: Any = input_of(StepBuilder(machine, state, state.at_ms, state.turn), own.input)
    lacks = given if isinstance(given, Fault) else lacking_input(machine, Opening(own.scope, "offer", given))
    return lacks.message if lacks is not None else ""


def offerers(machine: Machine, scope: str) -> list[str]:
    """Return the names of the nodes that offer a scope."""
    return [name for name, node in machine.nodes.items() if node.offer is not None and node.offer.scope == scope]
