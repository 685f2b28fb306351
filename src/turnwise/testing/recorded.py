"""Writes a scenario file from a stored conversation: what was recorded of model, understanding and tools is its script,
so that it runs again offline.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from textwrap import indent
from typing import Any

from turnwise.archive import Archive
from turnwise.authoring.yaml_text import write_yaml
from turnwise.core.commands.allowed_input import allowed_input
from turnwise.core.machine import Machine
from turnwise.core.state import State, Timer
from turnwise.core.state import events as e
from turnwise.core.state.effects import Understand
from turnwise.core.state.fold import fold
from turnwise.core.state.schedules import TIMER_PREFIX
from turnwise.core.step.receive import CONTINUATION_TIMER
from turnwise.errors import FlowUnavailable, TurnwiseError
from turnwise.flow.durations import write_duration
from turnwise.flow.type_check import check_types
from turnwise.runner.result import Turn, merge_turns
from turnwise.runner.stored import StoredConversation, last_whole_turn, with_pauses
from turnwise.testing.approval_lines import write_decisions
from turnwise.testing.expectations import StepResult, observed
from turnwise.testing.keys import Line
from turnwise.testing.notation import FAILS, IN_DOUBT, NOTHING, calls_of, write_commands
from turnwise.testing.operator_lines import write_give_back, write_take_over
from turnwise.testing.overlay_lines import write_forcing
from turnwise.testing.play import PlayedScenario, play_file
from turnwise.testing.scenario import parse_scenarios


@dataclass(slots=True)
class _Step:
    """One step to write: an input with its turns, and how far the clock is moved before it."""

    given: tuple[str, str]
    turns: list[Turn] = field(default_factory=list[Turn])
    wait_ms: int = 0


async def record_scenario(
    archive: Archive, conversation: str, *, title: str = "", flow: str = "", python: str = "", recording: str = ""
) -> str:
    """Return the text of a scenario file made from a stored conversation. `flow` and `python` are the paths that its
    header names; by default the stored flow stands in the file itself. A flow with Python guards needs `python`.
    `recording` is the path of a recording that has what the model said and understood, so that neither is scripted.

    Raises `UnknownConversation`, and `TurnwiseError` for a conversation that no scenario can play: one whose first
    turns retention erased, or that moved to another version of its flow.
    """
    turns = await _turns(archive, conversation)
    machine = turns[0].machine
    if machine.code and not python:
        names = ", ".join(machine.code)
        raise TurnwiseError(f"the flow has Python guards ({names}): name their file, python=…")
    run = machine
    with suppress(FlowUnavailable):  # without its guards a message is scripted, though the rules understood it
        run = await archive.machines.runnable_machine(machine.fingerprint)
    began_ms = turns[0].entries[0].at_ms
    lines = [
        f"# {conversation}, recorded {_moment(began_ms)}",
        *_block("flow", flow or _document(machine)),
        *_block("python", python),
        *_block("clock", _moment(began_ms)),
        *_block("recording", recording),
        "",
        f"scenario: {' '.join((title or conversation).split())}",
    ]
    async for step in with_pauses(_steps(turns, began_ms), every=1):
        lines.append("")
        if step.wait_ms and step.given[0] != "wait":
            lines += [*_block("wait", write_duration(step.wait_ms / 1000)), ""]
        lines += _written(step, run, only_tools=bool(recording))
        lines += [line for forcing in _forcings(step.turns[-1]) for line in ("", *_block("overlay", forcing))]
    return "\n".join(lines) + "\n"


async def _turns(archive: Archive, conversation: str) -> tuple[Turn, ...]:
    """Return every turn of a conversation."""
    last = await archive.state(conversation)
    entries = await archive.journal(conversation)
    if any(isinstance(entry.event, e.Erased) for entry in entries):
        raise TurnwiseError(f"the first turns of {conversation!r} were erased by retention: nothing can replay them")
    opened = (entry.event for entry in entries if isinstance(entry.event, e.ScopeOpened))
    gone = next((event.scope for event in opened if event.erased is not None), None)
    if gone is not None:
        raise TurnwiseError(f"the words inside the scope '{gone}' were erased: nothing can replay them")
    begun = entries[0].event
    if isinstance(begun, e.Started) and begun.overlays:
        raise TurnwiseError(f"an overlay was forced for all before {conversation!r} began: no scenario can play that")
    moved = next((entry.turn for entry in entries if isinstance(entry.event, e.Migrated)), None)
    if moved is not None:
        raise TurnwiseError(
            f"{conversation!r} moved to another version of its flow in turn {moved}; a scenario has one"
        )
    whole = last_whole_turn(last)
    if not whole:
        raise TurnwiseError(f"the first turn of conversation {conversation!r} is under way")
    turns = await archive.turns.stored_turns(conversation, 1, whole)
    for number in {*range(1, whole + 1)} - {turn.number for turn in turns}:  # erased or deleted since
        raise await StoredConversation(archive.store, conversation).missing_turn(number)
    return turns


def _document(machine: Machine) -> str:
    flow, wrong = check_types(machine.flow)
    if wrong:
        raise TurnwiseError(f"the flow cannot be written into the file: {wrong[0]}; name its file, flow=…")
    return write_yaml(flow)


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat()


# steps -------------------------------------------------------------------------------------------


def _steps(turns: Iterable[Turn], began_ms: int) -> Iterator[_Step]:
    """Yield the steps; the turns that an autonomous flow took by itself belong to the step before them."""
    clock_ms, step = began_ms, None
    for turn in turns:
        event = _input(turn)
        if isinstance(event, e.Continued) and step is not None:
            step.turns.append(turn)
            continue
        if step is not None:
            yield step
        step = _Step(_given(turn, event), [turn])
        clock_ms = _move_clock(step, turn, event, clock_ms)
    if step is not None:
        yield step


def _move_clock(step: _Step, turn: Turn, event: e.AnyEvent | None, clock_ms: int) -> int:
    """Set how far the clock is moved before a step: to the time of its turn, but no further than the next timer, which
    did not fire before it. Return the clock's time then.
    """
    at_ms = turn.entries[0].at_ms
    armed = turn.before.due_timers if turn.before is not None else ()
    due = sorted(timer.due_ms for timer in armed if timer.transition != CONTINUATION_TIMER)
    if isinstance(event, e.TimerFired | e.ScheduleDue):
        mine = next((timer.due_ms for timer in armed if _means(event, timer)), None)
        if mine is None or mine != due[0] or mine <= clock_ms or at_ms < mine:
            return clock_ms  # fired by its name
        step.given = ("wait", write_duration((mine - clock_ms) / 1000))
        return mine
    until_ms = min([at_ms, *[one - 1 for one in due]])
    step.wait_ms = max(0, until_ms - clock_ms)
    return max(clock_ms, until_ms)


def _means(event: e.TimerFired | e.ScheduleDue, timer: Timer) -> bool:
    """Return whether an event is that a timer came due, or the schedule that it belongs to."""
    if isinstance(event, e.TimerFired):
        return event.is_of(timer)
    return timer.transition == TIMER_PREFIX + event.schedule and timer.due_ms == event.at_ms


def _input(turn: Turn) -> e.AnyEvent | None:
    """Return the event that began a turn, `None` for the start of a conversation."""
    kinds = e.OutsideEvent
    return next((event for event in turn.events if isinstance(event, kinds)), None)


def _given(turn: Turn, event: e.AnyEvent | None) -> tuple[str, str]:
    """Return the key and the value of the input of a turn."""
    match event:
        case e.UserSaid(text=text):
            return "user", text
        case e.UserChose(value=value, position=position):
            is_stale = any(warning.code == "stale_button" for warning in turn.warnings)
            return "press", f"{value} @ 1" if is_stale and position is not None else value
        case e.TakenOver():
            return "take over", write_take_over(event)
        case e.OperatorSaid(text=text):
            return "operator", text
        case e.GivenBack():
            return "give back", write_give_back(event)
        case _:
            return _given_by_host(turn, event)


def _given_by_host(turn: Turn, event: e.AnyEvent | None) -> tuple[str, str]:
    match event:
        case e.Commands(commands=commands):
            return "commands", write_commands(commands)
        case e.ToolUsed(tool=tool, arguments=arguments, result=result):
            return "tool", f"{tool} {_json(arguments)} => {_json(result)}"
        case e.TimerFired(timer=timer):
            return "fire", timer
        case e.ScheduleDue(schedule=schedule):
            return "fire", schedule
        case e.EventReceived(name=name, data=data):
            return "event", f"{name} {_json(data)}" if data else name
        case e.CallsDecided():
            return "decide", write_decisions(event, turn.before)
        case e.UndoAsked(to=to):
            return "undo", "" if to is None else str(to)
        case _:
            zone = next((event.time_zone for event in turn.events if isinstance(event, e.Started)), "")
            return ("run", "") if turn.machine.flow.autonomous else ("start", zone)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# lines -------------------------------------------------------------------------------------------


def _written(step: _Step, machine: Machine, *, only_tools: bool) -> list[str]:
    """Return the lines of a step: its scripts, or only those of tools; its input; what is expected."""
    lines: list[str] = []
    for turn in step.turns:
        lines += _results(turn) if only_tools else _scripts(turn, machine)
    lines += _block(*step.given, is_always=True)
    result = StepResult(merge_turns(step.turns))
    for key, subject in _expected(result.turn):
        line = Line(key, subject, "", 0)
        lines += _block(line.head, observed(line, result))
    return lines


def _expected(turn: Turn) -> Iterator[tuple[str, str]]:
    """Yield what is expected of a turn: what was said, where it led, what became known."""
    if turn.text:
        yield "bot", ""
    if turn.buttons:
        yield "buttons", ""
    yield "node", ""
    yield from _of_scopes(turn)
    if turn.status != "waiting":
        yield "status", ""
    if turn.warnings:
        yield "warning", ""
    if calls_of(turn):
        yield "calls", ""
    planned = {event.transition for event in turn.events if isinstance(event, e.MovePlanned)}  # taken in a later turn
    for transition in dict.fromkeys(turn.taken):
        if (
            transition not in planned
            and sum(decision.candidate(transition) is not None for decision in turn.decisions) == 1
        ):
            yield "transition", transition
    before = turn.before.values if turn.before is not None else {}
    for name, found in turn.state.values.items():
        was = before.get(name)
        if was is None or was.value != found.value:
            yield "field", name


def _of_scopes(turn: Turn) -> Iterator[tuple[str, str]]:
    """Yield what is expected of the scopes that a turn opened or closed, and of its overlays."""
    if any(isinstance(event, e.OverlaysChanged) for event in turn.events):
        yield "overlays", ""
    if any(isinstance(event, e.ScopeOpened) for event in turn.events):
        yield "opened", ""
    for scope in dict.fromkeys(event.scope for event in turn.events if isinstance(event, e.ScopeClosed)):
        yield "scope outcome", scope
        yield "scope summary", scope
    if turn.state.offers != (turn.before.offers if turn.before is not None else ()):
        yield "offers", ""
    before = turn.before.frames if turn.before is not None else ()
    if [frame.id for frame in turn.state.frames] != ([frame.id for frame in before] or [0]):
        yield "frames", ""


def _forcings(turn: Turn) -> Iterator[str]:
    """Yield how overlays were forced after a turn."""
    for event in turn.events:
        if isinstance(event, e.OverlayForced):
            yield write_forcing(event)


def _results(turn: Turn) -> Iterator[str]:
    """Yield what was recorded of tools in a turn."""
    for event in turn.events:
        if isinstance(event, e.ToolReturned | e.ToolFailed):
            yield from _result(event)


def _result(event: e.ToolReturned | e.ToolFailed) -> list[str]:
    """Return the script of a tool's result."""
    if isinstance(event, e.ToolReturned):
        return _block(f"result {event.tool}", _json(event.result))
    return [f"result {event.tool}: {IN_DOUBT if event.in_doubt else FAILS} {' '.join(event.reason.split())}"]


