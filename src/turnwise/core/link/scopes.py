"""Links scopes (laws 6.1, 6.2): what stands inside one is linked as a flow of its own, in which other names hold.

Names inside are qualified with the name of the scope, so that all nodes and fields of a machine are in one table.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from msgspec.structs import replace

from turnwise.core.link import contracts, names, transitions
from turnwise.core.link.builder import Builder
from turnwise.core.linked_scope import Copied, LinkedScope
from turnwise.core.state.effects import ToolSpec
from turnwise.core.template import Template
from turnwise.core.toolbox import LinkedTool
from turnwise.core.values.schema import object_schema
from turnwise.flow import model
from turnwise.flow.addresses import record_of
from turnwise.flow.converters import copy_with
from turnwise.flow.diagnostic import nearest
from turnwise.flow.frozen import make
from turnwise.flow.model.words import INPUT

INHERITED_MESSAGE = "message"
"""The word in `inherits` by which a scope sees the user's message that opened it."""
SUMMARY_INSTRUCTION = "Summarise this conversation: what the user wants, and what was agreed."
"""The instructions for a summary that names a model and no prompt."""
_INSIDE = ("form", "prompt", "entry", "collect", "reads", "writes", "tools", "transcript")
"""Keys of a node with a scope that work inside it."""


def without_inside(node: model.Node) -> model.Node:
    """Return a node without the inside of its scope."""
    if node.scope is None:
        return node
    own = node.form is not None or bool(node.prompt)
    return copy_with(
        node,
        form=None,
        prompt="",
        entry="" if own else node.entry,
        collect=None,
        reads=(),
        writes=(),
        tools=None,
        transcript=None,
    )


def inner_builder(builder: Builder, node: model.Node, scope: model.Scope) -> Builder:
    """Return the builder that links the inside of a scope; report what the scope lacks."""
    names.check_inside(builder, scope)
    _check(builder, node, scope)
    flow = _inner_flow(builder, node, scope)
    place = builder.names.node(node.name)
    own = names.declared_names(flow, builder.rules, builder.unreadable)
    known = replace(
        own,
        records={**_inherited(builder, scope), **own.records},
        places={
            **{name: builder.names.address(name) for name in _inherited(builder, scope)},
            **{name: f"{place}/{name}" for name in own.records},
        },
        prefix=f"{place}/",
        tools=own.tools | builder.names.tools | {finish_name(node)},
        bare={**builder.names.bare, **own.bare},
        read_only=frozenset(_inherited(builder, scope)) - {scope.returns},
    )
    inner = Builder(flow, builder.rules, names.with_computed_secrets(known), builder.code, builder.unreadable)
    inner.diagnostics = builder.diagnostics
    inner.outer = builder
    inner.has_own_persona = builder.has_own_persona or bool(node.persona)
    return inner


def _inherited(builder: Builder, scope: model.Scope) -> Mapping[str, Mapping[str, model.Field]]:
    known = builder.names.records
    return {name: known[name] for name in scope.inherits if name in known}


def _inner_flow(builder: Builder, node: model.Node, scope: model.Scope) -> model.Flow:
    """Return what stands inside a scope as a flow: its nodes, and the records that belong to it."""
    flow = builder.flow
    records = [one for one in scope.records if one.name == scope.returns or one.name not in scope.inherits]
    owner = contracts.owner_of(builder, scope.returns)
    if owner is not None and scope.returns not in {one.name for one in records}:
        fields = tuple(owner.records[scope.returns].values())
        records.append(make(model.Record, name=scope.returns, fields=fields, span=scope.span.of("returns")))
    if scope.input:
        records.append(make(model.Record, name=INPUT, fields=scope.input, span=scope.span.of("input")))
    own = copy_with(
        node,
        name="form" if node.form is not None else "prompt",
        description="",
        scope=None,
        enter_when="",
        set={},
        set_on_leave={},
        offer=None,
        once="",
        end="",
        transitions=(),
    )
    nodes = scope.nodes or ((own,) if _has_work(node) else ())
    return copy_with(
        flow,
        records=tuple(records),
        nodes=nodes,
        transitions=scope.transitions,
        start=scope.start or (nodes[0].name if nodes else ""),
        persona=node.persona or flow.persona,
        prompt=(node.prompt if scope.nodes else "") or flow.prompt,
    )


def _has_work(node: model.Node) -> bool:
    return node.form is not None or bool(node.prompt or node.collect or node.tools)


