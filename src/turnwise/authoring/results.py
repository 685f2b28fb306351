"""Compares what a Python function returns with the records and fields that take the results of its tool.

It calls no function. A return type that is not annotated, or that it does not know, is not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import BaseModel

from turnwise.authoring.annotations import declarations_of, type_text
from turnwise.flow.addresses import split_name
from turnwise.flow.describe import hints_of
from turnwise.flow.model import Field, Flow, Tool

_TAKEN_BY = {
    "boolean": ("boolean",),
    "integer": ("integer", "number", "duration"),
    "number": ("number", "integer", "duration"),
    "list": ("list",),
}
"""For a type of results, the types of fields that can take one. A text may be read as any type."""


def result_misfits(flow: Flow, tool: Tool, function: Callable[..., Any]) -> Iterator[str]:
    """Yield a message for each record or field that cannot store the result of a tool's function."""
    targets = destinations(flow, tool)
    if not targets:
        return
    try:
        hint = _plain(hints_of(function).get("return", Any))
    except Exception:  # noqa: BLE001  hints are the author's code
        return
    records = {record.name: {field.name: field for field in record.fields} for record in flow.records}
    for into in targets:
        record, name = split_name(into, records)
        fields = records.get(record, {})
        if hint is NoneType:
            yield f"the function of '{tool.name}' returns nothing, and its result belongs into '{into}'"
        elif not name and fields:
            yield from _misfits_of_parts(tool, into, hint, fields)
        elif name in fields and not _fits(hint, fields[name]):
            yield _misfit(tool, into, fields[name], type_text(hint))


def destinations(flow: Flow, tool: Tool) -> tuple[str, ...]:
    """Return the names of all records and fields of a flow that store results of a tool."""
    found = [tool.into]
    for node in flow.nodes:
        found.append(node.tools.into.get(tool.name, "") if node.tools is not None else "")
        found.append(node.tool.into if node.tool is not None and node.tool.name == tool.name else "")
    return tuple(dict.fromkeys(into for into in found if into))


def _misfits_of_parts(tool: Tool, into: str, hint: Any, fields: Mapping[str, Field]) -> Iterator[str]:
    """Yield the misfits of the parts of a result and the fields of a record."""
    if _is_single(hint):
        what = f"returns {type_text(hint)}, which has no parts"
        yield f"the function of '{tool.name}' {what}, and its result belongs into the record '{into}'"
        return
    parts = _parts(hint)
    for name, field in fields.items():
        if name in parts and not _fits(_plain(parts[name]), field):
            yield _misfit(tool, f"{into}.{name}", field, f"{type_text(_plain(parts[name]))} for '{name}'")
    if parts and not parts.keys() & fields.keys():
        yield f"nothing that the function of '{tool.name}' returns has the name of a field of '{into}'"


def _misfit(tool: Tool, into: str, field: Field, returned: str) -> str:
    return f"the function of '{tool.name}' returns {returned}, and '{into}' is of the type {field.type}"


def _plain(hint: Any) -> Any:
    """Return a type without `Annotated` and without `None` beside one other type."""
    hint = getattr(hint, "__value__", hint)
    if get_origin(hint) is Annotated:
        return _plain(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        others = [one for one in get_args(hint) if one is not NoneType]
        return _plain(others[0]) if len(others) == 1 else Any
    return hint


def _type_of(hint: Any) -> str:
    """Return the field type of a Python type; empty if no field has it."""
    found = declarations_of(hint)
    return "" if found.wrong else found.values.get("type", "")


def _is_single(hint: Any) -> bool:
    """Return whether values of a type have no named parts."""
    return _type_of(hint) != "" or hint is list or get_origin(hint) in (list, tuple, set, frozenset)


def _fits(hint: Any, field: Field) -> bool:
    """Return whether a field may take values of a type."""
    if hint is list or get_origin(hint) in (list, tuple, set, frozenset):
        return field.type == "list"
    if _parts(hint) or hint is dict or get_origin(hint) is dict:
        return False
    kind = _type_of(hint)
    return kind not in _TAKEN_BY or field.type in _TAKEN_BY[kind]


def _parts(hint: Any) -> dict[str, Any]:
    """Return the annotated parts of a dataclass, a pydantic model or a `TypedDict`, by their names."""
    if not isinstance(hint, type) or not (
        is_dataclass(hint) or issubclass(hint, BaseModel) or is_typeddict(cast("type", hint))
    ):
        return {}
    try:
        return get_type_hints(cast("type", hint), include_extras=True)
    except Exception:  # noqa: BLE001  hints are the author's code
        return {}
