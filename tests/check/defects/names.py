"""Defects of names: what is named where nothing is called so."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from check.defects.planted import (
    Planted,
    change_node,
    change_transition,
    collected,
    fields_of,
    guarded,
    insert,
    kind,
    misspelt,
    node_of,
    node_place,
    pick,
    staying,
    way_place,
    ways_of,
    with_tools,
)
from turnwise.flow import model as m
from turnwise.flow.model import Flow, Transition


@kind("unknown target")
def _target(flow: Flow, chance: Random) -> Planted | None:
    names = [node.name for node in flow.nodes]
    found = [(name, number) for name, number in ways_of(flow, lambda way: way.to)]
    name, number = pick(chance, found)
    target = misspelt(node_of(flow, name).transitions[number].to, names, chance)
    changed = change_transition(flow, name, number, id="planted", to=target)
    return Planted(changed, "TW012", way_place(name, "planted", "to"))


@kind("unknown start")
def _start(flow: Flow, chance: Random) -> Planted | None:
    wrong = misspelt(flow.start, [node.name for node in flow.nodes], chance)
    return Planted(replace(flow, start=wrong), "TW018", lambda read: read.span.of("start"))


@kind("unknown field to collect or ask for")
def _field(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, [node.name for node in flow.nodes if collected(flow, node)])
    node = node_of(flow, name)
    record, _, of = pick(chance, collected(flow, node)).partition(".")
    wrong = f"{record}.{misspelt(of, collected(flow, node), chance)}"
    if node.form:
        number = chance.randrange(len(node.form.fields))
        asked = [replace(q, field=wrong) if i == number else q for i, q in enumerate(node.form.fields)]
        changed = change_node(flow, name, form=replace(node.form, fields=tuple(asked)))
        return Planted(changed, "TW020", lambda read: node_of(read, name).form.fields[number].span.of("field"))
    number = chance.randint(0, len(node.collect.fields))
    listed = (*node.collect.fields[:number], wrong, *node.collect.fields[number:])
    changed = change_node(flow, name, collect=replace(node.collect, fields=listed))
    return Planted(changed, "TW020", lambda read: node_of(read, name).collect.span.of(f"fields.{number}"))


@kind("unknown field to write")
def _written(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, [node.name for node in flow.nodes])
    address, _ = pick(chance, list(fields_of(flow)))
    wrong = f"{address}{pick(chance, 'xyz')}"
    changed = change_node(flow, name, set={**node_of(flow, name).set, wrong: 1})
    return Planted(changed, "TW020", node_place(name, f"set.{wrong}"))


@kind("rule field not in its record")
def _rule_field(flow: Flow, chance: Random) -> Planted | None:
    address, _ = pick(chance, list(fields_of(flow)))
    record, _, name = address.partition(".")
    others = [known.partition(".")[2] for known, _ in fields_of(flow)]
    changed, place = guarded(flow, chance, f"has({record}.{misspelt(name, others, chance)})")
    return Planted(changed, "TW031", place)


@kind("unknown record in a guard")
def _rule_record(flow: Flow, chance: Random) -> Planted | None:
    address, _ = pick(chance, list(fields_of(flow)))
    record, _, name = address.partition(".")
    wrong = misspelt(record, [r.name for r in flow.records], chance)
    changed, place = guarded(flow, chance, f"turns > 3 && has({wrong}.{name})")
    return Planted(changed, "TW031", place)


@kind("unknown tool in a guard")
def _rule_tool(flow: Flow, chance: Random) -> Planted | None:
    changed, place = guarded(with_tools(flow, m.Tool("think")), chance, 'tools.used("thikn")')
    return Planted(changed, "TW021", place)


@kind("unknown tool in a policy")
def _policy_tool(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, [node.name for node in flow.nodes if node.prompt])
    key = pick(chance, ("allow", "deny"))
    policy = m.ToolPolicy(**{"allow": ("think",), key: ("think", "thikn") if key == "allow" else ("thikn",)})
    changed = change_node(with_tools(flow, m.Tool("think"), m.Tool("save")), name, tools=policy)
    number = len(getattr(policy, key)) - 1
    return Planted(changed, "TW021", lambda read: node_of(read, name).tools.span.of(f"{key}.{number}"))


@kind("unknown model")
def _model(flow: Flow, chance: Random) -> Planted | None:
    wrong = pick(chance, ("opnai:gpt-5-mini", "gpt-5-mini", "openai:"))
    name = pick(chance, [node.name for node in flow.nodes if node.prompt])
    if chance.random() < 0.5:
        return Planted(replace(flow, model=wrong), "TW082", lambda read: read.span.of("model"))
    return Planted(change_node(flow, name, model=wrong), "TW082", lambda read: node_of(read, name).span.of("model"))


@kind("unknown function in a guard")
def _rule_function(flow: Flow, chance: Random) -> Planted | None:
    address, _ = pick(chance, list(fields_of(flow, "string", "choice")))
    changed, place = guarded(flow, chance, pick(chance, [f"sise({address}) > 2", f"{address}.startWith('a')"]))
    return Planted(changed, "TW031", place)


@kind("unknown Python guard")
def _function(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, staying(flow))
    target = pick(chance, [node.name for node in flow.nodes if node.name != name])
    way = Transition("planted", at="before", guard="route", to=target)
    changed = insert(flow, name, chance.randint(0, len(node_of(flow, name).transitions)), way)
    return Planted(changed, "TW024", way_place(name, "planted", "guard"))


@kind("unknown overlay")
def _overlay(flow: Flow, chance: Random) -> Planted | None:
    changed, place = guarded(flow, chance, 'turns > 2 && overlay.active("viking_weekend")')
    return Planted(changed, "TW022", place)


@kind("unknown node in a guard")
def _rule_node(flow: Flow, chance: Random) -> Planted | None:
    names = [node.name for node in flow.nodes]
    changed, place = guarded(flow, chance, f'visits("{misspelt(pick(chance, names), names, chance)}") > 1')
    return Planted(changed, "TW023", place)
