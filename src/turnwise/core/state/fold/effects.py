"""Folds events of effects: work that is requested and answered, tools that are used, refused or wait for approval."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import (
    Held,
    State,
    TurnState,
    Waiting,
)
from turnwise.core.state import events as e
from turnwise.core.state.effects import CallModel, RecallState, RecallWords, RunTool, Understand
from turnwise.core.state.fold.turns import doing_of, used


def _effect_asked(state: State, entry: e.Entry, event: e.EffectAsked) -> State:
    doing, effect = doing_of(state), event.effect
    count = doing.effects + 1
    match effect:
        case Understand(field=field):
            nodes = doing.understood_for if field else (*doing.understood_for, state.node)
            doing = replace(doing, awaited=effect, effects=count, understood_for=nodes)
        case CallModel(purpose=purpose):
            asked = doing.asked_to_choose + (purpose == "choose")
            doing = replace(
                doing, awaited=effect, effects=count, model_calls=doing.model_calls + 1, asked_to_choose=asked
            )
        case RunTool(call=call):
            doing = _handled(replace(doing, awaited=effect, effects=count), call)
            state = _made_again(_unheld(state, call), effect.id)
        case RecallWords() | RecallState():
            doing = replace(doing, awaited=effect, effects=count)
    return replace(state, doing=doing, status=Waiting(_AWAITED[type(effect)], entry.at_ms))


_AWAITED: dict[type, str] = {
    Understand: "understanding",
    CallModel: "model",
    RunTool: "tool",
    RecallWords: "journal",
    RecallState: "journal",
}


def _made_again(state: State, effect: str) -> State:
    """A call whose result an undo took back is made again: its id is used up."""
    if not any(call.id == effect for call in state.taken_back):
        return state
    return replace(state, taken_back=tuple([call for call in state.taken_back if call.id != effect]))


def _model_replied(state: State, _entry: e.Entry, event: e.ModelReplied) -> State:
    return replace(state, doing=replace(doing_of(state), awaited=None, calls=event.calls))


def _tool_returned(state: State, entry: e.Entry, event: e.ToolReturned | e.ToolFailed) -> State:
    """A call that nobody could take is no use (law 4.3)."""
    if not (isinstance(event, e.ToolFailed) and event.not_run):
        state = used(state, entry, event.tool)
    return replace(state, doing=replace(doing_of(state), awaited=None))


def _answered(state: State, _entry: e.Entry, _event: e.ResultEvent) -> State:
    return replace(state, doing=replace(doing_of(state), awaited=None))


def _handled(doing: TurnState, call: str) -> TurnState:
    """A call of a model waits no longer."""
    calls = tuple([one for one in doing.calls if one.id != call])
    return replace(doing, calls=calls, tool_calls=doing.tool_calls + 1)


def _call_answered(state: State, entry: e.Entry, event: e.CallAnswered) -> State:
    """A call that was refused is no use (law 4.3)."""
    state = used(state, entry, event.tool) if event.result["success"] else state
    return replace(state, doing=_handled(doing_of(state), event.call))


def _call_refused(state: State, _entry: e.Entry, event: e.CallRefused) -> State:
    """A call that was dropped while it waited is an error that no `Faulted` stands for."""
    doing = doing_of(state)
    is_error = event.reason == "dropped" and any(call.id == event.call for call in doing.calls)
    state = replace(_unheld(state, event.call), errors=state.errors + is_error)
    return replace(state, doing=_handled(doing, event.call))


def _unheld(state: State, call: str) -> State:
    """A call that was held is settled, and the question about it closed."""
    if state.held is None or state.held.call != call:
        return state
    return replace(state, held=None, question=None)


def _call_held(state: State, _entry: e.Entry, event: e.CallHeld) -> State:
    was_begun = any(call.id == event.effect for call in state.taken_back)
    held = Held(event.tool, event.arguments, event.call, event.effect, was_begun)
    return replace(state, held=held, doing=_handled(doing_of(state), event.call))


def _sequence_advanced(state: State, _entry: e.Entry, event: e.SequenceAdvanced) -> State:
    return replace(state, frames=(*state.frames[:-1], replace(state.frame, sequence=event.to)))


CHANGES: dict[type, Callable[[State, e.Entry, Any], State]] = {
    e.Understood: _answered,
    e.UnderstandingFailed: _answered,
    e.ModelReplied: _model_replied,
    e.ModelFailed: _answered,
    e.ToolReturned: _tool_returned,
    e.ToolFailed: _tool_returned,
    e.WordsRecalled: _answered,
    e.StateRecalled: _answered,
    e.CallAnswered: _call_answered,
    e.CallRefused: _call_refused,
    e.CallHeld: _call_held,
    e.SequenceAdvanced: _sequence_advanced,
    e.EffectAsked: _effect_asked,
}
