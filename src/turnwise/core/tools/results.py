"""Stores the results of tools in the records and fields that `into` names (law 4.3a)."""

from __future__ import annotations

from typing import Any

from turnwise.core.commands import accept
from turnwise.core.decision.faults import write_fault
from turnwise.core.machine import Machine
from turnwise.core.state import Fault
from turnwise.core.state.events import FieldCleared, FieldSet
from turnwise.core.turn import StepBuilder
from turnwise.core.values import Refused, is_empty
from turnwise.core.values.json_data import as_object
from turnwise.flow.addresses import field_of


def store(step: StepBuilder, tool: str, into: str, result: Any) -> Fault | None:
    """Write a result to the field `into`, or its parts to the fields of the record `into`; return a failure, if any.
    All parts are written, or none. `null` changes nothing.
    """
    values = _values(step.machine, into, result)
    if values is None:
        return Fault("write", f"'{tool}' gave no object, and its result belongs into '{into}'", subject=into)
    mark = step.savepoint()
    for address, value in values.items():
        if value is None:
            continue
        if is_empty(value):
            step.emit(FieldCleared(address, "tool"))
            continue
        stored = accept(step.machine, step.state, address, value)
        if isinstance(stored, Refused):
            step.roll_back_to(mark)
            return write_fault(step.machine, step.state, address, value, stored)
        step.emit(FieldSet(address, stored, "tool"))
    return None


def store_of_call(step: StepBuilder, tool: str, result: Any) -> None:
    """Store the result of a call of the model, or of a use that the program reports; warn if it does not fit.
    Then it is not stored; the caller has its result.
    """
    into = step.node.result_targets.get(tool, "")
    fault = store(step, tool, into, result) if into else None
    if fault is None:
        return
    found = _values(step.machine, into, result)
    fields = (fault.subject, *found) if found is not None else destinations(step.machine, into)
    message = f"the result of '{tool}' was not stored in '{into}': {fault.message}"
    step.warn("result_not_stored", message, tuple(dict.fromkeys(fields)))


def destinations(machine: Machine, into: str) -> tuple[str, ...]:
    """Return the addresses that a result may fill: the field `into`, or that record's fields that are not derived."""
    fields = machine.names.records.get(into)
    if fields is None:
        return (into,) if into in machine.fields else ()
    return tuple([f"{into}.{name}" for name, field in fields.items() if not field.value])


def _values(machine: Machine, into: str, result: Any) -> dict[str, Any] | None:
    """Return the value for each field; `None` if the result has no parts, and a record takes them."""
    if into not in machine.names.records:
        return {into: result}
    parts = as_object(result)
    if parts is None:
        return None
    return {one: parts[field_of(one)] for one in destinations(machine, into) if field_of(one) in parts}
