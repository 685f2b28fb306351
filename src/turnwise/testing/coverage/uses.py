"""Schedules, events of other systems, and overlays as parts of a flow that turns cover."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from turnwise.core.machine import Machine
from turnwise.core.state.events import EventReceived, OverlaysChanged, ScheduleFired
from turnwise.flow.diagnostic import Span

UseKind = Literal["schedule", "event", "overlay"]
"""The kinds of parts of a flow that act without a message of the user."""


class UseSeen(Struct):
    """A schedule, an event of another system or an overlay, and whether it had an effect.

    The schedule fired and was not left out, the event came, or the overlay was active.
    """

    kind: UseKind
    """Whether it is a schedule, an event or an overlay."""
    name: str
    """The name of the schedule, event or overlay in the flow."""
    line: int
    """The line of its declaration in its document, from 1."""
    was_seen: bool = False
    """True if it had an effect: it fired, came or was active."""
    file: str = ""
    """The document of its declaration; empty for the document of the flow."""


def uses_of(machine: Machine) -> Iterator[UseSeen]:
    """Yield the schedules, events and overlays of a flow."""
    for name, linked in machine.schedules.items():
        yield _use(machine, "schedule", name, linked.schedule.span)
    for event in machine.flow.events:
        yield _use(machine, "event", event.name, event.span)
    for overlay in machine.flow.overlays:
        yield _use(machine, "overlay", overlay.name, overlay.span)


def _use(machine: Machine, kind: UseKind, name: str, span: Span) -> UseSeen:
    return UseSeen(kind, name, span.line, file=span.file if span.file != machine.flow.span.file else "")


def used_by(event: object) -> Iterator[tuple[UseKind, str]]:
    """Yield the kind and name of each schedule, event and overlay that had an effect by an event of the journal."""
    match event:
        case ScheduleFired(schedule=name, did="called" | "offered" | "instructed"):
            yield "schedule", name
        case EventReceived(name=name):
            yield "event", name
        case OverlaysChanged(active=active):
            for name in active:
                yield "overlay", name
        case _:
            pass
