"""Finds what can set a field without asking the user."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.candidates import Write
from turnwise.core.machine import Machine
from turnwise.core.phrase import phrase
from turnwise.core.tools.results import destinations
from turnwise.why.answer import Subject


def writers_of(machine: Machine, address: str) -> Iterator[tuple[str, Subject]]:
    """Yield what can set a field without asking the user, in words and as a subject: transitions, nodes and tools.
    A tool writes the fields that `into` names, or that it lists in `writes`.
    """
    for name in dict.fromkeys(one.id for one in machine.all_candidates() if _writes(one.writes, address)):
        yield phrase("the transition {name}", name=name), Subject("transition", name)
    tools: dict[str, None] = {}
    for name, node in machine.nodes.items():
        if _writes((*node.writes, *node.writes_on_leave), address):
            yield phrase("the node {name}", name=name), Subject("node", name)
        if node.tool is not None and address in destinations(machine, node.tool.result_target):
            tools[node.tool.tool.tool.name] = None
        tools |= {tool: None for tool, into in node.result_targets.items() if address in destinations(machine, into)}
        tools |= {tool: None for tool, fields in node.toolbox.writes.items() if address in fields}
        if node.form is not None and node.form.answers == address:
            yield phrase("the form of {name}", name=name), Subject("form", name)
    for scope in machine.scopes.values():
        if scope.target_list == address or (
            not scope.target_list and any(one.outside == address for one in scope.returned)
        ):
            yield phrase("the scope {name}", name=scope.name), Subject("node", scope.name)
    for tool in tools:
        yield phrase("the tool {tool}", tool=tool), Subject("tool", tool)


def _writes(writes: tuple[Write, ...], address: str) -> bool:
    return any(write.address == address for write in writes)
