"""Encodes a flow as plain data or versioned JSON; its JSON Schema and its fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from turnwise.errors import UnknownFormat
from turnwise.flow import kinds as s
from turnwise.flow.diagnostic import FlowError
from turnwise.flow.durations import write_duration
from turnwise.flow.located import locate
from turnwise.flow.model import Condition, Flow
from turnwise.flow.read import read_flow
from turnwise.flow.shapes import SHAPES, Shape

_TEXT = {"type": ["string", "number"]}


def flow_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of flow documents."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "turnwise flow",
        "$ref": "#/$defs/Flow",
        "$defs": {name: _object_schema(name, shape) for name, shape in SHAPES.items()} | {"Condition": _CONDITION},
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


def _object_schema(name: str, shape: Shape) -> dict[str, Any]:
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
    return {"anyOf": [dict(shape.short.schema), schema]} if shape.short else schema


def _kind(kind: s.Kind) -> dict[str, Any]:
    match kind:
        case s.Many(of, single, split):
            forms = [{"type": "array", "items": _kind(of)}, *[_kind(of)] * single, *[{"type": "object"}] * split]
            return {"anyOf": forms} if forms[1:] else forms[0]
        case s.Table(of):
            return {"type": "object", "additionalProperties": _kind(of)}
        case s.Named(name, rule):
            part = {"anyOf": [{"$ref": f"#/$defs/{name}"}, {"type": "null"}]}
            return {"type": "object", "propertyNames": {"pattern": _whole(rule)}, "additionalProperties": part}
        case s.Object(name):
            return {"$ref": f"#/$defs/{name}"}
        case _:
            return _scalar(kind)


def _whole(rule: s.NameRule) -> str:
    """Return the regular expression that a whole text must match for a rule of names."""
    return f"^{rule.pattern.pattern}$"


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
        case s.Number(least, most):
            return {"type": "number", "minimum": least, "maximum": most}
        case s.WordOrName(words):
            return {"anyOf": [{"enum": list(words)}, _scalar(s.Name(s.PATH))]}
        case s.OneOf(words):
            return {"enum": list(words)}
        case s.Name(rule):
            return {"type": "string", "pattern": _whole(rule)}
        case _:
            return dict(_PLAIN[type(kind)])


def write_flow(flow: Flow) -> dict[str, Any]:
    """Return the document, as plain data, that describes a flow."""
    return _object("Flow", flow)


def _object(name: str, value: Any) -> Any:
    shape = SHAPES[name]
    document: dict[str, Any] = {}
    for key, attribute, kind, default in shape.written:
        found = getattr(value, attribute)
        if found is default or (found == default and isinstance(found, bool) == isinstance(default, bool)):
            continue
        document[key] = _value(kind, found)
    narrow = shape.short.narrow if shape.short else None
    return narrow(document) if narrow else document


def _value(kind: s.Kind, value: Any) -> Any:
    match kind:
        case s.Object(name):
            return _object(name, value)
        case s.Many(of):
            return [_value(of, item) for item in value]
        case s.Named(name):
            return {item.name: _object(name, item) for item in value}
        case s.Table(of):
            return {key: _value(of, item) for key, item in value.items()}
        case s.When():
            return value if isinstance(value, str) else [_condition(c) for c in value]
        case s.Duration():
            return write_duration(value)
        case _:
            return _plain(value)


def _condition(condition: Condition) -> dict[str, Any]:
    more = {"value": condition.value, "window": condition.window, "description": condition.description}
    return {"type": condition.type} | {key: value for key, value in more.items() if value not in ("", None)}


def _plain(value: Any) -> Any:
    """Convert tuples and other mappings to lists and dicts."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return value


FORMAT = 1
"""The number of the format in which flows are stored."""


def encode_flow(flow: Flow) -> str:
    """Return a flow as one line of JSON, with its keys in the order of the model."""
    return json.dumps({"format": FORMAT, **write_flow(flow)}, ensure_ascii=False, separators=(",", ":"))


def decode_flow(text: str | bytes) -> Flow:
    """Return the flow from the JSON that `encode_flow` wrote. Raise `UnknownFormat` or `FlowError`."""
    document: dict[str, Any] = json.loads(text)
    found = document.pop("format", None)
    if found != FORMAT:
        raise UnknownFormat("the flow", found, FORMAT)
    flow, diagnostics = read_flow(locate(document))
    if diagnostics:
        raise FlowError(diagnostics)
    return flow


def fingerprint(flow: Flow, sources: tuple[str, ...] = ()) -> str:
    """Return sixteen hex digits that identify a flow and the source of the code that it names."""
    digest = hashlib.sha256(encode_flow(flow).encode())
    for source in sources:
        digest.update(b"\0" + source.encode())
    return digest.hexdigest()[:16]
