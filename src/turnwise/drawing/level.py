"""One level of a drawing: what stands in one scope, or outside of all scopes, with the scopes in it as single nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from turnwise.drawing.graph import KINDS_WITHOUT_NODE, Arrow, Graph, Vertex
from turnwise.errors import WrongArgument
from turnwise.flow.diagnostic import nearest

OUTERMOST_LEVEL = "."
"""Names the level outside of all scopes."""


def level_of(graph: Graph, scope: str) -> Graph:
    """Return the part of a graph in one scope, by its address; `.` is the outermost conversation. Raises
    `WrongArgument` for a scope that the flow does not have.
    """
    frames = {one.frame: one.name for one in graph.clusters}
    if scope not in (OUTERMOST_LEVEL, *frames):
        hint = nearest(scope, [OUTERMOST_LEVEL, *frames])
        raise WrongArgument(
            "scope", scope, "a scope of the flow that has nodes, or '.'" + (f"; {hint}" if hint else "")
        )
    frame = "" if scope == OUTERMOST_LEVEL else scope
    arrows = tuple(_arrows(graph, frame))
    targets = {arrow.target for arrow in arrows}
    start = [Vertex("start0", "start", "start", frame=frame)] if any(one.source == "start0" for one in arrows) else []
    own = (one for one in graph.vertices if one.frame == frame or one.id in targets)
    vertices = tuple([_closed(graph, one) for one in own]) + tuple(start)
    title = f"{graph.title}: {frame}" if frame else graph.title
    return replace(
        graph, title=title, vertices=vertices, arrows=arrows, clusters=(), notes=() if frame else graph.notes
    )


def _arrows(graph: Graph, frame: str) -> Iterator[Arrow]:
    """Yield the arrows of a level; the one into it begins at a mark."""
    outside = {one.id for one in graph.vertices if one.frame != frame}
    for arrow in graph.arrows:
        if arrow.frame == frame:
            yield replace(arrow, source="start0") if arrow.source in outside else arrow


def _closed(graph: Graph, vertex: Vertex) -> Vertex:
    """Return a node outside of its cluster; one that is a scope with a list of what is inside."""
    inside = [one.name for one in graph.vertices if one.frame == vertex.address and one.kind not in KINDS_WITHOUT_NODE]
    if vertex.kind != "scope" or not inside:
        return replace(vertex, cluster="")
    return replace(vertex, cluster="", remarks=(*vertex.remarks, f"inside: {', '.join(inside)}"))
