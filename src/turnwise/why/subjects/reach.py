"""Why a tool was never reached: the nodes that call or offer it, and why none of them was entered."""

from __future__ import annotations

from typing import NamedTuple

from turnwise.core.call_names import CHOICE_PREFIX
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.phrase import joined, listed, phrase
from turnwise.why.answer import Fact, Subject
from turnwise.why.query import Query
from turnwise.why.subjects.nodes import answer_node

_FEW = 2
"""Of how many nodes is said why they were not entered."""


class Unreached(NamedTuple):
    """The nodes that have a tool and were never entered."""

    nodes: tuple[str, ...]
    """The names of the nodes that call or offer the tool."""
    reasons: tuple[Fact, ...]
    """The facts that say why the nodes were never entered."""

    @property
    def text(self) -> str:
        """The reasons why the nodes were never entered, in words."""
        reasons = joined((fact.text for fact in self.reasons), "; ")
        return phrase("{reasons}[; nor was {nodes}]", reasons=reasons, nodes=listed(self.nodes[_FEW:]))

    @property
    def nodes_and_reasons(self) -> str:
        """The nodes that offer the tool, and the reasons, in words."""
        return phrase("{nodes} would offer it, and {text}", nodes=listed(self.nodes), text=self.text)


async def unreached(query: Query) -> Unreached | None:
    """Return why no node that calls or offers the tool was entered; `None` if one was, or if no node has it."""
    nodes = nodes_with(query.machine, query.subject.name)
    been = any(frame.visits.get(name) for frame in query.state.frames for name in nodes)
    if not nodes or query.state.node in nodes or been:
        return None
    reasons = [(await answer_node(query.about_subject(Subject("node", name))))[0] for name in nodes[:_FEW]]
    return Unreached(nodes, tuple(reasons))


def nodes_with(machine: Machine, tool: str) -> tuple[str, ...]:
    """Return the nodes that call a tool as their work; if none do, those that offer it to the model."""
    own = [name for name, node in machine.nodes.items() if is_work_of(node, tool)]
    return tuple(own or [name for name, node in machine.nodes.items() if _offers(machine, node, name, tool)])


def is_work_of(node: LinkedNode, tool: str) -> bool:
    """Return whether a node calls a tool itself as its work, without a model."""
    return node.tool is not None and node.tool.tool.tool.name == tool


def _offers(machine: Machine, node: LinkedNode, name: str, tool: str) -> bool:
    choices = machine.candidates(name, "choice").all
    if tool.startswith(CHOICE_PREFIX) and tool not in machine.tools:
        return any(one.target == tool.removeprefix(CHOICE_PREFIX) for one in choices)
    return tool in node.toolbox.specs and (node.work == "prompt" or bool(choices))
