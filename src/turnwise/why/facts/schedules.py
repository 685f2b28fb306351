"""Facts about schedules: that one came due, what it did with which input, and a change of the time zone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.addresses import local_name
from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import events as e
from turnwise.core.state.events.schedules import ScheduleReason
from turnwise.flow.durations import write_duration
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.beginnings import beginning_of_turn
from turnwise.why.facts.builder import FactBuilder
from turnwise.why.facts.values import value_read

REASONS: dict[ScheduleReason, str] = {
    "missed": Phrase("its time was missed by more than it may be late"),
    "no_input": Phrase("the scope had no input"),
    "bad_input": Phrase("the scope does not take the input"),
    "quiet": Phrase("it keeps silent at that time of day"),
    "held": Phrase("something stood in its way"),
    "refused": Phrase("the scope could not be opened"),
}
"""Why a schedule did nothing, or waits, in words, by the code of the reason."""


def _turn(builder: FactBuilder) -> Subject:
    return Subject("turn", str(builder.entry.turn))


def _due(builder: FactBuilder, event: e.ScheduleDue) -> Iterator[Fact]:
    about = (_turn(builder), Subject("schedule", event.schedule))
    due = builder.time(event.at_ms) if event.at_ms is not None else ""
    by = (event.by or Phrase("the program")) if event.at_ms is None else ""
    yield builder.fact("schedule_due", *about, schedule=event.schedule, due=due, by=by)


def _fired(builder: FactBuilder, event: e.ScheduleFired) -> Iterator[Fact]:
    about = (_turn(builder), Subject("schedule", event.schedule), *_node(event.scope))
    late_ms = builder.entry.at_ms - event.due_ms
    reason = REASONS.get(event.reason, "")
    values: dict[str, Any] = {
        "schedule": event.schedule,
        "due": builder.time(event.due_ms),
        "at": builder.time(builder.entry.at_ms),
        "deed": deed_of(event),
        "did_nothing": event.did in ("nothing", "put_off"),
        "period": event.period if event.input else "",
        "given": _input(builder, event),
        "origin": Phrase("which the program had set") if event.is_set else "",
        "reason": phrase("{reason}: {text}", reason=reason, text=event.text) if reason and event.text else reason,
        "until": builder.time(event.until_ms) if event.did == "put_off" else "",
        "missed": _missed(event.missed),
        "late": write_duration(late_ms // 1000) if event.late else "",
    }
    yield builder.fact("schedule_fired", *about, causes=(builder.first("schedule_due"),), **values)


def _missed(count: int) -> str:
    """Return how many earlier times went with a firing, in words; empty for none."""
    return (
        ""
        if not count
        else Phrase("1 earlier time was")
        if count == 1
        else phrase("{count} earlier times were", count=count)
    )


def _node(scope: str) -> tuple[Subject, ...]:
    return (Subject("node", scope),) if scope else ()


def deed_of(event: e.ScheduleFired) -> str:
    """Return in words what a schedule did when it was due: opened or proposed a scope, left a text for the next reply,
    did nothing, or did not fire yet.
    """
    scope = local_name(event.scope)
    match event.did:
        case "called":
            return phrase("opened the scope '{scope}'", scope=scope)
        case "offered":
            return phrase("proposed the scope '{scope}'", scope=scope)
        case "instructed":
            return Phrase("left a text for the next reply")
        case "nothing":
            return Phrase("did nothing")
        case "put_off":
            return Phrase("did not fire yet")


def _input(builder: FactBuilder, event: e.ScheduleFired) -> str:
    """Return the input that was used, without secret values."""
    given: dict[str, Any] = event.input or {}
    parts = [
        phrase(
            "{name} = {value}",
            name=name,
            value=builder.value(phrase("{scope}/input.{name}", scope=event.scope, name=name), value),
        )
        for name, value in given.items()
    ]
    return joined(parts, ", ")


def _zone(builder: FactBuilder, event: e.TimeZoneChanged) -> Iterator[Fact]:
    named = builder.machine.time_zone
    holes = [part for part in named.parts if not isinstance(part, str)] if named is not None else []
    read = list(dict.fromkeys(name for hole in holes for name in hole.fields))
    about = (_turn(builder), *[Subject("field", name) for name in read])
    causes = (*[fact for name in read for fact in value_read(builder, name)], beginning_of_turn(builder))
    yield builder.fact("time_zone_changed", *about, causes=causes, zone=event.time_zone)


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.ScheduleDue: _due,
    e.ScheduleFired: _fired,
    e.TimeZoneChanged: _zone,
}
"""The functions that yield the facts of an event, by the class of the event."""
