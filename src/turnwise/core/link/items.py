"""Resolves the records that lists name as their items, and reports records that no list can hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

from turnwise.core.link.builder import Builder
from turnwise.core.state.items import ID
from turnwise.flow.converters import copy_with
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Field, Flow, Node, Record, Scope, Tool
from turnwise.flow.model.words import ItemType
from turnwise.flow.walk import every_node

_TYPES = frozenset(get_args(ItemType))
_Records = Mapping[str, Record]


def with_items(flow: Flow) -> Flow:
    """Return the flow in which each field that is a list of records knows the fields of its items.
    Inside a scope, its own records come before those of the conversation around it.
    """
    if not any(_names_record(field) for field in _every_field(flow)):
        return flow
    known = {record.name: record for record in flow.records}
    return copy_with(
        flow,
        records=_of_records(flow.records, known),
        tools=tuple([_of_tool(tool, known) for tool in flow.tools]),
        events=_of_records(flow.events, known),
        nodes=_of_nodes(flow.nodes, known),
    )


def _every_field(flow: Flow) -> Iterable[Field]:
    for record in (*flow.records, *flow.events):
        yield from record.fields
    for tool in flow.tools:
        yield from tool.args
    for node in every_node(flow.nodes):
        if node.scope is not None:
            yield from node.scope.input
            for record in node.scope.records:
                yield from record.fields


def _names_record(field: Field) -> bool:
    return field.type == "list" and field.of is not None and field.of not in _TYPES


def _of_fields(fields: Iterable[Field], known: _Records) -> tuple[Field, ...]:
    return tuple([_of_field(field, known) for field in fields])


def _of_field(field: Field, known: _Records) -> Field:
    record = known.get(field.of) if field.of is not None and _names_record(field) else None
    return field if record is None else copy_with(field, parts=record.fields)


def _of_records(records: Iterable[Record], known: _Records) -> tuple[Record, ...]:
    return tuple([copy_with(record, fields=_of_fields(record.fields, known)) for record in records])


def _of_tool(tool: Tool, known: _Records) -> Tool:
    return copy_with(tool, args=_of_fields(tool.args, known)) if any(map(_names_record, tool.args)) else tool


def _of_nodes(nodes: Iterable[Node], known: _Records) -> tuple[Node, ...]:
    return tuple(
        [node if node.scope is None else copy_with(node, scope=_of_scope(node.scope, known)) for node in nodes]
    )


def _of_scope(scope: Scope, known: _Records) -> Scope:
    known = {**known, **{record.name: record for record in scope.records}}
    return copy_with(
        scope,
        input=_of_fields(scope.input, known),
        records=_of_records(scope.records, known),
        nodes=_of_nodes(scope.nodes, known),
    )


def check_items(builder: Builder, field: Field) -> None:
    """Report a list whose items have no type and no record, or a record that cannot be that of an item."""
    if not _names_record(field):
        return
    span = field.span.of("of")
    if not field.parts:
        if field.of not in builder.names.records:
            known = [*sorted(_TYPES), *builder.names.records]
            what = f"{', '.join(get_args(ItemType))}, and no record"
            builder.report("TW014", f"'{field.of}' is not one of {what}", span, nearest(field.of or "", known))
        else:
            builder.report("TW114", f"the record '{field.of}' has no fields, so no list has items of it", span)
        return
    for part in field.parts:
        fault = _fault(part)
        if fault:
            hint = _instead_of_options(field, part) if part.options_from is not None else ""
            builder.report("TW114", f"'{field.of}' cannot be an item of a list: {fault}", span, hint)
    if field.options:
        message = f"the items of '{field.name}' are of the record '{field.of}', so the list has no options"
        builder.report("TW042", message, field.span.of("options"), f"give options to the fields of '{field.of}'")


def _instead_of_options(field: Field, part: Field) -> str:
    """Return what to write where a field of an item has options from a list: a check of each item against the list."""
    assert part.options_from is not None
    source, own = part.options_from, f"{field.of}.{part.name}"
    is_of_record = bool(source.label or source.value)
    rule = (
        f"{source.list}.exists(one, one.{source.value or '…'} == {own})" if is_of_record else f"{own} in {source.list}"
    )
    return f"check each item against the list: {part.name}: {{type: string, validate: '{rule}'}}"


def _fault(part: Field) -> str:
    """Return why a record with this field cannot be an item, empty if it can."""
    if part.name == ID:
        return "its field 'id' has the name under which each item has its own id"
    if part.options_from is not None:
        return f"its field '{part.name}' has options from a list, which items do not have"
    if part.secret:
        return f"its field '{part.name}' is secret; make the whole list secret instead"
    if part.names:
        return f"its field '{part.name}' names the conversation, and one of many items cannot"
    if part.value:
        return f"its field '{part.name}' is derived; compute it where the list is read, as in sum() or a text"
    if part.type in ("answers", "question") or part.of == "question" or _names_record(part):
        kind = f"a list of {part.of}" if part.type == "list" else f"of type {part.type}"
        return f"its field '{part.name}' is {kind}, and an item has plain values and lists of them"
    return ""
