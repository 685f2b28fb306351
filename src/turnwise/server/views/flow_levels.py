"""The drawing of a flow one level at a time, with a level also for a scope that has only a form or a prompt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from turnwise.core.addresses import local_name, scope_of
from turnwise.core.machine import Machine
from turnwise.drawing.build import graph_of
from turnwise.drawing.graph import Graph
from turnwise.drawing.level import OUTERMOST_LEVEL, level_of
from turnwise.flow.converters import copy_with
from turnwise.flow.model import Commands


def levels_of(machine: Machine, graph: Graph) -> Iterator[tuple[str, str, str | None, Graph]]:
    """Yield the scope, title, parent and drawing of each level of a flow, whose whole drawing is `graph`: first the
    outermost, then each scope. A scope comes after the one around it.
    """
    drawn = {one.frame for one in graph.clusters}
    yield "", machine.flow.title or machine.flow.name, None, level_of(graph, OUTERMOST_LEVEL)
    for scope in machine.scopes:
        if scope:
            level = level_of(graph, scope) if scope in drawn else _alone(machine, scope)
            yield scope, machine.node_title(scope), scope_of(scope), level


def _alone(machine: Machine, scope: str) -> Graph:
    """Return the drawing of a scope without nodes of its own: of the node that linking made for it."""
    inside = [linked.node for name, linked in machine.nodes.items() if scope_of(name) == scope]
    nodes = tuple([copy_with(node, name=local_name(node.name)) for node in inside])
    start = local_name(machine.scopes[scope].start)
    own = {"nodes": nodes, "start": start, "transitions": (), "commands": Commands(), "overlays": (), "schedules": ()}
    graph = graph_of(copy_with(machine.flow, **own))
    arrows = tuple([replace(one, frame=scope, node=f"{scope}/{one.node}" if one.node else "") for one in graph.arrows])
    return replace(graph, vertices=tuple([replace(one, frame=scope) for one in graph.vertices]), arrows=arrows)
