"""Decides whether a request for a person has an effect in a flow without `person:`: whether a transition or a form
answers it (law 6.10).
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.candidates import Candidate
from turnwise.core.linked_form import LinkedForm
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.flow.guard.syntax import Literal, walk

_OUTCOME = "handed_off"


def reaches_a_person(machine: Machine, state: State, form: LinkedForm) -> bool:
    """Return whether a request for a person at a form has an effect: whether anything in the flow handles it.
    Outside of scopes the form ends, and the program learns it by the outcome. A scope only closes, and the conversation
    goes on around it: there the flow has to say what follows, by a command `hand_over` of its own, the form's
    `handoff`, or a transition that reads the form's status or the outcome.
    """
    if machine.person is not None or state.frame.scope is None or form.form.handoff:
        return True
    if "hand_over" in machine.flow.commands.names:
        return True
    own = machine.candidates(state.frame.node, "after").all
    return any(one.follows_any for one in own) or any(map(_reads_outcome, _all(machine)))


def _all(machine: Machine) -> Iterator[Candidate]:
    for name, node in machine.nodes.items():
        yield from node.candidates
        yield from machine.scope(name).flow_candidates


def _reads_outcome(candidate: Candidate) -> bool:
    guard = candidate.guard
    return guard is not None and any(
        isinstance(one, Literal) and one.value == _OUTCOME for one in walk(guard.expression)
    )
