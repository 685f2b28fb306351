"""What happens around a conversation and stands on its timeline beside its decisions: timers, offers and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from turnwise.core.state import events as e

Sign = Literal["clock", "offer", "overlay", "event", "limit"]
"""What such an event is about: time, a scope that is proposed, an overlay, another system, or a budget."""


class TimelineEvent(NamedTuple):
    """An event on the timeline, with names of the flow and without words or values."""

    seq: int
    turn: int
    at_ms: int
    sign: Sign
    text: str


class OverlaySpan(NamedTuple):
    """Where an overlay was active: from a position, up to another one, `None` where it still is."""

    name: str
    persona_name: str
    from_seq: int
    to_seq: int | None = None


_FORCED = {True: "forced on", False: "forced off", None: "by its dates again"}

SIGNS: dict[type, tuple[Sign, Callable[[Any], str]]] = {
    e.TimerFired: ("clock", lambda event: f"timer {event.timer}"),
    e.ScheduleFired: ("clock", lambda event: f"schedule {event.schedule} {event.did.replace('_', ' ')}"),
    e.Offered: ("offer", lambda event: f"offers {event.scope}"),
    e.OfferClosed: ("offer", lambda event: f"offer of {event.scope} {event.outcome}"),
    e.EventReceived: ("event", lambda event: f"event {event.name}"),
    e.EventHeld: ("event", lambda event: f"event {event.name} waits"),
    e.EventResumed: ("event", lambda event: f"event {event.name} goes on"),
    e.BudgetReached: ("limit", lambda event: f"budget of {event.measure} reached"),
    e.OverlaysChanged: ("overlay", lambda event: ", ".join(event.active) or "no overlay"),
    e.OverlayForced: ("overlay", lambda event: f"{event.name} {_FORCED[event.on]}"),
}
"""The sign of each event that has one, and what makes its text."""


def timeline_event(entry: e.Entry) -> TimelineEvent | None:
    """Return an entry as an event on the timeline; `None` for all others."""
    found = SIGNS.get(type(entry.event))
    if found is None:
        return None
    sign, text_of = found
    return TimelineEvent(entry.seq, entry.turn, entry.at_ms, sign, text_of(entry.event))


def add_overlays(spans: list[OverlaySpan], entry: e.Entry) -> None:
    """Add an entry to the spans in which overlays were active, if it says that others are active than before."""
    event = entry.event
    if not isinstance(event, e.OverlaysChanged):
        return
    for place, span in enumerate(spans):
        if span.to_seq is None and span.name not in event.active:
            spans[place] = span._replace(to_seq=entry.seq)
    known = {span.name for span in spans if span.to_seq is None}
    spans += [OverlaySpan(name, event.persona_name, entry.seq) for name in event.active if name not in known]
