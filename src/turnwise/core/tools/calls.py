"""Handles the calls of a reply in order: checks, runs or refuses each, and judges the results (laws 2.18, 3.6)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.addresses import local_name
from turnwise.core.call_names import CHOICE_PREFIX
from turnwise.core.commands import accept
from turnwise.core.decision import (
    catch,
    catch_recorded,
    decide,
    fail,
    make_late_move,
    phase_after_scope,
)
from turnwise.core.decision.dropped import drop, why_dropped
from turnwise.core.decision.faults import RefusedCall, call_fault, limit_fault
from turnwise.core.decision.frames import close_scope, open_scope
from turnwise.core.handover import is_in_charge
from turnwise.core.scopes import Opening, obstacle_text, refusal_code, why_not_opened
from turnwise.core.state import Fault
from turnwise.core.state.approvals import reply_of
from turnwise.core.state.effects import Call, RunTool
from turnwise.core.state.events import (
    CallAnswered,
    CallQueued,
    CallRefused,
    Faulted,
    FieldSet,
    JudgingPlanned,
    MovePutOff,
    SequenceAdvanced,
    ToolFailed,
    ToolReturned,
    ToolUsed,
)
from turnwise.core.state.fold.effects import has_more_calls, has_open_calls
from turnwise.core.tools import approvals, choices, records, repeats, results, unclear
from turnwise.core.tools.check_call import read_arguments, refusal
from turnwise.core.tools.offered import sequence_after
from turnwise.core.turn import Phase, StepBuilder
from turnwise.core.values import Refused
from turnwise.flow.addresses import field_of, record_of

MOST_REPORTED_FAILURES = 2
"""How often in a turn the failures of a tool are reported to the model; the next one is a limit (law 3.9)."""


def call_model(step: StepBuilder) -> Phase:
    """Request a reply of the model for the node, with the tools that are allowed now; return the next phase.
    Before that, `calls` is judged where that is due: a scope that was opened by a call has closed.
    """
    phase = _judge_calls(step) if step.state.frame.to_judge else None
    if phase is not None:
        return phase
    limit = step.machine.flow.limits.model_calls
    if step.doing.model_calls >= limit:
        return _exceed(step, limit_fault(step.machine, "model_calls", f"model_calls: {limit} calls in one turn"))
    return choices.report_choice_errors(step) or step.ask_model()


def handle_calls(step: StepBuilder, last: str = "") -> Phase:
    """Handle the remaining calls of a model's reply in order; `last` is the id of the call that was handled before.
    Then the next approval is asked for, or the model is called again with all results.
    """
    while True:
        phase = _make_put_off(step) if step.state.frame.put_off is not None else None
        if phase is None and step.doing.calls:
            call = step.doing.calls[0]
            last, phase = call.id, _handle_call(step, call)
        elif phase is None:
            phase = _judge_calls(step) if step.state.frame.to_judge else None
            if phase is None:
                return approvals.go_on(step, last) or call_model(step)
        if phase is not None:
            return phase if phase is Phase.AWAIT else _stop(step, phase)


def _handle_call(step: StepBuilder, call: Call) -> Phase | None:
    """Handle one call; `None` if the next one follows."""
    if step.state.frame.waiting_calls and approvals.waits_behind(step, call):
        step.emit(CallQueued(call.id, call.tool[:60]))
        return None
    limit = step.machine.flow.limits.tool_calls
    if step.doing.tool_calls >= limit:
        if step.state.frame.waiting_calls:
            return drop(step, call, approvals.too_many(limit))
        return _exceed(step, limit_fault(step.machine, "tool_calls", f"tool_calls: {limit} calls in one turn"))
    wrong = refusal(step.machine, step.state, call)
    if wrong is not None:
        return refuse(step, call, wrong)
    box = step.node.toolbox
    if call.tool in box.opens:
        return _open(step, call)
    if call.tool == box.finish:
        return _close(step, call)
    if call.tool in box.reads or call.tool in box.writes:
        return _record(step, call)
    if call.tool.startswith(CHOICE_PREFIX) and call.tool not in step.machine.tools:
        return choices.choose(step, call)
    return _run_or_hold(step, call)


def _open(step: StepBuilder, call: Call) -> Phase | None:
    """Open the scope whose tool was called; its summary will be the result. Later calls of the reply are not run."""
    name = step.node.toolbox.opens[call.tool]
    opener = step.machine.scopes[name].opener
    assert opener is not None
    arguments = read_arguments(opener, call.arguments, step.rules, by_model=True)
    if type(arguments) is RefusedCall:
        return refuse(step, call, arguments)
    why = why_not_opened(step.machine, step.state, name)
    if why is not None:
        return refuse(step, call, RefusedCall(refusal_code(why), obstacle_text(why, name, step.machine)))
    mark = step.savepoint()
    for later in step.doing.calls[1:]:
        drop(step, later, f"'{local_name(name)}' was opened before its turn came")
    given = {f"{name}/input.{key}": value for key, value in arguments.items()}
    fault = open_scope(step, Opening(name, "tool", given, call=call.id, tool=call.tool))
    if fault is None:
        return Phase.UNDERSTAND
    step.roll_back_to(mark)
    return refuse(step, call, RefusedCall("cannot_open", fault.message))


def _close(step: StepBuilder, call: Call) -> Phase | None:
    """Close the scope in charge with the result that the model gave."""
    opened = step.state.frame.scope
    assert opened is not None
    scope = step.machine.scopes[opened.name]
    finish = scope.finish
    assert finish is not None
    arguments = read_arguments(finish, call.arguments, step.rules, by_model=True)
    if type(arguments) is RefusedCall:
        return refuse(step, call, arguments)
    mark = step.savepoint()
    for copied in scope.returned:
        name = field_of(copied.inside)
        if arguments.get(name) is None:
            continue
        stored = accept(step.machine, step.state, copied.inside, arguments[name])
        if type(stored) is Refused:
            step.roll_back_to(mark)
            text = f"{name}: {stored.text}"
            return refuse(step, call, RefusedCall("arguments", text, name, arguments[name], stored.bound))
        step.emit(FieldSet(copied.inside, stored, "tool"))
    for later in step.doing.calls[1:]:
        drop(step, later, "the scope was closed before its turn came")
    step.emit(CallAnswered(call.id, call.tool, {"success": True}))
    return phase_after_scope(step, close_scope(step, "completed"))


def _run_or_hold(step: StepBuilder, call: Call) -> Phase | None:
    """Request a call of a declared tool, or let it wait for approval."""
    tool, limit = step.machine.tools[call.tool], step.machine.flow.limits.tool_calls
    arguments = read_arguments(tool, call.arguments, step.rules, by_model=True)
    if type(arguments) is RefusedCall:
        return refuse(step, call, arguments)
    needs_approval = tool.tool.confirm or repeats.repeated_effect(step.state, tool, arguments) is not None
    if needs_approval and approvals.waits_already(step, call, arguments):
        why = "the same call waits for approval already: do not make it again"
        step.emit(CallRefused(call.id, call.tool, "waiting", why))  # that is no failure
        return None
    if step.state.frame.awaiting_approval is not None:
        unclear.supersede_unclear_call(step, tool, arguments)
    if not needs_approval:
        return step.ask(RunTool(step.effect_id(), call.tool, arguments, call.id))
    if len(step.state.frame.waiting_calls) >= limit:
        return drop(step, call, approvals.too_many(limit))
    return approvals.await_approval(step, tool, arguments, call.id)


def _exceed(step: StepBuilder, fault: Fault) -> Phase:
    """End a turn in which a limit is exceeded (law 3.9). While the user is asked to approve a call, the turn has not
    failed: the question is asked again.
    """
    if step.state.frame.awaiting_approval is None:
        return fail(step, fault)
    phase = catch(step, fault)
    if phase is None and all(use.turn != step.number for use in step.state.frame.tools.last):
        unclear.say_nothing_done(step)
    return phase or Phase.FINISH


def _record(step: StepBuilder, call: Call) -> Phase | None:
    """Run a call of a generated tool, which reads or writes a record."""
    box = step.node.toolbox
    record = record_of((box.reads.get(call.tool) or box.writes[call.tool])[0])
    if call.tool in box.reads:
        answer = records.read(step.machine, step.state, record, box.reads[call.tool], call.arguments)
        return refuse(step, call, answer) if type(answer) is RefusedCall else _answered(step, call, answer)
    answer = records.write(step, record, box.writes[call.tool], call.arguments)
    if type(answer) is Refused:
        step.emit(CallAnswered(call.id, call.tool, {"success": False, "error": answer.text}))
        return report_failure(step, records.fault_of(step.machine, step.state, call.tool, answer))
    return _answered(step, call, answer)


def _answered(step: StepBuilder, call: Call, answer: dict[str, Any]) -> Phase | None:
    step.emit(CallAnswered(call.id, call.tool, answer))
    _plan_judging(step, call.id)
    return after_tool(step, call.tool)


def refuse(step: StepBuilder, call: Call, wrong: RefusedCall) -> Phase | None:
    """Record that a call is refused, for the reason `wrong`, which the model gets; it counts as a failure of kind
    `refused`. Return the next phase, `None` if the calls continue.
    """
    step.emit(CallRefused(call.id, call.tool[:60], wrong.reason, wrong.text))
    return report_failure(step, call_fault(step.machine, step.state, call.tool[:60], wrong))


def report_failure(step: StepBuilder, fault: Fault) -> Phase | None:
    """Handle a failed call: judge `error` transitions; if none is taken, the model gets the failure (law 3.9). Return
    the next phase, `None` if the calls continue. A third failure of a tool in a turn fails the turn with a limit. While
    a person is in charge the failure is recorded, and judged when the person gives back.
    """
    if is_in_charge(step):
        step.emit(Faulted(fault))  # a person goes on with it
        if any(step.machine.candidates(one.node, "error").all for one in step.state.frames):
            step.emit(JudgingPlanned("", "error"))
        return None
    phase, tool = catch(step, fault, on_stay=None), fault.tool
    if phase is not None or step.doing.failures.get(tool, 0) <= MOST_REPORTED_FAILURES:
        return phase
    message = f"{tool} failed {MOST_REPORTED_FAILURES + 1} times in one turn: {fault.message}"
    return _exceed(step, replace(fault, kind="limit", message=message))


def after_tool(step: StepBuilder, tool: str, call: str = "") -> Phase | None:
    """Judge the moment `tool` after a result; return the next phase, `None` if no move is made.
    A move changes the prompt and tools of the next model call. If the reply of `call` calls the tool again, these calls
    are made before the move.
    """
    if step.node.toolbox.sequence:
        place = sequence_after(step.node, step.state, tool)
        if place != step.state.frame.sequence:
            step.emit(SequenceAdvanced(place))
    if step.state.frame.person is not None and is_in_charge(step):
        if step.machine.candidates(step.state.frame.node, "tool").all and not step.state.frame.waits_to_judge:
            step.emit(JudgingPlanned(""))
        return None
    if step.state.frame.put_off is not None:
        return None
    others = None
    if call and (step.doing.calls or step.state.frame.waiting_calls):
        reply = reply_of(call)
        others = (reply, tool) if has_more_calls(step.state, reply, tool) else None
    return decide(step, "tool", others=others)


def _plan_judging(step: StepBuilder, call: str) -> None:
    """Let `calls` be judged when all calls of the reply of a call that was made have their results."""
    frame = step.state.frame
    if step.machine.candidates(frame.node, "calls").all and (reply := reply_of(call)) not in frame.to_judge:
        step.emit(JudgingPlanned(reply))


def _judge_calls(step: StepBuilder) -> Phase | None:
    """Judge `calls` where a reply has made calls and all of its calls have their results. While a person is in charge
    nothing is judged: the move would take the conversation from the person.
    """
    to_judge = step.state.frame.to_judge
    if step.state.frame.person is not None:
        return None
    if all(has_open_calls(step.state, reply) for reply in to_judge):
        return None
    return decide(step, "calls")


def _make_put_off(step: StepBuilder) -> Phase | None:
    """Make the move that waited for other calls of its tool, when these are done."""
    put_off = step.state.frame.put_off
    if put_off is None or is_in_charge(step) or has_more_calls(step.state, put_off.reply, put_off.tool):
        return None
    candidates = step.machine.candidates(step.state.frame.node, "tool").all
    found = next((one for one in candidates if (one.id, one.target) == (put_off.transition, put_off.target)), None)
    step.emit(MovePutOff())
    return make_late_move(step, found) if found is not None else None


def judge_held(step: StepBuilder) -> Phase | None:
    """Make the move, or judge the results, that were put off while an operator was in charge; return the next phase,
    `None` if no move is made.
    """
    phase = _make_put_off(step) if step.state.frame.put_off is not None else None
    if phase is None and step.doing.fault is not None:
        phase = catch_recorded(step, Phase.WORK)
    if phase is None and step.state.frame.waits_to_judge:
        phase = decide(step, "tool", on_stay=Phase.WORK)
    return phase


# results -----------------------------------------------------------------------------------------


def call_returned(step: StepBuilder, event: ToolReturned) -> Phase:
    """Store the result of a model's call in its field or record, judge `tool`, and continue."""
    if event.tool in step.node.result_targets:
        results.store_of_call(step, event.tool, event.result)
    if step.machine.judges_calls:
        _plan_judging(step, event.call)
    return _after_call(step, event.call, after_tool(step, event.tool, event.call))