def _check(builder: Builder, node: model.Node, scope: model.Scope) -> None:
    """Report names that do not exist, keys that exclude each other, and a scope with nothing inside."""
    span, known = scope.span, builder.names.records
    for number, name in enumerate(scope.inherits):
        if name not in known and name != INHERITED_MESSAGE:
            hint = _whole_record(name, known) or nearest(name, [*known, INHERITED_MESSAGE])
            builder.report("TW020", f"no record is called '{name}'", span.of(f"inherits.{number}"), hint)
    if scope.returns and contracts.owner_of(builder, scope.returns) is None:
        hint = _whole_record(scope.returns, known) or nearest(scope.returns, known)
        builder.report("TW020", f"no record is called '{scope.returns}'", span.of("returns"), hint)
    for record in scope.records:
        if record.name in (INPUT, INHERITED_MESSAGE):
            builder.report("TW017", f"the scope already knows something as '{record.name}'", record.span)
    contracts.check_shared_records(builder, scope)
    inside = [key for key in _INSIDE if getattr(node, key) and key not in ("prompt", "entry")]
    for key in inside if scope.nodes else ():
        message = f"'{key}' of '{node.name}' works inside its scope, and the scope has nodes of its own"
        builder.report(
            "TW094", message, node.span.of(key), f"give it to one of {', '.join(n.name for n in scope.nodes)}"
        )
    if not scope.nodes and not scope.flow and not _has_work(node) and not builder.is_unreadable(span):
        hint = "give the scope nodes, or the node a form or a prompt"
        builder.report("TW094", f"the scope of '{node.name}' has nothing inside", span, hint)
    if scope.nodes and not scope.start and not builder.is_unreadable(span):
        builder.report("TW018", f"the scope of '{node.name}' does not say where it starts", scope.start_span or span)
    elif scope.start and scope.nodes and scope.start not in {one.name for one in scope.nodes}:
        hint = nearest(scope.start, [one.name for one in scope.nodes])
        message = f"the scope starts at '{scope.start}', which no node in it is called"
        builder.report("TW018", message, scope.start_span or span.of("start"), hint)


def _whole_record(name: str, records: Container[str]) -> str:
    """Return what to write for the address of a field where a record is meant; empty for any other name."""
    return f"write '{record_of(name)}', the record" if record_of(name) in records else ""


def _into(builder: Builder, scope: model.Scope) -> str:
    """Return the address of the list that takes what a scope gives back as an item; report one that cannot."""
    if not scope.into:
        return ""
    span = scope.span.of("into")
    if not scope.returns:
        builder.report("TW094", "a scope with 'into' gives back a record", span, "name it under 'returns'")
        return ""
    field = builder.written_field(scope.into, span)
    if field is None:
        return ""
    if not field.parts or field.of != scope.returns:
        message = f"'{scope.into}' is no list of the record '{scope.returns}'"
        builder.report("TW094", message, span, f"{{type: list, of: {scope.returns}}}")
        return ""
    return builder.names.address(scope.into)


def finish_name(node: model.Node) -> str:
    """Return the name of the generated tool with which a model closes the scope of a node."""
    return f"finish_{node.name}"


def link_scope(builder: Builder, node: model.Node, scope: model.Scope, inner: Builder) -> LinkedScope:
    """Return a compiled scope, with its texts and limits; its nodes are compiled by `inner`."""
    place, known = builder.names.node(node.name), inner.names
    outer = contracts.owner_of(builder, scope.returns) or builder.names
    returned = tuple(
        Copied(known.address(f"{scope.returns}.{name}"), outer.address(f"{scope.returns}.{name}"))
        for name, field in known.records.get(scope.returns, {}).items()
        if not field.value and scope.returns
    )
    return LinkedScope(
        name=place,
        names=known,
        flow_candidates=transitions.of_flow(inner),
        enter_candidates=transitions.of_entering(inner),
        start=known.node(inner.flow.start),
        scope=scope,
        input={known.address(f"{INPUT}.{field.name}"): field for field in scope.input},
        copied_in=returned if scope.returns in scope.inherits else (),
        returned=returned,
        target_list=_into(builder, scope),
        takes_message=INHERITED_MESSAGE in scope.inherits,
        summary=inner.optional(scope.summary.template, scope.span.of("summary")),
        summary_prompt=_summary_prompt(scope, inner),
        finish=_finish(node, inner),
        opener=names.opener_tool(node),
        turns=scope.limits.turns,
        idle_ms=None if scope.limits.idle_s is None else round(scope.limits.idle_s * 1000),
        tokens=scope.limits.tokens,
        keep_ms=None if scope.keep_s is None else round(scope.keep_s * 1000),
    )


def _summary_prompt(scope: model.Scope, inner: Builder) -> Template | None:
    """Return the instructions for the summary of a scope, where a model writes it."""
    if not scope.summary.is_by_model:
        return None
    return inner.prompt(scope.summary.prompt or SUMMARY_INSTRUCTION, scope.span.of("summary"))


def _finish(node: model.Node, inner: Builder) -> LinkedTool | None:
    """Return the tool that closes a scope which only a model can close: one with a prompt and nothing else."""
    scope = node.scope
    if scope is None or scope.nodes or node.form is not None:
        return None
    fields = tuple(field for field in inner.names.records.get(scope.returns, {}).values() if not field.value)
    about = f"call this when the task is done: {node.description or node.name.replace('_', ' ')}"
    args = tuple(copy_with(field, optional=True) for field in fields)
    tool = make(model.Tool, name=finish_name(node), about=about, args=args, span=scope.span)
    return LinkedTool(tool, {arg.name: arg for arg in args}, ToolSpec(tool.name, about, object_schema(args)))
