"""The MCP servers of a flow as tool runners: finds the server that lists a tool, by the tool's name alone or with the
server's name before it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from turnwise.flow.code import ToolCall
from turnwise.flow.diagnostic import nearest
from turnwise.flow.model import McpServer, Tool
from turnwise.runner.tool_execution import CallNotRun, ToolRefused
from turnwise.tools.mcp.connection import Connection
from turnwise.tools.mcp.declarations import differences

if TYPE_CHECKING:
    from mcp.types import Tool as ListedTool

_log = logging.getLogger("turnwise")


class Servers:
    """The MCP servers of a flow; each is started at the first call of one of its tools."""

    def __init__(self, servers: Iterable[McpServer]) -> None:
        self._connections = [Connection(server) for server in servers]
        self._known: dict[str, tuple[Connection, str]] = {}

    async def call(self, tool: Tool, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Call a tool of the flow on the server that lists it, with the key of the `call`.
        Raises `ToolRefused`, or `InDoubt` if the connection was lost.
        """
        if tool.name not in self._known:
            self._known[tool.name] = await self._find(tool)
        connection, name = self._known[tool.name]
        return await connection.call(name, arguments, call)

    async def close(self) -> None:
        """Close all connections, and end every server that was started."""
        await asyncio.gather(*[connection.close() for connection in self._connections])

    async def _find(self, tool: Tool) -> tuple[Connection, str]:
        """Return the server that lists a tool, and its name there. Raises `CallNotRun` unless exactly one does."""
        answers = await asyncio.gather(*[one.listed() for one in self._connections], return_exceptions=True)
        found: list[tuple[Connection, ListedTool]] = []
        names: list[str] = []
        unreached: list[str] = []
        for connection, listed in zip(self._connections, answers, strict=True):
            if isinstance(listed, BaseException):
                unreached.append(str(listed))
                continue
            names += [one.name for one in listed]
            found += [(connection, one) for one in listed if tool.name in (one.name, f"{connection.name}_{one.name}")]
        if len(found) > 1:
            both = " and ".join(f"'{connection.name}'" for connection, _ in found)
            hint = f"declare it as '{found[0][0].name}_{found[0][1].name}'"
            raise CallNotRun(f"the servers {both} both list the tool '{tool.name}'; {hint}")
        if not found:
            why = "; ".join(unreached) or nearest(tool.name, names)
            raise CallNotRun(f"no server lists the tool '{tool.name}'" + (f"; {why}" if why else ""))
        connection, listing = found[0]
        for difference in differences(tool, listing.input_schema):
            _log.warning("the tool '%s' of the server '%s': %s", tool.name, connection.name, difference)
        return connection, listing.name


class ServerTool:
    """Runs one tool of a flow on the MCP server that lists it."""

    def __init__(self, servers: Servers, tool: Tool) -> None:
        self._servers = servers
        self._tool = tool

    async def run(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Call the tool on the server, and return its answer as JSON data."""
        return await self._servers.call(self._tool, arguments, call)

    async def check(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:  # noqa: ARG002  no server knows
        """Raise `ToolRefused`, since the protocol cannot ask whether an earlier call was made."""
        raise ToolRefused("a server cannot say whether a call was made")