def call_failed(step: StepBuilder, event: ToolFailed) -> Phase:
    """Handle the failure of a model's call, which counts as a use of the tool, and continue.
    So `tool` is judged unless an `error` transition is taken; a call that was not run is no use.
    """
    phase = report_failure(step, tool_fault(event))
    if phase is None and not event.not_run:
        _plan_judging(step, event.call)
        phase = after_tool(step, event.tool, event.call)
    return _after_call(step, event.call, phase)


def _after_call(step: StepBuilder, call: str, phase: Phase | None) -> Phase:
    return handle_calls(step, call) if phase is None else _stop(step, phase)


def tool_reported(step: StepBuilder, event: ToolUsed) -> Phase:
    """Store the result of a tool use that the host program reports, and judge `tool`."""
    if event.result is not None:
        results.store_of_call(step, event.tool, event.result)
    return after_tool(step, event.tool) or Phase.FINISH


def tool_fault(event: ToolFailed) -> Fault:
    """Return the failure for a tool that returned no result."""
    return Fault("tool", event.reason, event.tool, at=event.at)


def _stop(step: StepBuilder, phase: Phase) -> Phase:
    """Drop the remaining calls, unless the turn waits for a result: the conversation has moved, or the turn ends. They
    count as errors, but no transitions are judged and `error` keeps its binding.
    """
    if phase is not Phase.AWAIT and step.doing.calls:
        why = why_dropped(step)
        for call in step.doing.calls:
            drop(step, call, why)
    return phase
