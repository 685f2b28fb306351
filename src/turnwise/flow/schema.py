"""The JSON Schema of flow documents, made from their shapes: for editors, and for other programs."""

from __future__ import annotations

from typing import Any

from turnwise.flow import shape as s
from turnwise.flow.shapes import SHAPES

_TEXT = {"type": ["string", "number"]}


def flow_schema() -> dict[str, Any]:
    """The schema of a flow document (JSON Schema 2020-12)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "turnwise flow",
        "$ref": "#/$defs/Flow",
        "$defs": {name: _object(name, shape) for name, shape in SHAPES.items()} | {"Condition": _CONDITION},
    }


_CONDITION: dict[str, Any] = {
    "type": "object",
    "description": "a condition object of a step",
    "properties": {
        "type": {"type": "string"},
        "value": _TEXT,
        "window": {"type": "integer", "minimum": 1},
        "description": {"type": "string"},
    },
    "required": ["type"],
    "additionalProperties": False,
}


def _object(name: str, shape: s.Shape) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "type": "object",
        "description": shape.title,
        "properties": {key.name: {**_kind(key.kind), "description": key.about} for key in shape.keys},
        "additionalProperties": False,
    }
    if name == "Flow":
        schema["properties"]["format"] = {"const": 1, "description": "the version of this document format"}
    required = [key.name for key in shape.keys if key.required]
    if required:
        schema["required"] = required
    return {"anyOf": [dict(shape.short), schema]} if shape.short else schema


def _kind(kind: s.Kind) -> dict[str, Any]:
    match kind:
        case s.Many(of, single, split):
            return _many(_kind(of), single=single, split=split)
        case s.Table(of):
            return {"type": "object", "additionalProperties": _kind(of)}
        case s.Named(name, rule):
            part = {"anyOf": [{"$ref": f"#/$defs/{name}"}, {"type": "null"}]}
            return {"type": "object", "propertyNames": {"pattern": _whole(rule)}, "additionalProperties": part}
        case s.Part(name):
            return {"$ref": f"#/$defs/{name}"}
        case _:
            return _scalar(kind)


def _whole(rule: s.NameRule) -> str:
    """The pattern of a rule for the whole of a text."""
    return f"^{rule.pattern.pattern}$"


def _many(item: dict[str, Any], *, single: bool, split: bool) -> dict[str, Any]:
    forms: list[dict[str, Any]] = [{"type": "array", "items": item}]
    if single:
        forms.append(item)
    if split:
        forms.append({"type": "object"})
    return forms[0] if len(forms) == 1 else {"anyOf": forms}


_DURATION = {"type": "string", "pattern": r"^\s*(P.*|([0-9.]+\s*(ms|min|s|m|h|d|w)\s*)+)$"}
_GUARD = {"anyOf": [{"type": ["string", "boolean"]}, {"type": "array", "items": {"$ref": "#/$defs/Condition"}}]}
_PLAIN: dict[type, dict[str, Any]] = {
    s.Text: _TEXT,
    s.Bound: _TEXT,
    s.Flag: {"type": "boolean"},
    s.Duration: _DURATION,
    s.When: _GUARD,
    s.Anything: {},
}


def _scalar(kind: s.Kind) -> dict[str, Any]:
    match kind:
        case s.Integer(least):
            return {"type": "integer", "minimum": least}
        case s.OneOf(words):
            return {"enum": list(words)}
        case s.Name(rule):
            return {"type": "string", "pattern": _whole(rule)}
        case _:
            return dict(_PLAIN[type(kind)])
