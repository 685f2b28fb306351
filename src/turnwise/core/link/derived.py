"""Derived fields (law 1.5): an expression over other fields, in an order in which each finds what it reads."""

from __future__ import annotations

from turnwise.core.link.builder import Builder
from turnwise.core.machine import Derived
from turnwise.flow.model import Field


def link_derived(builder: Builder) -> tuple[Derived, ...]:
    """The derived fields, each behind those that it reads."""
    made: dict[str, Derived] = {}
    fields: dict[str, Field] = {}
    for record in builder.flow.records:
        for field in record.fields:
            address = f"{record.name}.{field.name}"
            found = _derived(builder, address, field) if field.value else None
            if found is not None:
                made[address], fields[address] = found, field
    order: dict[str, Derived] = {}
    for address in made:
        _place(builder, address, made, fields, order)
    return tuple(order.values())


def _derived(builder: Builder, address: str, field: Field) -> Derived | None:
    span = field.span.of("value")
    if field.default is not None:
        builder.report("TW019", f"'{field.name}' is derived, so it has no default", field.span.of("default"))
    found = builder.derived(field, field.value, span)
    if found is None:
        return None
    value, refs = found
    others = [ref.key for ref in refs if not ref.address]
    if others:
        message = f"'{field.name}' is derived from fields only, and reads '{others[0]}'"
        builder.report("TW019", message, span, "it is worked out anew when a field changes, and never else")
        return None
    return Derived(address, field, value, tuple([ref.address for ref in refs]))


def _place(
    builder: Builder, start: str, made: dict[str, Derived], fields: dict[str, Field], order: dict[str, Derived]
) -> None:
    """Put a field behind those that it reads; one that reads itself, by however many others, is an error."""
    path: dict[str, int] = {start: 0}
    while path:
        address = next(reversed(path))
        reads = [one for one in made[address].reads if one in made and one not in order]
        again = next((one for one in reads if one in path), None)
        if again is not None:
            circle = " → ".join([*list(path)[list(path).index(again) :], again])
            builder.report("TW019", f"'{again}' is derived from itself: {circle}", fields[again].span.of("value"))
            order[address] = made[address]
            path.popitem()
        elif reads:
            path[reads[0]] = 0
        else:
            order[address] = made[address]
            path.popitem()
