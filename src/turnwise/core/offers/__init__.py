"""Offers: scopes that a node or a schedule proposes to the user (law 6.5).

A proposal waits in the state until it may be asked. Then it is the open question, which the next message answers. One
that was declined or has lapsed is kept, so that the user may begin its scope later, with the input that it had.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.core.scopes import Opening, lacking_input
from turnwise.core.state import Fault, OpenedBy, State
from turnwise.core.state.events import Offered
from turnwise.core.state.proposals import BY_NODE, startable_offers
from turnwise.core.turn import StepBuilder


def propose(
    step: StepBuilder, scope: str, opener: str, given: Mapping[str, Any], by: str = BY_NODE, *, is_worded: bool = False
) -> Fault | None:
    """Propose a scope to the user: the offer is asked at the end of the turn, or later when nothing hinders it. `by` is
    the name of a schedule, which proposes in the outermost frame; a node proposes in its own. `given` is the input of
    the scope by address; if a part is missing, return the failure, and nothing has changed. Without an opener, a fixed
    text asks; with `is_worded` a model rephrases it.
    """
    refused = lacking_input(step.machine, Opening(scope, "offer", given))
    if refused is not None:
        return refused
    text = opener.strip() or step.machine.language.text("offer", title=step.machine.node_title(scope))
    text = text[: step.machine.rules.max_chars]
    frame = step.state.frame.id if by == BY_NODE else 0
    step.emit(Offered(scope, text, by, dict(given), is_worded), frame=frame)
    return None


def requested_opening(state: State, scope: str, by: OpenedBy) -> Opening:
    """Return how a scope opens that a user or program begins: with the input of its offer and of the request."""
    found = next((one for one in startable_offers(state) if one.scope == scope), None)
    given = found.given if found is not None else {}
    return Opening(scope, by, {**given, **state.frame.wish_inputs.get(scope, {})})
