"""Links the offer of a node (law 6.5): its scope, with the input that it opens with, and its opener.

What a schedule offers is linked with the schedule.
"""

from __future__ import annotations

from turnwise.core.link.builder import Builder
from turnwise.core.link.transitions import opening_of
from turnwise.core.proposals import LinkedOffer
from turnwise.flow import model


def link_offer(builder: Builder, node: model.Node) -> LinkedOffer | None:
    """Return the offer that a node makes, `None` without one; report an offer that the node cannot open or word."""
    offer = node.offer
    if offer is None:
        return None
    span = offer.span
    opener = builder.optional(offer.opener, span.of("opener"))
    if offer.wording == "model" and not (node.prompt or builder.flow.prompt):
        hint = "give the node a prompt, or leave 'wording' out"
        message = f"no model speaks at '{node.name}' that could word the offer"
        builder.report("TW105", message, span.of("wording"), hint)
    if offer.scope == node.name and node.scope is not None:
        message = f"'{node.name}' offers its own scope, which its work opens anyway"
        builder.report("TW105", message, span.of("scope"), "offer it at the nodes before it")
        return None
    opening = opening_of(builder, offer.scope, offer.with_, span, "scope", "TW105")
    if opening is None:
        return None
    return LinkedOffer(opening.scope, opener, opening.input, offer.wording == "model")
