"""Events of other systems (law 2.17): checks the data of one, and finds the frame that must keep it until later."""

from __future__ import annotations

from typing import Any, Final

from msgspec.json import encode

from turnwise.core.addresses import scope_of
from turnwise.core.locale import rules_of
from turnwise.core.machine import Machine
from turnwise.core.state import Frame, State
from turnwise.core.state.events import EventReceived
from turnwise.core.tools.check_call import wrong_arguments
from turnwise.core.turn import Refusal
from turnwise.flow.diagnostic import LONGEST_SHOWN, nearest

HELD_EVENT: Final = "event held"
"""The name of the timer that judges the first event that waited for a frame. No transition can have this name."""
MOST_HELD: Final = 16
"""How many events may wait for one frame."""


def checked_event(machine: Machine, state: State, event: EventReceived) -> EventReceived | Refusal:
    """Return an external event with its data in canonical form and defaults filled in, or its refusal.
    It is refused if it is unknown, too long, or if its data is of another type.
    """
    declared = machine.events.get(event.name)
    if declared is None:
        shown = event.name[:LONGEST_SHOWN]
        hint = nearest(shown, machine.events) if machine.events else "the flow declares none"
        return Refusal("unknown_event", f"no event is called '{shown}'; {hint}".rstrip("; "))
    length, most = len(encode(event.data)), machine.flow.limits.result_chars
    if length > most:
        text = f"the data is {length:,} characters long, and {most:,} are allowed (result_chars)"
        return Refusal("event_too_long", text)
    data, wrong = wrong_arguments(declared, event.data, rules_of(machine, state))
    if wrong:
        fields = tuple([(one.subject, one.text) for one in wrong])
        return Refusal("value_refused", "; ".join([text for _, text in fields]), fields=fields)
    waits = [frame for frame in state.frames if len(frame.held_events) >= MOST_HELD]
    if waits:
        text = f"{MOST_HELD} events wait until a scope is closed, or a person has given back; send it again later"
        return Refusal("events_waiting", text)
    return EventReceived(event.name, data, event.by)


def holds_back_events(frame: Frame) -> bool:
    """Return whether events are put aside in a frame, since a person is in charge of it or interrupts its node."""
    person = frame.person
    return person is not None and not (person.is_work and not person.operator)


def has_transition_for(machine: Machine, frame: Frame, name: str) -> bool:
    """Return whether some node of the scope of a frame has a transition for the external event `name`."""
    scope = scope_of(frame.node)
    return any(
        candidate.moment == "event" and (not candidate.events or name in candidate.events)
        for node in machine.nodes
        if scope_of(node) == scope
        for candidate in machine.candidates(node, "event").all
    )


def data_shown(machine: Machine, name: str, data: dict[str, Any], hidden: str) -> dict[str, Any]:
    """Return the data of an event with the secret fields replaced by `hidden`."""
    declared = machine.events.get(name)
    secret = {key for key, field in declared.args.items() if field.secret} if declared is not None else set[str]()
    return {key: hidden if key in secret else value for key, value in data.items()}
