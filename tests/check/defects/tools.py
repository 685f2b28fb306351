"""Defects of tools: sequences, policies, what is never usable or needs a confirmation."""

from __future__ import annotations

from random import Random

from check.defects.forms import form_in
from check.defects.planted import (
    Planted,
    add_nodes,
    change_node,
    guarded,
    has_policies,
    insert,
    kind,
    node_of,
    node_place,
    pick,
    with_tools,
)
from turnwise.flow import model as m
from turnwise.flow.model import Flow, Node, Transition


def prompted(flow: Flow, chance: Random) -> str:
    """A node with a prompt."""
    return pick(chance, [node.name for node in flow.nodes if node.prompt])


@kind("sequence tool not allowed")
def _sequence_tool(flow: Flow, chance: Random) -> Planted | None:
    changed = with_tools(flow, m.Tool("think"), m.Tool("save"), m.Tool("send"))
    at = chance.randrange(3)
    tools = ["think", "save"]
    tools.insert(at, "send")
    sequence = tuple(m.SequencePosition((tool,)) for tool in tools)
    policy = pick(
        chance,
        [
            m.ToolPolicy(allow=("think", "save"), sequence=sequence),
            m.ToolPolicy(deny=("send",), sequence=sequence),
        ],
    )
    name = prompted(flow, chance)
    changed = change_node(changed, name, tools=policy)
    return Planted(changed, "TW043", lambda read: node_of(read, name).tools.span.of(f"sequence.{at}"))


@kind("policy that allows nothing")
def _allows_nothing(flow: Flow, chance: Random) -> Planted | None:
    changed = with_tools(flow, m.Tool("think"), m.Tool("save"))
    policy = pick(
        chance,
        [
            m.ToolPolicy(allow=("think",), deny=("think",)),
            m.ToolPolicy(allow=("*",), deny=("think", "s*")),
            m.ToolPolicy(deny=("*",)),
            m.ToolPolicy(deny=("*_*", "think", "s*")),
            m.ToolPolicy(allow=("save",), deny=("think", "*")),
        ],
    )
    name = prompted(flow, chance)
    return Planted(change_node(changed, name, tools=policy), "TW043", lambda read: node_of(read, name).tools.span)


@kind("tool never usable")
def _unusable(flow: Flow, chance: Random) -> Planted | None:
    if has_policies(flow):
        return None
    changed = with_tools(flow, m.Tool("think"), m.Tool("planted"))
    policy = pick(chance, [m.ToolPolicy(allow=("think",)), m.ToolPolicy(deny=("plan*",)), None])
    if policy is not None:
        changed = change_node(changed, prompted(flow, chance), tools=policy)
    return Planted(changed, "TW070", lambda read: next(t.span for t in read.tools if t.name == "planted"))


@kind("effect without the confirmation that it asks for")
def _unconfirmed(flow: Flow, chance: Random) -> Planted | None:
    changed = with_tools(flow, m.Tool("book", about="book", kind="effect", expects="confirmed"))
    if chance.random() < 0.5:
        name = prompted(flow, chance)
        changed = change_node(changed, name, tools=m.ToolPolicy(allow=("book",)))
        return Planted(changed, "TW072", lambda read: node_of(read, name).tools.span)
    changed, form = form_in(changed, chance)
    guard = pick(chance, ['form.status == "confirmed" || turns > 5', 'form.status != "stopped"', ""])
    way = Transition("to_planted", at="after", when=guard, to="planted", priority=9)
    back = Transition("done", when="turns > 30", end="booked")
    act = Node("planted", prompt="Book.", tools=m.ToolPolicy(allow=("book",)), transitions=(back,))
    changed = add_nodes(insert(changed, form, 0, way), chance, act)
    return Planted(changed, "TW072", lambda read: node_of(read, "planted").tools.span)


@kind("sequence_match without sequence")
def _no_sequence(flow: Flow, chance: Random) -> Planted | None:
    name = pick(chance, [node.name for node in flow.nodes if not node.enter_when])
    conditions = (m.Condition("tool_used", "think"), m.Condition("sequence_match"))[chance.randrange(2) :]
    changed = change_node(with_tools(flow, m.Tool("think")), name, enter_when=conditions)
    return Planted(changed, "TW035", lambda read: node_of(read, name).enter_when[-1].span)


@kind("sequence or window longer than the history kept")
def _too_long(flow: Flow, chance: Random) -> Planted | None:
    changed = with_tools(flow, m.Tool("think"))
    name = pick(chance, [node.name for node in flow.nodes if node.prompt and not node.enter_when])
    match chance.randrange(3):
        case 0:
            changed, place = guarded(changed, chance, f'tools.used("think", within: {chance.randint(65, 99)})')
            return Planted(changed, "TW044", place)
        case 1:
            conditions = (m.Condition("not_recently_used", "think", chance.randint(65, 99)),)
            changed = change_node(changed, name, enter_when=conditions)
            return Planted(changed, "TW044", node_place(name, "enter_when"))
        case _:
            sequence = (m.SequencePosition(("think",)),) * chance.randint(65, 70)
            changed = change_node(changed, name, tools=m.ToolPolicy(sequence=sequence))
            return Planted(changed, "TW044", lambda read: node_of(read, name).tools.span.of("sequence"))
