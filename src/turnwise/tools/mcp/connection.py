"""One server: connected when it is first needed, and again where it has died."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from turnwise.errors import InDoubt
from turnwise.flow.code import ToolCall
from turnwise.flow.model import McpServer
from turnwise.runner.tool_execution import CallNotRun, ToolRefused, reason
from turnwise.tools.mcp.answers import Said, data_of

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import Tool as ListedTool

CONNECT_S = 30.0
"""How long a server may take until it has said which tools it has."""
KEY = "turnwise/idempotency-key"
"""Where a call carries its key, for servers that heed it."""
_CLOSED = -32000
"""The code by which the protocol's package says that the connection is gone."""
_NOT_TAKEN = (-32700, -32600, -32601, -32602)
"""The codes by which a server says that it could not take a call: unreadable, invalid, unknown, wrong arguments."""
_PAGES = 100
_SILENT_S = 300.0
"""How long an address may be silent; how long a call may take, the tool says."""

_log = logging.getLogger("turnwise.mcp")


class Reached(NamedTuple):
    """A server that answers, and the tools that it lists."""

    client: Client
    tools: Sequence[ListedTool]


class Connection:
    """A server, while it is used. A task of its own holds the connection: what opens it also closes it."""

    def __init__(self, server: McpServer) -> None:
        self.name = server.name
        self._server = server
        self._life: asyncio.Task[None] | None = None
        self._reached: asyncio.Future[Reached] | None = None
        self._end = asyncio.Event()
        self._ending: set[asyncio.Task[None]] = set()

    async def listed(self) -> Sequence[ListedTool]:
        """The tools of the server. Raises `CallNotRun` where it cannot be reached."""
        return (await self._connected()).tools

    async def call(self, tool: str, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """The answer to a call. Raises `ToolRefused` with what the server says, and `InDoubt` where it is gone."""
        client = (await self._connected()).client
        try:
            answer = await client.call_tool(tool, dict(arguments), meta={KEY: call.key})
        except Exception as error:
            if isinstance(code := getattr(error, "code", None), int) and code != _CLOSED:
                refused = CallNotRun if code in _NOT_TAKEN else ToolRefused
                raise refused(f"the server '{self.name}' refuses the call: {error}") from error
            self._drop()
            raise InDoubt(f"the server '{self.name}' was lost in the middle of the call: {reason(error)}") from error
        return data_of(answer)

    async def close(self) -> None:
        """Let go of the server; a command that was started is ended."""
        self._drop()
        if self._ending:
            await asyncio.wait(self._ending)

    # its life --------------------------------------------------------------------------------

    async def _connected(self) -> Reached:
        """The server, connected now if need be; whoever gives up waiting leaves it to the others."""
        if self._life is None or self._life.done() or self._reached is None:
            self._end = asyncio.Event()
            self._reached = asyncio.get_running_loop().create_future()
            self._reached.add_done_callback(lambda done: done.cancelled() or done.exception())
            live = self._live(self._reached, self._end)
            self._life = asyncio.create_task(live, name=f"turnwise-mcp-{self.name}")
        return await asyncio.shield(self._reached)

    def _drop(self) -> None:
        """Let the connection end; the next call makes another one."""
        self._end.set()
        if self._life is not None and not self._life.done():
            self._ending.add(self._life)
            self._life.add_done_callback(self._ending.discard)
            if self._reached is not None and not self._reached.done():
                self._life.cancel()
        self._life = None

    async def _live(self, reached: asyncio.Future[Reached], end: asyncio.Event) -> None:
        """Hold the connection until its end is wished for, or comes by itself."""
        said = Said(self.name)
        said.listen()
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(CONNECT_S):
                    client = await stack.enter_async_context(self._client(said.file))
                    tools = [one async for one in _pages(client)]
                said.reached()
                reached.set_result(Reached(client, tools))
                await end.wait()
        except Exception as error:  # noqa: BLE001  a server may fail in any way
            told = await _told(said, _first(error))
            if reached.done():
                _log.warning("the server '%s' is lost: %s", self.name, told)
            else:
                reached.set_exception(CallNotRun(f"the server '{self.name}' cannot be reached: {told}"))
        finally:
            said.file.close()
            reached.cancel()

    @asynccontextmanager
    async def _client(self, errors: TextIO) -> AsyncGenerator[Client]:
        """The client of the protocol's own package, which takes its time to be imported."""
        mcp = await asyncio.to_thread(import_module, "mcp")
        server = self._server
        if server.command:
            first, *rest = server.command
            command = mcp.StdioServerParameters(
                command=first, args=rest, env={name: _secret(name) for name in server.env}
            )
            async with mcp.Client(mcp.stdio_client(command, errors)) as client:
                yield client
            return
        import httpx2  # what the package itself speaks HTTP with
        from mcp.client.streamable_http import streamable_http_client

        headers = {"Authorization": f"Bearer {_secret(server.token)}"} if server.token else None
        async with (
            httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(CONNECT_S, read=_SILENT_S)) as http,
            mcp.Client(streamable_http_client(server.url, http_client=http)) as client,
        ):
            yield client


def _secret(name: str) -> str:
    """A variable of the environment. Raises `ToolRefused` where it is not set."""
    found = os.environ.get(name)
    if found is None:
        raise ToolRefused(f"the environment has no variable '{name}', which it needs")
    return found


async def _pages(client: Client) -> AsyncGenerator[ListedTool]:
    """All the tools that a server lists, page by page."""
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            yield tool
        cursor = page.next_cursor
        if cursor is None:
            return


async def _told(said: Said, error: BaseException) -> str:
    """Why a server is not there, in its own words where it has some."""
    words = await said.last_words()
    stray = f"it {said.untold}" if said.untold else ""
    if not isinstance(error, TimeoutError):
        return "; ".join(part for part in (words or reason(error), stray) if part)
    late = f"it did not say within {CONNECT_S:g} s which tools it has"
    last = f"its last words: {words}" if words else ""
    return "; ".join(part for part in (late, stray, last) if part)


def _first(error: BaseException) -> BaseException:
    """The error itself, out of a group of one."""
    while True:
        inner: Sequence[BaseException] = getattr(error, "exceptions", ())
        if not inner:
            return error
        error = inner[0]
