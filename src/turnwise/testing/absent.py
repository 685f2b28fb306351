"""Tools that nobody supplies to a scenario: a call of one fails and says so; a server is never asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.core.machine import Machine
from turnwise.errors import NotDone, TurnwiseError
from turnwise.flow.code import ToolCall
from turnwise.flow.model.tools import PythonTool
from turnwise.runner.ports import ToolRunner


class AbsentTool:
    """Stands for a tool that the scenario's files do not have."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def run(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:  # noqa: ARG002  the port's signature
        """Fail, with the way out."""
        raise TurnwiseError(f"this scenario has no tool '{self.name}': name its file in the header, 'python: …'")

    async def check(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:  # noqa: ARG002  the port's signature
        """It was not done."""
        raise NotDone


def absent_tools(machine: Machine) -> dict[str, ToolRunner]:
    """What stands for the declared tools that come with no function."""
    carried = {one.name for one in machine.flow.code if isinstance(one, PythonTool)}
    return {tool.name: AbsentTool(tool.name) for tool in machine.flow.tools if tool.name not in carried}
