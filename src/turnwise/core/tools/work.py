"""A tool as the work of a node (laws 2.1, 3.9): the machine runs it without a model."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.decision import decide, fail
from turnwise.core.decision.dropped import drop, what_of
from turnwise.core.decision.faults import RefusedCall, call_fault
from turnwise.core.guards import GuardFault
from turnwise.core.state.effects import Call, RunTool
from turnwise.core.state.events import WorkDone
from turnwise.core.state.performed import digest
from turnwise.core.toolbox import LinkedToolWork
from turnwise.core.tools import approvals, consent, repeats, results, unclear
from turnwise.core.tools.check_call import bound, read_arguments
from turnwise.core.turn import Phase, StepBuilder


def run(turn: StepBuilder, work: LinkedToolWork) -> Phase:
    """Request the tool call of a node, or the user's approval of it; edited arguments need a new approval."""
    if turn.state.frame.is_work_done:
        return Phase.AFTER
    arguments = _arguments(turn, work)
    request = next(iter(turn.state.frame.waiting_calls), None)
    if request is not None and request is not turn.state.frame.awaiting_approval:
        if arguments == request.arguments:
            turn.say(turn.machine.language.text("consent_waits", what=what_of(work.tool.tool)), "consent")
            return Phase.FINISH
        drop(turn, Call("", request.tool, request.arguments), "its values have changed")
    elif request is not None:
        is_edited = arguments != request.arguments
        if not is_edited and unclear.is_unclear(turn, request):
            unclear.note_unclear(turn, request)
            unclear.say_nothing_done(turn)
            return Phase.FINISH
        phase = consent.resolve(turn, request, is_edited=is_edited)
        if phase is not None:
            return phase
    kept_back = bound(turn.machine, turn.state, work.tool.tool.name)
    if kept_back is not None:
        return fail(turn, call_fault(turn.machine, turn.state, work.tool.tool.name, kept_back))
    if isinstance(arguments, RefusedCall):
        fault = call_fault(turn.machine, turn.state, work.tool.tool.name, arguments)
        return fail(turn, replace(fault, kind="tool", at=work.at))
    before = _taken_back(turn, work, arguments)
    done = repeats.repeated(turn.state, work.tool, arguments, was_begun=bool(before))
    before = "" if repeats.is_certain(done) else before
    if work.tool.tool.confirm or done is not None:
        approvals.hold(turn, work.tool, arguments, effect=before)
        return approvals.ask_next(turn)
    return turn.ask(RunTool(before or turn.effect_id(), work.tool.tool.name, arguments, was_begun=bool(before)))


def _taken_back(turn: StepBuilder, work: LinkedToolWork, arguments: dict[str, Any]) -> str:
    """Return the id of an identical earlier call whose result an undo removed, empty if there is none (law 4.5)."""
    same = (turn.state.frame.node, work.tool.tool.name, digest(arguments))
    known = turn.state.taken_back
    return next((call.id for call in known if (call.node, call.tool, call.arguments) == same), "")


def _arguments(turn: StepBuilder, work: LinkedToolWork) -> dict[str, Any] | RefusedCall:
    """Return the arguments computed from the current state, or a refusal."""
    given: dict[str, Any] = {}
    for name, value in work.arguments.items():
        try:
            given[name] = value(turn.env)
        except (GuardFault, OverflowError) as error:
            return RefusedCall("arguments", f"{name}: {error}", subject=name)
    return read_arguments(work.tool, given, turn.rules)


def returned(turn: StepBuilder, work: LinkedToolWork, result: Any) -> Phase:
    """Store the result as the node declares, mark the work as done, and judge `tool`."""
    refused = results.store(turn, work.tool.tool.name, work.into, result) if work.into else None
    if refused is not None:
        return fail(turn, replace(refused, tool=work.tool.tool.name, at=work.at))
    turn.emit(WorkDone(turn.state.frame.node))
    return decide(turn, "tool") or Phase.AFTER