def _scripts(turn: Turn, machine: Machine) -> Iterator[str]:
    """Yield what was recorded of understanding, model and tools in a turn."""
    asked: dict[str, tuple[Any, State]] = {}
    state = turn.before
    for entry in turn.entries:
        event = entry.event
        state = fold(state, entry)
        match event:
            case e.EffectAsked(effect=effect):
                asked[effect.id] = (effect, state)
            case e.Understood() if not _is_read_by_rules(event, *asked[event.effect], machine):
                yield from _block("understand", write_commands(event.commands) if event.commands else NOTHING)
            case e.UnderstandingFailed():
                yield f"understand: {FAILS}"
            case e.ModelReplied(text="", calls=()):  # no model is connected, and the template was the summary
                closed = (one for one in turn.events if isinstance(one, e.ScopeClosed))
                yield from _block("model", next((one.summary for one in closed), ""), is_always=True)
            case e.ModelReplied(text=text, calls=calls):
                called = [f"-> {one.tool} {_json(one.arguments if not one.wrong else one.wrong)}" for one in calls]
                yield from _block("model", "\n".join([*([text] if text else []), *called]), is_always=True)
            case e.ModelFailed(reason=reason):
                yield f"model: {FAILS} {' '.join(reason.split())}"
            case e.ToolReturned() | e.ToolFailed():
                yield from _result(event)
            case _:
                pass


