"""How each event changes the state: the one place where a state becomes another.

Folding needs no flow, so that a journal can be folded when its flow is long gone. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from turnwise.core import events as e
from turnwise.core.effects import CallModel, RunTool
from turnwise.core.state import (
    FORMAT,
    KEPT_USES,
    Broken,
    FieldValue,
    Frame,
    Heard,
    Held,
    Over,
    Pending,
    Question,
    State,
    ToolHistory,
    ToolUse,
    TurnState,
    Waiting,
)


def fold(state: State | None, entry: e.Entry) -> State:
    """The state after one more event; the first is always `Started`, or a `Snapshot`."""
    if state is None:
        match entry.event:
            case e.Started() as event:
                return _started(entry, event)
            case e.Snapshot(state=state):
                pass
            case _:
                raise AssertionError("a journal begins with `Started`, or with a snapshot")
    return replace(changed(state, entry), seq=entry.seq, at_ms=entry.at_ms)


def changed(state: State, entry: e.Entry) -> State:
    """What an event changes, without the position and the time, which every event changes."""
    change = _CHANGES.get(type(entry.event))
    return change(state, entry, entry.event) if change is not None else state


def fold_all(entries: Iterable[e.Entry], state: State | None = None) -> State | None:
    """The state after all these events; `None` where there are none. What is no longer kept is passed
    over up to the snapshot that stands for it.
    """
    for entry in entries:
        if state is not None or not isinstance(entry.event, e.Erased):
            state = fold(state, entry)
    return state


def _started(entry: e.Entry, event: e.Started) -> State:
    visit = 1 if event.is_entered else 0
    return State(
        format=FORMAT,
        flow=event.flow,
        version=event.version,
        fingerprint=event.fingerprint,
        seq=entry.seq,
        turn=entry.turn,
        at_ms=entry.at_ms,
        time_zone=event.time_zone,
        language=event.language,
        status=Waiting("user", entry.at_ms),
        frames=(Frame(event.node, visit=visit, transcript_from=entry.seq, entered_turn=entry.turn),),
        visits={event.node: visit} if visit else {},
        doing=TurnState("started", entry.at_ms, entry.seq, start_node=event.node),
    )


# the beginning and the end of a turn -------------------------------------------------------------


def _begin(state: State, entry: e.Entry, *, is_user: bool = False, **parts: Any) -> State:
    """A turn begins; a first message belongs to the turn that started the conversation. Where the last
    one failed, this one tries again.
    """
    doing = state.doing if state.doing is not None and entry.turn == state.turn else None
    if doing is None:
        doing = TurnState("", entry.at_ms, entry.seq, start_node=state.node, base=state.turn)
    frames = (*state.frames[:-1], replace(state.frame, turns=state.frame.turns + 1)) if is_user else state.frames
    doing = replace(doing, at_ms=entry.at_ms, seq=entry.seq, **parts)
    status = Waiting("user", entry.at_ms) if isinstance(state.status, Broken) else state.status
    run_moves = 0 if is_user else state.run_moves
    return replace(state, turn=entry.turn, frames=frames, doing=doing, status=status, run_moves=run_moves)


def _said_by_user(state: State, entry: e.Entry, event: e.UserSaid) -> State:
    return _begin(state, entry, is_user=True, kind="said", message=event.text)


def _chosen(state: State, entry: e.Entry, event: e.UserChose) -> State:
    return _begin(state, entry, is_user=True, kind="chose", button=event.value)


def _commands(state: State, entry: e.Entry, _event: e.Commands) -> State:
    return _begin(state, entry, is_user=True, kind="commands")


def _tool_used(state: State, entry: e.Entry, event: e.ToolUsed) -> State:
    return _begin(_used(state, entry, event.tool), entry, kind="tool")


def _timer_fired(state: State, entry: e.Entry, event: e.TimerFired) -> State:
    timers = tuple(timer for timer in state.timers if not event.means(timer))
    return _begin(replace(state, timers=timers), entry, kind="timer")


def _continued(state: State, entry: e.Entry, _event: e.Continued) -> State:
    return _begin(state, entry, kind="continued")


def _undo_asked(state: State, entry: e.Entry, _event: e.UndoAsked) -> State:
    return _begin(state, entry, kind="undo")


def _turn_ended(state: State, entry: e.Entry, event: e.TurnEnded) -> State:
    status = Waiting(event.waits_for, entry.at_ms) if event.waits_for else state.status
    return replace(state, status=status, timers=event.timers, came_from=_doing(state).base, doing=None)


def _ended(state: State, _entry: e.Entry, event: e.Ended) -> State:
    return replace(state, status=Over(event.outcome), question=None, pending=None)


def _failed(state: State, _entry: e.Entry, event: e.Failed) -> State:
    return replace(state, status=Broken(event.reason, event.message))


def _undone(state: State, entry: e.Entry, event: e.Undone) -> State:
    doing = replace(_doing(state), base=event.state.came_from, heard=())
    return replace(event.state, turn=state.turn, at_ms=entry.at_ms, doing=doing, snapshot=state.snapshot)


# keeping the journal -----------------------------------------------------------------------------


def _snapshot(_state: State, _entry: e.Entry, event: e.Snapshot) -> State:
    return event.state


def _migrated(state: State, _entry: e.Entry, event: e.Migrated) -> State:
    return replace(event.state, snapshot=state.snapshot)


def _erased(_state: State, entry: e.Entry, _event: e.Erased) -> State:
    raise AssertionError(f"the event at {entry.seq} is no longer kept: fold from a snapshot after it")


# effects -----------------------------------------------------------------------------------------


def _effect_asked(state: State, entry: e.Entry, event: e.EffectAsked) -> State:
    doing = _doing(state)
    effect = event.effect
    what = str(effect.__struct_config__.tag)
    understood = (*doing.understood_for, state.node) if what == "understand" else doing.understood_for
    calls = doing.model_calls + (what == "call_model")
    doing = replace(doing, awaited=effect, effects=doing.effects + 1, understood_for=understood, model_calls=calls)
    if isinstance(effect, CallModel) and effect.purpose == "choose":
        doing = replace(doing, asked_to_choose=doing.asked_to_choose + 1)
    if isinstance(effect, RunTool):
        doing = _handled(doing, effect.call)
    if isinstance(effect, RunTool):
        state = _unheld(state, effect.call)
    return replace(state, doing=doing, status=Waiting(_AWAITED[what], entry.at_ms))


_AWAITED = {
    "understand": "understanding",
    "call_model": "model",
    "run_tool": "tool",
    "recall_words": "journal",
    "recall_state": "journal",
}


def _model_replied(state: State, _entry: e.Entry, event: e.ModelReplied) -> State:
    return replace(state, doing=replace(_doing(state), awaited=None, calls=event.calls))


def _tool_returned(state: State, entry: e.Entry, event: e.ToolReturned | e.ToolFailed) -> State:
    state = _used(state, entry, event.tool)
    return replace(state, doing=replace(_doing(state), awaited=None))


def _answered(state: State, _entry: e.Entry, _event: e.ResultEvent) -> State:
    return replace(state, doing=replace(_doing(state), awaited=None))


# tools -------------------------------------------------------------------------------------------


def _used(state: State, entry: e.Entry, tool: str) -> State:
    """A tool was used: its count, and its place among the last uses (law 1.1)."""
    counts = {**state.tools.counts, tool: state.tools.counts.get(tool, 0) + 1}
    last = (*state.tools.last, ToolUse(tool, entry.turn, state.node))[-KEPT_USES:]
    return replace(state, tools=ToolHistory(counts, last))


def _handled(doing: TurnState, call: str) -> TurnState:
    """A call of a model waits no longer."""
    calls = tuple([one for one in doing.calls if one.id != call])
    return replace(doing, calls=calls, tool_calls=doing.tool_calls + 1)


def _call_answered(state: State, entry: e.Entry, event: e.CallAnswered) -> State:
    state = _used(state, entry, event.tool)
    return replace(state, doing=_handled(_doing(state), event.call))


def _call_refused(state: State, _entry: e.Entry, event: e.CallRefused) -> State:
    return replace(_unheld(state, event.call), doing=_handled(_doing(state), event.call))


def _unheld(state: State, call: str) -> State:
    """A call that was held is settled, and the question about it closed."""
    if state.held is None or state.held.call != call:
        return state
    return replace(state, held=None, question=None)


def _call_held(state: State, _entry: e.Entry, event: e.CallHeld) -> State:
    held = Held(event.tool, event.arguments, event.call)
    return replace(state, held=held, doing=_handled(_doing(state), event.call))


def _sequence_advanced(state: State, _entry: e.Entry, event: e.SequenceAdvanced) -> State:
    return replace(state, frames=(*state.frames[:-1], replace(state.frame, sequence=event.to)))


# fields ------------------------------------------------------------------------------------------


def _field_set(state: State, entry: e.Entry, event: e.FieldSet) -> State:
    doing = _doing(state)
    place = event.place
    if place is None and event.words is not None:
        place = (doing.seq, *event.words)
    value = FieldValue(event.value, event.how, entry.turn, entry.at_ms, event.confidence, place)
    is_used_up = doing.is_used_up or event.how in ("button", "direct")
    heard = (*doing.heard, Heard("set", event.field))
    return replace(
        state,
        values={**state.values, event.field: value},
        shelved=_without(state.shelved, event.field),
        last_field=event.field if event.how != "set" else state.last_field,
        doing=replace(doing, is_used_up=is_used_up, heard=heard),
    )


def _field_cleared(state: State, _entry: e.Entry, event: e.FieldCleared) -> State:
    doing = _doing(state)
    return replace(
        state,
        values=_without(state.values, event.field),
        shelved=_without(state.shelved, event.field),
        doing=replace(doing, heard=(*doing.heard, Heard("cleared", event.field))),
    )


def _field_shelved(state: State, _entry: e.Entry, event: e.FieldShelved) -> State:
    shelved = {**state.shelved, event.field: state.values[event.field]}
    return replace(state, values=_without(state.values, event.field), shelved=shelved)


def _field_revived(state: State, _entry: e.Entry, event: e.FieldRevived) -> State:
    values = {**state.values, event.field: state.shelved[event.field]}
    return replace(state, values=values, shelved=_without(state.shelved, event.field))


def _without(table: dict[str, Any], key: str) -> dict[str, Any]:
    return {k: v for k, v in table.items() if k != key} if key in table else table


# commands ----------------------------------------------------------------------------------------

_USING_UP = ("affirm", "deny", "start", "cancel")


def _command_applied(state: State, _entry: e.Entry, event: e.CommandApplied) -> State:
    doing = _doing(state)
    heard = (*doing.heard, Heard(event.command, event.field, event.text))
    is_used_up = doing.is_used_up or event.command in _USING_UP
    return replace(state, doing=replace(doing, heard=heard, is_used_up=is_used_up))


def _command_refused(state: State, _entry: e.Entry, event: e.CommandRefused) -> State:
    doing = _doing(state)
    return replace(state, doing=replace(doing, heard=(*doing.heard, Heard("refused", event.field, event.text))))


def _missed(state: State, _entry: e.Entry, event: e.Missed) -> State:
    doing = _doing(state)
    return replace(state, doing=replace(doing, heard=(*doing.heard, Heard("missed", event.field))))


# decisions and moves -----------------------------------------------------------------------------


def _decided(state: State, entry: e.Entry, event: e.Decided) -> State:
    decided = {**state.decided, docket_key(event.node, event.moment): entry.seq}
    judged = {**state.judged, **event.marks} if event.marks else state.judged
    return replace(state, decided=decided, judged=judged)


def docket_key(node: str, moment: str) -> str:
    """The key under which the state remembers when a node's moment was judged last."""
    return f"{node}/{moment}"


