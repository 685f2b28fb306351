"""What a tool may return that is the work of a node: values of its record that the rules on the way read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.guards.types import value_text
from turnwise.core.machine import Machine
from turnwise.core.phrase import joined, phrase
from turnwise.core.state import State
from turnwise.core.state.effects import RunTool
from turnwise.core.tools.results import destinations
from turnwise.core.values import REDACTED
from turnwise.flow.addresses import field_of
from turnwise.why.ways.acts import Acts


def fields_decided_by(acts: Acts, state: State, effect: RunTool) -> tuple[str, ...]:
    """Return the fields that store the result of a tool call and decide where the conversation goes; `effect` requests
    the call.
    """
    into = destination(acts.machine, state, effect)
    return tuple([name for name in destinations(acts.machine, into) if name in acts.matters]) if into else ()


def destination(machine: Machine, state: State, effect: RunTool) -> str:
    """Return the record or field that stores the result of a tool call; empty if none does."""
    node = machine.nodes[state.node]
    if effect.call:
        return node.result_targets.get(effect.tool, "")
    return node.tool.result_target if node.tool is not None and node.tool.tool.tool.name == effect.tool else ""


def possible_results(acts: Acts, state: State, fields: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield results with a value for each field: first the likeliest values, then each other value of one field."""
    values = {name: acts.values_of_results(state, name) for name in fields}
    likely = {name: found[0] for name, found in values.items() if found}
    if likely:
        yield likely
    for name, found in values.items():
        yield from ({**likely, name: other} for other in found[1:])


def as_returned(machine: Machine, into: str, values: dict[str, Any]) -> Any:
    """Return the tool result that, stored in the field or record `into`, sets fields to these values: the value of a
    field, or the parts of a record.
    """
    if into not in machine.names.records:
        return values[into]
    return {field_of(name): value for name, value in values.items()}


def result_in_words(machine: Machine, tool: str, result: dict[str, Any]) -> str:
    """Return an assumed tool result in words: `find_policy returns limit = 5000`, without secret values."""
    fields = {name: machine.fields[name] for name in result}
    parts = [
        f"{field_of(name)} = {REDACTED if field.secret else value_text(result[name], field)}"
        for name, field in fields.items()
    ]
    return phrase("{tool} returns {parts}", tool=tool, parts=joined(parts, ", "))
