"""Handing over to a person (law 6.10): begins the wait, and finds the outcomes and transitions that the person may
choose.
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.candidates import Candidate
from turnwise.core.machine import LinkedPerson, Machine
from turnwise.core.state.events import A_PERSON, ArtefactMade, PersonAwaited
from turnwise.core.state.fold.person import TIMEOUT_OUTCOME
from turnwise.core.turn import StepBuilder
from turnwise.flow.guard.syntax import Binary, Expression, Literal, Name, Select, walk
from turnwise.flow.model import Moment

_MOMENTS: tuple[Moment, ...] = ("after", "before", "choice", "timer", "tool", "calls", "error")
"""The moments in the order in which a transition is looked up by its name."""
_OUTCOME = ("person", "outcome")


def await_person(step: StepBuilder, person: LinkedPerson, *, is_work: bool = False) -> None:
    """Record that the conversation waits for a person; `is_work`: as the work of its node, else interrupting it."""
    about = step.fill(person.about).strip() if person.about is not None else ""
    due_ms = step.at_ms + person.timeout_ms
    step.emit(PersonAwaited(person.queue, about[: step.machine.rules.max_chars], due_ms, is_work))


def hand_over(step: StepBuilder) -> None:
    """Hand over to a person, with all values that are not secret; the conversation waits if the flow has a `person`."""
    fields, person = step.machine.fields, step.machine.person
    known = {address: found.value for address, found in step.state.values.items() if not fields[address].secret}
    to = person.queue if person is not None else A_PERSON
    step.emit(ArtefactMade("HANDOFF", {"to": to, "payload": known}))
    if person is not None:
        await_person(step, person)


def is_in_charge(step: StepBuilder) -> bool:
    """Return whether an operator is in charge now; while the conversation is only queued, none is."""
    return step.state.frame.person is not None and bool(step.state.frame.person.operator)


def transition_named(machine: Machine, node: str, name: str) -> tuple[Moment, int] | None:
    """Return the moment and index (from 0) of a node's transition by its name; `None` if the node has none.
    A mirror, which never fires, is none.
    """
    for moment in _MOMENTS:
        for index, candidate in enumerate(machine.candidates(node, moment).all):
            if candidate.id == name and not candidate.is_mirror:
                return moment, index
    return None


def transitions_at(machine: Machine, node: str) -> tuple[Candidate, ...]:
    """Return the transitions that an operator may take at a node, each name once."""
    found = [one for moment in _MOMENTS for one in machine.candidates(node, moment).all if not one.is_mirror]
    return tuple({one.id: one for one in reversed(found)}.values())[::-1]


def outcomes_at(machine: Machine, node: str) -> tuple[str, ...]:
    """Return the outcomes of a person with which the guards of a node's transitions compare `person.outcome`."""
    guards = [one.guard.expression for one in transitions_at(machine, node) if one.guard is not None]
    found = [outcome for guard in guards for part in walk(guard) for outcome in _outcomes_in(part)]
    return tuple([outcome for outcome in dict.fromkeys(found) if outcome != TIMEOUT_OUTCOME])


def _outcomes_in(part: Expression) -> Iterator[str]:
    """Yield the texts with which a comparison compares `person.outcome`."""
    if not isinstance(part, Binary):
        return
    sides = (part.left, part.right)
    paths = [(one.of.name, one.name) for one in sides if isinstance(one, Select) and isinstance(one.of, Name)]
    if _OUTCOME in paths:
        literals = [one for side in sides for one in walk(side) if isinstance(one, Literal)]
        yield from (one.value for one in literals if isinstance(one.value, str) and one.value)
