"""The declared tools, as a model is told of them."""

from __future__ import annotations

from turnwise.core.machine import LinkedTool
from turnwise.core.messages import ToolSpec
from turnwise.core.schema import object_schema
from turnwise.flow.model import Tool


def link_tools(tools: tuple[Tool, ...]) -> dict[str, LinkedTool]:
    """The declared tools by name."""
    return {tool.name: _linked(tool) for tool in tools}


def _linked(tool: Tool) -> LinkedTool:
    spec = ToolSpec(tool.name, tool.about, object_schema(tool.args))
    return LinkedTool(tool, {arg.name: arg for arg in tool.args}, spec)
