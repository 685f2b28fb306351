"""Folds events of people: a person is awaited, takes over, gives back, or never comes (law 6.10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import Person, State, with_frame
from turnwise.core.state import events as e

TIMEOUT_OUTCOME = "timeout"
"""The value of `person.outcome` where no person came in time."""


def taken_over(state: State, entry: e.Entry, event: e.TakenOver) -> State:
    """Return the state after an operator took over the conversation."""
    person = replace(
        state.person or Person("", entry.at_ms),
        operator=event.operator,
        taken_ms=entry.at_ms,
        reason=event.reason,
        display=event.display,
    )
    return with_frame(state, person=person)


def restored_person(then: State, at_ms: int) -> Person | None:
    """Return the wait for a person that an undo restores, with as much time left at `at_ms` as it had then; `None`
    without one.
    """
    person = then.person
    if person is None or person.due_ms is None:
        return person
    return replace(person, due_ms=person.due_ms + at_ms - then.at_ms)


def without_person(state: State, outcome: str) -> State:
    """Return the state after a person gave back, or none came; guards of this visit can read `outcome`."""
    return with_frame(state, person=None, person_outcome=outcome)


def _person_awaited(state: State, entry: e.Entry, event: e.PersonAwaited) -> State:
    person = Person(event.queue, entry.at_ms, event.about, event.due_ms, is_work=event.is_work)
    return with_frame(state, person=person)


def _nobody_came(state: State, _entry: e.Entry, _event: e.NobodyCame) -> State:
    return replace(without_person(state, TIMEOUT_OUTCOME), doing=replace(state.current, rearms=True))


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    e.PersonAwaited: _person_awaited,
    e.NobodyCame: _nobody_came,
}
"""The functions that return the state after an event, by the class of the event."""
