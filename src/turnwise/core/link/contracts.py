"""Checks that a record which is declared again inside a scope agrees with the record of that name around it, in the
fields that the scope reads or fills.
"""

from __future__ import annotations

from turnwise.core.guards.scope import Names
from turnwise.core.link.builder import Builder
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import Field, Scope


def check_shared_records(builder: Builder, scope: Scope) -> None:
    """Report fields of records shared with a scope that the surrounding conversation lacks or types differently."""
    for record in scope.records:
        owner = owner_of(builder, record.name)
        reads, fills = record.name in scope.inherits, record.name == scope.returns
        if owner is None or not (reads or fills):
            continue
        around = owner.records[record.name]
        for field in record.fields:
            if field.name in around:
                _check_field(builder, record.name, field, around[field.name], reads=reads, fills=fills)
            elif reads or not field.value:
                message = f"'{record.name}' has no field '{field.name}' around the scope"
                builder.report("TW094", message, field.span, nearest(field.name, around))


def _check_field(builder: Builder, record: str, inner: Field, outer: Field, *, reads: bool, fills: bool) -> None:
    fault = _fault(inner, outer, reads=reads, fills=fills)
    if fault:
        where = f"the other stands at {outer.span}" if outer.span.line else ""
        builder.report("TW094", f"'{record}.{inner.name}' {fault}", inner.span, where)


def owner_of(builder: Builder, record: str) -> Names | None:
    """Return the names of the nearest surrounding frame that has a record; `None` if none has it."""
    found: Builder | None = builder
    while found is not None:
        if record in found.names.records:
            return found.names
        found = found.outer
    return None


def _fault(inner: Field, outer: Field, *, reads: bool, fills: bool) -> str:
    """Return why a value cannot go from one field to the other; empty where it can."""
    here, there = _kind(inner), _kind(outer)
    if here != there:
        return f"has the type {here} in the scope, and {there} around it"
    if fills and outer.value and not inner.value:
        return "is derived around the scope, which cannot give it back"
    if fills and inner.secret and not outer.secret:
        return "is secret in the scope, and not around it"
    mine, others = [option.value for option in inner.options], [option.value for option in outer.options]
    unknown = [one for one in mine if fills and others and one not in others]
    unknown += [one for one in others if reads and mine and one not in mine]
    return f"has the option {unknown[0]!r} only on one side of the scope" if unknown else ""


def _kind(field: Field) -> str:
    return f"list of {field.of or 'string'}" if field.type == "list" else field.type
