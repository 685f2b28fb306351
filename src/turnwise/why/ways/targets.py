"""The targets of a way (a node, a transition, an outcome of a scope), and the nodes from which a target can be
reached.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal, cast

from msgspec import Struct

from turnwise.core.addresses import scope_of
from turnwise.core.candidates import Candidate, Open
from turnwise.core.machine import Machine
from turnwise.core.phrase import phrase
from turnwise.core.scopes.outcomes import outcomes_of
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.core.state.in_charge import in_charge
from turnwise.errors import UnknownSubject
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Moment
from turnwise.why.answer import Subject
from turnwise.why.ways.schedules import scopes_of_schedules


class Target(Struct, frozen=True):
    """A node, a transition or an outcome that a way leads to."""

    kind: Literal["node", "transition", "outcome"]
    """The kind of the target."""
    name: str
    """The name of the node or transition; for an outcome, scope and outcome with a colon: `survey:completed`."""

    @property
    def subject(self) -> Subject:
        """The target as a subject of the flow."""
        return Subject("node", self.scope) if self.kind == "outcome" else Subject(self.kind, self.name)

    @property
    def scope(self) -> str:
        """For an outcome, the name of its scope."""
        return self.name.partition(":")[0]

    @property
    def text(self) -> str:
        """The target in words."""
        match self.kind:
            case "node":
                return self.name
            case "transition":
                return phrase("the transition {transition}", transition=self.name)
            case "outcome":
                outcome = self.name.partition(":")[2]
                return phrase("the outcome {outcome} of {scope}", outcome=outcome, scope=self.scope)


def target_named(machine: Machine, name: str) -> Target:
    """Return the target of a name: a node, else a transition, else an outcome. Raises `UnknownSubject`."""
    scopes = [scope for scope in machine.scopes if scope]
    found = [(scope, outcomes_of(machine, scope, has_any_questions=True)) for scope in scopes]
    outcomes = [f"{scope}:{outcome}" for scope, of_scope in found for outcome in of_scope]
    named = {one: Target("outcome", one) for one in outcomes}
    named |= {one: Target("transition", one) for one in machine.transitions()}
    named |= {one: Target("node", one) for one in machine.nodes}
    if name in named:
        return named[name]
    if ":" in name:
        raise UnknownSubject(name, nearest(name, outcomes))
    raise UnknownSubject(f"node {name}", nearest(name, machine.nodes))


def targets_reached(machine: Machine, state: State, entries: Iterable[e.Entry]) -> tuple[Target, ...]:
    """Return the targets that the entries of a turn reached, in order; `state` is the one before them.
    A node that goes on when a scope is closed is reached again.
    """
    nodes, found = tuple([frame.node for frame in state.frames]), list[Target]()
    for entry in entries:
        before, nodes = nodes, in_charge(nodes, entry.event)
        found += _reached(machine, entry.event, before, nodes)
    return tuple(found)


def _reached(machine: Machine, event: e.AnyEvent, before: tuple[str, ...], nodes: tuple[str, ...]) -> Iterator[Target]:
    match event:
        case e.Moved(target=node):
            yield Target("node", node)
        case e.ScopeOpened(scope=scope, node=node):
            yield from (Target("node", scope),) if before[-1] != scope else ()
            yield Target("node", node)
        case e.ScopeClosed(scope=scope, outcome=outcome):
            yield Target("outcome", f"{scope}:{outcome}")
            yield from (Target("node", nodes[-1]),) if nodes[-1] != scope else ()
        case e.Decided(node=node, moment=moment, taken=taken) if taken >= 0:
            yield Target("transition", machine.candidates(node, cast("Moment", moment)).all[taken].id)
        case _:
            return


# before ------------------------------------------------------------------------------------------


def nodes_before(machine: Machine, target: Target) -> frozenset[str]:
    """Return the nodes from which a target can be reached, directly or over others, with a target node itself."""
    found = set(_at(machine, target))
    before, left = _steps(machine), list(found)
    while left:
        new = before[left.pop()] - found
        found |= new
        left += new
    return frozenset(found)


def _at(machine: Machine, target: Target) -> Iterator[str]:
    """Yield the nodes at which a target is reached."""
    if target.kind == "node":
        yield target.name
        return
    for node in machine.nodes:
        if target.kind == "outcome":
            yield from (node,) if f"{node}/".startswith(f"{target.scope}/") and node != target.scope else ()
        elif any(one.id == target.name for one in _candidates(machine, node)):
            yield node


def _steps(machine: Machine) -> dict[str, set[str]]:
    """Return for each node those from which one step leads to it: a move, a scope that is opened or closed."""
    before: defaultdict[str, set[str]] = defaultdict(set)
    openers: defaultdict[str, set[str]] = defaultdict(set)
    everywhere = [scope for scope in machine.flow.commands.start if scope in machine.scopes]
    everywhere += scopes_of_schedules(machine)
    for node, linked in machine.nodes.items():
        opened = [*everywhere, *linked.toolbox.opens.values(), *([node] if linked.work == "scope" else [])]
        opened += [linked.offer.scope] if linked.offer is not None else []
        for candidate in _candidates(machine, node):
            if candidate.target:
                before[candidate.target].add(node)
            if isinstance(candidate.action, Open):
                opened.append(candidate.action.scope)
        for scope in opened:
            before[scope].add(node)
            before[machine.scopes[scope].start].add(node)
            openers[scope].add(node)
    for node in machine.nodes:
        for opener in openers[scope_of(node)]:
            before[opener].add(node)
    return before


def _candidates(machine: Machine, node: str) -> Iterator[Candidate]:
    """Yield what is judged at a node: its own candidates, and those of its frame."""
    scope = machine.scope(node)
    yield from machine.nodes[node].candidates
    yield from scope.flow_candidates
    yield from scope.enter_candidates
