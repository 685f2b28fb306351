"""One MCP server: connects when a tool is first needed, and again after the server died."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import DecodeError
from msgspec.json import decode

from turnwise.core.values.json_data import as_list, as_object
from turnwise.errors import InDoubt
from turnwise.flow.code import ToolCall
from turnwise.flow.model import McpServer
from turnwise.runner.services import error_reason
from turnwise.runner.tool_execution import CallNotRun, ToolRefused

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult
    from mcp.types import Tool as ListedTool

CONNECT_S = 30.0
"""The longest time until a server has listed its tools, in seconds."""
KEY = "turnwise/idempotency-key"
"""The metadata key under which a call carries its idempotency key."""
_CLOSED = -32000
"""The error code of the package `mcp` for a closed connection."""
_NOT_RUN = (-32700, -32600, -32601, -32602)
"""The JSON-RPC error codes of calls that the server did not run: unreadable, invalid, unknown, wrong arguments."""
_MOST_PAGES = 100
_SILENT_S = 300.0
"""The longest silence of a server that is reached over HTTP, in seconds. The tool itself limits the time of a call."""
_MOST_SHOWN = 200
"""The most characters of a line of output that are shown."""

_log = logging.getLogger("turnwise.mcp")


class Connected(NamedTuple):
    """An open connection to an MCP server, with the tools of the server."""

    client: Client
    """The client of the connection."""
    tools: Sequence[ListedTool]
    """The tools that the server lists."""


class Connection:
    """A connection to an MCP server. One task opens and closes it, as the package `mcp` requires."""

    def __init__(self, server: McpServer) -> None:
        self.name = server.name
        self._server = server
        self._task: asyncio.Task[None] | None = None
        self._connected: asyncio.Future[Connected] | None = None
        self._end = asyncio.Event()
        self._ending: set[asyncio.Task[None]] = set()

    async def listed(self) -> Sequence[ListedTool]:
        """Return the tools of the server. Raises `CallNotRun` if the server cannot be reached."""
        return (await self._connect()).tools

    async def call(self, tool: str, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Call the `tool` of this name on the server, with the key of the `call`, and return its answer as JSON data.
        Raises `ToolRefused` with the error of the server, and `InDoubt` where the connection was lost.
        """
        client = (await self._connect()).client
        try:
            answer = await client.call_tool(tool, dict(arguments), meta={KEY: call.key})
        except Exception as error:
            if isinstance(code := getattr(error, "code", None), int) and code != _CLOSED:
                refused = CallNotRun if code in _NOT_RUN else ToolRefused
                raise refused(f"the server '{self.name}' refuses the call: {error}") from error
            self._disconnect()
            raise InDoubt(
                f"the server '{self.name}' was lost in the middle of the call: {error_reason(error)}"
            ) from error
        return answer_data(answer)

    async def close(self) -> None:
        """Close the connection, and end the command that runs the server."""
        self._disconnect()
        if self._ending:
            await asyncio.wait(self._ending)

    async def _connect(self) -> Connected:
        """Return the connected server, and connect first where necessary. Callers share one attempt: it continues when
        one of them is cancelled.
        """
        if self._task is None or self._task.done() or self._connected is None:
            self._end = asyncio.Event()
            self._connected = asyncio.get_running_loop().create_future()
            self._connected.add_done_callback(lambda done: done.cancelled() or done.exception())
            holding = self._hold(self._connected, self._end)
            self._task = asyncio.create_task(holding, name=f"turnwise-mcp-{self.name}")
        return await asyncio.shield(self._connected)

    def _disconnect(self) -> None:
        """Let the connection end; the next call makes another one."""
        self._end.set()
        if self._task is not None and not self._task.done():
            self._ending.add(self._task)
            self._task.add_done_callback(self._ending.discard)
            if self._connected is not None and not self._connected.done():
                self._task.cancel()
        self._task = None

    async def _hold(self, connected: asyncio.Future[Connected], end: asyncio.Event) -> None:
        """Hold the connection until `end` is set or the connection breaks."""
        output = _Output(self.name)
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(CONNECT_S):
                    client = await stack.enter_async_context(self._client(output))
                    tools = [one async for one in _listed_tools(client)]
                output.report_stray_lines()
                connected.set_result(Connected(client, tools))
                await end.wait()
        except Exception as error:  # noqa: BLE001  a server may fail in any way
            why = await output.failure(error)
            if connected.done():
                _log.warning("the server '%s' is lost: %s", self.name, why)
            else:
                connected.set_exception(CallNotRun(f"the server '{self.name}' cannot be reached: {why}"))
        finally:
            output.file.close()
            connected.cancel()

    @asynccontextmanager
    async def _client(self, output: _Output) -> AsyncGenerator[Client]:
        mcp = await asyncio.to_thread(import_module, "mcp")  # this import takes about a second
        server = self._server
        if server.command:
            first, *rest = server.command
            environment = {name: _variable(name) for name in server.env}
            command = mcp.StdioServerParameters(command=first, args=rest, env=environment)
            async with mcp.Client(mcp.stdio_client(command, output.file)) as client:
                yield client
            return
        import httpx2  # the HTTP library of the package `mcp`
        from mcp.client.streamable_http import streamable_http_client

        headers = {"Authorization": f"Bearer {_variable(server.token)}"} if server.token else None
        async with (
            httpx2.AsyncClient(headers=headers, timeout=httpx2.Timeout(CONNECT_S, read=_SILENT_S)) as http,
            mcp.Client(streamable_http_client(server.url, http_client=http)) as client,
        ):
            yield client


