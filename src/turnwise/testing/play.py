"""Plays scenarios: each in a separate conversation with a manual clock and no network."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from turnwise.api.open import Chat, Turn, load
from turnwise.api.open import open as open_flow
from turnwise.authoring.document import read_document
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.errors import TurnwiseError, WrongUsage
from turnwise.flow.diagnostic import FlowError, has_errors
from turnwise.flow.durations import read_duration_s
from turnwise.flow.model import Flow
from turnwise.models.cassette import CassetteModel
from turnwise.models.reach import close_model
from turnwise.runner.clocks import ManualClock
from turnwise.runner.model_port import StreamingModel
from turnwise.runner.result import merge_turns
from turnwise.runner.schedules import schedule_of
from turnwise.testing.approval_lines import read_decisions
from turnwise.testing.expectations import EXPECTATIONS, TRANSCRIPTS, StepResult, is_met, observed
from turnwise.testing.frame_lines import transcripts
from turnwise.testing.key_checks import read_moment
from turnwise.testing.keys import Line, Problem
from turnwise.testing.notation import read_commands, read_event, read_tool_use
from turnwise.testing.operator_lines import read_give_back, read_take_over
from turnwise.testing.overlay_lines import force, read_forcing
from turnwise.testing.scenario import Scenario, ScenarioError, ScenarioFile, StepLines
from turnwise.testing.script import Script, Tools, code_of, functions_of, tools_for
from turnwise.testing.type_check import (
    begin_ms,
    failed_model_calls,
    problems_of,
    problems_of_empty,
    problems_of_header,
    useless_inputs,
)


@dataclass(frozen=True, slots=True)
class UnmetExpectation:
    """An expectation that was not met."""

    line: Line
    """The line of the expectation."""
    found: str
    """What the step did instead, in the notation of the line."""
    why: tuple[str, ...] = ()
    """The facts that explain it, each caused by the next."""


@dataclass(slots=True)
class PlayedScenario:
    """A played scenario, with its results; one with wrong lines is not played and has no steps here."""

    scenario: Scenario
    """The scenario that was played."""
    steps: list[StepResult] = field(default_factory=list[StepResult])
    """The result of each step, in order."""
    misses: list[UnmetExpectation] = field(default_factory=list[UnmetExpectation])
    """The expectations that were not met."""
    problems: list[Problem] = field(default_factory=list[Problem])
    """The mistakes in the lines of the scenario."""

    @property
    def turns(self) -> list[Turn]:
        """The turns of the steps, in order."""
        return [step.turn for step in self.steps]

    @property
    def passed(self) -> bool:
        """True if the scenario has an expectation, and all were met."""
        return not self.misses and not self.problems and not self.scenario.is_empty


class TimerStuck(TurnwiseError):
    """A timer of a scenario came due and cannot fire, so that it would be due for ever."""


class LinkedScenarios(NamedTuple):
    """The flow of a scenario file as a machine, and the functions that are its tools."""

    machine: Machine
    """The flow as the machine runs it."""
    tools: Tools
    """The tool functions, keyed by the name of the tool."""


def play_file(
    file: ScenarioFile,
    model: StreamingModel | None = None,
    python: Path | None = None,
    recording: CassetteModel | None = None,
) -> list[PlayedScenario]:
    """Play the scenarios of a file; `recording` replaces the one that its header names. `model` is as in `play`,
    `python` replaces the Python file in the header. Raises what `link_scenarios` and `recording_of` raise.
    """
    parts = link_scenarios(file, python)
    if recording is None and model is None:
        recording = recording_of(file)
    return [play(file, scenario, parts, model, recording) for scenario in file.scenarios]


def recording_of(
    file: ScenarioFile, model: StreamingModel | None = None, *, rewrites: bool = False
) -> CassetteModel | None:
    """Return the recording that a file's header names, a new one if there is a `model`; `None` if it names none.
    With `rewrites` it plays its answers to any requests, and takes these in place of the recorded ones. Raises
    `ScenarioError` where it cannot be read, or where the file has several scenarios, or scripts of what is recorded.
    """
    line = file.header.get("recording")
    if line is None:
        return None
    if len(file.scenarios) > 1:
        wrong = Problem(file.scenarios[1].line, "a file with a recording has one scenario, the conversation recorded")
        raise ScenarioError(file.path, [wrong])
    scripts = [script for one in file.scenarios for step in one.steps for script in step.scripts]
    if first := next((script for script in scripts if script.key in ("understand", "model")), None):
        text = f"the recording has what the model said; leave out '{first.key}', or 'recording' in the header"
        raise ScenarioError(file.path, [Problem(first.number, text)])
    try:
        return CassetteModel(file.path.parent / line.value, model, rewrites=rewrites)
    except TurnwiseError as error:
        raise ScenarioError(file.path, [Problem(line.number, str(error))]) from None


def link_scenarios(file: ScenarioFile, python: Path | None = None) -> LinkedScenarios:
    """Return the machine and tools of a file's scenarios; `python` replaces the Python file in its header.
    Raises `ScenarioError` where the file as a whole is wrong, or `FlowError` where its flow is.
    """
    of_lines = [problem for scenario in file.scenarios for problem in scenario.problems]
    if "flow" not in file.header:
        raise ScenarioError(file.path, [Problem(1, "which flow? begin with 'flow: path/to.flow.yaml'"), *of_lines])
    if empty := list(problems_of_empty(file)):
        raise ScenarioError(file.path, [*empty, *file.problems, *of_lines])
    code = code_of(file, python)
    flow = _flow(file)
    machine = link(flow, code.guards)
    tools = functions_of(flow, code)
    if problems := [*file.problems, *problems_of_header(file, machine)]:
        raise ScenarioError(file.path, [*problems, *of_lines])
    return LinkedScenarios(machine, tools)


def play(
    file: ScenarioFile,
    scenario: Scenario,
    parts: LinkedScenarios,
    model: StreamingModel | None = None,
    recording: CassetteModel | None = None,
) -> PlayedScenario:
    """Play one scenario of a file; one with wrong lines is not played. `model` speaks in place of the replies that are
    scripted, and where none are; a `recording` speaks, and reads the messages.
    """
    problems = [*scenario.problems, *problems_of(scenario, parts.machine)]
    if problems:
        return PlayedScenario(scenario, problems=sorted(problems, key=lambda problem: problem.number))
    return asyncio.run(_play(file, scenario, parts, model, recording))


async def _why(chat: Chat, line: Line) -> tuple[str, ...]:
    """Return why what a line is about is as it is now: the answer, then each step back that says more."""
    question = EXPECTATIONS[line.key].why if line.key in EXPECTATIONS else ""
    if not question:
        return ()
    try:
        answer = await chat.why(question.format(subject=line.subject, value=line.value))
    except TurnwiseError:
        return ()
    first, *others = answer.chain
    texts = [first.text]
    texts += [fact.text for fact in others if fact.text not in first.text]
    return tuple(texts)


async def _play(
    file: ScenarioFile,
    scenario: Scenario,
    parts: LinkedScenarios,
    model: StreamingModel | None,
    recording: CassetteModel | None,
) -> PlayedScenario:
    script = Script(parts.machine.language, recording or model, understands=recording is not None)
    clock = ManualClock(begin_ms(file))
    tools = tools_for(parts.machine, parts.tools, script)
    understand = None if script.understands else script.understand
    app = open_flow(parts.machine, understand=understand, model=script, clock=clock, tools=tools)
    chat = app.chat("main")
    played = PlayedScenario(scenario)
    zone = file.header["zone"].value if "zone" in file.header else None
    compared = 0
    for step in scenario.steps:
        script.plan(step)
        try:
            turn = await _take(chat, clock, step, zone)
            _check_fresh(recording)
        except TurnwiseError as error:
            played.problems.append(Problem(step.given.number, str(error)))
            break
        named = [line.subject for line in step.expected if line.key in TRANSCRIPTS]
        result = StepResult(turn, tuple(script.asked), await transcripts(chat, named) if named else {})
        expected = [line for line in step.expected if EXPECTATIONS[line.key].of_state or not script.is_set_aside]
        compared += len(expected)
        played.steps.append(result)
        unmet = [line for line in expected if not is_met(line, result)]
        played.misses += [UnmetExpectation(line, observed(line, result), await _why(chat, line)) for line in unmet]
        played.misses += [UnmetExpectation(line, "nothing asked for it") for line in script.unused()]
        played.problems += script.problems
        played.problems += [] if any(line.key == "calls" for line in step.expected) else script.not_supplied
        played.problems += useless_inputs(step, turn, is_scripted=script.speaks)
        played.problems += failed_model_calls(step, turn) if model is not None and not script.speaks else []
    if not played.problems:
        played.problems += _problems_at_end(file, scenario, recording, compared)
    await close_model(recording or model)
    return played


def _check_fresh(recording: CassetteModel | None) -> None:
    """Raise `TurnwiseError` with what differs where a recording had another request."""
    if recording is not None and recording.stale:
        raise TurnwiseError(recording.stale)


def _problems_at_end(
    file: ScenarioFile, scenario: Scenario, recording: CassetteModel | None, compared: int
) -> Iterator[Problem]:
    """Yield that nothing was compared, or that calls of a recording were not asked for, unless it is rewritten."""
    if not compared and not scenario.is_empty:
        yield Problem(
            scenario.line, "where a model speaks, nothing here is compared; expect a node, a field or a status"
        )
    if recording is not None and recording.unplayed and not recording.rewrites:
        text = f"{recording.unplayed} recorded calls were never asked for; --rewrite leaves them out of the recording"
        yield Problem(file.header["recording"].number, text)


# inputs ------------------------------------------------------------------------------------------


async def _take(chat: Chat, clock: ManualClock, step: StepLines, zone: str | None) -> Turn:
    """Take the turn of a step; the turns that an autonomous flow takes after it are joined with it."""
    if step.given.key == "run":
        turns = await chat.run(time_zone=zone)
        return merge_turns(turns) if turns else await chat.start()
    turn = await _put_in(chat, clock, step, zone)
    return merge_turns(await chat.following(turn)) if chat.machine.flow.autonomous and turn.entries else turn


async def _put_in(chat: Chat, clock: ManualClock, step: StepLines, zone: str | None) -> Turn:
    value = step.given.value
    match step.given.key:
        case "user":
            return await chat.say(value)
        case "press":
            label, at, position = value.rpartition(" @ ")  # `Yes @ 5` names the position that offered the button
            is_placed = bool(at) and position.isdigit()
            return await (chat.choose(label, position=int(position)) if is_placed else chat.choose(value))
        case "commands":
            return await chat.commands(read_commands(value))
        case "tool":
            return await chat.tool_used(*read_tool_use(value))
        case "wait" | "until":
            return await _wait(chat, clock, step.given)
        case "start":
            return await chat.start(time_zone=value or zone)
        case "fire":
            return await chat.fire(value)
        case "event" | "take over" | "operator" | "give back" | "decide" | "overlay":
            return await _operate(chat, step.given)
        case _:
            return await chat.undo(to=int(value) if value else None)


async def _operate(chat: Chat, given: Line) -> Turn:
    """Play another system, or the operator, who takes over, speaks, or gives back; decide about calls that wait; or
    force an overlay.
    """
    match given.key:
        case "event":
            return await chat.event(*read_event(given.value))
        case "overlay":
            return await _force(chat, given.value)
        case "decide":
            decided = read_decisions(given.value)
            return await chat.decide(decided.of(await chat.state()), operator=decided.operator)
        case "take over":
            return await chat.take_over(**read_take_over(given.value)._asdict())
        case "operator":
            return await chat.operator_say(given.value)
        case _:
            return await chat.give_back(**read_give_back(given.value)._asdict())


async def _force(chat: Chat, value: str) -> Turn:
    """Force an overlay; that is no turn."""
    await force(chat, read_forcing(value))
    state = await chat.state()
    return Turn(chat.name, chat.machine.for_conversation(state), state)


async def _wait(chat: Chat, clock: ManualClock, given: Line) -> Turn:
    """Move the clock, and fire the timers that come due meanwhile in their order; returns the last turn."""
    line, seconds, moment = f"{given.key}: {given.value}", read_duration_s(given.value), read_moment(given.value)
    until_ms = clock.now_ms() + round((seconds or 0) * 1000) if moment is None else round(moment.timestamp() * 1000)
    if until_ms < clock.now_ms():
        raise WrongUsage(f"'{line}' would move the clock back")
    state = await chat.state()
    turn = Turn(chat.name, chat.machine.for_conversation(state), state)
    while due := [timer for timer in state.due_timers if timer.due_ms <= until_ms]:
        timer = min(due, key=lambda timer: timer.due_ms)  # of several at once the first one
        clock.set_ms(max(clock.now_ms(), timer.due_ms))
        turn = await (chat.fire(timer) if schedule_of(timer) else chat.fire(timer.transition, visit=timer.visit))
        state = await chat.state()
        if turn.refused or timer in state.due_timers:
            why = turn.refusal if turn.refused else "it did not fire, and is still armed"
            raise TimerStuck(f"the timer '{timer.transition}' came due in '{line}': {why}")
    clock.set_ms(until_ms)
    return turn


# what the file says ------------------------------------------------------------------------------


def _flow(file: ScenarioFile) -> Flow:
    """The flow at the path in the header, or in the header itself."""
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
