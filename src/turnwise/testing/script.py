"""The parts of a scenario's chat: Python code, tools, scripted understanding and model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from turnwise.api.tool_resolution import runner_of
from turnwise.authoring.python import NO_CODE, ProgramCode, read_code
from turnwise.authoring.tools import tool_differences
from turnwise.core.commands.allowed_input import AllowedInput
from turnwise.core.language import Language
from turnwise.core.machine import Machine
from turnwise.core.prompts import ModelRequest
from turnwise.core.state.commands import AnyCommand
from turnwise.errors import InDoubt, NotDone, ProviderFailed, TurnwiseError
from turnwise.flow.code import ToolCall
from turnwise.flow.diagnostic import FlowError
from turnwise.flow.model import Flow
from turnwise.flow.model.tools import PythonTool
from turnwise.runner.model_port import ModelEvent, StreamingModel, TextDelta, Usage
from turnwise.runner.ports import ToolRunner
from turnwise.testing.keys import Line, Problem
from turnwise.testing.notation import FAILS, NOTHING, ScriptedFailure, read_commands, read_reply, read_result
from turnwise.testing.scenario import ScenarioError, ScenarioFile, StepLines

Tools = dict[str, ToolRunner]
"""The runners of tools by name."""


def code_of(file: ScenarioFile, python: Path | None = None) -> ProgramCode:
    """Return the guards and tools of the Python file in the header, or of `python` in its place.

    Raises `TurnwiseError`.
    """
    if python is not None:
        return read_code(python)
    line = file.header.get("python")
    if line is None:
        return NO_CODE
    try:
        return read_code(file.path.parent / line.value)
    except TurnwiseError as error:
        raise ScenarioError(file.path, [Problem(line.number, str(error))]) from None


def functions_of(flow: Flow, code: ProgramCode) -> Tools:
    """Return the functions that implement the tools of a flow: those that it carries, and those of a Python file
    (`code`).

    Raises `FlowError` where one does not fit what the flow declares.
    """
    tools = {one.name: one for one in flow.code if isinstance(one, PythonTool)} | code.tools_of(flow)
    if wrong := tool_differences(flow, tools):
        raise FlowError(wrong)
    return {name: runner_of(one) for name, one in tools.items()}


def tools_for(machine: Machine, own: Tools, script: Script) -> Tools:
    """Return a scripted implementation of each declared tool, with the functions `own` where none is scripted, so that
    no server is ever called.
    """
    return {tool.name: ScriptedTool(tool.name, script, own.get(tool.name)) for tool in machine.flow.tools}


class Script:
    """The scripted answers of understanding, model and tools in a scenario.

    With a `model`, scripted replies are set aside, but not in a step with one that fails. If it `understands`, the
    model reads the messages too.
    """

    def __init__(self, language: Language, model: StreamingModel | None = None, *, understands: bool = False) -> None:
        self.language = language
        self.model = model
        self.understands = understands
        self.lines: list[Line] = []
        self.asked: list[ModelRequest] = []
        self.problems: list[Problem] = []
        self.not_supplied: list[Problem] = []
        self.step = StepLines(Line("", "", "", 0))
        self.is_set_aside = False

    def plan(self, step: StepLines) -> None:
        """Load the scripted answers of the step that begins."""
        replies = [line for line in step.scripts if line.key == "model"]
        has_failure = any(isinstance(read_reply(line.value), ScriptedFailure) for line in replies)
        self.is_set_aside = self.model is not None and bool(replies) and not has_failure
        self.lines = [line for line in step.scripts if line.key != "model" or not self.is_set_aside]
        self.step, self.asked, self.problems, self.not_supplied = step, [], [], []

    @property
    def speaks(self) -> bool:
        """True if the replies of the step come from the script."""
        return not self.is_set_aside and any(line.key == "model" for line in self.step.scripts)

    def unused(self) -> list[Line]:
        """Return the lines of the script that were not used.

        A model in place of the script need not ask for its results.
        """
        return [line for line in self.lines if line.key == "understand" or not self.is_set_aside]

    def next(self, key: str, subject: str = "") -> Line | None:
        """Return and remove the next scripted line with a key and subject; `None` if there is none left."""
        line = next((line for line in self.lines if (line.key, line.subject) == (key, subject)), None)
        if line is not None:
            self.lines.remove(line)
        return line

    # understanding and model -----------------------------------------------------------------

    async def understand(self, message: str, allowed: AllowedInput) -> Sequence[AnyCommand]:
        """Return the scripted commands for a message, or those of the offline rules if none are scripted."""
        line = self.next("understand")
        if line is None:
            from turnwise.understanding import understand

            return understand(message, replace(allowed, has_model=False))
        if line.value == FAILS:
            raise ProviderFailed(ScriptedFailure().words)
        return () if line.value == NOTHING else read_commands(line.value)

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Yield the scripted reply, or the model's; if there is neither, a text that no model is connected."""
        self.asked.append(request)
        replies = [line for line in self.step.scripts if line.key == "model" and not self.is_set_aside]
        if not replies and self.model is not None:
            return self.model.stream(request)
        return self._scripted(request, replies)

    async def _scripted(self, request: ModelRequest, replies: Sequence[Line]) -> AsyncIterator[ModelEvent]:
        line = self.next("model")
        if line is None and replies:
            text = "the model was asked again after this reply; script what it says then with another 'model:'"
            self.problems.append(Problem(replies[-1].number, text))
            raise ProviderFailed("the script has no further reply")
        if line is None:
            from turnwise.models.no_model import NoModel

            unconnected = await NoModel(self.language).reply(request)
            yield TextDelta(unconnected.text)
            yield Usage(unconnected.model)
            return
        reply = read_reply(line.value)
        if isinstance(reply, ScriptedFailure):
            raise ProviderFailed(reply.words)
        if reply.text:
            yield TextDelta(reply.text)
        for call in reply.calls:
            yield call
        yield Usage("scripted")

    # tools -----------------------------------------------------------------------------------

    def result(self, tool: str) -> Line | None:
        """Return the next scripted result of a tool; `None` if there is none left.
        Where a model speaks, the last one stands for all further calls.
        """
        line = self.next("result", tool)
        if line is None and self.is_set_aside:
            given = [one for one in self.step.scripts if (one.key, one.subject) == ("result", tool)]
            return given[-1] if given else None
        return line


class ScriptedTool:
    """A tool of a scenario, which returns the scripted result of the step, or the result of its function."""

    def __init__(self, name: str, script: Script, own: ToolRunner | None) -> None:
        self.name = name
        self.script = script
        self.own = own

    async def run(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Return the result of the tool. Raises `InDoubt` or `TurnwiseError` for a failure."""
        line = self.script.result(self.name)
        if line is None and self.own is not None:
            return await self.own.run(arguments, call)
        if line is None:
            text = f"'{self.name}' is not supplied: script 'result {self.name}: …', or name its file, 'python: …'"
            self.script.not_supplied.append(Problem(self.script.step.given.number, text))
            raise TurnwiseError(text)
        result = read_result(line.value)
        if isinstance(result, ScriptedFailure):
            raise InDoubt(result.words) if result.in_doubt else TurnwiseError(result.words)
        return result.value

    async def check(self, arguments: Mapping[str, Any], call: ToolCall) -> Any:
        """Return what the tool's function knows about a call after a crash; a scripted call was not made."""
        if self.own is None:
            raise NotDone
        return await self.own.check(arguments, call)
