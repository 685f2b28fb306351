"""A flow as the start page, the graph and the flow page show it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from turnwise.archive.answer_titles import reasons_of
from turnwise.archive.condition_words import rule_in_words
from turnwise.archive.edge_counts import FlowCounts
from turnwise.authoring.formats import format_of
from turnwise.core.addresses import local_name, scope_of
from turnwise.core.explain.history import Edge
from turnwise.core.machine import Machine
from turnwise.core.trace import Outcome
from turnwise.drawing.build import graph_of
from turnwise.drawing.graph import KINDS_WITHOUT_NODE, Arrow, Graph, Vertex
from turnwise.drawing.path import arrow_names
from turnwise.flow.diagnostic import Diagnostic
from turnwise.server.documents import Document, PartPlace, SourceText
from turnwise.server.views.flow_levels import levels_of
from turnwise.server.wire.flows import (
    Coverage,
    DiagnosticView,
    FieldInfo,
    FlowPage,
    FlowSource,
    FlowSummary,
    GraphEdge,
    GraphLevel,
    GraphNode,
    GraphView,
    SourceFile,
    SourceFormat,
)
from turnwise.server.wire.trace import EdgeHistory


def flow_summary(machine: Machine, document: Document | None, conversations: int) -> FlowSummary:
    """Return the summary of a flow, which has so many stored `conversations`.
    `document` is `None` for readers who may not see its file.
    """
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
    words: Mapping[str, str],
    parked: dict[str, int] | None = None,
    coverage: Coverage | None = None,
) -> FlowPage:
    """Return a flow with all that the graph and the flow page show, with guards in the `words` of a language.
    `document` is `None` where a program made the flow, and for readers who may not see it. `conversations` says how
    many there are, `parked` how many wait in each node.
    """
    graph = graph_of(machine.flow, tuple(machine.code.values()))
    names = list(arrow_names(graph, machine))
    return FlowPage(
        flow_summary(machine, document, conversations),
        graph_view(machine, graph, document, words),
        tuple(_nodes(machine, graph, names)),
        tuple([field_info(machine, name) for name in machine.fields]),
        document.text if document is not None else None,
        document.source.saved_ms or None if document is not None else None,
        tuple([diagnostic_view(one) for one in document.diagnostics]) if document is not None else (),
        parked or {},
        coverage,
        _levels(machine, graph, document, words),
        dict(reasons_of(machine)),
    )


def _levels(
    machine: Machine, graph: Graph, document: Document | None, words: Mapping[str, str]
) -> tuple[GraphLevel, ...]:
    return tuple(
        [
            GraphLevel(scope, title, parent, graph_view(machine, level, document, words))
            for scope, title, parent, level in levels_of(machine, graph)
        ]
    )


def flow_outline(machine: Machine, conversations: int) -> FlowPage:
    """Return a flow for readers who may not see its rules: its nodes, and which of them follow which.
    `conversations` says how many are stored.
    """
    graph = graph_of(machine.flow, tuple(machine.code.values()))
    works: list[dict[str, Any]] = [
        {"name": name, "title": "", "scope": scope_of(name), "description": "", "work": node.work, "transitions": []}
        for name, node in machine.nodes.items()
    ]
    summary = flow_summary(machine, None, conversations)
    levels = [
        GraphLevel(scope, local_name(scope) or title, parent, _bare(machine, level))
        for scope, title, parent, level in levels_of(machine, graph)
    ]
    return FlowPage(summary, _bare(machine, graph), tuple(works), (), levels=tuple(levels))


def _bare(machine: Machine, graph: Graph) -> GraphView:
    """Return a drawing as data with nodes and arrows, and nothing of what the flow says."""
    nodes = tuple([replace(_placed(machine, one), name="" if _is_mark(one) else one.name) for one in graph.vertices])
    ways = dict.fromkeys((arrow.source, arrow.target) for arrow in graph.arrows)
    edges = tuple([GraphEdge(f"e{number}", *way, "", "") for number, way in enumerate(ways)])
    return GraphView(nodes, edges, tuple([(one.id, one.name, one.parent) for one in graph.clusters]))


def _is_mark(vertex: Vertex) -> bool:
    return vertex.kind in KINDS_WITHOUT_NODE


def _placed(machine: Machine, vertex: Vertex) -> GraphNode:
    """Return a node with its place in the flow alone."""
    address = "" if _is_mark(vertex) else vertex.address
    opens = address if address in machine.scopes else ""
    return GraphNode(vertex.id, vertex.name, vertex.kind, parent=vertex.cluster, address=address, opens=opens)


def graph_view(machine: Machine, graph: Graph, document: Document | None, words: Mapping[str, str]) -> GraphView:
    """Return a drawing as data, with the lines of its parts in the document and guards in the `words` of a language."""
    nodes = tuple(
        [
            replace(
                _placed(machine, one),
                about=one.about,
                title=machine.nodes[one.address].node.title if one.address in machine.nodes else "",
                fields=one.fields,
                remarks=one.remarks,
                **_place_of(document.node_place(one.address) if document is not None and not _is_mark(one) else None),
            )
            for one in graph.vertices
        ]
    )
    clusters = tuple([(one.id, one.name, one.parent) for one in graph.clusters])
    return GraphView(nodes, tuple(_edges(machine, graph, document, words)), clusters)


def _condition(machine: Machine, arrow: Arrow, words: Mapping[str, str]) -> str:
    """Return the guard of a transition in words; empty for a Python function."""
    if not arrow.test or arrow.is_code:
        return ""
    node = arrow.node or (f"{arrow.frame}/" if arrow.frame else "")
    return rule_in_words(machine, None, node, arrow.test, words, shows_now=False)


def _edges(machine: Machine, graph: Graph, document: Document | None, words: Mapping[str, str]) -> Iterable[GraphEdge]:
    places: dict[tuple[str, str], int] = {}
    for number, (arrow, name) in enumerate(arrow_names(graph, machine)):
        declaring = arrow.frame, arrow.node
        place = places.get(declaring, 0)
        if arrow.moment and not arrow.is_entering:
            places[declaring] = place + 1
        yield GraphEdge(
            f"e{number}",
            arrow.source,
            arrow.target,
            name,
            arrow.action,
            arrow.moment,
            arrow.node,
            arrow.test,
            _condition(machine, arrow, words),
            arrow.because,
            arrow.priority,
            arrow.is_code,
            arrow.is_mirror,
            arrow.moment == "timer",
            arrow.remark,
            **_place_of(document.transition_place(arrow.node, place, name, arrow.frame) if document and name else None),
        )


def _place_of(place: PartPlace | None) -> dict[str, Any]:
    return {"line": place.line, "file": place.file} if place is not None and place.line else {}


def _nodes(machine: Machine, graph: Graph, names: Iterable[tuple[Arrow, str]]) -> Iterable[dict[str, Any]]:
    """Yield what there is to know about each node, with the guards of its transitions."""
    targets = {one.id: one.name if _is_mark(one) else one.address for one in graph.vertices}
    arrows = list(names)
    for name, linked in machine.nodes.items():
        own = [(arrow, id_) for arrow, id_ in arrows if arrow.node == name and id_]
        yield {
            "name": name,
            "title": linked.node.title,
            "scope": scope_of(name),
            "description": linked.node.description,
            "work": linked.work,
            "transitions": [
                {
                    "id": id_,
                    "moment": arrow.moment,
                    "target": targets.get(arrow.target, ""),
                    "because": arrow.because,
                    "guard": "" if arrow.is_code else arrow.test,
                }
                for arrow, id_ in own
            ],
        }


def field_info(machine: Machine, name: str) -> FieldInfo:
    """Return what editors of values need to know of a field: its title, type and limits."""
    field = machine.fields[name]
    bounds = [bound if isinstance(bound, int | float) else None for bound in (field.min, field.max)]
    options = tuple([option.value for option in field.options])
    kind = f"list of {field.of}" if field.type == "list" and field.of else str(field.type)
    return FieldInfo(
        name, machine.short_title(name), kind, options, field.secret, bool(field.value), bounds[0], bounds[1]
    )


def diagnostic_view(one: Diagnostic) -> DiagnosticView:
    """Return a problem of a document as clients receive it."""
    return DiagnosticView(
        one.code, one.severity, one.message, one.hint, one.span.file, one.span.line, max(1, one.span.column)
    )


def flow_source(document: Document | None, *, is_followed: bool, is_editable: bool = False) -> FlowSource:
    """Return the documents of a flow with their texts. `is_followed`: the server reloads the flow when a document
    changes. `is_editable`: the caller may edit the documents.
    """
    if document is None:
        return FlowSource((), is_followed, is_editable=False)
    files = tuple([source_file(one, document.file) for one in document.texts])
    return FlowSource(files, is_followed, is_editable)


_WRITTEN_AS: dict[str, SourceFormat] = {"dygram": "dygram", "json": "json"}


def source_file(source: SourceText, own: str) -> SourceFile:
    """Return a document of a flow with its text; `own` is the path of the flow's own document."""
    found = format_of(source.file)
    form: SourceFormat = _WRITTEN_AS.get(found.name, "yaml") if found is not None else "yaml"
    name = Path(os.path.relpath(source.file, Path(own).parent)).as_posix()
    return SourceFile(source.file, name, form, source.text, source.saved_ms, source.sha256, source.is_current)


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
