"""Handles the calls of a model's reply in order: checks, runs or refuses each, and judges the result (law 3.6).

It also says which calls may run in parallel with the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from turnwise.core.decision.decide import caught, decide, fail
from turnwise.core.decision.faults import call_refused, limit_reached
from turnwise.core.machine import Machine
from turnwise.core.state import Fault, State
from turnwise.core.state.effects import Call, CallModel, RunTool
from turnwise.core.state.events import CallAnswered, CallRefused, SequenceAdvanced, ToolFailed
from turnwise.core.tools import choice, consent, records
from turnwise.core.tools.check_call import read_arguments, refusal
from turnwise.core.tools.offered import CHOICE, sequence_after
from turnwise.core.turn import Phase, Turn
from turnwise.core.values import Refused

TOLD = 2
"""How often in a turn the model is told that a tool failed or was refused; then it is a limit (law 3.9)."""


def ask_model(turn: Turn) -> Phase:
    """Let the model speak for the node, with the tools that are allowed now."""
    limit = turn.machine.flow.limits.model_calls
    if turn.doing.model_calls >= limit:
        return fail(turn, limit_reached(turn.machine, "model_calls", f"model_calls: {limit} calls in one turn"))
    return choice.report_errors(turn) or turn.ask(CallModel(turn.effect_id()))


def go_on(turn: Turn) -> Phase:
    """Handle the calls that wait, in their order; then the model speaks again."""
    while turn.doing.calls:
        phase = _handle(turn, turn.doing.calls[0])
        if phase is not None:
            if phase is not Phase.AWAIT:
                drop(turn)
            return phase
    return ask_model(turn)


def _handle(turn: Turn, call: Call) -> Phase | None:
    """One call; `None` where the next one follows."""
    limit = turn.machine.flow.limits.tool_calls
    if turn.doing.tool_calls >= limit:
        return fail(turn, limit_reached(turn.machine, "tool_calls", f"tool_calls: {limit} calls in one turn"))
    wrong = refusal(turn.machine, turn.state, call)
    if wrong is not None:
        return refuse(turn, call, wrong)
    box = turn.node.toolbox
    if call.tool in box.reads or call.tool in box.writes:
        return _record(turn, call)
    if call.tool.startswith(CHOICE) and call.tool not in turn.machine.tools:
        return choice.choose(turn, call)
    tool = turn.machine.tools[call.tool]
    arguments = read_arguments(tool, call.arguments, turn.machine.rules)
    if isinstance(arguments, Refused):
        return refuse(turn, call, arguments)
    if tool.tool.confirm:
        return consent.hold(turn, tool, arguments, call.id)
    return turn.ask(RunTool(turn.effect_id(), call.tool, arguments, call.id))


def _record(turn: Turn, call: Call) -> Phase | None:
    """A generated tool: the machine answers it itself."""
    box, record = turn.node.toolbox, call.tool.partition("_")[2]
    if call.tool in box.reads:
        answer = records.read(turn.machine, turn.state, record, box.reads[call.tool], call.arguments)
        return refuse(turn, call, answer) if isinstance(answer, Refused) else _answered(turn, call, answer)
    answer = records.write(turn, record, box.writes[call.tool], call.arguments)
    if isinstance(answer, Refused):
        turn.emit(CallAnswered(call.id, call.tool, {"success": False, "error": answer.text}))
        return failed(turn, records.fault_of(turn.machine, turn.state, call.tool, answer))
    return _answered(turn, call, answer)


def _answered(turn: Turn, call: Call, answer: dict[str, Any]) -> Phase | None:
    turn.emit(CallAnswered(call.id, call.tool, answer))
    return judged(turn, call.tool)


def refuse(turn: Turn, call: Call, wrong: Refused) -> Phase | None:
    """A call that is not run: recorded, explained to the model, and a failure of kind `refused`."""
    turn.emit(CallRefused(call.id, call.tool[:60], wrong.reason, wrong.text))
    return failed(turn, call_refused(turn.machine, turn.state, call.tool[:60], wrong))


def failed(turn: Turn, fault: Fault) -> Phase | None:
    """Law 3.9: `error` transitions first; else the model is told, twice per tool and turn, then it is a limit."""
    phase, tool = caught(turn, fault, on_stay=None), fault.tool
    if phase is not None or turn.doing.failures.get(tool, 0) <= TOLD:
        return phase
    message = f"{tool} failed {TOLD + 1} times in one turn: {fault.message}"
    return fail(turn, replace(fault, kind="limit", message=message))


def judged(turn: Turn, tool: str) -> Phase | None:
    """After a result, `tool` is judged; a move changes prompt and tools for the next call of the model."""
    place = sequence_after(turn.node, turn.state, tool)
    if place != turn.state.frame.sequence:
        turn.emit(SequenceAdvanced(place))
    return decide(turn, "tool")


def drop(turn: Turn) -> None:
    """The calls that wait are not run: the conversation has moved, or the turn is at its end. They are told as
    refused and count as errors, but nothing is judged for them, and what failed before stays bound.
    """
    for call in turn.doing.calls:
        text = "not run: the conversation went on before its turn came"
        turn.emit(CallRefused(call.id, call.tool[:60], "dropped", text))


# results -----------------------------------------------------------------------------------------


def returned(turn: Turn, tool: str) -> Phase:
    """The result of a model's call is there."""
    return _after(turn, judged(turn, tool))


def not_returned(turn: Turn, event: ToolFailed) -> Phase:
    """A model's call failed. It was a use all the same, so `tool` is judged where no `error` transition caught it;
    a call that nobody could take was none.
    """
    phase = failed(turn, tool_failed(event))
    return _after(turn, phase if event.not_run else phase or judged(turn, event.tool))


def tool_failed(event: ToolFailed) -> Fault:
    """The failure of a tool that gave no result."""
    return Fault("tool", event.reason, event.tool, at=event.at)


def _after(turn: Turn, phase: Phase | None) -> Phase:
    if phase is None:
        return go_on(turn)
    if phase is not Phase.AWAIT:
        drop(turn)
    return phase


def ahead(machine: Machine, state: State, effect: RunTool) -> Iterator[RunTool]:
    """The calls behind one that is to run now which will surely follow it as they are: reading tools in a row, at a
    node where no result and no failure leads anywhere. Their effects have no id yet.
    """
    doing = state.doing
    if doing is None or not doing.calls or not _only_reads(machine, effect.tool):
        return
    box = machine.nodes[state.node].toolbox
    if box.sequence or any(machine.candidates(state.node, moment).all for moment in ("tool", "error")):
        return
    room = machine.flow.limits.tool_calls - doing.tool_calls
    failures = Counter(doing.failures)
    before = effect.tool
    for call in doing.calls[: max(room, 0)]:
        failures[before] += 1
        if failures[before] > TOLD or not _only_reads(machine, call.tool):
            return  # if all fail, that is a limit
        if refusal(machine, state, call) is not None:
            return
        arguments = read_arguments(machine.tools[call.tool], call.arguments, machine.rules)
        if isinstance(arguments, Refused):
            return
        yield RunTool("", call.tool, arguments, call.id)
        before = call.tool


def _only_reads(machine: Machine, tool: str) -> bool:
    found = machine.tools.get(tool)
    return found is not None and found.tool.kind == "read" and not found.tool.confirm
