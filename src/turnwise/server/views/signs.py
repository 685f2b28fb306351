"""The lines of a transcript about what the clock, offers and other systems do."""

from __future__ import annotations

from typing import Literal, NamedTuple

from turnwise.archive.timeline_events import SIGNS, Sign
from turnwise.core.costs import amount_text
from turnwise.core.guards.types import shown
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.events.budgets import BudgetWay
from turnwise.core.state.proposals import BY_NODE
from turnwise.server.views.event_subjects import event_subject
from turnwise.server.views.redaction import Redaction
from turnwise.why.facts.offers import BECAME, LAPSED
from turnwise.why.facts.schedules import deed_of


class SignOf(NamedTuple):
    """The sign of an event, and what a question of why calls it; both are empty where it has none."""

    sign: Sign | Literal[""]
    subject: str


def sign_of(machine: Machine, entry: e.Entry) -> SignOf:
    """Return the sign of an entry."""
    found = SIGNS.get(type(entry.event))
    return SignOf(found[0], str(event_subject(entry, machine))) if found is not None else SignOf("", "")


def line_of_sign(entry: e.Entry, redaction: Redaction, machine: Machine, state: State | None) -> str:
    """Return what an entry with a sign says, in one line; empty for all others. `state` was before it."""
    match entry.event:
        case e.TimerFired(timer=timer):
            return f"the timer {timer} fired"
        case e.ScheduleFired():
            return f"the schedule {entry.event.schedule} {deed_of(entry.event)}"
        case e.EventReceived() | e.EventHeld() | e.EventResumed():
            return event_line(entry.event, redaction)
        case e.Offered() | e.OfferClosed():
            return offer_line(machine, entry.event)
        case e.OverlaysChanged() | e.OverlayForced():
            return overlay_line(entry.event, state)
        case e.BudgetReached():
            return budget_line(entry.event)
        case _:
            return ""


def event_line(event: e.EventReceived | e.EventHeld | e.EventResumed, redaction: Redaction) -> str:
    """Return what happened to an event of another system, in one line."""
    match event:
        case e.EventReceived(name=name, data=data, by=by):
            values = [f"{key} = {shown(value)}" for key, value in redaction.event_data(name, data).items()]
            came = f"the event {name} came" + (f" from {by}" if by else "")
            return f"{came}: {', '.join(values)}" if values else came
        case e.EventHeld(name=name, inside=inside):
            return f"the event {name} waits, as {f'the scope {inside} is open' if inside else 'a person takes part'}"
        case e.EventResumed(name=name):
            return f"the event {name} that waited is judged now"


_THEN: dict[BudgetWay, str] = {
    "ask": "the user is asked",
    "hand_over": "a person takes over",
    "model": "another model is called",
    "end": "the conversation ends",
    "own_text": "the text of the flow is said as it stands",
}


def budget_line(event: e.BudgetReached) -> str:
    """Return that a budget was reached and what came of it, in one line."""
    spent, most = (amount_text(event.measure, amount, event.currency) for amount in (event.spent, event.amount))
    then = f"{event.instead} is called" if event.instead else _THEN[event.then]
    return f"the budget of {event.measure} per {event.per} was reached, {spent} of {most}: {then}"


def overlay_line(event: e.OverlayForced | e.OverlaysChanged, state: State | None) -> str:
    """Return what happened to overlays, in one line; `state` was before it."""
    if isinstance(event, e.OverlayForced):
        forced = "goes by its dates again" if event.on is None else f"is forced {'on' if event.on else 'off'}"
        by = f" by {event.by}" if event.by else ""
        return f"{overlay_title(event.name)} {forced}{by}{' for all conversations' if event.for_all else ''}"
    before = state.overlays.active if state is not None and state.overlays is not None else ()
    ended = [f"{overlay_title(name)} ends" for name in before if name not in event.active]
    began = [f"{overlay_title(name)} begins" for name in event.active if name not in before]
    speaks = f": {event.persona_name} speaks" if began and event.persona_name else ""
    return ", ".join([*ended, *began]) + speaks


def overlay_title(name: str) -> str:
    """Return what people call an overlay: `Viking weekend`."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def offer_line(machine: Machine, event: e.Offered | e.OfferClosed) -> str:
    """Return what happened to an offer, in one line."""
    title = machine.node_title(event.scope)
    if isinstance(event, e.Offered):
        return f"offers {title}" if event.by == BY_NODE else f"offers {title}, by the schedule {event.by}"
    why = LAPSED.get(event.because, "")
    return f"the offer of {title} {BECAME[event.outcome]}" + (f": {why}" if why else "")