def _move_planned(state: State, _entry: e.Entry, event: e.MovePlanned) -> State:
    return replace(state, pending=Pending(event.transition, event.target, state.frame.visit))


def _moved(state: State, entry: e.Entry, event: e.Moved) -> State:
    visits = {**state.visits, event.target: state.visits.get(event.target, 0) + 1}
    frame = Frame(
        event.target,
        visit=visits[event.target],
        turns=1 if _is_user_turn(state) else 0,
        transcript_from=state.frame.transcript_from,
        entered_turn=entry.turn,
    )
    doing = _doing(state)
    doing = replace(doing, moves=doing.moves + 1, entered=(*doing.entered, event.target), heard=())
    return replace(
        state,
        frames=(*state.frames[:-1], frame),
        visits=visits,
        closed_forms=_without(state.closed_forms, event.target),
        run_moves=state.run_moves + 1,
        question=None,
        pending=None,
        held=None,
        timers=(),
        doing=doing,
    )


def _is_user_turn(state: State) -> bool:
    return state.doing is not None and state.doing.kind in ("said", "chose", "commands")


def _work_done(state: State, _entry: e.Entry, _event: e.WorkDone) -> State:
    return replace(state, frames=(*state.frames[:-1], replace(state.frame, is_work_done=True)))


# forms and what is said --------------------------------------------------------------------------


