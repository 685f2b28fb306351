"""Rules about people: outcomes that no person gives, persons for whom no user can ask, two handovers (law 6.10)."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.check.checked_flow import CheckedFlow
from turnwise.core.machine import LinkedNode
from turnwise.core.state.fold.person import TIMEOUT_OUTCOME
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.guard import parse

_OUTCOME = "person.outcome"
_TIMED_OUT = f'{_OUTCOME} == "{TIMEOUT_OUTCOME}"'


def check_outcomes(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW068: report guards that read a person's outcome at a node where no person works or can be asked for."""
    if checked.machine.person is not None:
        return
    for node in checked.reachable_nodes:
        for candidate in node.candidates if node.person is None else ():
            guard = candidate.guard
            if guard is not None and any(ref.key == _OUTCOME for ref in guard.refs):
                message = (
                    f"no person works at '{node.node.name}', so '{_OUTCOME}' is known only after an operator's own act"
                )
                hint = "read it at the node of the person, or give the flow a 'person'"
                yield problem("TW068", message, guard.span, hint)


def check_waits(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW066: report nodes of a person that no transition leaves if no person comes."""
    for node in checked.reachable_nodes:
        if node.person is None or node.node.end or _has_way_at_timeout(checked, node):
            continue
        message = f"where nobody comes to '{node.node.name}', no transition is taken"
        hint = f"add a transition at 'timer', one without 'when', or one for '{_TIMED_OUT}'"
        yield problem("TW066", message, node.node.span, hint)


def _has_way_at_timeout(checked: CheckedFlow, node: LinkedNode) -> bool:
    """Return whether a transition may be taken where no person came in time, or the node ends without any."""
    ways = [
        one for one in (*node.candidates, *checked.machine.scope(node.node.name).flow_candidates) if not one.is_mirror
    ]
    after = [one for one in ways if one.moment == "after"]
    if not after or any(one.moment == "timer" for one in ways):
        return True
    timed_out = parse(_TIMED_OUT)
    for way in after:
        if way.guard is None or not checked.is_sound(way.guard):
            return True
        if not checked.solver.is_impossible([way.guard.expression, timed_out]):
            return True
    return False


def check_asked(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW069: report a person of the whole flow for whom no user can ask."""
    person = checked.machine.flow.person
    has_form = any(node.form is not None for node in checked.reachable_nodes)
    if person is None or has_form or "hand_over" in checked.machine.flow.commands.names:
        return
    message = "nobody can ask for the flow's 'person': there is no form, and 'hand_over' is not exposed"
    yield problem("TW069", message, person.span, "add 'hand_over' to 'commands'")


def check_handed_twice(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW146: report a form with a `handoff` that leads to a person: it gives the answers away, but the conversation
    waits.
    """
    people = {node.node.name for node in checked.reachable_nodes if node.person is not None}
    for node in checked.reachable_nodes:
        form = node.node.form
        if form is None or not form.handoff:
            continue
        for candidate in node.candidates:
            if candidate.moment != "after" or candidate.target not in people or candidate.is_mirror:
                continue
            message = (
                f"'{node.node.name}' hands over twice: its 'handoff' sends the answers to '{form.handoff}', "
                f"and '{candidate.target}' waits for a person"
            )
            hint = "leave 'handoff' out where a person answers in this conversation"
            yield problem("TW146", message, candidate.span, hint)
