"""Folds events of effects: work that is requested and answered, tools that are used, refused or wait for approval."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import (
    KEPT_USES,
    ApprovalRequest,
    PutOff,
    State,
    ToolHistory,
    ToolUse,
    TurnState,
    Waiting,
    with_frame,
)
from turnwise.core.state import events as e
from turnwise.core.state.approvals import in_order, reply_of, request_for_user, without_request
from turnwise.core.state.effects import AnyEffect, CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.state.fold import budgets
from turnwise.core.state.performed import kept_effect


def _effect_asked(state: State, entry: e.Entry, event: e.EffectAsked) -> State:
    return _ASKED[type(event.effect)](state, entry, event.effect)


def _model_asked(state: State, entry: e.Entry, effect: CallModel) -> State:
    doing = state.current
    doing = replace(
        doing,
        awaited=effect,
        effects=doing.effects + 1,
        model_calls=doing.model_calls + 1,
        asked_to_choose=doing.asked_to_choose + (effect.purpose == "choose"),
        prompted=state.frame.node,
    )
    return replace(state, doing=doing, status=Waiting("model", entry.at_ms))


def _tool_asked(state: State, entry: e.Entry, effect: RunTool) -> State:
    """Remove what waited for this run: the call of the model, its approval, and the run that an undo took back."""
    doing = state.current
    doing = _without_call(doing, effect.call, awaited=effect, effects=doing.effects + 1)
    left = state.taken_back and tuple([one for one in state.taken_back if one.id != effect.id])
    state = replace(state, doing=doing, taken_back=left, status=Waiting("tool", entry.at_ms))
    return _without_request(state, effect.call)


def _understanding_asked(state: State, entry: e.Entry, effect: Understand) -> State:
    doing = state.current
    by = doing.understood_for if effect.field else (*doing.understood_for, state.frame.node)
    doing = replace(doing, awaited=effect, effects=doing.effects + 1, understood_for=by)
    return replace(state, doing=doing, status=Waiting("understanding", entry.at_ms))


def _journal_asked(state: State, entry: e.Entry, effect: RecallWords | RecallState) -> State:
    doing = replace(state.current, awaited=effect, effects=state.current.effects + 1)
    return replace(state, doing=doing, status=Waiting("journal", entry.at_ms))


_ASKED: dict[type[AnyEffect], Callable[[State, e.Entry, Any], State]] = {
    CallModel: _model_asked,
    RunTool: _tool_asked,
    Understand: _understanding_asked,
    RecallWords: _journal_asked,
    RecallState: _journal_asked,
}
"""The change of the request of each kind of effect."""


def _answered(state: State, _entry: e.Entry, _event: e.ResultEvent) -> State:
    return replace(state, doing=replace(state.current, awaited=None))


def _understood(state: State, entry: e.Entry, event: e.Understood) -> State:
    return _with_request_chars(_answered(state, entry, event), event.request_chars)


def _model_replied(state: State, _entry: e.Entry, event: e.ModelReplied) -> State:
    awaited = state.current.awaited
    calls = () if isinstance(awaited, CallModel) and awaited.purpose == "summary" else event.calls
    state = replace(state, doing=replace(state.current, awaited=None, calls=calls))
    scope = state.frame.scope
    if scope is not None:
        spent = replace(scope, tokens=scope.tokens + event.tokens_in + event.tokens_out)
        state = with_frame(state, scope=spent)
    return _with_request_chars(state, event.request_chars) if event.request_chars else state


def _with_request_chars(state: State, chars: int) -> State:
    """Remember how long a request in the node may be, so that the next one is short enough at once."""
    return replace(state, request_chars={**state.request_chars, state.frame.node: chars}) if chars else state


def _tool_returned(state: State, entry: e.Entry, event: e.ToolReturned) -> State:
    """Count a use of the tool (law 4.3)."""
    state = _done_again(state) if state.kept_effects else state
    return _answered(with_tool_use(state, entry, event.tool), entry, event)


def _tool_failed(state: State, entry: e.Entry, event: e.ToolFailed) -> State:
    """Count a use of the tool, unless no process could make the call (law 4.3)."""
    if state.kept_effects and event.in_doubt:
        state = _done_again(state)
    if not event.not_run:
        state = with_tool_use(state, entry, event.tool)
    return _answered(state, entry, event)


def _done_again(state: State) -> State:
    """An effect that an undo had not reversed was done once more: the next run of it is a call as any other."""
    awaited = state.current.awaited
    same = kept_effect(state.kept_effects, awaited.tool, awaited.arguments) if isinstance(awaited, RunTool) else None
    if same is None:
        return state
    key = same.tool, same.arguments
    kept = tuple([one for one in state.kept_effects if one is not same])
    taken_back = tuple([one for one in state.taken_back if (one.tool, one.arguments) != key])
    return replace(state, kept_effects=kept, taken_back=taken_back)


def _call_answered(state: State, entry: e.Entry, event: e.CallAnswered) -> State:
    """Count a use of the tool, unless the call was refused (law 4.3)."""
    state = with_tool_use(state, entry, event.tool) if event.result["success"] else state
    return replace(state, doing=_without_call(state.current, event.call))


def _call_refused(state: State, _entry: e.Entry, event: e.CallRefused) -> State:
    """A waiting call that was dropped counts as an error; no `Faulted` stands for it."""
    doing = state.current
    is_error = event.reason == "dropped" and any(call.id == event.call for call in doing.calls)
    state = replace(state, errors=state.errors + is_error, doing=_without_call(doing, event.call))
    return _without_request(state, event.call)


def _call_held(state: State, _entry: e.Entry, event: e.CallHeld) -> State:
    """A call waits; before there could be several, one that began to wait took the place of the earlier one."""
    request = ApprovalRequest(
        event.tool,
        event.arguments,
        event.call,
        event.effect,
        was_begun=any(call.id == event.effect for call in state.taken_back),
        approver=event.approver,
        since_ms=event.since_ms,
        due_ms=event.due_ms,
    )
    earlier = [one for one in state.frame.waiting_calls if one.call != event.call]
    return with_requests(replace(state, doing=_without_call(state.current, event.call)), in_order((*earlier, request)))


def _approval_unclear(state: State, _entry: e.Entry, event: e.ApprovalUnclear) -> State:
    count = int(event.is_counted)
    changed = [
        replace(one, unclear=one.unclear + count) if one.call == event.call else one
        for one in state.frame.waiting_calls
    ]
    return with_frame(with_requests(state, tuple(changed)), question=None)


def _call_queued(state: State, _entry: e.Entry, event: e.CallQueued) -> State:
    """Add a call to those that wait behind the last request."""
    doing = state.current
    call = next(one for one in doing.calls if one.id == event.call)
    *earlier, last = state.frame.waiting_calls
    state = replace(state, doing=replace(doing, calls=tuple([one for one in doing.calls if one is not call])))
    return with_requests(state, (*earlier, replace(last, behind=(*last.behind, call))))


def _call_approved(state: State, _entry: e.Entry, event: e.CallApproved) -> State:
    """Mark a call as approved, with its final arguments; this turn runs it."""
    changed = tuple(
        [
            replace(one, is_approved=True, arguments=event.arguments) if one.call == event.call else one
            for one in state.frame.waiting_calls
        ]
    )
    return with_requests(state, changed)


def with_requests(state: State, requests: tuple[ApprovalRequest, ...]) -> State:
    """Return the state with these calls waiting for approval.

    If the user is asked about another call now, the question is closed.
    """
    before, asked = state.frame.awaiting_approval, request_for_user(requests)
    others = tuple([one for one in requests if one is not asked])
    is_closed = before is not None and (asked is None or asked.call != before.call)
    question = None if is_closed else state.frame.question
    return with_frame(state, awaiting_approval=asked, approvals=others, question=question)


def _move_put_off(state: State, _entry: e.Entry, event: e.MovePutOff) -> State:
    """A move waits for other calls; without a transition it has been tried, and came to nothing."""
    put_off = PutOff(event.transition, event.target, event.reply, event.tool) if event.transition else None
    return with_frame(state, put_off=put_off)


def _judging_planned(state: State, _entry: e.Entry, event: e.JudgingPlanned) -> State:
    if event.moment == "error":
        fault = state.current.fault
        return state if fault is None else with_frame(state, failed=(fault.kind, fault.message, fault.tool))
    if not event.reply:
        return with_frame(state, waits_to_judge=True)
    return with_frame(state, to_judge=(*state.frame.to_judge, event.reply))


def has_more_calls(state: State, reply: str, tool: str) -> bool:
    """Return whether the model reply with the id `reply` has calls of a tool that have not been made yet."""
    return tool in _open_calls(state, reply)


def has_open_calls(state: State, reply: str) -> bool:
    """Return whether the model reply with the id `reply` has calls without a result: not made yet, or waiting for
    approval.
    """
    return next(_open_calls(state, reply), None) is not None


def _open_calls(state: State, reply: str) -> Iterator[str]:
    """Yield the tool of each call of a reply that has not been made yet."""
    waiting = state.frame.waiting_calls
    later = [*state.current.calls, *(call for request in waiting for call in request.behind)]
    yield from (call.tool for call in later if reply_of(call.id) == reply)
    yield from (request.tool for request in waiting if reply_of(request.call) == reply)


def _sequence_advanced(state: State, _entry: e.Entry, event: e.SequenceAdvanced) -> State:
    return with_frame(state, sequence=event.to)


def with_tool_use(state: State, entry: e.Entry, tool: str) -> State:
    """Return the state with one more use of a tool: its count, and an entry among the last uses (law 1.1)."""
    frame = state.frame
    counts = {**frame.tools.counts, tool: frame.tools.counts.get(tool, 0) + 1}
    last = (*frame.tools.last, ToolUse(tool, entry.turn, frame.node))[-KEPT_USES:]
    return replace(state, frame=replace(frame, tools=ToolHistory(counts, last)))


def _without_call(doing: TurnState, call: str, **changes: Any) -> TurnState:
    """Return the turn without a call of a model that waited, and with other changes."""
    calls = tuple([one for one in doing.calls if one.id != call])
    return replace(doing, calls=calls, tool_calls=doing.tool_calls + 1, **changes)


def _without_request(state: State, call: str) -> State:
    """Return the state without a call that waited for approval, or behind one, and without the question about it."""
    waiting = state.frame.waiting_calls
    if not waiting:
        return state
    rest, released = without_request(waiting, call)
    rest = tuple([replace(one, behind=tuple([later for later in one.behind if later.id != call])) for one in rest])
    doing = state.current
    state = replace(state, doing=replace(doing, calls=(*released, *doing.calls))) if released else state
    return with_requests(state, rest)


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    **budgets.CHANGES,
    e.EffectAsked: _effect_asked,
    e.Understood: _understood,
    e.UnderstandingFailed: _answered,
    e.ModelReplied: _model_replied,
    e.ModelFailed: _answered,
    e.ToolReturned: _tool_returned,
    e.ToolFailed: _tool_failed,
    e.WordsRecalled: _answered,
    e.StateRecalled: _answered,
    e.CallAnswered: _call_answered,
    e.CallRefused: _call_refused,
    e.CallHeld: _call_held,
    e.CallQueued: _call_queued,
    e.ApprovalUnclear: _approval_unclear,
    e.CallApproved: _call_approved,
    e.MovePutOff: _move_put_off,
    e.JudgingPlanned: _judging_planned,
    e.SequenceAdvanced: _sequence_advanced,
}
"""The functions that return the state after an event, by the class of the event."""
