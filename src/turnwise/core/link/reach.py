"""What can never happen: an `else` behind an `else`, a node that nothing leads to."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.core.link.builder import Builder
from turnwise.core.machine import Candidate, Go, LinkedNode

_ONE_FOR_ALL = ("before", "tool", "after", "error")
"""The moments at which all candidates are judged together; a timer is judged alone."""


def check(builder: Builder, nodes: Mapping[str, LinkedNode], shared: tuple[Candidate, ...]) -> None:
    """Report, of nodes and the flow's own transitions without faults, what can never happen."""
    for node in nodes.values():
        _check_elses(builder, node.candidates)
    reached = _reached(builder, nodes, shared)
    for name, node in nodes.items():
        if name not in reached:
            builder.report("TW051", f"nothing leads from the start to '{name}'", node.node.span)


def _check_elses(builder: Builder, candidates: tuple[Candidate, ...]) -> None:
    """Law 2.6: an unguarded transition holds always, so no other one of its moment comes after it."""
    first: dict[str, Candidate] = {}
    for candidate in sorted(candidates, key=lambda one: one.priority):
        if candidate.is_guarded or candidate.moment not in _ONE_FOR_ALL:
            continue
        known = first.setdefault(candidate.moment, candidate)
        if known is not candidate:
            message = f"'{candidate.id}' never fires: '{known.id}' has no guard either, and comes first"
            builder.report("TW050", message, candidate.span, "give one of them 'when'")


def _reached(builder: Builder, nodes: Mapping[str, LinkedNode], shared: tuple[Candidate, ...]) -> set[str]:
    """The nodes that a conversation can come to."""
    open_ = [builder.flow.start, *(node.name for node in builder.flow.nodes if node.enter_when), *_targets(shared)]
    found: set[str] = set()
    while open_:
        name = open_.pop()
        if name not in found:
            found.add(name)
            open_ += _targets(nodes[name].candidates)
    return found


def _targets(candidates: tuple[Candidate, ...]) -> list[str]:
    return [one.action.target for one in candidates if isinstance(one.action, Go) and not one.is_mirror]
