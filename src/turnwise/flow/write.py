"""A flow as plain data in the language of the documents: what is at its default is left out.

`read_flow(locate(write_flow(flow)))` gives the same flow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.flow import shape as s
from turnwise.flow.durations import write_duration
from turnwise.flow.model import Condition, Flow
from turnwise.flow.shapes import SHAPES


def write_flow(flow: Flow) -> dict[str, Any]:
    """The document that describes a flow."""
    return _object("Flow", flow)


def _object(name: str, value: Any) -> Any:
    shape = SHAPES[name]
    document: dict[str, Any] = {}
    for key, attribute, kind, default in shape.written:
        found = getattr(value, attribute)
        if found is default or _is_default(found, default):
            continue
        document[key] = _value(kind, found)
    return shape.narrow(document) if shape.narrow else document


def _is_default(found: Any, default: Any) -> bool:
    return found == default and isinstance(found, bool) == isinstance(default, bool)


def _value(kind: s.Kind, value: Any) -> Any:
    match kind:
        case s.Part(name):
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
    document: dict[str, Any] = {"type": condition.type}
    if condition.value:
        document["value"] = condition.value
    if condition.window is not None:
        document["window"] = condition.window
    if condition.description:
        document["description"] = condition.description
    return document


def _plain(value: Any) -> Any:
    """Lists and dicts, where an author may have used tuples and other mappings."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]  # pyright: ignore[reportUnknownVariableType]
    return value
