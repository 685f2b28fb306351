"""What servers say, as data of ours: answers to calls, and the schemas of tools beside what a flow declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError
from msgspec.json import decode

from turnwise.core.data import as_list, as_object
from turnwise.core.schema import is_needed, value_schema
from turnwise.flow.model import Tool
from turnwise.runner.running import ToolRefused

if TYPE_CHECKING:
    from mcp.types import CallToolResult


def data_of(answer: CallToolResult) -> Any:
    """An answer as data: what it has of structure, else its text or its parts. A text that is a JSON object or list
    is read as one. Raises `ToolRefused` with the server's words where it says that the call failed.
    """
    parts: list[Any] = [
        block.text if block.type == "text" else block.model_dump(mode="json", by_alias=True, exclude_none=True)
        for block in answer.content
    ]
    if answer.is_error:
        raise ToolRefused("; ".join(str(part) for part in parts) or "the server says no more than that it failed")
    if answer.structured_content is not None:
        return answer.structured_content
    if len(parts) == 1:
        return _read(parts[0])
    return parts or None


def _read(part: Any) -> Any:
    if isinstance(part, str) and part.lstrip()[:1] in ("{", "["):
        try:
            return decode(part)
        except DecodeError:
            return part
    return part


def differences(tool: Tool, schema: Mapping[str, Any]) -> Iterator[str]:
    """What a flow declares of a tool's arguments otherwise than the server does."""
    listed: dict[str, Any] = schema.get("properties") or {}
    needed: list[str] = schema.get("required") or []
    declared = {arg.name: arg for arg in tool.args}
    for name, arg in declared.items():
        if name not in listed:
            if not (schema.get("additionalProperties") or (not listed and "additionalProperties" not in schema)):
                yield f"the flow declares the argument '{name}', and the server takes no such argument"
            continue
        kinds, own = kinds_of(listed[name]), value_schema(arg)["type"]
        if arg.type != "duration" and kinds and not kinds & {own, "number" if own == "integer" else own}:
            yield f"the flow declares '{name}' as {arg.type}, and the server takes {' or '.join(sorted(kinds))}"
        if name in needed and not is_needed(arg) and arg.default is None:
            yield f"'{name}' may be left out in the flow, and the server needs it"
    for name in needed:
        if name not in declared:
            yield f"the server needs the argument '{name}', which the flow does not declare"


def kinds_of(schema: Any) -> set[str]:
    """The types that a schema says; none where it does not say it plainly."""
    found = as_object(schema) or {}
    either: list[Any] = found.get("anyOf") or found.get("oneOf") or []
    if either:
        return set[str]().union(*[kinds_of(one) for one in either])
    kind: Any = found.get("type")
    return {kind} if isinstance(kind, str) else {str(one) for one in as_list(kind) or ()}
