"""The lines of a transcript about what the clock, offers and other systems do."""

from __future__ import annotations

from typing import Literal, NamedTuple

from turnwise.archive.frames import scope_title
from turnwise.archive.timeline_events import SIGNS, Sign
from turnwise.core.machine import Machine
from turnwise.core.state import events as e
from turnwise.core.state.proposals import BY_NODE
from turnwise.server.views.event_subjects import event_subject
from turnwise.why.facts.offers import BECAME, LAPSED


class SignOf(NamedTuple):
    """The sign of an event, and what a question of why calls it; both are empty where it has none."""

    sign: Sign | Literal[""]
    subject: str


def sign_of(machine: Machine, entry: e.Entry) -> SignOf:
    """Return the sign of an entry."""
    found = SIGNS.get(type(entry.event))
    return SignOf(found[0], str(event_subject(entry, machine))) if found is not None else SignOf("", "")


def offer_line(machine: Machine, event: e.Offered | e.OfferClosed) -> str:
    """Return what happened to an offer, in one line."""
    title = scope_title(machine, event.scope)
    if isinstance(event, e.Offered):
        return f"offers {title}" if event.by == BY_NODE else f"offers {title}, by the schedule {event.by}"
    why = LAPSED.get(event.because, "")
    return f"the offer of {title} {BECAME[event.outcome]}" + (f": {why}" if why else "")
