"""Shows lists of records to a model, with the commands about their items, and reads the commands that it proposes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.commands.item_support import items_of
from turnwise.core.state.items import ID, is_id
from turnwise.core.values.from_model import object_in
from turnwise.core.values.json_data import as_object
from turnwise.core.values.schema import object_schema, value_schema
from turnwise.flow.converters import copy_with
from turnwise.flow.model import Field, Option

ITEM_RULES = """For a list of items give one command for each item, and for each value that changes: `add` with the \
values of a new item (only those that the message says), `change` with the `name` of one value, `remove`, `move` with \
the place `to`, `copy` for "the same again". Name an item by its id. Where the message does not say which of several \
it means, name it by the values that it says, and do not choose one."""
"""What a model is instructed to do with lists of items."""
_WHICH = "which item: its id, its place from 1 (-1 is the last), or values that it has"


def lists_of_items(allowed: AllowedInput) -> list[AllowedField]:
    """Return those allowed fields that are lists of records."""
    return [field for field in allowed.fields if field.field.parts]


def options_text(options: Iterable[Option]) -> str:
    """Return the options of a field as text, each with its synonyms."""
    texts = [option.value + (f" (also: {', '.join(option.words)})" if option.words else "") for option in options]
    return ", ".join(texts)


def list_text(field: AllowedField) -> str:
    """Return a list of records as text: the fields of an item, and the current items."""
    lines = [f"- {field.address} (list of items): {field.title}"]
    lines += [f"  - {_part_text(part)}" for part in _shown(field)]
    shown = {part.name for part in _shown(field)}
    for place, item in enumerate(items_of(field), 1):
        values = ", ".join(f"{name}: {value!r}" for name, value in item.items() if name in shown)
        lines.append(f"  item {place}, id {item.get(ID, '')}: {values}")
    return "\n".join(lines)


def choice_text(allowed: AllowedInput) -> str:
    """Return the items from which the user is asked to choose as text, with numbers; empty if none is asked for."""
    if allowed.choosing is None:
        return ""
    address, shown = allowed.choosing
    items = ", ".join(f"{number} is {address}[{id_}]" for id_, number in shown)
    return (
        f"The user is asked which item of {address} is meant, and is shown: {items}. "
        "The answer is `edit` with that item as its field. Where it does not say which one, it is no answer."
    )


def choice_fields(allowed: AllowedInput) -> list[str]:
    """Return the names by which `edit` may refer to the items from which the user is asked to choose."""
    address, shown = allowed.choosing or ("", ())
    return [f"{address}[{id_}]" for id_, _ in shown]


def _part_text(part: Field) -> str:
    options = f"; one of: {options_text(part.options)}" if part.options else ""
    return f"{part.name} ({part.type}): {part.about}{options}"


def _shown(field: AllowedField) -> list[Field]:
    """Return the values of an item that a model may see and set."""
    return [part for part in field.field.parts if not part.secret and not part.value]


def item_schemas(field: AllowedField, names: Iterable[str]) -> Iterator[tuple[list[str], dict[str, Any], list[str]]]:
    """Yield, for each of two groups of commands on items of a list, their names, properties and required properties.
    Only commands in `names` are among them. `add` has the values of a new item; the others name an existing item.
    """
    names, shown = tuple(names), _shown(field)
    values = object_schema(shown, may_lack=True)
    if "add" in names:
        yield ["add"], {"item": values}, ["item"]
    others = [name for name in names if name != "add"]
    if others:
        ref = {"anyOf": [{"type": "string"}, {"type": "integer"}, values], "description": _WHICH}
        kinds = [value_schema(copy_with(part, about="")) for part in shown]
        unique = [kind for number, kind in enumerate(kinds) if kind not in kinds[:number]]
        value = unique[0] if len(unique) == 1 else {"anyOf": unique}
        yield (
            others,
            {
                "item": ref,
                "name": {"type": "string", "enum": [part.name for part in shown], "description": "for change"},
                "value": value | {"description": "for change: the new value"},
                "to": {"type": "integer", "description": "for move: the place from 1; -1 is the last"},
                "count": {"type": "integer", "minimum": 1, "description": "for copy: how many copies"},
                "changes": {"type": "object", "description": "for copy: values that differ"},
            },
            ["item"],
        )


def as_item_command(values: dict[str, Any], allowed: AllowedInput) -> dict[str, Any]:
    """Return the values of a command about an item; objects and numbers that a model sent as text are parsed.
    Any other command stays as it is.
    """
    field = allowed.field(str(values.get("field", "")))
    if field is None or not field.field.parts:
        return values
    found = dict(values)
    if "item" in found:
        found["item"] = _ref(found["item"])
    for name in ("to", "count"):
        if name in found:
            found[name] = _whole(found[name])
    if "changes" in found:
        found["changes"] = object_in(found["changes"]) or {}
    if "name" in found and isinstance(found.get("item"), dict):
        found["item"] = _by_id(as_object(found["item"]) or {})
    return found


def _ref(item: Any) -> Any:
    if isinstance(item, str) and not is_id(item):
        values = object_in(item)
        return _whole(item) if values is None else values
    return item


def _by_id(item: dict[str, Any]) -> Any:
    """Return the id of a description that has one."""
    return item[ID] if is_id(item.get(ID)) else item


def _whole(value: Any) -> Any:
    """Return the number that a text is; anything else as it is."""
    is_number = isinstance(value, str) and len(value) < 10 and value.removeprefix("-").isdecimal()
    return int(value) if is_number else value
