"""Facts about events of other systems: that one came, waited, was judged later, and what was said for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.json import encode

from turnwise.core.external_events import data_shown
from turnwise.core.phrase import Phrase
from turnwise.core.state import events as e
from turnwise.core.values import REDACTED
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder, subjects_named
from turnwise.why.facts.reminders import OPEN_QUESTION_WORDS


def _received(builder: FactBuilder, event: e.EventReceived) -> Iterator[Fact]:
    about = (Subject("turn", str(builder.entry.turn)), Subject("event", event.name))
    data = data_shown(builder.machine, event.name, event.data, REDACTED)
    values: dict[str, Any] = {"event": event.name, "by": event.by, "data": encode(data).decode() if data else ""}
    yield builder.fact("event_received", *about, **values)


def _held(builder: FactBuilder, event: e.EventHeld) -> Iterator[Fact]:
    before = builder.state.person if builder.state is not None and not event.inside else None
    person = (before.operator or Phrase("a person")) if before is not None else ""
    about = (Subject("event", event.name), *subjects_named("node", event.inside))
    values: dict[str, Any] = {"event": event.name, "scope": event.inside, "person": person}
    yield builder.fact("event_held", *about, causes=(beginning_of_turn(builder),), **values)


def _resumed(builder: FactBuilder, event: e.EventResumed) -> Iterator[Fact]:
    about = (Subject("event", event.name), Subject("turn", str(builder.entry.turn)))
    yield builder.fact(
        "event_resumed", *about, causes=(beginning_of_turn(builder),), event=event.name, node=builder.node
    )


def facts_of_notice(builder: FactBuilder, event: e.Said) -> Iterator[Fact]:
    """Yield the fact that a transition for an event sent a text and stayed in its node."""
    cause = builder.first("event_resumed", "event_received")
    name = str(cause.values["event"]) if cause is not None else ""
    about = (Subject("turn", str(builder.entry.turn)), Subject("event", name), *subjects_named("question", event.field))
    asked = OPEN_QUESTION_WORDS[event.question].with_values(field=event.field) if event.question is not None else ""
    values: dict[str, Any] = {"event": name, "said": event.text, "node": builder.node, "open": asked}
    yield builder.fact("notice_said", *about, causes=(builder.first("decided"), cause), **values)


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.EventReceived: _received,
    e.EventHeld: _held,
    e.EventResumed: _resumed,
}
"""The functions that yield the facts of an event, by the class of the event."""
