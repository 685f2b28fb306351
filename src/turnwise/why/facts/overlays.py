"""Facts about overlays: that one began, ended, or was forced on or off, and why one is active or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from turnwise.core.machine import Machine
from turnwise.core.overlay_standing import OverlayStanding, standing
from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.overlays import NO_OVERLAYS
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.builder import FactBuilder

Time = Callable[[int], datetime]
"""A function that returns a time for people, in the time zone of the conversation."""


def standing_in_words(of: OverlayStanding, time: Time) -> str:
    """Return in words why an overlay is active or not in a turn, by its status `of`; `time` writes a time in words."""
    forced = of.forced
    if forced is not None:
        text = (
            "it was forced on[ by {by}][ {where}] at {at}"
            if forced.on
            else "it was forced off[ by {by}][ {where}] at {at}"
        )
        where = Phrase("for all conversations") if of.is_forced_for_all else ""
        return phrase(text, by=forced.by, where=where, at=time(forced.at_ms))
    if of.is_by_date:
        begins, ends = (time(one) if one is not None else "" for one in (of.begins_ms, of.ends_ms))
        return phrase("its dates are[ from {begins}][ until {ends}]", begins=begins, ends=ends)
    if of.begins_ms is not None:
        return phrase("it begins at {at}", at=time(of.begins_ms))
    if of.ended_ms is not None:
        return phrase("it ended at {at}", at=time(of.ended_ms))
    return Phrase("it has no dates, and was not forced on")


def reason_of(machine: Machine, state: State, overlay: str, at_ms: int, time: Time) -> str:
    """Return in words why an overlay is active or not in a turn that begins at `at_ms`, in milliseconds since 1970."""
    if overlay not in machine.overlays:
        return Phrase("the flow does not have it any more")
    return standing_in_words(standing(machine.overlays[overlay], state, at_ms), time)


def _changed(builder: FactBuilder, event: e.OverlaysChanged) -> Iterator[Fact]:
    state, at_ms = builder.state, builder.entry.at_ms
    assert state is not None, "a conversation has begun before overlays are active"
    before = (state.overlays or NO_OVERLAYS).active
    for name in dict.fromkeys((*event.active, *before)):
        if (name in event.active) == (name in before):
            continue
        kind = "overlay_began" if name in event.active else "overlay_ended"
        values: dict[str, Any] = {"overlay": name, "turn": builder.entry.turn}
        values["because"] = reason_of(builder.machine, state, name, at_ms, builder.time)
        if name in event.active and name in builder.machine.overlays:
            values["persona"] = builder.machine.overlays[name].overlay.persona_name
        about = (Subject("overlay", name), Subject("turn", str(builder.entry.turn)))
        yield builder.fact(kind, *about, source=source_of(builder.machine, name), **values)


def _forced(builder: FactBuilder, event: e.OverlayForced) -> Iterator[Fact]:
    at_ms = builder.entry.at_ms if event.since_ms is None else event.since_ms
    done = {True: Phrase("was forced on"), False: Phrase("was forced off"), None: Phrase("goes by its dates again")}
    values: dict[str, Any] = {
        "overlay": event.name,
        "is": done[event.on],
        "by": event.by,
        "at": builder.time(at_ms),
        "flow": builder.machine.flow.name if event.for_all else "",
    }
    yield builder.fact("overlay_forced", Subject("overlay", event.name), **values)


def source_of(machine: Machine, overlay: str) -> str:
    """Return where the flow declares an overlay, as `file:line`; empty if the flow has no overlay of this name."""
    return machine.overlays[overlay].overlay.span.line_text if overlay in machine.overlays else ""


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.OverlaysChanged: _changed,
    e.OverlayForced: _forced,
}
"""The functions that yield the facts of an event, by the class of the event."""
