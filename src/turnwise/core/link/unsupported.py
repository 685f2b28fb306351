"""What this version cannot run yet: each construct gets a diagnostic that names it, none is ignored."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.core.link.builder import Builder
from turnwise.flow.diagnostic import Span
from turnwise.flow.model import Flow, Keep, Node, Retry, Transition

_MISSING = "is not run by this version"
_PARTLY = "has no effect in this version"


def check(builder: Builder) -> None:
    """Report every construct that would be read and then ignored."""
    flow = builder.flow
    for name, span in _in_flow(flow):
        builder.report("TW090", f"'{name}' {_MISSING}", span)
    for node in flow.nodes:
        for name, span in _in_node(node):
            builder.report("TW090", f"'{name}' {_MISSING}", span)
        for name in _parts_of_node(node):
            builder.report("TW091", f"'{name}' {_PARTLY}: the model is given no tools yet", node.span.of(name))
        if node.retry != Retry() or node.timeout_s is not None:
            key = "retry" if node.retry != Retry() else "timeout"
            builder.report("TW091", f"'{key}' {_PARTLY}", node.span.of(key))
    for name, is_set in (("model", bool(flow.model)), ("keep", flow.keep != Keep())):
        if is_set:
            builder.report("TW091", f"'{name}' {_PARTLY}", flow.span.of(name))


def _in_flow(flow: Flow) -> Iterator[tuple[str, Span]]:
    parts = ("autonomous", "mcp", "overlays", "schedules", "imports")
    yield from ((name, flow.span.of(name)) for name in parts if getattr(flow, name))
    if flow.commands.start or "start" in flow.commands.names:
        yield "start", flow.commands.span
    for record in flow.records:
        yield from (("value", field.span.of("value")) for field in record.fields if field.value)
    for transition in flow.transitions:
        yield from _in_transition(transition)


def _in_node(node: Node) -> Iterator[tuple[str, Span]]:
    yield from ((name, node.span.of(name)) for name in ("scope", "tool", "offer") if getattr(node, name))
    if node.collect is not None:
        if node.collect.mode == "form":
            yield "mode: form", node.collect.span.of("mode")
        if node.collect.expose == "next":
            yield "expose: next", node.collect.span.of("expose")
    if node.form is not None:
        if node.form.questions:
            yield "questions", node.form.span.of("questions")
        if node.form.wording == "model":
            yield "wording: model", node.form.span.of("wording")
    for transition in node.transitions:
        yield from _in_transition(transition)


def _in_transition(transition: Transition) -> Iterator[tuple[str, Span]]:
    if transition.call:
        yield "call", transition.span.of("call")
    if transition.return_:
        yield "return", transition.span.of("return")
    if transition.at == "choice":
        yield "at: choice", transition.span.of("at")


def _parts_of_node(node: Node) -> Iterator[str]:
    for name in ("tools", "reads", "writes"):
        if getattr(node, name):
            yield name
    if node.model:
        yield "model"
