"""What people call the steps of a flow."""

from __future__ import annotations

from turnwise.core.machine import Machine


def title_of_node(machine: Machine, node: str) -> str:
    """Return what people call a node, with a capital letter: `Profiler`."""
    title = machine.node_title(node)
    return title[:1].upper() + title[1:]
