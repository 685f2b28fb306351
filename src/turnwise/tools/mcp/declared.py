"""The tools of a server as a flow would declare them, as far as it can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwise.flow.model import Field, McpServer, Tool
from turnwise.flow.model.words import FieldType
from turnwise.flow.shape import ARGUMENT_NAME, TOOL_NAME
from turnwise.tools.mcp.answers import kinds_of
from turnwise.tools.mcp.connection import Connection

if TYPE_CHECKING:
    from mcp.types import Tool as ListedTool

_FORMATS: dict[str, FieldType] = {"date": "date", "time": "time", "date-time": "datetime", "email": "email"}
_TYPES: dict[str, FieldType] = {"integer": "integer", "number": "number", "boolean": "boolean", "array": "list"}
_NARROWEST_FIRST = ("boolean", "integer", "number", "string", "array")


class Declared(NamedTuple):
    """Declarations, and what of the server's tools no declaration can say."""

    tools: list[Tool]
    unsaid: list[str]


async def declared_by(server: McpServer) -> Declared:
    """The tools that a server lists. Raises `ToolRefused` where it cannot be reached."""
    connection = Connection(server)
    try:
        return declarations(await connection.listed())
    finally:
        await connection.close()


def declarations(listed: Sequence[ListedTool]) -> Declared:
    """Tools as a flow declares them: an effect, unless the server says that it only reads."""
    found = Declared([], [])
    for tool in listed:
        if why := _why_undeclared(tool):
            found.unsaid.append(why)
            continue
        schema: dict[str, Any] = tool.input_schema
        needed: list[str] = schema.get("required") or []
        properties: dict[str, dict[str, Any]] = schema.get("properties") or {}
        args = {name: _field(name, one, is_needed=name in needed) for name, one in properties.items()}
        unsaid = [name for name, arg in args.items() if arg is None]
        found.unsaid.extend(f"'{name}' of '{tool.name}' is no single value, and no list of them" for name in unsaid)
        if any(name in needed for name in unsaid):
            found.unsaid.append(f"'{tool.name}' cannot be declared without that")
            continue
        only_reads = tool.annotations is not None and tool.annotations.read_only_hint is True
        about = (tool.description or tool.title or "").strip().partition("\n")[0]
        kept = [arg for arg in args.values() if arg is not None]
        found.tools.append(Tool(tool.name, about, kept, kind="read" if only_reads else "effect"))
    return found


def _why_undeclared(tool: ListedTool) -> str:
    """Why no flow can have a tool, whatever its arguments are; empty where it can."""
    if not TOOL_NAME.allows(tool.name):
        return f"{tool.name!r} cannot be declared: the name of a tool has {TOOL_NAME.hint}"
    if tool.execution is not None and tool.execution.task_support == "required":
        return f"'{tool.name}' cannot be declared: its server runs it only as a task of the protocol"
    return ""


def _field(name: str, schema: dict[str, Any], *, is_needed: bool) -> Field | None:
    """An argument; `None` where its values are no single ones."""
    about = str(schema.get("description") or "").strip().partition("\n")[0]
    schema = _alternative(schema)
    kind = _type(schema)
    if kind is None or not ARGUMENT_NAME.allows(name):
        return None
    of: FieldType | None = None
    options: Any = schema.get("enum") or ()
    if kind == "list":
        items = _alternative(schema.get("items") or {})
        of, options = _type(items), items.get("enum") or ()
        if of in (None, "list"):
            return None
    texts = [one for one in options if isinstance(one, str)]
    return Field(name, "choice" if texts and kind != "list" else kind, of, texts, about=about, optional=not is_needed)


def _alternative(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema itself, or of several the one whose type is the narrowest."""
    either: list[dict[str, Any]] = schema.get("anyOf") or schema.get("oneOf") or []
    kinds = kinds_of(schema)
    if not either or {"integer", "number"} <= kinds:
        return schema
    narrowest = next((kind for kind in _NARROWEST_FIRST if kind in kinds), "")
    return next((_alternative(one) for one in either if narrowest in kinds_of(one)), schema)


def _type(schema: dict[str, Any]) -> FieldType | None:
    """The type of an argument; where a server takes several, the narrowest of them."""
    kinds = kinds_of(schema)
    kind = next((one for one in _NARROWEST_FIRST if one in kinds), None)
    if kind == "integer" and "number" in kinds:
        return "number"
    if kind == "string":
        return _FORMATS.get(str(schema.get("format")), "string")
    return _TYPES.get(kind) if kind is not None else None
