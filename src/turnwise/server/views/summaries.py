"""What a list shows of a conversation, from its state."""

from __future__ import annotations

from typing import Literal

from turnwise.core.machine import Machine
from turnwise.core.state import Ended, Failed, Person, State, Waiting
from turnwise.core.step.receive import CONTINUATION
from turnwise.server.wire.conversations import ConversationSummary, PersonView, Status, TimerView

_USER = frozenset({"user", "message", "button"})
_Mark = Literal["code_differs", "guard_error", "fork", "other_version"]


def summary_of(
    conversation: str, state: State, machine: Machine, current: Machine, *, snippet: str = ""
) -> ConversationSummary:
    """Return the summary of a conversation. `machine` is the version that it goes on with, `current` the one that new
    conversations begin with.
    """
    owner, colon, _ = conversation.partition(":")
    waiting = state.status if isinstance(state.status, Waiting) else None
    marks: list[_Mark] = []
    if state.is_bound:
        marks.append("fork")
    if state.fingerprint != current.fingerprint:
        marks.append("other_version")
    return ConversationSummary(
        conversation,
        state.flow,
        state.version,
        _status(state),
        state.node,
        state.turn,
        state.seq,
        state.at_ms,
        waits_for=waiting.what if waiting is not None else "",
        since_ms=waiting.since_ms if waiting is not None else state.at_ms,
        outcome=state.status.outcome if isinstance(state.status, Ended) else "",
        owner=owner if colon else "",
        snippet=snippet,
        timers=timers_of(state, machine),
        person=person_view(state.person) if state.person is not None else None,
        marks=tuple(marks),
    )


def person_view(person: Person) -> PersonView:
    """Return the person for whom a conversation waits, or who is in charge, as clients receive it."""
    return PersonView(person.queue, person.about, person.since_ms, person.operator, person.taken_ms, person.reason)


def _status(state: State) -> Status:
    match state.status:
        case Ended():
            return "ended"
        case Failed():
            return "failed"
        case _ if state.person is not None:
            return "person"
        case Waiting(what=what):
            return "waiting" if state.doing is None and what in _USER else "working"


def timers_of(state: State, machine: Machine) -> tuple[TimerView, ...]:
    """Return the armed timers of the flow, the next one first."""
    found: list[TimerView] = []
    for timer in sorted(state.timers, key=lambda timer: timer.due_ms):
        if timer.transition == CONTINUATION:  # it is armed by the runner, for an autonomous run that a crash cuts off
            continue
        ways = machine.candidates(timer.node, "timer").all if timer.node in machine.nodes else ()
        way = next((way for way in ways if way.id == timer.transition), None)
        because, target = (way.because, way.target) if way is not None else ("", "")
        found.append(TimerView(timer.transition, timer.node, timer.due_ms, because, target))
    return tuple(found)
