"""Defects of the ways between nodes: unreachable, shadowed, round and round, too far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

from check.defects.planted import (
    Planted,
    add_nodes,
    change_node,
    fields_of,
    insert,
    kind,
    lead_to,
    leads_anywhere,
    misspelt,
    node_of,
    node_place,
    pick,
    staying,
    way_place,
    ways_of,
)
from turnwise.flow.model import Flow, Node, Transition


@kind("unreachable node")
def _unreachable(flow: Flow, chance: Random) -> Planted | None:
    if chance.random() < 0.5:
        leads = chance.random() < 0.5
        ways = (Transition("on", when="turns > 9", to=pick(chance, staying(flow))),) if leads else ()
        lost = Node("planted", say="Nobody hears this.", end="" if leads else "planted", transitions=ways)
        return Planted(add_nodes(flow, chance, lost), "TW051", node_place("planted"))
    name = pick(chance, [node.name for node in flow.nodes if node.name != flow.start])
    kept = tuple(
        replace(
            node,
            once="" if node.once == name else node.once,
            end="planted" if node.once == name else node.end,
            transitions=tuple(way for way in node.transitions if way.to != name or node.name == name),
        )
        for node in flow.nodes
    )
    if any(node.enter_when for node in flow.nodes if node.name == name) or any(w.to == name for w in flow.transitions):
        return None
    return Planted(replace(flow, nodes=kept), "TW051", node_place(name))


# a flow that goes on by itself ends where nothing leads on, and may move more often


@kind("node with no way out")
def _no_way_out(flow: Flow, chance: Random) -> Planted | None:
    if leads_anywhere(flow) or flow.autonomous:
        return None
    said = [node.name for node in flow.nodes if node.say and node.name != flow.start]
    if chance.random() < 0.5 and said:
        name = pick(chance, said)
        return Planted(change_node(flow, name, end="", once="", transitions=()), "TW055", node_place(name))
    changed = add_nodes(flow, chance, Node("planted", say="And now?"))
    return Planted(lead_to(changed, chance, "planted"), "TW055", node_place("planted"))


@kind("transition shadowed by an earlier one")
def _shadowed(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, staying(flow))
    number = chance.randint(0, len(node_of(flow, name).transitions))
    targets = [node.name for node in flow.nodes if node.name != name]
    weaker, stronger = pick(chance, list(_implied(flow)))
    at = pick(chance, ("before", "after"))
    first = Transition("first", at=at, when=weaker, to=pick(chance, targets), priority=7)
    planted = Transition("planted", at=at, when=stronger, to=pick(chance, targets), priority=8)
    both = (first, planted) if chance.random() < 0.5 else (planted, first)
    return Planted(insert(flow, name, number, *both), "TW050", way_place(name, "planted"))


def _implied(flow: Flow) -> Iterator[tuple[str, str]]:
    """Guards, and others that hold only where they do."""
    yield "turns > 5", "turns > 8"
    for address, of in fields_of(flow):
        match of.type:
            case "integer":
                yield f"{address} > 40", f"{address} >= 50"
                yield f"{address} != 40", f"{address} > 50 && {address} < 90"
            case "boolean":
                yield address, f"{address} && turns > 3"
                yield f"!{address} || turns > 3", f"turns > 4 && has({address})"
            case "choice" if len(of.options) > 1:
                one, other, *_ = [option.value for option in of.options]
                yield f'{address} != "{one}"', f'{address} == "{other}"'
                yield f'{address} in ["{one}", "{other}"]', f'{address} == "{other}" && turns > 2'
                yield f"has({address})", f'{address} == "{one}"'
            case "list":
                yield f"size({address}) >= 2", f"size({address}) == 4"
            case _:
                yield f"has({address})", f'{address} == "planted"'


@kind("an else after an else")
def _second_else(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, staying(flow))
    targets = [node.name for node in flow.nodes if node.name != name]
    first = Transition("first", at="before", to=pick(chance, targets))
    planted = Transition("planted", at="before", to=pick(chance, targets))
    return Planted(insert(flow, name, 0, first, planted), "TW050", way_place(name, "planted"))


@kind("two transitions with equal guards")
def _twins(flow: Flow, chance: Random) -> Planted | None:
    found = ways_of(flow, lambda way: way.when and way.at in ("before", "after"))
    name, number = pick(chance, found)
    first = node_of(flow, name).transitions[number]
    targets = [node.name for node in flow.nodes if node.name not in (name, first.to)]
    planted = replace(first, id="planted", to=pick(chance, targets), set={})
    at = chance.randint(number + 1, len(node_of(flow, name).transitions))
    return Planted(insert(flow, name, at, planted), "TW054", way_place(name, "planted"))


@kind("loop without a wait")
def _loop(flow: Flow, chance: Random) -> Planted | None:
    guard = pick(chance, ["", "turns > 3"])
    size = chance.randint(2, 3)
    names = [f"planted_{number}" for number in range(size)]
    nodes = [
        Node(name, say="On.", transitions=(Transition(f"on_{name}", when=guard, to=names[(n + 1) % size]),))
        for n, name in enumerate(names)
    ]
    changed = lead_to(add_nodes(flow, chance, *nodes), chance, pick(chance, names))
    return Planted(changed, "TW056", way_place(names[0], f"on_{names[0]}"))


@kind("loop through a node that is there")
def _loop_back(flow: Flow, chance: Random) -> Planted | None:
    said = [node.name for node in flow.nodes if node.say and node.name != flow.start]
    if not said:
        return None
    name = pick(chance, said)
    guard = "turns > 1"
    changed = change_node(flow, name, end="", transitions=(Transition("planted", when=guard, to="planted"),))
    back = Node("planted", say="Back.", transitions=(Transition("back", to=name),))
    changed = replace(changed, nodes=(*changed.nodes, back))
    return Planted(changed, "TW056", way_place(name, "planted"))


@kind("cascade longer than the limit")
def _cascade(flow: Flow, chance: Random) -> Planted | None:
    if flow.transitions or flow.autonomous:
        return None
    size = flow.limits.moves + chance.randint(1, 3)
    names = [f"planted_{number}" for number in range(size)]
    nodes = [
        Node(name, say="On.", transitions=(Transition(f"on_{name}", to=after),)) for name, after in pairwise(names)
    ]
    nodes.append(Node(names[-1], say="There.", end="planted"))
    changed = lead_to(add_nodes(flow, chance, *nodes), chance, names[0])
    return Planted(changed, "TW057", way_place(names[0], f"on_{names[0]}"))


@kind("pending move without target")
def _pending(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, staying(flow))
    if not node_of(flow, name).once and not node_of(flow, name).end and chance.random() < 0.3:
        wrong = misspelt(flow.start, [node.name for node in flow.nodes], chance)
        return Planted(change_node(flow, name, once=wrong), "TW012", node_place(name, "once"))
    action = pick(chance, [{"stay": True}, {"end": "planted"}])
    way = Transition("planted", when="turns > 9", reply="next", **action)
    return Planted(insert(flow, name, 0, way), "TW041", way_place(name, "planted", "reply"))
