"""A server of the Model Context Protocol: `python -m support.mcp_server NAME [PORT]`, over HTTP where a port is given."""

from __future__ import annotations

import os
import sys
from datetime import date
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import ImageContent
from pydantic import BaseModel


class Table(BaseModel):
    number: int
    day: date


def server_of(name: str) -> MCPServer:
    """A server with some tools; what one of the name `other` lists is its own, but for one tool."""
    server = MCPServer(name, log_level="CRITICAL")

    @server.tool()
    def both() -> str:
        """Every server has it."""
        return name

    if name == "other":
        return server

    @server.tool()
    def reserve(day: date, number: int = 1) -> Table:
        """Reserve a table."""
        return Table(number=number, day=day)

    @server.tool(structured_output=False)
    def said(what: str) -> Any:
        """Give back what is said, as it is."""
        return what

    @server.tool(structured_output=False)
    def parts() -> Any:
        """Give several parts."""
        return ["a", ImageContent(type="image", data="aGk=", mime_type="image/png")]

    @server.tool()
    def full() -> str:
        """Fail."""
        raise ValueError("no table is free")

    @server.tool()
    def die() -> str:
        """End the server."""
        os._exit(3)

    @server.tool()
    def who(context: Context[Any, Any]) -> dict[str, Any]:
        """Tell of the process and of the call."""
        meta = context.request_context.meta or {}
        return {"pid": os.getpid(), "key": dict(meta).get("turnwise/idempotency-key")}

    @server.tool()
    def seen(variable: str) -> str | None:
        """A variable of the environment."""
        return os.environ.get(variable)

    @server.tool(name="get-sum")
    def get_sum(a: float, b: float) -> str:
        """Add two numbers."""
        return f"The sum of {a:g} and {b:g} is {a + b:g}."

    @server.tool(name="files.list")
    def files_list(folder: str, kinds: list[str] | None = None) -> list[str]:
        """List the files of a folder."""
        return [f"{folder}/{kind}" for kind in kinds or ("all",)]

    @server.tool(name="3d/plot_points")
    def plot(more: bool | str) -> str:
        """Plot points."""
        return f"more: {more}"

    @server.tool()
    async def wait() -> str:
        """Take too long."""
        import anyio

        await anyio.sleep(30)
        return "late"

    return server


if __name__ == "__main__":
    made = server_of(sys.argv[1])
    if len(sys.argv) > 2:
        made.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        made.run("stdio")
