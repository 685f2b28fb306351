"""A flow as the start page, the graph and the flow page show it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwise.archive.edge_counts import FlowCounts
from turnwise.core.explain.history import Edge
from turnwise.core.machine import Machine
from turnwise.core.trace import Outcome
from turnwise.drawing.build import graph_of
from turnwise.drawing.graph import Arrow, Graph
from turnwise.drawing.path import arrow_names
from turnwise.flow.diagnostic import Diagnostic
from turnwise.flow.model import Field
from turnwise.server.documents import Document
from turnwise.server.wire.flows import (
    Coverage,
    DiagnosticView,
    FieldInfo,
    FlowPage,
    FlowSummary,
    GraphEdge,
    GraphNode,
    GraphView,
)
from turnwise.server.wire.trace import EdgeHistory


def flow_summary(machine: Machine, document: Document | None, conversations: int) -> FlowSummary:
    """Return a flow in short. `document` is `None` for readers who may not see its file."""
    flow = machine.flow
    found = document.diagnostics if document is not None else ()
    errors = sum(one.severity == "error" for one in found)
    return FlowSummary(
        flow.name,
        flow.title,
        flow.description,
        flow.version,
        machine.fingerprint,
        len(flow.nodes),
        conversations,
        flow.autonomous,
        document.file if document is not None else "",
        errors,
        len(found) - errors,
    )


def flow_page(
    machine: Machine,
    document: Document | None,
    conversations: int,
    parked: dict[str, int] | None = None,
    coverage: Coverage | None = None,
) -> FlowPage:
    """Return a flow with all that the graph and the flow page show."""
    graph = graph_of(machine.flow, tuple(machine.code.values()))
    names = list(arrow_names(graph, machine))
    return FlowPage(
        flow_summary(machine, document, conversations),
        graph_view(graph, names, document),
        tuple(_nodes(machine, graph, names)),
        tuple([field_info(name, field) for name, field in machine.fields.items()]),
        document.text if document is not None else None,
        document.saved_ms or None if document is not None else None,
        tuple([diagnostic_view(one) for one in document.diagnostics]) if document is not None else (),
        parked or {},
        coverage,
    )


def flow_outline(machine: Machine, conversations: int) -> FlowPage:
    """Return a flow for readers who may not know its rules: its nodes, and which of them follow which."""
    graph = graph_of(machine.flow, tuple(machine.code.values()))
    names = {one.id: one.name if one.name in machine.nodes and one.kind != "end" else "" for one in graph.vertices}
    nodes = tuple([GraphNode(one.id, names[one.id], one.kind, parent=one.cluster) for one in graph.vertices])
    ways = dict.fromkeys((arrow.source, arrow.target) for arrow in graph.arrows)
    edges = tuple([GraphEdge(f"e{number}", *way, "", "") for number, way in enumerate(ways)])
    clusters = tuple([(one.id, one.name, one.parent) for one in graph.clusters])
    works: list[dict[str, Any]] = [
        {"name": name, "description": "", "work": node.work, "transitions": []} for name, node in machine.nodes.items()
    ]
    return FlowPage(flow_summary(machine, None, conversations), GraphView(nodes, edges, clusters), tuple(works), ())


def graph_view(graph: Graph, names: Iterable[tuple[Arrow, str]], document: Document | None) -> GraphView:
    """Return the drawing as data, with the lines of its parts in the document."""
    nodes = tuple(
        [
            GraphNode(
                one.id,
                one.name,
                one.kind,
                one.about,
                one.fields,
                one.remarks,
                one.cluster,
                document.node_line(one.name) if document is not None else 0,
            )
            for one in graph.vertices
        ]
    )
    clusters = tuple([(one.id, one.name, one.parent) for one in graph.clusters])
    return GraphView(nodes, tuple(_edges(names, document)), clusters)


def _edges(names: Iterable[tuple[Arrow, str]], document: Document | None) -> Iterable[GraphEdge]:
    places: dict[str, int] = {}
    for number, (arrow, name) in enumerate(names):
        place = places.get(arrow.node, 0)
        if arrow.moment and not arrow.is_entering:
            places[arrow.node] = place + 1
        yield GraphEdge(
            f"e{number}",
            arrow.source,
            arrow.target,
            name,
            arrow.action,
            arrow.moment,
            arrow.node,
            arrow.test,
            arrow.because,
            arrow.priority,
            arrow.is_code,
            arrow.is_mirror,
            arrow.moment == "timer",
            arrow.remark,
            document.transition_line(arrow.node, place, name) if document is not None and name else 0,
        )


def _nodes(machine: Machine, graph: Graph, names: Iterable[tuple[Arrow, str]]) -> Iterable[dict[str, Any]]:
    """Yield what there is to know about each node, with the guards of its transitions."""
    targets = {one.id: one.name for one in graph.vertices}
    arrows = list(names)
    for node in machine.flow.nodes:
        own = [(arrow, name) for arrow, name in arrows if arrow.node == node.name and name]
        yield {
            "name": node.name,
            "description": node.description,
            "work": machine.nodes[node.name].work if node.name in machine.nodes else "",
            "transitions": [
                {
                    "id": name,
                    "moment": arrow.moment,
                    "target": targets.get(arrow.target, ""),
                    "because": arrow.because,
                    "guard": "" if arrow.is_code else arrow.test,
                }
                for arrow, name in own
            ],
        }


def field_info(name: str, field: Field) -> FieldInfo:
    """Return a field for editors of values."""
    bounds = [bound if isinstance(bound, int | float) else None for bound in (field.min, field.max)]
    options = tuple([option.value for option in field.options])
    kind = f"list of {field.of}" if field.type == "list" and field.of else str(field.type)
    return FieldInfo(name, field.about, kind, options, field.secret, bool(field.value), bounds[0], bounds[1])


def diagnostic_view(one: Diagnostic) -> DiagnosticView:
    """Return a problem of a document."""
    return DiagnosticView(
        one.code, one.severity, one.message, one.hint, one.span.file, one.span.line, max(1, one.span.column)
    )


# figures -----------------------------------------------------------------------------------------


def coverage_of(counts: FlowCounts) -> Coverage:
    """Return how many of the counted conversations visited each node, and how often each transition was judged."""
    edges = tuple([history_of(edge) for edge in counts.edges()])
    return Coverage(counts.visits(), edges, counts.conversations())


def history_of(edge: Edge) -> EdgeHistory:
    """Return how often a transition was judged and taken, as clients receive it."""
    outcomes: dict[Outcome, int] = {outcome: count for outcome, count in edge.outcomes.items() if count}
    figures = edge.judged, edge.held, edge.taken
    return EdgeHistory(edge.node, edge.moment, edge.transition, edge.target, *figures, edge.line, outcomes)