def _is_read_by_rules(event: e.Understood, effect: Any, state: State, machine: Machine) -> bool:
    """Return whether the offline rules, without a model, understand a message as it was understood."""
    from turnwise.understanding import understand

    message = state.doing.message if state.doing is not None else None
    if isinstance(effect, Understand) and effect.field:
        return True
    if event.by != "rules" or message is None:
        return False
    try:
        again = understand(message, allowed_input(machine.for_conversation(state), state))
    except Exception:  # noqa: BLE001  a guard whose function is missing may raise anything
        return False
    return write_commands(again) == write_commands(event.commands)


def _block(key: str, value: str, *, is_always: bool = False) -> list[str]:
    """Return a line `key: value`; a value of several lines stands indented below its key."""
    if not value:
        return [f"{key}:"] if is_always else []
    if "\n" not in value and value == value.strip():
        return [f"{key}: {value}"]
    return [f"{key}:", *indent(value, "    ").split("\n")]


# checking ----------------------------------------------------------------------------------------


def checked_scenario(text: str, path: Path, python: Path | None = None) -> tuple[str, list[str]]:
    """Play a recorded scenario, whose text is to be written to `path`; return it without replies that come out in other
    words, and the other differences.

    Words of a reply may differ where a model understood a message: no scenario says which words a value came from.
    """
    played = _played(text, path, python)
    worded = {miss.line.number: miss.line.height for miss in played.misses if miss.line.key in ("bot", "buttons")}
    if worded:
        text = _without(text, worded)
        played = _played(text, path, python)
    return text, list(_differences(played))


def _played(text: str, path: Path, python: Path | None) -> PlayedScenario:
    (played,) = play_file(parse_scenarios(text, path), python=python)
    return played


def _without(text: str, lines: dict[int, int]) -> str:
    gone = {number + place for number, height in lines.items() for place in range(height)}
    return "\n".join(line for number, line in enumerate(text.split("\n"), 1) if number not in gone)


def _differences(played: PlayedScenario) -> Iterator[str]:
    for problem in played.problems:
        yield f"line {problem.number}: {problem.text}"
    for miss in played.misses:
        yield f"line {miss.line.number}: {miss.line.head}: {miss.line.value!r} was recorded, {miss.found!r} came out"
