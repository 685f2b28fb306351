"""Folds events into a state: the only place that changes a state.

It reads the event and nothing else, neither flow nor clock, so a journal can be folded long after its flow is gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import (
    FORMAT,
    Ended,
    Failed,
    Frame,
    OverlayState,
    Pending,
    Question,
    State,
    TurnState,
    Waiting,
    with_frame,
)
from turnwise.core.state import events as e
from turnwise.core.state.fold import (
    beginnings,
    effects,
    external_events,
    fields,
    items,
    offers,
    overlays,
    person,
    schedules,
    scopes,
    undo,
)
from turnwise.core.state.fold.effects import has_open_calls
from turnwise.core.state.frames import OPEN_FORM
from turnwise.core.state.kinds import BY_USER


def fold(state: State | None, entry: e.Entry) -> State:
    """Return the state after one more event. The first event is always `Started` or a `Snapshot`, with `state` None."""
    if state is not None:
        changed = CHANGES[type(entry.event)](state, entry, entry.event)
    else:
        match entry.event:
            case e.Started() as event:
                changed = _started(entry, event)
            case e.Snapshot(state=changed):
                pass
            case _:
                raise AssertionError("a journal begins with `Started`, or with a snapshot")
    return replace(changed, seq=entry.seq, at_ms=entry.at_ms)


def fold_stored(state: State | None, entry: e.Entry) -> State | None:
    """Return the state after one more stored entry; `None` if retention erased the entry and a snapshot follows."""
    return None if isinstance(entry.event, e.Erased) else fold(state, entry)


def fold_all(entries: Iterable[e.Entry], state: State | None = None) -> State | None:
    """Return the state after all these entries; `None` if there are none or retention erased the last ones."""
    for entry in entries:
        state = fold_stored(state, entry)
    return state


def moment_key(node: str, moment: str) -> str:
    """Return the key of a node and a moment in `State.decided`."""
    return f"{node}/{moment}"


# a conversation begins, a turn ends ----------------------------------------------------------------------------


def _started(entry: e.Entry, event: e.Started) -> State:
    """Return the first state of a conversation."""
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
        frame=Frame(
            event.node,
            visit=visit,
            transcript_from=entry.seq,
            entered_turn=entry.turn,
            visits={event.node: visit} if visit else {},
        ),
        explains=event.explains,
        overlays=OverlayState(forced_for_all=event.overlays) if event.overlays else None,
        doing=TurnState("started", entry.at_ms, entry.seq, start_node=event.node),
    )


def _turn_restarted(state: State, entry: e.Entry, _event: e.TurnRestarted) -> State:
    doing = state.current
    cut_off, missed = state.cut_off or doing.cut_off or entry.turn, state.missed or doing.missed
    return replace(state, cut_off=cut_off, missed=missed)


def _caller_left(state: State, _entry: e.Entry, event: e.CallerLeft) -> State:
    """An event without turns records that a refusal reported all turns whose outcome no caller had received."""
    unseen = state.unseen_from if event.unprompted else 0
    return replace(state, cut_off=0, missed=event.turns, unprompted=event.unprompted, unseen_from=unseen)


def _turn_ended(state: State, entry: e.Entry, event: e.TurnEnded) -> State:
    status, frame = Waiting(event.waits_for, entry.at_ms) if event.waits_for else state.status, state.frame
    is_left = frame.awaiting_approval is None and not frame.approvals and frame.person is None
    if (frame.put_off is not None or frame.to_judge) and is_left:
        frame = replace(frame, put_off=None, to_judge=())
    if event.timers != frame.timers:
        frame = replace(frame, timers=event.timers)
    if event.schedules is not None:
        state = replace(state, schedules=event.schedules)
    return replace(state, status=status, frame=frame, came_from=state.current.base, doing=None)


def _ended(state: State, _entry: e.Entry, event: e.Ended) -> State:
    frame = replace(state.frame, question=None, pending=None, person=None, awaiting_approval=None, approvals=())
    known = schedules.without_times(state)
    return replace(state, status=Ended(event.outcome), frame=frame, offers=(), schedules=known)


def _failed(state: State, _entry: e.Entry, event: e.Failed) -> State:
    return replace(state, status=Failed(event.reason, event.message))


def _snapshot(_state: State, _entry: e.Entry, event: e.Snapshot) -> State:
    return event.state


def _forked(state: State, entry: e.Entry, event: e.Forked) -> State:
    return replace(state, is_bound=not event.effects, forked=entry.seq)


def _migrated(state: State, _entry: e.Entry, event: e.Migrated) -> State:
    return replace(event.state, snapshot=state.snapshot)


def _erased(_state: State, entry: e.Entry, _event: e.Erased) -> State:
    raise AssertionError(f"the event at {entry.seq} is no longer kept: fold from a snapshot after it")


# decisions, moves and replies ----------------------------------------------------------------------


def _decided(state: State, entry: e.Entry, event: e.Decided) -> State:
    frame = state.frame
    if entry.frame != frame.id and any(one.id == entry.frame for one in state.outer):
        return _decided_around(state, entry, event)
    decided = {**frame.decided, moment_key(event.node, event.moment): entry.seq}
    judged = {**frame.judged, **event.marks} if event.marks else frame.judged
    calls = {**frame.calls, **event.calls} if event.calls else frame.calls
    doing, has_caught = state.current, event.moment == "error"
    if (doing.operator, doing.has_caught) != (event.operator, has_caught):
        doing = replace(doing, operator=event.operator, has_caught=has_caught)
    to_judge = frame.to_judge
    if to_judge and event.moment == "calls":
        to_judge = tuple([reply for reply in to_judge if has_open_calls(state, reply)])
    waits = frame.waits_to_judge and event.moment != "tool"
    frame = replace(frame, decided=decided, judged=judged, calls=calls, to_judge=to_judge, waits_to_judge=waits)
    return replace(state, frame=frame, doing=doing)


def _decided_around(state: State, entry: e.Entry, event: e.Decided) -> State:
    """A failure inside a scope was judged around it, and nothing was taken."""
    key = moment_key(event.node, event.moment)
    outer = [
        replace(one, decided={**one.decided, key: entry.seq}) if one.id == entry.frame else one for one in state.outer
    ]
    return replace(state, outer=tuple(outer))


def _move_planned(state: State, _entry: e.Entry, event: e.MovePlanned) -> State:
    pending = Pending(event.transition, event.target, state.frame.visit, state.current.operator)
    return with_frame(state, pending=pending)


def _moved(state: State, entry: e.Entry, event: e.Moved) -> State:
    doing, pending = state.current, state.frame.pending
    was_planned = pending is not None and pending.transition == event.transition
    operator = doing.operator or (pending.operator if pending is not None and was_planned else "")
    is_own = bool(event.transition) and not doing.has_caught
    frame = state.frame.entering(
        event.target,
        entry.turn,
        turns=1 if doing.kind in BY_USER else 0,
        because=event.because if state.explains and is_own else "",
        is_by_person=state.explains and bool(operator),
        note=event.note,
    )
    doing = replace(
        doing,
        moves=doing.moves + 1,
        entered=(*doing.entered, event.target),
        understood_for=() if was_planned else doing.understood_for,  # law 3.3: the message is read after this move
        outcomes=(),
        asked_to_choose=0,
    )
    return replace(state, frame=frame, run_moves=state.run_moves + 1, doing=doing)


def _work_done(state: State, _entry: e.Entry, _event: e.WorkDone) -> State:
    return replace(state, frame=replace(state.frame, is_work_done=True))


def _form_changed(state: State, _entry: e.Entry, event: e.FormChanged) -> State:
    status = event.run.status
    is_done = status not in OPEN_FORM
    frame, doing = replace(state.frame, form=event.run, is_work_done=is_done), state.current
    closed = status if status in ("confirmed", "handed_off") else ""
    if closed != doing.closed:
        doing = replace(doing, closed=closed)
    return replace(state, frame=frame, doing=doing)


def _form_closed(state: State, _entry: e.Entry, event: e.FormClosed) -> State:
    return with_frame(state, closed_forms={**state.frame.closed_forms, event.node: event.status})


def _said(state: State, entry: e.Entry, event: e.Said) -> State:
    doing = replace(state.current, has_spoken=True)
    if event.question is None:
        return replace(state, doing=doing)
    frame, first = state.frame, entry.seq
    old = frame.question
    if old is not None and (old.kind, old.field) == (event.question, event.field):
        first = old.first
    question = Question(event.question, event.field, first, entry.seq)
    if event.question == "offer":
        frame = replace(frame, question=question)
        return replace(
            state, doing=doing, offers=offers.offers_after_asking(state, event.field, entry.at_ms), frame=frame
        )
    frame = replace(frame, last_field=event.field or frame.last_field, question=question)
    return replace(state, doing=doing, frame=frame)


def _faulted(state: State, _entry: e.Entry, event: e.Faulted) -> State:
    doing, tool = state.current, event.fault.tool
    failures = {**doing.failures, tool: doing.failures.get(tool, 0) + 1} if tool else doing.failures
    return replace(state, errors=state.errors + 1, doing=replace(doing, fault=event.fault, failures=failures))


def _unchanged(state: State, _entry: e.Entry, _event: e.AnyEvent) -> State:
    return state


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    **beginnings.CHANGES,
    **effects.CHANGES,
    **fields.CHANGES,
    **external_events.CHANGES,
    **items.CHANGES,
    **offers.CHANGES,
    **overlays.CHANGES,
    **person.CHANGES,
    **schedules.CHANGES,
    **scopes.CHANGES,
    e.NothingSet: _unchanged,
    e.GiveBackRefused: _unchanged,
    e.EventRefused: _unchanged,
    e.TurnRestarted: _turn_restarted,
    e.CallerLeft: _caller_left,
    e.Decided: _decided,
    e.MovePlanned: _move_planned,
    e.Moved: _moved,
    e.FormChanged: _form_changed,
    e.FormClosed: _form_closed,
    e.Said: _said,
    e.WorkDone: _work_done,
    e.ArtefactMade: _unchanged,
    e.Faulted: _faulted,
    e.Warned: _unchanged,
    e.Undone: undo.undone,
    e.Ended: _ended,
    e.Failed: _failed,
    e.TurnEnded: _turn_ended,
    e.WordsHidden: _unchanged,
    e.Snapshot: _snapshot,
    e.Forked: _forked,
    e.Migrated: _migrated,
    e.Erased: _erased,
}
"""The functions that return the state after an event, by its class; without `Started`. The position and time, which
every event changes, are set elsewhere."""
