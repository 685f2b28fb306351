"""Begins turns in which waiting calls are approved, declined, or expire (law 4.5)."""

from __future__ import annotations

from typing import Any, NamedTuple

from turnwise.core.candidates import APPROVAL_DEADLINE
from turnwise.core.decision.dropped import tool_in_words
from turnwise.core.decision.faults import RefusedCall
from turnwise.core.locale import rules_of
from turnwise.core.machine import Machine
from turnwise.core.state import ApprovalRequest, State
from turnwise.core.state import events as e
from turnwise.core.tools import approvals, calls, consent
from turnwise.core.tools.check_call import fork_refusal, read_arguments
from turnwise.core.turn import Phase, Refusal, StepBuilder
from turnwise.core.values import REDACTED


def begin(step: StepBuilder, event: e.OutsideEvent) -> Phase | None:
    """Begin a turn with a decision about calls or a passed deadline; return `None` if the event is another.
    Before other events, calls whose deadline has passed are declined; the event then begins its turn as usual.
    """
    waiting = step.state.frame.waiting_calls
    match event:
        case e.CallsDecided():
            lapsed = _lapse(step)
            return _decide(step, event, lapsed)
        case e.TimerFired(timer) if timer == APPROVAL_DEADLINE:
            lapsed = _lapse(step)
            if not lapsed:
                step.warn("late", "no call that waits for approval is due")
                return Phase.FINISH
            return _go_on(step, lapsed)
        case e.UserSaid() | e.UserChose() | e.Commands() if waiting and step.state.frame.person is None:
            lapsed = _lapse(step)
            if not lapsed:
                return None
            needs_more = step.doing.calls or step.state.waiting_calls or any(not one.request.call for one in lapsed)
            return _go_on(step, lapsed) if needs_more else None
        case _:
            return None


class _Refused(NamedTuple):
    """A call that waited and is not run, and why."""

    request: ApprovalRequest
    why: RefusedCall


def _decide(step: StepBuilder, event: e.CallsDecided, lapsed: list[_Refused]) -> Phase:
    """Approve or decline each call by itself; those that were approved run in the order of the calls."""
    refused = list(lapsed)
    for decision in event.decisions:
        request = find(step.state, decision.call)
        if request is None:
            step.warn("late", f"the deadline of the call {decision.call} had passed, so it was not decided any more")
            continue
        wrong = fork_refusal(step.machine, step.state, request.tool) if decision.approve else _declined(event, decision)
        if wrong is None:
            given = _edited(request, decision)
            rules = step.rules if decision.arguments else step.machine.rules  # unedited ones were judged before
            arguments = read_arguments(step.machine.tools[request.tool], given, rules)
            if not isinstance(arguments, RefusedCall):
                approver = "operator" if event.is_operator else "user"
                is_edited = arguments != request.arguments
                step.emit(e.CallApproved(request.call, request.tool, arguments, event.by, approver, is_edited))
                continue
            wrong = arguments  # a bound has moved on with the clock since the call was made
        step.emit(e.CallRefused(request.call, request.tool, wrong.reason, wrong.text, event.by))
        refused.append(_Refused(request, wrong))
    return _go_on(step, refused)


def _declined(event: e.CallsDecided, decision: e.CallDecision) -> RefusedCall:
    who = event.by or ("an operator" if event.is_operator else "the user")
    return RefusedCall("declined", f"{who} said no: {decision.reason}" if decision.reason else f"{who} said no")


def _lapse(step: StepBuilder) -> list[_Refused]:
    """Decline the calls whose deadline has passed, and say so to the user; return them."""
    why = RefusedCall("expired", "not run: nobody approved it in time")
    due = [one for one in step.state.frame.waiting_calls if one.due_ms is not None and one.due_ms <= step.at_ms]
    for request in due:
        step.emit(e.CallRefused(request.call, request.tool, why.reason, why.text))
        what = tool_in_words(step.machine.tools[request.tool].tool)
        step.say(step.machine.language.text("consent_expired", what=what), "refused")
    return [_Refused(request, why) for request in due]


def _go_on(step: StepBuilder, refused: list[_Refused]) -> Phase:
    """Continue after calls were decided. Where the work of a node was refused, that is a failure; a model gets the
    results of all its calls in one request.
    """
    own = next((one for one in refused if not one.request.call), None)
    if own is not None:
        return consent.fail_unapproved(step, own.request.tool, own.why)
    if step.node.tool is not None and not step.doing.calls:
        return approvals.go_on(step) or Phase.FINISH
    return calls.handle_calls(step, refused[-1].request.call if refused else "")


def find(state: State, name: str) -> ApprovalRequest | None:
    """Return the call that waits for approval under an id (`ApprovalRequest.name`); `None` if there is none."""
    return next((one for one in state.frame.waiting_calls if name in (one.call, one.id, one.name) and name), None)


def _edited(request: ApprovalRequest, decision: e.CallDecision) -> dict[str, Any]:
    """Return the arguments as they are approved; a secret that the client saw redacted stays as it is."""
    changed = {name: value for name, value in decision.arguments.items() if value != REDACTED}
    return {**request.arguments, **changed}


def refuse_decisions(machine: Machine, state: State, event: e.CallsDecided) -> Refusal | None:
    """Return the refusal of decisions about calls that do not wait, or with wrong arguments or approver; else `None`.
    Then none of the decisions counts.
    """
    if not event.decisions:
        return Refusal("arguments", "name at least one call that is approved or declined")
    names = [one.call for one in event.decisions]
    if len(set(names)) < len(names):
        return Refusal("arguments", "each call is decided once")
    for decision in event.decisions:
        refused = _refuse(machine, state, event, decision)
        if refused is not None:
            return refused
    return None


def _refuse(machine: Machine, state: State, event: e.CallsDecided, decision: e.CallDecision) -> Refusal | None:
    request = find(state, decision.call)
    if request is None:
        known = ", ".join(one.name for one in state.frame.waiting_calls)
        hint = f"these wait: {known}" if known else "none waits"
        return Refusal("unknown_call", f"no call '{decision.call[:60]}' waits for approval; {hint}")
    if request.approver != "operator" and event.is_operator and decision.approve:
        return Refusal("approver", f"the user approves '{request.tool}'; an operator may only decline it")
    if request.approver == "operator" and not event.is_operator:
        return Refusal("approver", f"an operator decides about '{request.tool}'")
    tool = machine.tools[request.tool]
    rules = rules_of(machine, state) if decision.arguments else machine.rules
    found = read_arguments(tool, _edited(request, decision), rules) if decision.approve else None
    if isinstance(found, RefusedCall):
        return Refusal("arguments", found.text, fields=((found.subject, found.text),))
    return None
