"""Runs the tool that is the work of a node, without a model (laws 2.1, 3.9)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.decision import decide, fail
from turnwise.core.decision.dropped import drop, tool_in_words
from turnwise.core.decision.faults import RefusedCall, call_fault
from turnwise.core.guards import GuardFault
from turnwise.core.state.effects import Call, RunTool
from turnwise.core.state.events import WorkDone
from turnwise.core.state.performed import digest
from turnwise.core.toolbox import LinkedToolWork
from turnwise.core.tools import approvals, consent, repeats, results, unclear
from turnwise.core.tools.check_call import fork_refusal, read_arguments
from turnwise.core.turn import Phase, StepBuilder


def run(step: StepBuilder, work: LinkedToolWork) -> Phase:
    """Request the tool call that is a node's work, or the user's approval of it; return the next phase.
    Edited arguments need a new approval.
    """
    if step.state.frame.is_work_done:
        return Phase.AFTER
    arguments = _arguments(step, work)
    request = next(iter(step.state.frame.waiting_calls), None)
    if request is not None and request is not step.state.frame.awaiting_approval:
        if arguments == request.arguments:
            step.say(step.machine.language.text("consent_waits", what=tool_in_words(work.tool.tool)), "consent")
            return Phase.FINISH
        drop(step, Call("", request.tool, request.arguments), "its values have changed")
    elif request is not None:
        is_edited = arguments != request.arguments
        if not is_edited and unclear.is_unclear(step, request):
            unclear.note_unclear(step, request)
            unclear.say_nothing_done(step)
            return Phase.FINISH
        phase = consent.resolve(step, request, is_edited=is_edited)
        if phase is not None:
            return phase
    kept_back = fork_refusal(step.machine, step.state, work.tool.tool.name)
    if kept_back is not None:
        return fail(step, call_fault(step.machine, step.state, work.tool.tool.name, kept_back))
    if isinstance(arguments, RefusedCall):
        fault = call_fault(step.machine, step.state, work.tool.tool.name, arguments)
        return fail(step, replace(fault, kind="tool", at=work.at))
    before = _taken_back(step, work, arguments)
    done = repeats.repeated_effect(step.state, work.tool, arguments, was_begun=bool(before))
    before = "" if repeats.is_certain(done) else before
    if work.tool.tool.confirm or done is not None:
        approvals.await_approval(step, work.tool, arguments, effect=before)
        return approvals.ask_next(step)
    return step.ask(RunTool(before or step.effect_id(), work.tool.tool.name, arguments, was_begun=bool(before)))


def _taken_back(step: StepBuilder, work: LinkedToolWork, arguments: dict[str, Any]) -> str:
    """Return the id of an identical earlier call whose result an undo removed, empty if there is none (law 4.5)."""
    same = (step.state.frame.node, work.tool.tool.name, digest(arguments))
    known = step.state.taken_back
    return next((call.id for call in known if (call.node, call.tool, call.arguments) == same), "")


def _arguments(step: StepBuilder, work: LinkedToolWork) -> dict[str, Any] | RefusedCall:
    """Return the arguments computed from the current state, or a refusal."""
    given: dict[str, Any] = {}
    for name, value in work.arguments.items():
        try:
            given[name] = value(step.env)
        except (GuardFault, OverflowError) as error:
            return RefusedCall("arguments", f"{name}: {error}", subject=name)
    return read_arguments(work.tool, given, step.rules)


def finish_work(step: StepBuilder, work: LinkedToolWork, result: Any) -> Phase:
    """Store the tool's result as the node declares, mark the work as done, and judge `tool`; return the next phase."""
    refused = results.store(step, work.tool.tool.name, work.result_target, result) if work.result_target else None
    if refused is not None:
        return fail(step, replace(refused, tool=work.tool.tool.name, at=work.at))
    step.emit(WorkDone(step.state.frame.node))
    return decide(step, "tool") or Phase.AFTER