def _form_changed(state: State, _entry: e.Entry, event: e.FormChanged) -> State:
    is_done = event.run.status not in ("collecting", "awaiting_confirmation")
    frame = replace(state.frame, form=event.run, is_work_done=is_done)
    return replace(state, frames=(*state.frames[:-1], frame))


def _form_closed(state: State, _entry: e.Entry, event: e.FormClosed) -> State:
    return replace(state, closed_forms={**state.closed_forms, event.node: event.status})


def _said(state: State, entry: e.Entry, event: e.Said) -> State:
    doing = replace(_doing(state), has_spoken=True)
    if event.question is None:
        return replace(state, doing=doing)
    old = state.question
    is_same = old is not None and (old.kind, old.field) == (event.question, event.field)
    first = old.first if old is not None and is_same else entry.seq
    last_field = event.field or state.last_field
    return replace(
        state, doing=doing, last_field=last_field, question=Question(event.question, event.field, first, entry.seq)
    )


def _faulted(state: State, _entry: e.Entry, event: e.Faulted) -> State:
    doing, tool = _doing(state), event.fault.tool
    failures = {**doing.failures, tool: doing.failures.get(tool, 0) + 1} if tool else doing.failures
    doing = replace(doing, fault=event.fault, failures=failures)
    return replace(state, errors=state.errors + 1, doing=doing)


