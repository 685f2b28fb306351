"""Finds what sent the user the last message that answers none of theirs: a schedule, an event of another system, a
timer, a person, or an offer.
"""

from __future__ import annotations

from turnwise.core.state import events as e
from turnwise.core.state.proposals import BY_NODE, open_offer
from turnwise.why.answer import Subject
from turnwise.why.query import Query


async def last_writing(query: Query) -> tuple[Subject, int] | None:
    """Return what last wrote to the user unasked, and the number of its turn; `None` if nothing did.
    The event that began the turn, a person, or a scope that a node proposed.
    """
    said = 0
    async for entry in query.entries_backwards():
        match entry.event:
            case e.Said():
                said = entry.turn
            case e.ScheduleFired() as fired if entry.turn == said:
                return Subject("schedule", fired.schedule), said
            case e.EventReceived() as received if entry.turn == said:
                return Subject("event", received.name), said
            case e.TimerFired() as fired if entry.turn == said:
                return Subject("timer", fired.timer), said
            case e.TakenOver() if entry.turn == said:
                return Subject("person"), said
            case e.OperatorSaid():
                return Subject("person"), entry.turn
            case e.Offered(by=by) as offered if entry.turn == said and by == BY_NODE:
                return Subject("node", offered.scope), said
            case _:
                pass
    return None


def is_shown_by_state(query: Query) -> bool:
    """Return whether a schedule opened the scope in charge or made the open offer, which the state explains better."""
    scope, offer = query.state.frame.scope, open_offer(query.state)
    return (scope is not None and scope.by == "schedule") or offer is not None
