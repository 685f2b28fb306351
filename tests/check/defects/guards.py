"""Defects of guards: always, never, against themselves, of what is no value, of what nobody writes."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from check.defects.planted import (
    Planted,
    add_nodes,
    change_node,
    fields_of,
    guarded,
    has_policies,
    insert,
    kind,
    lead_to,
    misspelt,
    node_of,
    node_place,
    pick,
    staying,
    way_place,
    with_field,
    with_tools,
)
from turnwise.flow import model as m
from turnwise.flow.model import Flow, Node, Transition


@kind("guard always true")
def _always(flow: Flow, chance: Random) -> Planted | None:
    found = ["turns >= 0", "errors >= 0 || turns > 3", "true", f'visits("{flow.start}") >= 0']
    for address, of in fields_of(flow):
        found.append(f"has({address}) || !has({address})")
        if of.type == "choice":
            rest = " || ".join(f'{address} == "{option.value}"' for option in of.options)
            found.append(f"!has({address}) || {rest}")
    changed, place = guarded(flow, chance, pick(chance, found))
    return Planted(changed, "TW053", place)


@kind("guard never true")
def _never(flow: Flow, chance: Random) -> Planted | None:
    found = ["turns < 0", "false", "turns > 3 && errors < 0"]
    found += [f"!has({address}) && {address} > 3" for address, _ in fields_of(flow, "integer")]
    found += [f"has({address}) && !has({address})" for address, _ in fields_of(flow)]
    changed, place = guarded(flow, chance, pick(chance, found))
    return Planted(changed, "TW052", place)


@kind("guard that contradicts itself")
def _contradictory(flow: Flow, chance: Random) -> Planted | None:
    found = ["turns > 5 && turns < 3"]
    for address, of in fields_of(flow):
        match of.type:
            case "integer":
                found.append(f"{address} > 60 && {address} < 50")
            case "boolean":
                found.append(f"{address} && turns > 2 && !{address}")
            case "choice" if len(of.options) > 1:
                one, other, *_ = [option.value for option in of.options]
                found.append(f'{address} == "{one}" && {address} == "{other}"')
                found.append(" && ".join([f"has({address})", *(f'{address} != "{o.value}"' for o in of.options)]))
            case "list":
                found.append(f"size({address}) >= 3 && size({address}) == 2")
            case _:
                found.append(f'{address} == "a" && {address} == "b"')
    changed, place = guarded(flow, chance, pick(chance, found))
    return Planted(changed, "TW052", place)


@kind("guard that compares with what is no option")
def _no_option(flow: Flow, chance: Random) -> Planted | None:
    address, of = pick(chance, list(fields_of(flow, "choice")))
    wrong = misspelt(pick(chance, of.options).value.replace(" ", ""), [o.value for o in of.options], chance)
    changed, place = guarded(flow, chance, f'turns > 1 && {address} {pick(chance, ("==", "!="))} "{wrong}"')
    return Planted(changed, "TW049", place)


@kind("guard beyond the bounds")
def _beyond(flow: Flow, chance: Random) -> Planted | None:
    found = [(a, f) for a, f in fields_of(flow, "integer", "number") if f.max is not None]
    if not found:
        return None
    address, of = pick(chance, found)
    changed, place = guarded(flow, chance, f"{address} > {of.max + chance.randint(0, 9)}")
    return Planted(changed, "TW049", place)


@kind("uses of three tools that never come together")
def _and_meant_as_or(flow: Flow, chance: Random) -> Planted | None:
    if has_policies(flow):
        return None
    names = ("think", "search", "save")
    changed = with_tools(flow, *(m.Tool(name, about=name) for name in names))
    now, *later = chance.sample(names, 3)
    before = pick(chance, [node.name for node in flow.nodes if node.prompt])
    changed = change_node(changed, before, tools=m.ToolPolicy(allow=(now,)))
    used = tuple(m.Condition("tool_used", name) for name in names)
    guard: m.Guard = used if chance.random() < 0.5 else " && ".join(f'tools.used("{name}")' for name in names)
    step = Node("planted", prompt="Sum it up.", enter_when=guard, tools=m.ToolPolicy(allow=tuple(later)))
    step = replace(step, transitions=(Transition("back", when="turns > 9", to=before),))
    return Planted(add_nodes(changed, chance, step), "TW071", node_place("planted", "enter_when"))


@kind("field read before anything can write it")
def _unwritten(flow: Flow, chance: Random) -> Planted | None:
    if "set" in flow.commands.names or any(node.writes for node in flow.nodes):
        return None
    changed, address = with_field(flow, m.Field("planted", type="integer"), chance)
    if chance.random() < 0.3:
        name = pick(chance, [node.name for node in flow.nodes if node.say])
        said = f"{node_of(flow, name).say} {{{{ {address} }}}}"
        return Planted(change_node(changed, name, say=said), "TW058", node_place(name, "say"))
    if chance.random() < 0.5:  # what fills it comes too late
        late = Node("late", prompt="Ask.", collect=m.Collect((address,)), transitions=(Transition("on", end="late"),))
        changed = lead_to(replace(changed, nodes=(*changed.nodes, late)), chance, "late")
    changed, place = guarded(changed, chance, f"{address} > 3")
    if transition_owner(changed) == "late":
        return None
    return Planted(changed, "TW058", place)


def transition_owner(flow: Flow) -> str:
    """The node with the planted transition."""
    return next(node.name for node in flow.nodes if any(way.id == "planted" for way in node.transitions))


@kind("mirror without the code that it mirrors")
def _mirror(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, staying(flow))
    target = pick(chance, [node.name for node in flow.nodes if node.name != name])
    way = Transition("planted", at="before", when="turns > 5", mirror=True, to=target)
    return Planted(insert(flow, name, 0, way), "TW078", way_place(name, "planted", "mirror"))
