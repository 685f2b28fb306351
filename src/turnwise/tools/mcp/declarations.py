"""Tools as a flow declares them and as an MCP server lists them: translates the second, and compares both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwise.core.values.json_data import as_list, as_object
from turnwise.core.values.nesting import is_too_deep
from turnwise.core.values.schema import is_needed, value_schema
from turnwise.flow.kinds import ARGUMENT_NAME, TOOL_NAME
from turnwise.flow.model import Field, McpServer, Tool
from turnwise.flow.model.words import FieldType
from turnwise.tools.mcp.connection import Connection

if TYPE_CHECKING:
    from mcp.types import Tool as ListedTool

_FORMATS: dict[str, FieldType] = {"date": "date", "time": "time", "date-time": "datetime", "email": "email"}
_TYPES: dict[str, FieldType] = {"integer": "integer", "number": "number", "boolean": "boolean", "array": "list"}
_NARROWEST_FIRST = ("boolean", "integer", "number", "string", "array")


class Declarations(NamedTuple):
    """Declarations of a server's tools, and the problems with what a flow cannot declare."""

    tools: list[Tool]
    """The declarations, in the order of the server's list."""
    problems: list[str]
    """One line for each tool or argument that a flow cannot declare."""


async def declarations_of(server: McpServer) -> Declarations:
    """Return declarations of the tools that a server lists. Raises `ToolRefused` if it cannot be reached."""
    connection = Connection(server)
    try:
        return declarations(await connection.listed())
    finally:
        await connection.close()


def declarations(listed: Sequence[ListedTool]) -> Declarations:
    """Return declarations of listed tools: as effects, unless the server marks a tool as read-only."""
    found = Declarations([], [])
    for tool in listed:
        name = tool.name
        if not TOOL_NAME.allows(name):
            found.problems.append(f"{name!r} cannot be declared: the name of a tool has {TOOL_NAME.hint}")
            continue
        if tool.execution is not None and tool.execution.task_support == "required":
            found.problems.append(f"'{name}' cannot be declared: its server runs it only as a task of the protocol")
            continue
        schema: dict[str, Any] = tool.input_schema
        needed: list[str] = schema.get("required") or []
        properties: dict[str, dict[str, Any]] = schema.get("properties") or {}
        args = {key: _argument(key, one, is_needed=key in needed) for key, one in properties.items()}
        missing = [key for key, arg in args.items() if arg is None]
        found.problems.extend(f"'{key}' of '{name}' is no single value, and no list of them" for key in missing)
        if any(key in needed for key in missing):
            found.problems.append(f"'{name}' cannot be declared without that")
            continue
        only_reads = tool.annotations is not None and tool.annotations.read_only_hint is True
        about = (tool.description or tool.title or "").strip().partition("\n")[0]
        declared = [arg for arg in args.values() if arg is not None]
        found.tools.append(Tool(name, about, declared, kind="read" if only_reads else "effect"))
    return found


def _argument(name: str, schema: dict[str, Any], *, is_needed: bool) -> Field | None:
    """Return the field of an argument; `None` where no field has such a name or such values."""
    about = str(schema.get("description") or "").strip().partition("\n")[0]
    schema = _narrowest(schema)
    kind = _type(schema)
    if kind is None or not ARGUMENT_NAME.allows(name):
        return None
    of: FieldType | None = None
    options: Any = schema.get("enum") or ()
    if kind == "list":
        items = _narrowest(schema.get("items") or {})
        of, options = _type(items), items.get("enum") or ()
        if of in (None, "list"):
            return None
    texts = [one for one in options if isinstance(one, str)]
    return Field(name, "choice" if texts and kind != "list" else kind, of, texts, about=about, optional=not is_needed)


def _narrowest(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the alternative with the narrowest type; the schema itself where it has no alternatives."""
    alternatives: list[dict[str, Any]] = schema.get("anyOf") or schema.get("oneOf") or []
    kinds = _json_types(schema)
    if not alternatives or {"integer", "number"} <= kinds:
        return schema
    kind = next((kind for kind in _NARROWEST_FIRST if kind in kinds), "")
    return next((_narrowest(one) for one in alternatives if kind in _json_types(one)), schema)


def _type(schema: dict[str, Any]) -> FieldType | None:
    """Return the narrowest field type that a schema allows."""
    kinds = _json_types(schema)
    kind = next((one for one in _NARROWEST_FIRST if one in kinds), None)
    if kind == "integer" and "number" in kinds:
        return "number"
    if kind == "string":
        return _FORMATS.get(str(schema.get("format")), "string")
    return _TYPES.get(kind) if kind is not None else None


def _json_types(schema: Any) -> set[str]:
    """Return the JSON types that a schema names; an empty set where it names none, or is nested too deeply."""
    found = as_object(schema) or {}
    if is_too_deep(found):
        return set()
    alternatives: list[Any] = found.get("anyOf") or found.get("oneOf") or []
    if alternatives:
        return set[str]().union(*[_json_types(one) for one in alternatives])
    kind: Any = found.get("type")
    return {kind} if isinstance(kind, str) else {str(one) for one in as_list(kind) or ()}


def differences(tool: Tool, schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each difference between a tool's declared arguments and the server's schema."""
    listed: dict[str, Any] = schema.get("properties") or {}
    needed: list[str] = schema.get("required") or []
    declared = {arg.name: arg for arg in tool.args}
    for name, arg in declared.items():
        if name not in listed:
            if not (schema.get("additionalProperties") or (not listed and "additionalProperties" not in schema)):
                yield f"the flow declares the argument '{name}', and the server takes no such argument"
            continue
        kinds, own = _json_types(listed[name]), value_schema(arg)["type"]
        if arg.type != "duration" and kinds and not kinds & {own, "number" if own == "integer" else own}:
            yield f"the flow declares '{name}' as {arg.type}, and the server takes {' or '.join(sorted(kinds))}"
        if name in needed and not is_needed(arg) and arg.default is None:
            yield f"'{name}' may be left out in the flow, and the server needs it"
    for name in needed:
        if name not in declared:
            yield f"the server needs the argument '{name}', which the flow does not declare"
