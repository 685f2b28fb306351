"""What happens around a conversation and stands on its timeline beside its decisions: timers, offers and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from turnwise.core.state import events as e

Sign = Literal["clock", "offer", "overlay", "event", "limit"]
"""What an event on the timeline is about: time, a scope that is proposed, an overlay, another system, or a budget."""


Named = tuple[str, dict[str, str]]
"""What happened, as a key for the words of a language, and the names that fill these words, by placeholder."""


class TimelineEvent(NamedTuple):
    """An event around the conversation on its timeline, with names of the flow and without words or values."""

    seq: int
    """The position of the event in the journal."""
    turn: int
    """The number of the event's turn."""
    at_ms: int
    """When the event happened, in milliseconds since 1970."""
    sign: Sign
    """The kind of sign that the page shows."""
    what: str
    """The key of the sentence that says what happened."""
    names: dict[str, str]
    """The names that fill the sentence, by placeholder."""


OVERLAY_FORCED = {True: "overlay_on", False: "overlay_off", None: "overlay_dates"}
"""The key of the words for an overlay that is forced on (`True`), off (`False`), or goes by its dates again (`None`).
"""


class OverlaySpan(NamedTuple):
    """A period in which an overlay was active, by journal positions."""

    name: str
    """The name of the overlay."""
    persona_name: str
    """The name that the agent had while the overlay was active; empty for no other name."""
    from_seq: int
    """The journal position at which the overlay became active."""
    to_seq: int | None = None
    """The journal position at which the overlay ended; `None` while it is active."""


SIGNS: dict[type, tuple[Sign, Callable[[Any], Named]]] = {
    e.TimerFired: ("clock", lambda event: ("timer", {"timer": event.timer})),
    e.ScheduleFired: (
        "clock",
        lambda event: (f"schedule_{event.did}", {"schedule": event.schedule, "scope": event.scope}),
    ),
    e.Offered: ("offer", lambda event: ("offers", {"scope": event.scope})),
    e.OfferClosed: ("offer", lambda event: (f"offer_{event.outcome}", {"scope": event.scope})),
    e.EventReceived: ("event", lambda event: ("event_came", {"event": event.name})),
    e.EventHeld: ("event", lambda event: ("event_waits", {"event": event.name})),
    e.EventResumed: ("event", lambda event: ("event_resumed", {"event": event.name})),
    e.BudgetReached: ("limit", lambda event: ("budget_reached", {"measure": event.measure})),
    e.OverlaysChanged: (
        "overlay",
        lambda event: ("overlays", {"overlay": ", ".join(event.active)}) if event.active else ("no_overlay", {}),
    ),
    e.OverlayForced: ("overlay", lambda event: (OVERLAY_FORCED[event.on], {"overlay": event.name})),
}
"""For each class of event on the timeline: its sign, and a function that returns the key of its words and their names.
"""


def timeline_event(entry: e.Entry) -> TimelineEvent | None:
    """Return a journal entry as an event on the timeline; `None` for entries that the timeline does not show."""
    found = SIGNS.get(type(entry.event))
    if found is None:
        return None
    sign, named = found
    return TimelineEvent(entry.seq, entry.turn, entry.at_ms, sign, *named(entry.event))


def add_overlays(spans: list[OverlaySpan], entry: e.Entry) -> None:
    """Add an entry to the periods in which overlays were active, if it changes which are active."""
    event = entry.event
    if not isinstance(event, e.OverlaysChanged):
        return
    for place, span in enumerate(spans):
        if span.to_seq is None and span.name not in event.active:
            spans[place] = span._replace(to_seq=entry.seq)
    known = {span.name for span in spans if span.to_seq is None}
    spans += [OverlaySpan(name, event.persona_name, entry.seq) for name in event.active if name not in known]
