"""The tools of a server as a flow would declare them, as far as it can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwise.flow.model import Field, McpServer, Tool
from turnwise.flow.model.words import FieldType
from turnwise.providers.tools.mcp.answers import kinds_of
from turnwise.providers.tools.mcp.connection import Connection

if TYPE_CHECKING:
    from mcp.types import Tool as ListedTool

_FORMATS: dict[str, FieldType] = {"date": "date", "time": "time", "date-time": "datetime", "email": "email"}
_TYPES: dict[str, FieldType] = {"string": "string", "integer": "integer", "number": "number", "boolean": "boolean"}


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


def _field(name: str, schema: dict[str, Any], *, is_needed: bool) -> Field | None:
    """An argument; `None` where its values are no single ones."""
    said = _type(schema)
    if said is None:
        return None
    of: FieldType | None = None
    options: Any = schema.get("enum") or ()
    if said == "list":
        items: dict[str, Any] = schema.get("items") or {}
        of, options = _type(items), items.get("enum") or ()
        if of in (None, "list"):
            return None
    texts = [one for one in options if isinstance(one, str)]
    about = str(schema.get("description") or "").strip().partition("\n")[0]
    return Field(name, "choice" if texts and said != "list" else said, of, texts, about=about, optional=not is_needed)


def _type(schema: dict[str, Any]) -> FieldType | None:
    kinds = kinds_of(schema) - {"null"}
    if len(kinds) != 1:
        return "number" if kinds == {"integer", "number"} else None
    (kind,) = kinds
    if kind == "array":
        return "list"
    return _FORMATS.get(str(schema.get("format")), "string") if kind == "string" else _TYPES.get(kind)
