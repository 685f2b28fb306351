"""`turnwise mcp-tools`: prints the tools of an MCP server as declarations for a flow."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from turnwise.api.tool_resolution import NO_PACKAGE
from turnwise.authoring.yaml_text import write_yaml
from turnwise.errors import TurnwiseError
from turnwise.flow.model import Flow, McpServer


def run_mcp_tools(name: str, server: Sequence[str], env: Sequence[str], token: str) -> int:
    """Print the declarations of a server and its tools; gives the exit code."""
    if find_spec("mcp") is None:
        raise TurnwiseError(NO_PACKAGE)
    from turnwise.tools.mcp.declarations import declarations_of

    is_address = len(server) == 1 and server[0].startswith(("http://", "https://"))
    named = McpServer(name, url=server[0], token=token) if is_address else McpServer(name, server, env=env)
    found = asyncio.run(declarations_of(named))
    for line in found.problems:
        sys.stderr.write(f"{line}\n")
    text = write_yaml(Flow(name, start="", tools=found.tools, mcp=[named]))
    begins = [place for key in ("tools:", "mcp:") if (place := f"\n{text}".find(f"\n{key}")) >= 0]
    sys.stdout.write(text[min(begins) :])
    return 0
