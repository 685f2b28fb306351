"""Runs the tools `read_<record>` and `write_<record>`, by which a model reads and writes records (law 4.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec.structs import replace

from turnwise.core.addresses import local_name
from turnwise.core.commands import accept
from turnwise.core.decision.faults import RefusedCall, write_fault
from turnwise.core.guards.types import unset_value
from turnwise.core.linked_form import Question
from turnwise.core.machine import Machine
from turnwise.core.state import Fault, State, ValueOrigin
from turnwise.core.state import commands as c
from turnwise.core.state.events import CommandRefused, FieldCleared, FieldSet
from turnwise.core.state.items import ID
from turnwise.core.state.kinds import CommandRefusal
from turnwise.core.turn import StepBuilder
from turnwise.core.values import REDACTED, Refused, is_empty, item_field, read_value
from turnwise.core.values.from_model import as_declared, as_items, list_in, object_in
from turnwise.core.values.json_data import as_list
from turnwise.flow.addresses import field_of
from turnwise.flow.diagnostic import nearest

RecordAnswer = dict[str, Any]
"""The arguments or the result of a generated tool of a record: values by name."""


def read(
    machine: Machine, state: State, record: str, addresses: tuple[str, ...], arguments: RecordAnswer
) -> RecordAnswer | RefusedCall:
    """Return the values of the requested fields of a record, or of all that the model may read (`addresses`), by name,
    `null` if missing; or the refusal.
    """
    names = [field_of(address) for address in addresses]
    given = list_in(arguments.get("fields")) or None
    wanted = names if given is None else as_list(given) or [given]
    unknown = [str(name)[:60] for name in wanted if name not in names]
    unknown += [key[:60] for key in arguments if key != "fields"]
    if unknown:
        return RefusedCall(
            "arguments", f"'{unknown[0]}' cannot be read in '{local_name(record)}'; readable are: {', '.join(names)}"
        )
    data = {str(name): _readable_value(machine, state, f"{record}.{name}") for name in wanted}
    return {"success": True, "context": local_name(record), "data": data}


def _readable_value(machine: Machine, state: State, address: str) -> Any:
    found = state.values.get(address)
    value = unset_value(machine.fields[address]) if found is None else found.value
    return REDACTED if value is not None and machine.fields[address].secret else value


def write(
    step: StepBuilder, record: str, addresses: tuple[str, ...], arguments: RecordAnswer
) -> RecordAnswer | Refused:
    """Write fields of a record, of which the model may write those at `addresses`, each value validated: all of them,
    or none if one is refused. Return the result, or the refusal.
    """
    mark = step.savepoint()
    written: dict[str, None] = {}
    for name, how, given in _changes(arguments):
        wrong = Refused("write", how) if given is _WRONG else _write_one(step, record, name, addresses, how, given)
        if wrong is not None:
            step.roll_back_to(mark)
            return replace(wrong, reason="write")
        written[name] = None
    if not written:
        return Refused("write", "nothing was given to write: name fields under 'set'")
    values = {name: _readable_value(step.machine, step.state, f"{record}.{name}") for name in written}
    return {"success": True, "context": local_name(record), "written": list(written), "values": values}


_WRONG = object()


def _changes(arguments: RecordAnswer) -> Iterator[tuple[str, str, Any]]:
    """Yield each requested change: field name, `set`, `add`, `change` or `remove`, and value."""
    ways = {"data": "set", "set": "set", "add": "add", "change": "change", "remove": "remove"}
    for key, given in arguments.items():
        values = object_in(given)
        if key not in ways:
            yield "", f"there is no '{key[:60]}' here; give fields under 'set', 'add', 'change' or 'remove'", _WRONG
        elif values is None:
            yield "", f"'{key}' takes an object with a value per field", _WRONG
        else:
            yield from [(name, ways[key], value) for name, value in values.items()]


def _write_one(
    step: StepBuilder, record: str, name: str, addresses: tuple[str, ...], how: str, given: Any
) -> Refused | None:
    """Change one field; return the refusal, if any."""
    address = f"{record}.{name}"
    if address not in addresses:
        own = [field_of(one) for one in addresses]
        if address in step.machine.fields:
            text = f"'{name}' of '{record}' may not be written here; these may: {', '.join(own)}"
            return Refused("write", text, subject=address)
        return Refused("write", f"'{record}' has no field '{name[:60]}'; {nearest(name[:60], own)}".rstrip("; "))
    if how != "set" and step.machine.fields[address].parts:
        return _change_items(step, address, how, given)
    given, sent = (
        as_declared(step.machine.fields[address], given, step.rules) if how == "set" else given,
        given,
    )
    if isinstance(given, Refused):
        return replace(given, text=f"{name}: {given.text}", subject=address, value=sent)
    if how == "set" and is_empty(given):
        step.emit(FieldCleared(address, "tool"))
        return None
    value = given if how == "set" else _changed_list(step, address, how, given)
    if value == [] and how == "remove":
        step.emit(FieldCleared(address, "tool"))
        return None
    stored = value if isinstance(value, Refused) else accept(step.machine, step.state, address, value)
    if isinstance(stored, Refused):
        return replace(stored, text=f"{name}: {stored.text}", subject=address, value=given)
    step.emit(FieldSet(address, stored, "tool"))
    return None


def fault_of(machine: Machine, state: State, tool: str, refused: Refused) -> Fault:
    """Return the failure for a write by a tool that was refused."""
    if refused.subject not in machine.fields:
        return Fault("write", refused.text, tool)
    fault = write_fault(machine, state, refused.subject, refused.value, refused)
    return Fault("write", refused.text, tool, fault.subject, fault.value, fault.bound)


class _ByTool:
    """What the commands on items need, where a model gives them by a tool."""

    how: ValueOrigin = "tool"
    questions: Mapping[str, Question] = {}

    def __init__(self, step: StepBuilder) -> None:
        self.step = step

    def unasked_secret(self, address: str) -> Literal[""]:  # noqa: ARG002  as `Fields` has it
        """Refuse nothing: the node allows the field."""
        return ""

    def was_changed_elsewhere(self, address: str) -> bool:  # noqa: ARG002
        """Return false: no message is understood here."""
        return False

    def words_of(self, command: c.AnyCommand) -> None:
        """Return that there are no words."""

    def hide(self, address: str, words: tuple[int, int] | None) -> None:
        """Hide nothing: there are no words."""

    def refuse(self, command: c.AnyCommand, reason: CommandRefusal, field: str = "") -> None:
        """Refuse a command."""
        self.step.emit(CommandRefused(c.name_of(command), reason, field))


def _change_items(step: StepBuilder, address: str, how: str, given: Any) -> Refused | None:
    """Change items of a list of records, as if by commands; return the first refusal, which names its item."""
    name = field_of(address)
    found = list_in(given)
    several = as_list(found) if object_in(found) is None else [found]
    items = [given] if several is None else several
    from turnwise.core.commands.items import ItemInterpreter

    interpreter = ItemInterpreter(_ByTool(step), address, step.machine.fields[address])
    for number, item in enumerate(items, 1):
        for command in _item_commands(address, how, item):
            if interpreter.apply(command) is None:
                event = step.entries[-1].event
                text = event.text if isinstance(event, CommandRefused) else ""
                place = f"entry {number}: " if len(items) > 1 else ""
                return Refused("write", f"{name}: {place}{text}", subject=address, value=given)
    return None


def _item_commands(address: str, how: str, item: Any) -> Iterator[c.ItemCommand]:
    """Yield the commands of one entry: an item that is added, one that is changed by its id, or one that leaves."""
    values = object_in(item)
    id_ = values.get(ID) if values is not None else None
    if how == "add":
        yield c.Add(field=address, item=item if values is None else {**values, ID: None})
    elif how == "remove":
        yield c.Remove(field=address, item=id_ if id_ is not None else item if values is None else values)
    elif values is None or not isinstance(id_, str | int):
        yield c.Change(field=address, item=str(id_ or item)[:60], name="")
    else:
        yield from (
            c.Change(field=address, item=id_, name=name, value=one) for name, one in values.items() if name != ID
        )


def _changed_list(step: StepBuilder, address: str, how: str, given: Any) -> list[Any] | Refused:
    """Return the list of a field with items added or removed."""
    field = step.machine.fields[address]
    if field.type != "list":
        return Refused("list", "is no list; use 'set'")
    found = step.state.values.get(address)
    items: list[Any] = list(found.value) if found is not None else []
    several = as_list(list_in(given))
    read = as_items(field, [given] if several is None else several, step.rules)
    if isinstance(read, Refused):
        return read
    for one in read:
        item = read_value(item_field(field), one, step.rules)
        if isinstance(item, Refused):
            return item
        items = [*items, item] if how == "add" else [other for other in items if other != item]
    return items
