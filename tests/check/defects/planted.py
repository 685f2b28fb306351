"""What a planted defect is, and how to find a place for it in a flow and change that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from turnwise.flow import model as m
from turnwise.flow.diagnostic import Span
from turnwise.flow.model import Flow, Node, Transition

Place = Callable[[Flow], Span]
"""Where the planted part stands, in the flow as it was read back from its text."""


@dataclass(frozen=True)
class Planted:
    """A flow with one defect, the code that must be reported, and the place where."""

    flow: Flow
    code: str
    place: Place
    spoil: Callable[[str], tuple[str, int]] | None = field(default=None)
    """What only the text can have: gives the spoilt text, and the line."""


Plant = Callable[[Flow, Random], Planted | None]
"""Plants one defect; `None` where the flow has no place for it."""

KINDS: dict[str, Plant] = {}


def kind(name: str) -> Callable[[Plant], Plant]:
    """Names a kind of defect."""

    def noted(plant: Plant) -> Plant:
        KINDS[name] = plant
        return plant

    return noted


class NoPlace(Exception):
    """A flow has nothing of what a defect is planted into."""


def pick(chance: Random, options: Sequence[Any]) -> Any:
    """One of some options. Raises `NoPlace` where there is none."""
    if not options:
        raise NoPlace
    return chance.choice(options)


# places and changes -----------------------------------------------------------------------------------


def node_of(flow: Flow, name: str) -> Node:
    """A node by its name."""
    return next(node for node in flow.nodes if node.name == name)


def change_node(flow: Flow, name: str, **changes: Any) -> Flow:
    """The flow with another node in the place of one."""
    return replace(flow, nodes=tuple(replace(n, **changes) if n.name == name else n for n in flow.nodes))


def change_transition(flow: Flow, name: str, number: int, **changes: Any) -> Flow:
    """The flow with one transition of a node changed."""
    ways = list(node_of(flow, name).transitions)
    ways[number] = replace(ways[number], **changes)
    return change_node(flow, name, transitions=tuple(ways))


def insert(flow: Flow, name: str, number: int, *added: Transition) -> Flow:
    """The flow with transitions put into a node."""
    ways = node_of(flow, name).transitions
    return change_node(flow, name, transitions=(*ways[:number], *added, *ways[number:]))


def add_nodes(flow: Flow, chance: Random, *nodes: Node) -> Flow:
    """The flow with further nodes, together at a random place."""
    at = chance.randint(0, len(flow.nodes))
    return replace(flow, nodes=(*flow.nodes[:at], *nodes, *flow.nodes[at:]))


def transition_at(flow: Flow, name: str, id_: str) -> Transition:
    """A transition of a node by its name."""
    return next(way for way in node_of(flow, name).transitions if way.id == id_)


def way_place(name: str, id_: str, key: str = "") -> Place:
    """Where a transition stands, or the value of one of its keys."""
    return lambda flow: transition_at(flow, name, id_).span.of(key)


def node_place(name: str, key: str = "") -> Place:
    """Where a node stands, or the value of one of its keys."""
    return lambda flow: node_of(flow, name).span.of(key)


def staying(flow: Flow) -> list[str]:
    """The nodes in which a conversation goes on."""
    return [node.name for node in flow.nodes if not node.end]


def ways_of(flow: Flow, keep: Callable[[Transition], object] = bool) -> list[tuple[str, int]]:
    """The transitions that nodes declare, by node and number."""
    return [(n.name, i) for n in flow.nodes for i, way in enumerate(n.transitions) if keep(way)]


def fields_of(flow: Flow, *types: str) -> Iterator[tuple[str, m.Field]]:
    """The fields of some types, each with its address."""
    for record in flow.records:
        yield from ((f"{record.name}.{f.name}", f) for f in record.fields if not types or f.type in types)


def collected(flow: Flow, node: Node) -> list[str]:
    """The fields that a node lets be filled."""
    form = [question.field for question in node.form.fields] if node.form else []
    return [*(node.collect.fields if node.collect else ()), *form]


def misspelt(name: str, known: object, chance: Random) -> str:
    """A name with one slip in it."""
    while True:
        at = chance.randrange(1, len(name))
        slips = (name[:at] + name[at + 1 :], name[:at] + name[at] + name[at:], name[:at] + "q" + name[at:])
        found = pick(chance, slips)
        if found not in known and re.fullmatch(r"[A-Za-z_]\w*", found):
            return found


def lead_to(flow: Flow, chance: Random, target: str, number: int = 7) -> Flow:
    """A way to an added node from a random one that was there, which nothing hides."""
    name = pick(chance, [n for n in staying(flow) if not n.startswith(("planted", "extra", "late"))])
    way = Transition("lead", at="before", when=f"turns > {number}", to=target, because="planted")
    return insert(flow, name, len(node_of(flow, name).transitions), way)


def with_field(flow: Flow, added: m.Field, chance: Random) -> tuple[Flow, str]:
    """A further field in a random record; gives its address too."""
    record = pick(chance, flow.records)
    records = tuple(replace(r, fields=(*r.fields, added)) if r is record else r for r in flow.records)
    return replace(flow, records=records), f"{record.name}.{added.name}"


def with_tools(flow: Flow, *tools: m.Tool) -> Flow:
    """Further tools, as far as they are not there."""
    known = {tool.name for tool in flow.tools}
    return replace(flow, tools=(*flow.tools, *(tool for tool in tools if tool.name not in known)))


def leads_anywhere(flow: Flow) -> bool:
    """True if some ways lead out of every node."""
    return bool(flow.transitions) or any(node.enter_when for node in flow.nodes)


def has_policies(flow: Flow) -> bool:
    """True if nodes say already which tools may be used."""
    return any(node.tools for node in flow.nodes)


def guarded(flow: Flow, chance: Random, guard: str, *, at: m.Moment = "after") -> tuple[Flow, Place]:
    """A guard at a random transition: in place of its own, or at a new transition."""
    chosen = ways_of(flow, lambda way: isinstance(way.when, str) and way.when and way.to)
    if chosen and chance.random() < 0.5:
        name, number = pick(chance, chosen)
        changed = change_transition(flow, name, number, id="planted", when=guard)
        return changed, way_place(name, "planted", "when")
    name = pick(chance, staying(flow))
    target = pick(chance, [n.name for n in flow.nodes if n.name != name])
    way = Transition("planted", at=at, when=guard, to=target, because="planted", priority=pick(chance, (50, 100)))
    return insert(flow, name, 0, way), way_place(name, "planted", "when")
