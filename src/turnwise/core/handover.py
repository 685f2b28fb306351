"""Handing over to a person (law 6.10): begins the wait, and finds the transitions that the person may take."""

from __future__ import annotations

from turnwise.core.machine import Candidate, LinkedPerson, Machine
from turnwise.core.state.events import PersonAwaited
from turnwise.core.turn import Turn
from turnwise.flow.model import Moment

_MOMENTS: tuple[Moment, ...] = ("after", "before", "choice", "timer", "tool", "error")
"""The moments in the order in which a transition is looked up by its name."""


def await_person(turn: Turn, person: LinkedPerson, *, is_work: bool = False) -> None:
    """Record that the conversation waits for a person from now on. With `is_work` the person is the work of the node
    in charge, else the person interrupts it.
    """
    about = person.about(turn.env).strip() if person.about is not None else ""
    due_ms = turn.at_ms + person.timeout_ms
    turn.emit(PersonAwaited(person.queue, about[: turn.machine.rules.max_chars], due_ms, is_work))


def is_in_charge(turn: Turn) -> bool:
    """Return whether a person is in charge now; in the queue the machine still is."""
    return turn.state.person is not None and bool(turn.state.person.operator)


def transition_named(machine: Machine, node: str, name: str) -> tuple[Moment, int] | None:
    """Return the moment of a node's transition, and its place among the candidates; `None` where the node has none of
    this name. A mirror is none: it never fires.
    """
    for moment in _MOMENTS:
        for index, candidate in enumerate(machine.candidates(node, moment).all):
            if candidate.id == name and not candidate.is_mirror:
                return moment, index
    return None


def transitions_at(machine: Machine, node: str) -> tuple[Candidate, ...]:
    """Return the transitions that a person may take at a node, each name once."""
    found = [one for moment in _MOMENTS for one in machine.candidates(node, moment).all if not one.is_mirror]
    return tuple({one.id: one for one in reversed(found)}.values())[::-1]
