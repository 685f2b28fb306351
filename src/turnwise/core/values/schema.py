"""Builds the JSON Schema of fields, which describes to a model the arguments of tools, or the values to extract."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwise.core.state.items import ID
from turnwise.core.values import item_field
from turnwise.core.values.items import is_item
from turnwise.core.values.json_data import to_json_data
from turnwise.flow.model import Field

_TYPES: dict[str, dict[str, Any]] = {
    "string": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "time": {"type": "string", "format": "time"},
    "datetime": {"type": "string", "format": "date-time"},
    "duration": {"type": "string", "description": "a time span such as 30m or 1h30m"},
    "email": {"type": "string", "format": "email"},
    "phone": {"type": "string", "description": "a phone number"},
    "choice": {"type": "string"},
    "question": {
        "type": "object",
        "properties": {
            "id": {"type": "string", "description": "letters, digits, _ and -"},
            "ask": {"type": "string"},
            "options": {"type": "array", "items": {"type": "string"}},
            "stop": {"type": "array", "items": {"type": "string"}, "description": "answers that end the form"},
            "right": {"type": "array", "items": {"type": "string"}, "description": "the right answers"},
        },
        "required": ["id", "ask"],
        "additionalProperties": False,
    },
    "answers": {"type": "object", "description": "answers by the id of their question"},
}
_NUMBERS = ("integer", "number")
_ITEM_ID = {"type": "string", "description": "the id that an item has already; a new item has none"}


def value_schema(field: Field, title: str = "") -> dict[str, Any]:
    """Return the JSON Schema of a field's value; `title` describes the field if it has no `about`."""
    if is_item(field):
        found = object_schema(field.parts, may_lack=True)
        found["properties"] = {ID: _ITEM_ID, **found["properties"]}
    elif field.type == "list":
        found: dict[str, Any] = {"type": "array", "items": value_schema(item_field(field))}
        found |= _bounds(field, "minItems", "maxItems")
    else:
        found = dict(_TYPES[field.type])
        if field.options:
            found["enum"] = [option.value for option in field.options]
        elif field.type in _NUMBERS:
            found |= _bounds(field, "minimum", "maximum")
        elif field.type == "string":
            found |= _bounds(field, "minLength", "maxLength")
        if field.pattern:
            found["pattern"] = field.pattern
    parts = (field.about or title, found.get("description", ""), _moments_in_words(field))
    about = "; ".join(part for part in parts if part)
    return found | {"description": about} if about else found


def _moments_in_words(field: Field) -> str:
    """Return the bounds of a date or time in words: JSON Schema has no keys for them."""
    if field.type not in ("date", "time", "datetime"):
        return ""
    bounds = (("not before", field.min), ("not after", field.max))
    return ", ".join(f"{word} {bound}" for word, bound in bounds if bound is not None)


def _bounds(field: Field, least: str, most: str) -> dict[str, Any]:
    return {key: bound for key, bound in ((least, field.min), (most, field.max)) if bound is not None}


def object_schema(fields: Iterable[Field], *, may_lack: bool = False, with_defaults: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of an object with one value per field; with `may_lack` all are optional.
    `with_defaults`, it has the value of each field that is left out.
    """
    fields = tuple(fields)
    needed = [field.name for field in fields if not may_lack and is_needed(field)]
    found: dict[str, Any] = {
        "type": "object",
        "properties": {
            field.name: value_schema(field) | (_default(field) if with_defaults else {}) for field in fields
        },
        "additionalProperties": False,
    }
    return found | {"required": needed} if needed else found


def _default(field: Field) -> dict[str, Any]:
    return {"default": to_json_data(field.default).data} if field.default is not None else {}


def is_needed(field: Field) -> bool:
    """Return whether a call must have the argument that a field describes."""
    return field.default is None and not field.optional