def _variable(name: str) -> str:
    """Return a variable of the environment. Raises `ToolRefused` where it is not set."""
    found = os.environ.get(name)
    if found is None:
        raise ToolRefused(f"the environment variable '{name}' is not set, and the flow passes it to the server")
    return found


async def _listed_tools(client: Client) -> AsyncGenerator[ListedTool]:
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            yield tool
        cursor = page.next_cursor
        if cursor is None:
            return


def answer_data(answer: CallToolResult) -> Any:
    """Return a server's answer as JSON data: its structured content, else its text or list of parts.
    A text that is a JSON object or list is decoded. Raises `ToolRefused` with the server's words where the call failed.
    """
    parts: list[Any] = [
        block.text if block.type == "text" else block.model_dump(mode="json", by_alias=True, exclude_none=True)
        for block in answer.content
    ]
    if answer.is_error:
        raise ToolRefused("; ".join(str(part) for part in parts) or "the server reports a failure without a reason")
    if answer.structured_content is not None:
        return answer.structured_content
    if len(parts) != 1:
        return parts or None
    part = parts[0]
    if isinstance(part, str) and part.lstrip()[:1] in ("{", "["):
        try:
            return decode(part)
        except DecodeError:
            return part
    return part


# what the command of a server prints ----------------------------------------------------------------

_current_output: ContextVar[_Output | None] = ContextVar("turnwise_mcp_output", default=None)
"""The output of the server that the current task holds."""


class _Output:
    """The output of a server outside the protocol. Its standard error goes to the log, and the last line is kept for
    the error message. A stray line is one on its standard output that is not JSON-RPC; the first is kept.
    """

    def __init__(self, server: str) -> None:
        reading, writing = os.pipe()
        self.file = os.fdopen(writing, "w", encoding="utf-8")
        self._server = server
        self._stray = ""
        self._last = ""
        self._reports = False
        self._reader = Thread(target=self._read, args=(reading,), name="turnwise-mcp-errors", daemon=True)
        self._reader.start()
        # The package `mcp` logs stray lines. The context variable says which server the logging task is about.
        _current_output.set(self)
        logging.getLogger("mcp.client.stdio").addFilter(_log_filter)

    def report_stray_lines(self) -> None:
        """Log the stray line, now or when one comes: the server was reached, so no error message will name it."""
        self._reports = True
        if self._stray:
            _log.warning("the server '%s' %s", self._server, self._stray)

    async def failure(self, error: BaseException) -> str:
        """Return why the server is not reached, in its own last words where it printed some."""
        self.file.close()
        await asyncio.to_thread(self._reader.join, 1.0)
        stray = f"it {self._stray}" if self._stray and not self._reports else ""
        while inner := getattr(error, "exceptions", ()):  # a task group wraps the error in a group
            error = inner[0]
        if isinstance(error, TimeoutError):
            last = f"its last output: {self._last}" if self._last else ""
            parts = (f"it did not list its tools within {CONNECT_S:g} s", stray, last)
        else:
            parts = (self._last or error_reason(error), stray)
        return "; ".join(part for part in parts if part)

    def _read(self, reading: int) -> None:
        with os.fdopen(reading, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                self._last = line.strip() or self._last
                _log.debug("%s: %s", self._server, line.rstrip())

    def take_record(self, record: logging.LogRecord) -> None:
        """Log a record of the package `mcp` in one line: the first stray line as a warning, others for debugging."""
        error = record.exc_info[1] if record.exc_info else None
        line = _unread_line(error)
        if line is None:
            _log.warning("the server '%s': %s: %s", self._server, record.getMessage(), error)
        elif line.strip() and not self._stray:
            self._stray = f"writes lines that are not JSON-RPC to its standard output: {line.strip()[:_MOST_SHOWN]!r}"
            if self._reports:
                self.report_stray_lines()
        elif line.strip():
            _log.debug("%s: %r", self._server, line[:_MOST_SHOWN])


def _log_filter(record: logging.LogRecord) -> bool:
    """Return true for a log record about no server of turnwise, so that it is logged as usual."""
    output = _current_output.get()
    if output is not None:
        output.take_record(record)
    return output is None


def _unread_line(error: Any) -> str | None:
    """Return the line that a validation error of the package `mcp` is about; `None` for any other error."""
    errors: Any = getattr(error, "errors", None)
    found = (as_list(errors()) if callable(errors) else None) or ()
    first = as_object(found[0]) if found else None
    return str(first.get("input", "")) if first is not None else None