def _doing(state: State) -> TurnState:
    assert state.doing is not None, "no turn is under way"
    return state.doing


_CHANGES: dict[type, Callable[[State, e.Entry, Any], State]] = {
    e.UserSaid: _said_by_user,
    e.UserChose: _chosen,
    e.Commands: _commands,
    e.ToolUsed: _tool_used,
    e.TimerFired: _timer_fired,
    e.Continued: _continued,
    e.UndoAsked: _undo_asked,
    e.Understood: _answered,
    e.UnderstandingFailed: _answered,
    e.ModelReplied: _model_replied,
    e.ModelFailed: _answered,
    e.ToolReturned: _tool_returned,
    e.ToolFailed: _tool_returned,
    e.WordsRecalled: _answered,
    e.StateRecalled: _answered,
    e.FieldSet: _field_set,
    e.FieldCleared: _field_cleared,
    e.FieldShelved: _field_shelved,
    e.FieldRevived: _field_revived,
    e.CommandApplied: _command_applied,
    e.CommandRefused: _command_refused,
    e.Missed: _missed,
    e.Decided: _decided,
    e.MovePlanned: _move_planned,
    e.Moved: _moved,
    e.FormChanged: _form_changed,
    e.FormClosed: _form_closed,
    e.Said: _said,
    e.CallAnswered: _call_answered,
    e.CallRefused: _call_refused,
    e.CallHeld: _call_held,
    e.SequenceAdvanced: _sequence_advanced,
    e.WorkDone: _work_done,
    e.EffectAsked: _effect_asked,
    e.Faulted: _faulted,
    e.Undone: _undone,
    e.Ended: _ended,
    e.Failed: _failed,
    e.TurnEnded: _turn_ended,
    e.Snapshot: _snapshot,
    e.Migrated: _migrated,
    e.Erased: _erased,
}
