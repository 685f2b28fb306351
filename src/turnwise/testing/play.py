"""Playing scenarios: each in a conversation of its own, with a clock of its own, without a network."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from turnwise.authoring.document import read_document
from turnwise.core.commands import AnyCommand
from turnwise.core.exposure import Exposed
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed, TurnwiseError
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import FlowError, has_errors
from turnwise.flow.durations import read_duration_s
from turnwise.flow.model import Flow
from turnwise.flow.model.tools import PythonTool
from turnwise.open import Chat, Turn, load
from turnwise.open import open as open_flow
from turnwise.providers.closing import let_go
from turnwise.runner.clocks import ManualClock
from turnwise.runner.ports import ModelEvent, StreamingModel, TextDelta, Usage
from turnwise.testing.absent import absent_tools
from turnwise.testing.actual import actual, is_met
from turnwise.testing.notation import read_commands, read_tool_use
from turnwise.testing.scenario import Line, Problem, Scenario, ScenarioError, ScenarioFile, StepLines
from turnwise.testing.sound import FAILS, NOTHING, begin_ms, in_vain, problems_of, problems_of_header


@dataclass(frozen=True, slots=True)
class Miss:
    """An expectation that was not met."""

    line: Line
    found: str


@dataclass(slots=True)
class Played:
    """A scenario that was played: the turn of each step, what was not as expected, and what is wrong
    with the scenario itself. One whose lines are wrong is not played and has no turns.
    """

    scenario: Scenario
    turns: list[Turn] = field(default_factory=list[Turn])
    misses: list[Miss] = field(default_factory=list[Miss])
    problems: list[Problem] = field(default_factory=list[Problem])

    @property
    def passed(self) -> bool:
        """True if something was expected, and everything was as expected."""
        return not self.misses and not self.problems and not self.scenario.is_empty


def play_file(file: ScenarioFile, model: StreamingModel | None = None) -> list[Played]:
    """Play every sound scenario of a file.

    Raises `ScenarioError` where the file as a whole is wrong, or `FlowError` where its flow is.
    """
    machine = machine_of(file)
    return [play(file, scenario, machine, model) for scenario in file.scenarios]


def machine_of(file: ScenarioFile) -> Machine:
    """The machine that the scenarios of a file are played on.

    Raises `ScenarioError` where the file as a whole is wrong, or `FlowError` where its flow is.
    """
    if "flow" not in file.header:
        raise ScenarioError(file.path, [Problem(1, "which flow? begin with 'flow: path/to.flow.yaml'"), *_told(file)])
    guards, tools = _code(file)
    flow = _flow(file)
    machine = link(replace(flow, code=(*flow.code, *tools)) if tools else flow, guards)
    problems = [*file.problems, *problems_of_header(file)]
    if problems:
        raise ScenarioError(file.path, [*problems, *_told(file)])
    return machine


def _told(file: ScenarioFile) -> list[Problem]:
    """What is wrong with the lines of a file that cannot be played."""
    return [problem for scenario in file.scenarios for problem in scenario.problems]


def play(file: ScenarioFile, scenario: Scenario, machine: Machine, model: StreamingModel | None = None) -> Played:
    """Play one scenario of a file; one whose lines are wrong is not played. `model` speaks where no reply is
    scripted.
    """
    problems = [*scenario.problems, *problems_of(scenario, machine)]
    if problems:
        return Played(scenario, problems=sorted(problems, key=lambda problem: problem.number))
    return asyncio.run(_play(file, scenario, machine, model))


async def _play(file: ScenarioFile, scenario: Scenario, machine: Machine, model: StreamingModel | None) -> Played:
    script = _Script(model)
    clock = ManualClock(begin_ms(file))
    tools = absent_tools(machine)
    chat = open_flow(machine, understand=script.understand, model=script, clock=clock, tools=tools)
    script.speaks_for(chat)
    played = Played(scenario)
    zone = file.header["zone"].value if "zone" in file.header else ""
    for step in scenario.steps:
        try:
            script.plan(step.scripts)
            turn = await _take(chat, clock, step, zone)
        except TurnwiseError as error:
            played.problems.append(Problem(step.given.number, str(error)))
            break
        played.turns.append(turn)
        played.misses += [Miss(line, actual(line, turn)) for line in step.expected if not is_met(line, turn)]
        played.misses += script.unused()
        played.problems += in_vain(step, turn)
    await let_go(model)
    return played


# inputs ------------------------------------------------------------------------------------------


async def _take(chat: Chat, clock: ManualClock, step: StepLines, zone: str) -> Turn:
    value = step.given.value
    match step.given.key:
        case "user":
            return await chat.say(value)
        case "press":
            return await _press(chat, value)
        case "commands":
            return await chat.commands(read_commands(value))
        case "tool":
            return await chat.tool_used(*read_tool_use(value))
        case "wait":
            return await _wait(chat, clock, value)
        case "start":
            return await chat.start(time_zone=value or zone)
        case "fire":
            return await chat.fire(value)
        case _:
            return await chat.undo(to=int(value) if value else None)


async def _press(chat: Chat, value: str) -> Turn:
    """A button by label or value; `Yes @ 5` names the position that offered it."""
    label, at, position = value.rpartition(" @ ")
    if at and position.isdigit():
        return await chat.choose(label, position=int(position))
    return await chat.choose(value)


async def _wait(chat: Chat, clock: ManualClock, value: str) -> Turn:
    """Time passes, and the timers that come due meanwhile fire in their order; gives the last turn."""
    seconds = read_duration_s(value)
    assert seconds is not None
    until_ms = clock.now_ms() + round(seconds * 1000)
    state = await chat.state()
    turn = Turn("main", chat.machine, state)
    while due := sorted((t.due_ms, t.transition, t.visit) for t in state.timers if t.due_ms <= until_ms):
        due_ms, transition, visit = due[0]
        clock.set_ms(max(clock.now_ms(), due_ms))
        turn = await chat.fire(transition, visit=visit)
        state = await chat.state()
    clock.set_ms(until_ms)
    return turn


# what the file says ------------------------------------------------------------------------------


def _flow(file: ScenarioFile) -> Flow:
    """The flow that is named by its path, or stands in the file itself."""
    line = file.header["flow"]
    if "\n" not in line.value:
        path = file.path.parent / line.value
        if ":" not in line.value and not path.exists():
            raise ScenarioError(file.path, [Problem(line.number, f"there is no file {path}")])
        return load(path)
    flow, diagnostics = read_document("\n" * line.number + line.value, str(file.path))
    if has_errors(diagnostics):
        raise FlowError(diagnostics)
    return flow


def _code(file: ScenarioFile) -> tuple[list[PythonGuard], list[PythonTool]]:
    """The Python guards and tools of the file that the header names."""
    line = file.header.get("python")
    if line is None:
        return [], []
    path = file.path.parent / line.value
    if not path.is_file():
        raise ScenarioError(file.path, [Problem(line.number, f"there is no file {path}")])
    spec = importlib.util.spec_from_file_location(f"scenario_{Path(line.value).stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    values = vars(module).values()
    return [one for one in values if isinstance(one, PythonGuard)], [
        one for one in values if isinstance(one, PythonTool)
    ]


# what was scripted -------------------------------------------------------------------------------


class _Script:
    """Understanding and model of a scenario: as scripted for a step, else offline."""

    def __init__(self, model: StreamingModel | None) -> None:
        self.model = model
        self.lines: list[Line] = []
        self.chat: Chat | None = None

    def speaks_for(self, chat: Chat) -> None:
        """The chat whose language the offline answers have."""
        self.chat = chat

    def plan(self, scripts: list[Line]) -> None:
        """What will be answered in the step that begins, call by call."""
        self.lines = list(scripts)

    def unused(self) -> list[Miss]:
        """Scripts that nothing asked for."""
        return [Miss(line, "nothing asked for it") for line in self.lines]

    def next(self, key: str) -> Line | None:
        """The next script of a kind, `None` where there is no further one."""
        line = next((line for line in self.lines if line.key == key), None)
        if line is not None:
            self.lines.remove(line)
        return line

    async def understand(self, message: str, exposed: Exposed) -> Sequence[AnyCommand]:
        """The commands that are scripted, else those of the offline rules."""
        line = self.next("understand")
        if line is None:
            from turnwise.providers.offline import understand

            found = understand(message, exposed)
            return await found if inspect.isawaitable(found) else found
        if line.value == FAILS:
            raise ProviderFailed("the script says that it fails")
        return () if line.value == NOTHING else read_commands(line.value)

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """The reply that is scripted, else what the model says, else that none is connected."""
        if self.model is not None and all(line.key != "model" for line in self.lines):
            return self.model.stream(request)
        return self._scripted(request)

    async def _scripted(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        line = self.next("model")
        if line is None:
            from turnwise.providers.silent import NoModel

            assert self.chat is not None
            reply = await NoModel(self.chat.machine.language).reply(request)
            yield TextDelta(reply.text)
            yield Usage(reply.model)
            return
        if line.value == FAILS:
            raise ProviderFailed("the script says that it fails")
        yield TextDelta(line.value)
        yield Usage("scripted")
