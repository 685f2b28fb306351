"""Writes the lines of a transcript about timers, schedules, offers, overlays and events of other systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from turnwise.archive.activity_words import fill_template
from turnwise.archive.conversation_names import title_of_node
from turnwise.archive.timeline_events import OVERLAY_FORCED, SIGNS, Sign, TimelineEvent
from turnwise.core.costs import amount_text
from turnwise.core.field_titles import capital
from turnwise.core.guards.types import value_text
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.proposals import BY_NODE
from turnwise.server.views.event_subjects import event_subject
from turnwise.server.views.redaction import Redaction
from turnwise.server.views.sign_words import SIGN_WORDS

Words = Mapping[str, str]
"""The words of signs in a language, by key."""


class SignOf(NamedTuple):
    """The sign that the page shows for an event, and the event's subject in questions to `why`."""

    sign: Sign | Literal[""]
    """The kind of sign that the page shows; empty where the event has none."""
    subject: str
    """The name of the event's subject in questions to `why`; empty where the event has no sign."""


def sign_of(machine: Machine, entry: e.Entry) -> SignOf:
    """Return the sign of a journal entry on the page."""
    found = SIGNS.get(type(entry.event))
    return SignOf(found[0], str(event_subject(entry, machine))) if found is not None else SignOf("", "")


Sentence = tuple[str, dict[str, str]]
"""The key of a template in `sign_words`, and the values for its placeholders by name."""


def lines_about(entry: e.Entry, redaction: Redaction, machine: Machine, state: State | None) -> dict[str, str]:
    """Return a line about an event around the conversation, by language of the page; empty for any other entry.
    `state` was before it.
    """
    found: dict[str, str] = {}
    for language, words in SIGN_WORDS.items():
        line = _line(entry, redaction, machine, state, words)
        if not line:
            return {}
        found[language] = redaction.text(line)
    return found


def _line(entry: e.Entry, redaction: Redaction, machine: Machine, state: State | None, words: Words) -> str:
    match entry.event:
        case e.OverlaysChanged():
            return _overlays_changed(entry.event, state, words)
        case e.OverlayForced():
            return _overlay_forced(entry.event, words)
        case event:
            found = _sentence(event, redaction, machine, words)
            return fill_template(words[found[0]], found[1]) if found is not None else ""


def _sentence(event: e.AnyEvent, redaction: Redaction, machine: Machine, words: Words) -> Sentence | None:
    plain = _PLAIN.get(type(event))
    if plain is not None:
        return plain(event)
    match event:
        case e.ScheduleFired(schedule=schedule, did=did, scope=scope):
            return f"schedule_{did}", {
                "schedule": name_in_words(schedule),
                "scope": title_of_node(machine, scope) if scope else "",
            }
        case e.EventReceived() | e.EventHeld() | e.EventResumed():
            return _event(event, redaction, machine)
        case e.Offered() | e.OfferClosed():
            return _offer(event, machine, words)
        case e.BudgetReached():
            return _budget(event, words)
        case _:
            return None


_PLAIN: Mapping[type, Callable[[Any], Sentence]] = {
    e.Forked: lambda event: ("forked", {"source": event.source, "turn": str(event.turn)}),
    e.Migrated: lambda _: ("migrated", {}),
    e.PersonAwaited: lambda event: ("person_awaited", {"queue": event.queue}),
    e.NobodyCame: lambda _: ("nobody_came", {}),
    e.Undone: lambda event: ("undone", {"to": str(event.to)}),
    e.TimerFired: lambda event: ("timer", {"timer": name_in_words(event.timer)}),
}
"""The sentences that only need their event."""


def text_of_sign(event: TimelineEvent, machine: Machine, language: str) -> str:
    """Return a line about an event on the timeline in a language of the page."""
    words = SIGN_WORDS[language]
    parts = {name: _titled(name, value, machine, words) for name, value in event.names.items()}
    return fill_template(words[event.what], parts)


def _titled(name: str, value: str, machine: Machine, words: Words) -> str:
    match name:
        case "scope":
            return title_of_node(machine, value) if value else ""
        case "measure":
            return words.get(value, value)
        case "overlay":
            return ", ".join(title_of_name(one) for one in value.split(", "))
        case _:
            return name_in_words(value)


def _event(event: e.EventReceived | e.EventHeld | e.EventResumed, redaction: Redaction, machine: Machine) -> Sentence:
    match event:
        case e.EventReceived(name=name, data=data, by=by):
            values = [f"{key} = {value_text(value)}" for key, value in redaction.event_data(name, data).items()]
            return "event_came", {"event": name_in_words(name), "by": by, "values": ", ".join(values)}
        case e.EventHeld(name=name, inside=""):
            return "event_held_by_person", {"event": name_in_words(name)}
        case e.EventHeld(name=name, inside=inside):
            return "event_held_by_scope", {"event": name_in_words(name), "scope": title_of_node(machine, inside)}
        case e.EventResumed(name=name):
            return "event_resumed", {"event": name_in_words(name)}


def _offer(event: e.Offered | e.OfferClosed, machine: Machine, words: Words) -> Sentence:
    scope = {"scope": title_of_node(machine, event.scope)}
    match event:
        case e.Offered(by=by) if by == BY_NODE:
            return "offers", scope
        case e.Offered(by=by):
            return "offers_by_schedule", {**scope, "schedule": name_in_words(by)}
        case e.OfferClosed(outcome=outcome, because=because):
            return f"offer_{outcome}", {**scope, "why": words.get(because, "")}


def _budget(event: e.BudgetReached, words: Words) -> Sentence:
    spent, most = (amount_text(event.measure, amount, event.currency) for amount in (event.spent, event.amount))
    then = (
        fill_template(words["then_instead"], {"instead": event.instead})
        if event.instead
        else words[f"then_{event.then}"]
    )
    units = {"measure": words.get(event.measure, event.measure), "per": words.get(event.per, event.per)}
    return "budget", {**units, "spent": spent, "most": most, "then": then}


def _overlay_forced(event: e.OverlayForced, words: Words) -> str:
    line = fill_template(words[OVERLAY_FORCED[event.on]], {"overlay": title_of_name(event.name), "by": event.by})
    return f"{line}, {words['for_all']}" if event.for_all else line


def _overlays_changed(event: e.OverlaysChanged, state: State | None, words: Words) -> str:
    before = state.overlays.active if state is not None and state.overlays is not None else ()
    ended = [("overlay_ends", name) for name in before if name not in event.active]
    began = [("overlay_begins", name) for name in event.active if name not in before]
    line = ", ".join(fill_template(words[key], {"overlay": title_of_name(name)}) for key, name in (*ended, *began))
    if not began or not event.persona_name:
        return line
    return f"{line}: {fill_template(words['speaks'], {'persona': event.persona_name})}"


def title_of_name(name: str) -> str:
    """Return the title for people of an overlay, a timer or a schedule: `Viking weekend`."""
    return capital(name_in_words(name))


def name_in_words(name: str) -> str:
    """Return a name in the flow as words: *order ready* for `order_ready`."""
    return name.replace("_", " ").strip()
