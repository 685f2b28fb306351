"""Folds events of effects: work that is requested and answered, tools that are used, refused or wait for approval."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from msgspec.structs import replace

from turnwise.core.state import KEPT_USES, ApprovalRequest, State, ToolHistory, ToolUse, TurnState, Waiting
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.state.kinds import Wait


def _effect_asked(state: State, entry: e.Entry, event: e.EffectAsked) -> State:
    effect = event.effect
    doing = replace(state.current, awaited=effect, effects=state.current.effects + 1)
    waits_for: Wait
    match effect:
        case Understand(field=field):
            waits_for = "understanding"
            doing = doing if field else replace(doing, understood_for=(*doing.understood_for, state.node))
        case CallModel(purpose=purpose):
            waits_for, asked = "model", doing.asked_to_choose + (purpose == "choose")
            doing = replace(doing, model_calls=doing.model_calls + 1, asked_to_choose=asked)
        case RunTool(call=call):
            waits_for, doing = "tool", _without_call(doing, call)
            made_again = tuple([one for one in state.taken_back if one.id != effect.id])
            state = replace(_without_held(state, call), taken_back=made_again)
        case RecallWords() | RecallState():
            waits_for = "journal"
        case _:
            assert_never(effect)
    return replace(state, doing=doing, status=Waiting(waits_for, entry.at_ms))


def _answered(state: State, _entry: e.Entry, _event: e.ResultEvent) -> State:
    return replace(state, doing=replace(state.current, awaited=None))


def _model_replied(state: State, _entry: e.Entry, event: e.ModelReplied) -> State:
    return replace(state, doing=replace(state.current, awaited=None, calls=event.calls))


def _tool_answered(state: State, entry: e.Entry, event: e.ToolReturned | e.ToolFailed) -> State:
    """A call that no process could make is no use of the tool (law 4.3)."""
    if not (isinstance(event, e.ToolFailed) and event.not_run):
        state = with_tool_use(state, entry, event.tool)
    return replace(state, doing=replace(state.current, awaited=None))


def _call_answered(state: State, entry: e.Entry, event: e.CallAnswered) -> State:
    """A call that was refused is no use of the tool (law 4.3)."""
    state = with_tool_use(state, entry, event.tool) if event.result["success"] else state
    return replace(state, doing=_without_call(state.current, event.call))


def _call_refused(state: State, _entry: e.Entry, event: e.CallRefused) -> State:
    """A waiting call that was dropped counts as an error; no `Faulted` stands for it."""
    doing = state.current
    is_error = event.reason == "dropped" and any(call.id == event.call for call in doing.calls)
    state = replace(_without_held(state, event.call), errors=state.errors + is_error)
    return replace(state, doing=_without_call(doing, event.call))


def _call_held(state: State, _entry: e.Entry, event: e.CallHeld) -> State:
    was_begun = any(call.id == event.effect for call in state.taken_back)
    request = ApprovalRequest(event.tool, event.arguments, event.call, event.effect, was_begun)
    return replace(state, awaiting_approval=request, doing=_without_call(state.current, event.call))


def _sequence_advanced(state: State, _entry: e.Entry, event: e.SequenceAdvanced) -> State:
    return replace(state, frames=(*state.frames[:-1], replace(state.frame, sequence=event.to)))


def with_tool_use(state: State, entry: e.Entry, tool: str) -> State:
    """The state with one more use of a tool: its count, and its place among the last uses (law 1.1)."""
    counts = {**state.tools.counts, tool: state.tools.counts.get(tool, 0) + 1}
    last = (*state.tools.last, ToolUse(tool, entry.turn, state.node))[-KEPT_USES:]
    return replace(state, tools=ToolHistory(counts, last))


def _without_call(doing: TurnState, call: str) -> TurnState:
    """The turn without a call of a model that waited."""
    calls = tuple([one for one in doing.calls if one.id != call])
    return replace(doing, calls=calls, tool_calls=doing.tool_calls + 1)


def _without_held(state: State, call: str) -> State:
    """The state without the call that waited for approval, and without the question about it."""
    return (
        replace(state, awaiting_approval=None, question=None)
        if state.awaiting_approval is not None and state.awaiting_approval.call == call
        else state
    )


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    e.EffectAsked: _effect_asked,
    e.Understood: _answered,
    e.UnderstandingFailed: _answered,
    e.ModelReplied: _model_replied,
    e.ModelFailed: _answered,
    e.ToolReturned: _tool_answered,
    e.ToolFailed: _tool_answered,
    e.WordsRecalled: _answered,
    e.StateRecalled: _answered,
    e.CallAnswered: _call_answered,
    e.CallRefused: _call_refused,
    e.CallHeld: _call_held,
    e.SequenceAdvanced: _sequence_advanced,
}
