"""The Python code of a scenario file, and the tools that its scenarios are played with."""

from __future__ import annotations

from pathlib import Path

from turnwise.api.tool_resolution import runner_of
from turnwise.authoring.code_file import NO_CODE, Code, read_code
from turnwise.authoring.supplied import unfit
from turnwise.core.machine import Machine
from turnwise.errors import TurnwiseError
from turnwise.flow.diagnostic import FlowError
from turnwise.flow.model import Flow
from turnwise.flow.model.tools import PythonTool
from turnwise.runner.ports import ToolRunner
from turnwise.testing.scenario import Problem, ScenarioError, ScenarioFile
from turnwise.testing.script import Script, ScriptedTool

Tools = dict[str, ToolRunner]


def code_of(file: ScenarioFile, python: Path | None = None) -> Code:
    """What the file that the header names defines, or one in its place. Raises `TurnwiseError`."""
    if python is not None:
        return read_code(python)
    line = file.header.get("python")
    if line is None:
        return NO_CODE
    try:
        return read_code(file.path.parent / line.value)
    except TurnwiseError as error:
        raise ScenarioError(file.path, [Problem(line.number, str(error))]) from None


def functions_of(flow: Flow, code: Code) -> Tools:
    """The functions that are tools of a flow: those that it carries, and those of a file. Raises `FlowError` where
    one does not fit what the flow declares.
    """
    carried = {one.name: one for one in flow.code if isinstance(one, PythonTool)}
    given = carried | code.tools_of(flow)
    if wrong := unfit(flow, given):
        raise FlowError(wrong)
    return {name: runner_of(one) for name, one in given.items()}


def tools_for(machine: Machine, own: Tools, script: Script) -> Tools:
    """Every declared tool, as a scenario has it: no server is ever asked."""
    return {tool.name: ScriptedTool(tool.name, script, own.get(tool.name)) for tool in machine.flow.tools}
