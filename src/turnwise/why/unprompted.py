"""Finds what wrote last to the user without a message of theirs: a schedule, an event of another system, a timer."""

from __future__ import annotations

from turnwise.core.state import events as e
from turnwise.core.state.proposals import open_offer
from turnwise.why.answer import Subject
from turnwise.why.query import Query


async def last_writing(query: Query) -> tuple[Subject, int] | None:
    """Return what began the last turn in which the user was written to unprompted, and that turn."""
    said = 0
    async for entry in query.back():
        match entry.event:
            case e.Said():
                said = entry.turn
            case e.ScheduleFired() as fired if entry.turn == said:
                return Subject("schedule", fired.schedule), said
            case e.EventReceived() as received if entry.turn == said:
                return Subject("event", received.name), said
            case e.TimerFired() as fired if entry.turn == said:
                return Subject("timer", fired.timer), said
            case _:
                pass
    return None


def is_shown_by_state(query: Query) -> bool:
    """Return whether a schedule opened the scope in charge or made the open offer: the state says why, with more."""
    scope, offer = query.state.frame.scope, open_offer(query.state)
    return (scope is not None and scope.by == "schedule") or offer is not None
