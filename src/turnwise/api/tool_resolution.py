"""Resolves the implementation of each tool: a function of the program or the flow, or an MCP server."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

from turnwise.core.machine import Machine
from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import FlowError, problem
from turnwise.flow.model import McpServer, Tool
from turnwise.flow.model.tools import PythonTool
from turnwise.runner.ports import ToolRunner

NO_PACKAGE = "servers of tools need a package that is not installed: pip install 'turnwise[mcp]'"
"""The error where a flow has MCP servers and the package for MCP is not installed."""
_log = logging.getLogger("turnwise")


async def _nothing() -> None:
    """Close nothing."""


class ToolRunners(NamedTuple):
    """The runners of tools by name, and a function that closes them."""

    runners: Mapping[str, ToolRunner] = {}
    """The runners by the name of the tool."""
    close: Callable[[], Awaitable[None]] = _nothing
    """A function that closes what the runners hold open, such as connections."""


NO_TOOLS = ToolRunners()
"""The tool runners of a flow without tools."""


def resolve_tools(machine: Machine, tools: object, *, has_model: bool) -> ToolRunners:
    """Return the runners of a machine's tools; log the tools that may be called and have none.
    `tools` are the functions that the program passed; `has_model` is true if models may call tools. Raises `FlowError`
    with every tool that does not fit, and `WrongArgument` for a value that is no tool.
    """
    if not machine.flow.tools and not tools:
        return NO_TOOLS
    from turnwise.authoring.tools import by_name, tool_differences

    carried = {one.name: one for one in machine.flow.code if isinstance(one, PythonTool)}
    given = carried | by_name(tools)
    wrong = tool_differences(machine.flow, given)
    if wrong:
        raise FlowError(wrong)
    runners = {name: runner_of(one) for name, one in given.items()}
    missing = [tool for tool in machine.flow.tools if tool.name not in runners]
    if machine.flow.mcp and missing:
        return _with_servers(machine.flow.mcp, missing, runners)
    called = [tool.name for tool in missing if tool.name in set(_called(machine, has_model=has_model))]
    if called:
        names = ", ".join(f"'{name}'" for name in called)
        how = "supply functions with tools=[…], on the command line with --python FILE"
        _log.warning("no function is supplied for %s: a call of it fails; %s", names, how)
    return ToolRunners(runners)


def runner_of(given: Any) -> ToolRunner:
    """Return a tool's function as a runner, with the function that checks earlier calls if the tool has one; a
    `ToolRunner` is returned unchanged.
    """
    from turnwise.authoring.tools import is_runner
    from turnwise.tools.functions import FunctionRunner

    if isinstance(given, PythonTool):
        return FunctionRunner(given.function, given.check)
    return given if is_runner(given) else FunctionRunner(given)


def _with_servers(named: Iterable[McpServer], tools: Sequence[Tool], runners: dict[str, ToolRunner]) -> ToolRunners:
    """Return the runners, with MCP servers for some tools. Raises `TurnwiseError` if the package for servers is not
    installed, and `FlowError` for a tool that only a function can be.
    """
    if find_spec("mcp") is None:
        raise TurnwiseError(NO_PACKAGE)
    from turnwise.tools.mcp.servers import Servers, ServerTool

    hint = "say again or unknown, or supply a function with a check"
    wrong = [
        problem(
            "TW089", f"'{one.name}' is to be checked after a crash, and no server can be asked that", one.span, hint
        )
        for one in tools
        if one.on_crash == "check"
    ]
    if wrong:
        raise FlowError(wrong)
    servers = Servers(named)
    return ToolRunners(runners | {tool.name: ServerTool(servers, tool) for tool in tools}, servers.close)


def _called(machine: Machine, *, has_model: bool) -> Iterator[str]:
    """Yield the tools that may be called: by a model, or by a node whose work they are."""
    for node in machine.nodes.values():
        if node.tool is not None:
            yield node.tool.tool.tool.name
        if has_model:
            yield from node.toolbox.specs
