"""Puts the flow of another document into a scope: its nodes, records, transitions and voice hold inside (law 6.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.flow.converters import copy_with
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.model import Flow, Node, Settings
from turnwise.flow.model.words import INPUT
from turnwise.flow.shapes import SHAPES

_SHARED = ("tools", "mcp")
"""Parts of a flow that all its scopes share."""
_INSIDE = ("records", "nodes", "transitions", "start", "persona", "prompt", "model", "settings", "guard_reply")
_TAKEN_OVER = frozenset({*_INSIDE, *_SHARED, "description", "imports"})
_ABOUT_IT = frozenset({"name", "title", "version"})
_OF_CONVERSATIONS = frozenset({"commands", "schedules", "overlays"})
"""What belongs to a whole conversation, and cannot be meant for an inner one."""


def node_with_flow(node: Node, flow: Flow, around: Flow) -> tuple[Node, list[Diagnostic]]:
    """Return a node with a flow as its scope, and the problems of both; `around` is the flow of the node."""
    scope = node.scope
    assert scope is not None
    given = next((record for record in flow.records if record.name == INPUT), None)
    faults = [*_excluded(node, has_input=given is not None), *_without_effect(flow, around)]
    held = copy_with(
        scope,
        flow="",
        start=flow.start,
        start_span=flow.span.of("start"),
        nodes=tuple([_with_model(inner, flow) for inner in flow.nodes]),
        records=tuple([record for record in flow.records if record.name != INPUT]),
        transitions=flow.transitions,
        input=given.fields if given is not None else scope.input,
    )
    node = copy_with(
        node,
        scope=held,
        persona=node.persona or flow.persona,
        prompt=node.prompt or flow.prompt,
        description=node.description or flow.description,
    )
    return node, faults


def shared_parts(flow: Flow) -> Iterator[tuple[str, Any]]:
    """Yield the parts of a flow that the flow around it must hold too, each with the name of its section."""
    for section in _SHARED:
        for part in getattr(flow, section):
            yield section, part


def _with_model(node: Node, flow: Flow) -> Node:
    """Return a node with the model of the flow in which it was written, as far as it has none of its own."""
    settings = flow.settings.given() | node.settings.given()
    return copy_with(
        node,
        model=node.model or flow.model,
        settings=Settings(**settings) if settings else node.settings,
        guard_reply=node.guard_reply or flow.guard_reply,
    )


def _excluded(node: Node, *, has_input: bool) -> Iterator[Diagnostic]:
    """Yield what a scope has beside the flow that it names, and may not have."""
    scope = node.scope
    assert scope is not None
    for key in ("start", "nodes", "records", "transitions", *(("input",) if has_input else ())):
        if getattr(scope, key):
            message = f"the scope of '{node.name}' has '{key}', and '{scope.flow}' has its own"
            yield problem("TW015", message, scope.span.of(key), f"leave '{key}' or 'flow' out")


def _without_effect(flow: Flow, around: Flow) -> Iterator[Diagnostic]:
    """Yield the keys of a flow that mean nothing inside another one, unless that one has the same value."""
    for key, attribute, _, default in SHAPES["Flow"].written:
        value = getattr(flow, attribute)
        if attribute in _TAKEN_OVER | _ABOUT_IT or value in (default, getattr(around, attribute)):
            continue
        span, place = flow.span.of(key), f"where '{flow.name}' runs as a scope of '{around.name}'"
        if attribute in _OF_CONVERSATIONS:
            message = f"'{key}' is for whole conversations, and cannot stand {place}"
            yield problem("TW094", message, span, f"write it in '{around.name}'")
        else:
            yield problem("TW099", f"'{key}' has no effect {place}", span, "the other flow says it for all")
