"""Walks over all nodes of a flow, those inside its scopes too, and over the models that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from turnwise.flow.diagnostic import Span
from turnwise.flow.model import Flow, Node


def every_node(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield all nodes, each before the nodes inside its scope. Those of a flow in another file are among them once it
    has been read.
    """
    for node in nodes:
        yield node
        if node.scope is not None:
            yield from every_node(node.scope.nodes)


def named_models(flow: Flow) -> Iterator[tuple[str, Span]]:
    """Yield each model that the flow, a node, a summary or a budget names, with the place of the name."""
    if flow.model:
        yield flow.model, flow.span.of("model")
    for budget in flow.limits.budgets:
        if budget.model:
            yield budget.model, budget.span.of("model")
    for node in every_node(flow.nodes):
        if node.model:
            yield node.model, node.span.of("model")
        if node.scope is not None and node.scope.summary.model:
            yield node.scope.summary.model, node.scope.span.of("summary.model")
