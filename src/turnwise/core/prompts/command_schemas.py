"""The schema of each command that a model may propose: one per shape, with everything that the command must have.

A server that forces a schema lets the model write nothing else, so a field never comes without its value, and a choice
never with a word that is none of its options. The words of the message come first: a model that begins with them
takes the value from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.core.commands.allowed_input import AllowedField, AllowedInput
from turnwise.core.prompts.item_commands import choice_fields, item_schemas, lists_of_items
from turnwise.core.start_phrases import gaps_of
from turnwise.core.values import item_field
from turnwise.core.values.schema import object_schema, value_schema
from turnwise.flow.converters import copy_with
from turnwise.flow.model import Field

_OF_ITEMS = ("add", "change", "remove", "move", "copy")
_OF_A_FIELD = ("clear", "edit")
_MAY_NAME_A_FIELD = ("help", "why")
_WITH_MORE = ("set", "ask", "start", *_OF_ITEMS, *_OF_A_FIELD, *_MAY_NAME_A_FIELD)
_WORDS = {"type": "string"}
_CONFIDENCE = {"type": "number", "minimum": 0, "maximum": 1}


def command_schemas(allowed: AllowedInput) -> Iterator[dict[str, Any]]:
    """Yield the JSON Schemas of the commands that a message may propose now."""
    names, fields = allowed.commands, [field.address for field in allowed.fields]
    if "set" in names:
        for value, addresses in _by_value(allowed):
            own = {"field": _one_of(addresses), "value": value, "correction": {"type": "boolean"}}
            yield _schema(["set"], own, ["field", "value"])
    yield from _item_schemas(allowed)
    if fields and (found := [name for name in _OF_A_FIELD if name in names]):
        yield _schema(found, {"field": _one_of(fields)}, ["field"])
    if "edit" in names and (cells := choice_fields(allowed)):
        yield _schema(["edit"], {"field": _one_of(cells)}, ["field"])
    if found := [name for name in _MAY_NAME_A_FIELD if name in names]:
        yield _schema(found, {"field": _one_of(fields)} if fields else {}, [])
    if "ask" in names:
        yield _schema(["ask"], {"text": {"type": "string", "description": "the question"}}, ["text"])
    if "start" in names:
        yield _schema(["start"], {"target": _one_of(list(allowed.starts)), **_input_of(allowed)}, ["target"])
    if found := [name for name in names if name not in _WITH_MORE]:
        yield _schema(found, {}, [])


def _schema(commands: list[str], own: dict[str, Any], needed: list[str]) -> dict[str, Any]:
    properties = {"words": _WORDS, "command": _one_of(commands), **own, "confidence": _CONFIDENCE}
    return object_schema(()) | {"properties": properties, "required": ["words", "command", *needed]}


def _input_of(allowed: AllowedInput) -> dict[str, Any]:
    """Return the schema of what the gaps of phrases that begin scopes hold; nothing where no phrase has a gap."""
    gaps = dict.fromkeys(name for one in allowed.begins for phrase in one.gapped for name in gaps_of(phrase))
    if not gaps:
        return {}
    texts = object_schema(()) | {"properties": {name: {"type": "string"} for name in gaps}}
    return {"input": texts | {"description": "what stands in the gaps of its phrase"}}


def _one_of(values: list[str]) -> dict[str, Any]:
    return {"type": "string", "enum": values}


def _by_value(allowed: AllowedInput) -> list[tuple[dict[str, Any], list[str]]]:
    """Return the schemas of the values of fields, each with the fields that have it. A list of records is changed item
    by item.
    """
    found = list[tuple[dict[str, Any], list[str]]]()
    for field in allowed.fields:
        if field.field.parts:
            continue
        schema = _plain(field.field)
        same = next((addresses for known, addresses in found if known == schema), None)
        if same is None:
            found.append((schema, [field.address]))
        else:
            same.append(field.address)
    return found


def _plain(field: Field) -> dict[str, Any]:
    """Return the schema of a value without what the list of fields says of it already."""
    return value_schema(copy_with(field, about=""))


def _item_schemas(allowed: AllowedInput) -> Iterator[dict[str, Any]]:
    """Yield the schemas of commands about items: of lists of records, and of lists of plain values."""
    names = [name for name in _OF_ITEMS if name in allowed.commands]
    lists = lists_of_items(allowed)
    for field in lists:
        for commands, own, needed in item_schemas(field, names):
            yield _schema(commands, {"field": _one_of([field.address]), **own}, ["field", *needed])
    for field in allowed.fields:
        if field not in lists and field.field.type == "list":
            yield from _of_plain_list(field, [name for name in ("add", "remove") if name in names])


def _of_plain_list(field: AllowedField, commands: list[str]) -> Iterator[dict[str, Any]]:
    if commands:
        own = {"field": _one_of([field.address]), "item": _plain(item_field(field.field))}
        yield _schema(commands, own, ["field", "item"])
