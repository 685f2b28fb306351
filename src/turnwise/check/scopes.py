"""Rules about scopes, and what is handed over: outcomes that no scope has, notes that no model reads."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.check.checked_flow import CheckedFlow
from turnwise.core.candidates import Open
from turnwise.core.machine import LinkedNode
from turnwise.core.scopes.outcomes import outcomes_of
from turnwise.flow.diagnostic import Diagnostic, nearest, problem
from turnwise.flow.guard import Expression
from turnwise.flow.guard import syntax as s


def check_outcomes(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW101: report guards that compare `scope.outcome` with an outcome of no scope that may close at their node."""
    for node in checked.reachable_nodes:
        closing = _closing_at(checked, node)
        known = {
            outcome for scope in closing for outcome in outcomes_of(checked.machine, scope, has_any_questions=True)
        }
        for candidate in node.candidates:
            for outcome in _compared(candidate.guard.expression) if candidate.guard is not None else ():
                if outcome not in known and candidate.guard is not None:
                    message = f"no scope that may be closed at '{node.node.name}' has the outcome '{outcome}'"
                    hint = nearest(outcome, known) or f"known: {', '.join(sorted(known)) or 'none'}"
                    yield problem("TW101", message, candidate.guard.span, hint)


_WITHOUT_MODEL = frozenset(("say", "tool", "none"))
"""The works of nodes that call no model, unless it chooses the way out."""


def check_notes(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW121: report a `note` that is handed over to a node at which no model reads it."""
    machine = checked.machine
    for candidate in checked.candidates:
        node = machine.nodes.get(candidate.target) if candidate.note is not None else None
        if node is None or node.work not in _WITHOUT_MODEL:
            continue
        if not any(one.moment == "choice" for one in checked.ways.ways_out(candidate.target)):
            message = f"no model reads this note: '{candidate.target}' calls none, and is left without it"
            yield problem("TW121", message, candidate.span.of("note"), "leave it out, or go to a node with a prompt")


def _closing_at(checked: CheckedFlow, node: LinkedNode) -> list[str]:
    """Return the scopes whose outcome the transitions of a node may read: that of the node, and those that are opened
    while it is in charge; at a node without one, any.
    """
    machine, name = checked.machine, node.node.name
    if node.work != "scope":
        return [scope for scope in machine.scopes if scope]
    ways = (*node.candidates, *machine.scope(name).flow_candidates)
    called = [one.action.scope for one in ways if isinstance(one.action, Open)]
    started = [scope for scope in machine.opened_anywhere if scope in machine.scopes]
    offered = [node.offer.scope] if node.offer is not None else []
    return list(dict.fromkeys((name, *called, *offered, *started)))


def _compared(expression: Expression) -> Iterator[str]:
    """Yield the texts that a guard compares `scope.outcome` with."""
    for part in s.walk(expression):
        match part:
            case s.Binary("==" | "!=", left, right):
                for side, other in ((left, right), (right, left)):
                    if _is_outcome(side) and isinstance(other, s.Literal) and isinstance(other.value, str):
                        yield other.value
            case s.Binary("in", left, s.Sequence(items)) if _is_outcome(left):
                yield from (one.value for one in items if isinstance(one, s.Literal) and isinstance(one.value, str))
            case _:
                pass


def _is_outcome(expression: Expression) -> bool:
    match expression:
        case s.Select(s.Name("scope"), "outcome"):
            return True
        case _:
            return False
