"""Random scopes for random flows: opened by nodes, transitions, tools, programs and users; nested, with forms and limits."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

from strategies.chance import Chance
from strategies.machines import PART, FlowMaker
from strategies.random_guards import Known
from turnwise.flow.model import Field, Flow, Node, Scope, ScopeLimits, Summary, ToolPolicy, Transition

SCOPES = ("q", "r", "s")
"""The scopes of a random flow: one with a prompt, one with a form, one with nodes, in which another one is nested."""
_INSIDE = ("a", "b", "c")
_SUMMARIES = (
    Summary(),
    Summary(template="It was {{ visit.day }} {{ visit.tags }} ({{ scope.outcome }})."),
    Summary(template="{{ 10 / user.age }}"),
    Summary(template="Over.", prompt="Sum it up."),
)


def make_scoped_flow(chance: Chance, secrets: float = 0.05) -> Flow:
    """A flow that links, with scopes; `secrets` is how probable it is that a field is secret."""
    maker = FlowMaker(chance, secrets)
    return with_scopes(chance, maker, maker.flow())


def with_scopes(chance: Chance, maker: FlowMaker, flow: Flow) -> Flow:
    """A flow with scopes, which all of its nodes can open."""
    opening = _Openings(chance)
    limits = replace(flow.limits, frames=chance.choice((2, 3, 8)))
    commands = replace(
        flow.commands, names=tuple(dict.fromkeys((*flow.commands.names, "cancel", "start"))), start=SCOPES
    )
    tools = tuple([replace(tool, into="visit") if tool.into == "user" else tool for tool in flow.tools])
    nodes = [opening.of_node(node) for node in flow.nodes]
    found = (*nodes, *[_scope_node(chance, maker, name) for name in SCOPES])
    return replace(flow, limits=limits, commands=commands, nodes=found, tools=tools)


class _Openings:
    """Makes transitions and tools of nodes open scopes."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def of_node(self, node: Node) -> Node:
        """A node some of whose transitions open scopes, and whose model may do so."""
        transitions = tuple(map(self.of_transition, node.transitions))
        tools = node.tools
        if tools is not None and tools.allow and not tools.sequence and self.chance.is_lucky(0.7):
            opened = [f"open_{name}" for name in self.chance.some(SCOPES, 1, 2)]
            tools = replace(tools, allow=(*tools.allow, *opened))
        elif tools is None and node.prompt and node.form is None and self.chance.is_lucky(0.5):
            tools = ToolPolicy(allow=(f"open_{self.chance.choice(SCOPES)}",))
        return replace(node, transitions=transitions, tools=tools)

    def of_transition(self, transition: Transition) -> Transition:
        """A transition that enters a scope, or calls one."""
        if not transition.to or transition.at == "choice" or not self.chance.is_lucky(0.5):
            return transition
        scope = self.chance.choice(SCOPES)
        if self.chance.is_lucky(0.3) or transition.reply == "next":
            return replace(transition, to=scope)
        given: dict[str, Any] = {"topic": self.chance.choice(("user.name", "message.text", '"all"'))}
        return replace(transition, to="", call=scope, set={}, with_=given if self.chance.is_lucky(0.5) else {})


def _scope_node(chance: Chance, maker: FlowMaker, name: str) -> Node:
    scope = _scope(chance)
    inside = _Inside.of(maker, ("form",) if name == "r" else _INSIDE, scope)
    transitions = tuple([maker.transition() for _ in range(chance.choice((0, 1, 2)))])
    transitions = tuple([one for one in transitions if one.at in ("after", "error", "before")])
    match name:
        case "q":
            return Node(name, prompt="Ask about {{ input.topic }}.", scope=scope, transitions=transitions)
        case "r":
            return Node(name, form=inside.form(), scope=scope, transitions=transitions)
        case _:
            nested = Node("n", prompt="Dig.", scope=replace(_scope(chance), keep_s=None))
            nodes = [replace(inside.node(one), once="") for one in _INSIDE]
            first = replace(
                nodes[0], transitions=(*nodes[0].transitions, Transition(at="before", when="turns > 1", to="n"))
            )
            scope = replace(scope, start="a", nodes=(first, *nodes[1:], nested))
            return Node(name, scope=scope, transitions=transitions)


def _scope(chance: Chance) -> Scope:
    limits = ScopeLimits(
        turns=chance.choice((None, 1, 2, 5)),
        tokens=chance.choice((None, None, 100)),
        idle_s=chance.choice((None, 60.0)),
    )
    return Scope(
        records=(PART,) if chance.is_lucky(0.5) else (),
        inherits=chance.choice((("user",), ("user", "message"), ("user", "visit"), ("user", "visit", "message"))),
        input=(Field("topic", default="all"), Field("deep", "boolean", default=False)),
        returns="visit",
        summary=chance.choice(_SUMMARIES),
        limits=limits,
        on_return=chance.choice(("resume", "re-enter", "replace")),
        keep_s=chance.choice((None, 0.0, 86_400.0)),
    )


class _Inside(FlowMaker):
    """Makes the nodes of a scope, which write only what it returns."""

    has_part = False
    """Whether the record of the items is one of the scope."""

    @classmethod
    def of(cls, maker: FlowMaker, names: tuple[str, ...], scope: Scope) -> _Inside:
        """The maker of the nodes of a scope in a flow."""
        found = copy(maker)
        found.__class__ = cls
        assert isinstance(found, _Inside)
        found.known = Known(maker.fields, names, maker.known.tools)
        found.names = names
        found.has_part = PART in scope.records
        found.fields = {name: field for name, field in maker.fields.items() if name.startswith("visit.")}
        return found

    def may_ask_items(self, field: Field) -> bool:
        """Return whether the record of the items is one of the scope: an item is asked for in its fields."""
        return self.has_part and super().may_ask_items(field)

    def access(self, probability: float) -> tuple[str, ...]:
        """Fields of the returned record."""
        chance = self.chance
        return tuple(chance.some([*self.fields, "visit"], 1, 4)) if chance.is_lucky(probability) else ()

    def node(self, name: str) -> Node:
        """A node whose results of tools go to the returned record."""
        node = super().node(name)
        tool, tools = node.tool, node.tools
        if tool is not None and tool.into == "user":
            tool = replace(tool, into="visit")
        if tools is not None:
            tools = replace(tools, into=dict.fromkeys(tools.into, "visit"))
        return replace(node, tool=tool, tools=tools)
