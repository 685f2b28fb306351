"""Playing scenarios: each in a conversation of its own, with a clock of its own, without a network."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from turnwise.authoring.document import read_document
from turnwise.core.commands import AnyCommand
from turnwise.core.exposure import Exposed
from turnwise.core.prompts import ModelRequest
from turnwise.errors import ProviderFailed
from turnwise.flow.code import PythonGuard
from turnwise.flow.diagnostic import FlowError, has_errors
from turnwise.flow.durations import read_duration_s
from turnwise.flow.model import Flow
from turnwise.open import Chat, Turn, load
from turnwise.open import open as open_flow
from turnwise.runner.clocks import ManualClock
from turnwise.runner.ports import ModelReply
from turnwise.testing.actual import actual, is_met
from turnwise.testing.notation import NotationError, read_commands
from turnwise.testing.scenario import Line, Scenario, ScenarioError, ScenarioFile, StepLines

DEFAULT_CLOCK = "2026-01-05T09:00:00+00:00"
FAILS = "fails"


@dataclass(frozen=True, slots=True)
class Miss:
    """An expectation that was not met."""

    line: Line
    found: str


@dataclass(slots=True)
class Played:
    """A scenario that was played: the turn of each step, and what was not as expected."""

    scenario: Scenario
    turns: list[Turn] = field(default_factory=list[Turn])
    misses: list[Miss] = field(default_factory=list[Miss])

    @property
    def passed(self) -> bool:
        """True if everything was as expected."""
        return not self.misses


def play_file(file: ScenarioFile) -> list[Played]:
    """Play every scenario of a file. Raises `ScenarioError` or `FlowError`."""
    flow, guards = _flow(file), _guards(file)
    return [asyncio.run(_play(file, scenario, flow, guards)) for scenario in file.scenarios]


async def _play(file: ScenarioFile, scenario: Scenario, flow: Flow, guards: list[PythonGuard]) -> Played:
    script = _Script()
    clock = ManualClock(_begin_ms(file))
    chat = open_flow(flow, understand=script.understand, model=script, guards=guards, clock=clock)
    script.speaks_for(chat)
    played = Played(scenario)
    zone = file.header["zone"].value if "zone" in file.header else ""
    for step in scenario.steps:
        try:
            script.plan(step.scripts)
            turn = await _take(chat, clock, step, zone)
        except (NotationError, ValueError) as error:
            raise ScenarioError(f"{file.path}:{step.given.number}: {error}") from None
        played.turns.append(turn)
        played.misses += [Miss(line, actual(line, turn)) for line in step.expected if not is_met(line, turn)]
        played.misses += script.unused()
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
            return await _tool(chat, value)
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


async def _tool(chat: Chat, value: str) -> Turn:
    """`think {"about": "x"} => "done"`."""
    head, _, result = value.partition("=>")
    name, _, arguments = head.strip().partition(" ")
    given: Any = json.loads(arguments) if arguments.strip() else {}
    return await chat.tool_used(name, given, json.loads(result) if result.strip() else None)


async def _wait(chat: Chat, clock: ManualClock, value: str) -> Turn:
    """Time passes, and the timers that come due meanwhile fire in their order; gives the last turn."""
    seconds = read_duration_s(value)
    if seconds is None:
        raise ValueError(f"{value!r} is no time span, write it like 30m or 2h")
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


def _begin_ms(file: ScenarioFile) -> int:
    line = file.header.get("clock")
    try:
        begin = datetime.fromisoformat(line.value if line is not None else DEFAULT_CLOCK)
    except ValueError:
        raise ScenarioError(f"{file.path}: the clock must be like {DEFAULT_CLOCK}") from None
    if begin.tzinfo is None:
        raise ScenarioError(f"{file.path}: the clock needs a zone, as in {DEFAULT_CLOCK}")
    return round(begin.timestamp() * 1000)


def _flow(file: ScenarioFile) -> Flow:
    """The flow that is named by its path, or stands in the file itself."""
    line = file.header.get("flow")
    if line is None:
        raise ScenarioError(f"{file.path}:1: which flow? begin with 'flow: path/to.flow.yaml'")
    if "\n" not in line.value:
        return load(file.path.parent / line.value)
    flow, diagnostics = read_document(line.value, str(file.path))
    if has_errors(diagnostics):
        raise FlowError(diagnostics)
    return flow


def _guards(file: ScenarioFile) -> list[PythonGuard]:
    """The Python guards of the file that the header names."""
    line = file.header.get("python")
    if line is None:
        return []
    path = file.path.parent / line.value
    if not path.is_file():
        raise ScenarioError(f"{file.path}:{line.number}: there is no file {path}")
    spec = importlib.util.spec_from_file_location(f"scenario_{Path(line.value).stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [value for value in vars(module).values() if isinstance(value, PythonGuard)]


# what was scripted -------------------------------------------------------------------------------


class _Script:
    """Understanding and model of a scenario: as scripted for a step, else offline."""

    def __init__(self) -> None:
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
        return () if line.value == "nothing" else read_commands(line.value)

    async def reply(self, request: ModelRequest) -> ModelReply:
        """The reply that is scripted, else that no model is connected."""
        line = self.next("model")
        if line is None:
            from turnwise.providers.silent import NoModel

            assert self.chat is not None
            return await NoModel(self.chat.machine.language).reply(request)
        if line.value == FAILS:
            raise ProviderFailed("the script says that it fails")
        return ModelReply(line.value, "scripted")
