"""Folds decisions, moves between nodes, and texts that are said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import (
    Frame,
    Pending,
    Question,
    State,
)
from turnwise.core.state import events as e
from turnwise.core.state.fold.turns import doing_of, without


def _decided(state: State, entry: e.Entry, event: e.Decided) -> State:
    decided = {**state.decided, moment_key(event.node, event.moment): entry.seq}
    judged = {**state.judged, **event.marks} if event.marks else state.judged
    return replace(state, decided=decided, judged=judged)


def moment_key(node: str, moment: str) -> str:
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
    doing = doing_of(state)
    doing = replace(doing, moves=doing.moves + 1, entered=(*doing.entered, event.target), heard=(), asked_to_choose=0)
    return replace(
        state,
        frames=(*state.frames[:-1], frame),
        visits=visits,
        closed_forms=without(state.closed_forms, event.target),
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


def _form_changed(state: State, _entry: e.Entry, event: e.FormChanged) -> State:
    is_done = event.run.status not in ("collecting", "awaiting_confirmation")
    frame = replace(state.frame, form=event.run, is_work_done=is_done)
    closed = event.run.status if event.run.status in ("confirmed", "handed_off") else ""
    doing = replace(doing_of(state), closed=closed)
    return replace(state, frames=(*state.frames[:-1], frame), doing=doing)


def _form_closed(state: State, _entry: e.Entry, event: e.FormClosed) -> State:
    return replace(state, closed_forms={**state.closed_forms, event.node: event.status})


def _said(state: State, entry: e.Entry, event: e.Said) -> State:
    doing = replace(doing_of(state), has_spoken=True)
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
    doing, tool = doing_of(state), event.fault.tool
    failures = {**doing.failures, tool: doing.failures.get(tool, 0) + 1} if tool else doing.failures
    doing = replace(doing, fault=event.fault, failures=failures)
    return replace(state, errors=state.errors + 1, doing=doing)


CHANGES: dict[type, Callable[[State, e.Entry, Any], State]] = {
    e.Decided: _decided,
    e.MovePlanned: _move_planned,
    e.Moved: _moved,
    e.FormChanged: _form_changed,
    e.FormClosed: _form_closed,
    e.Said: _said,
    e.WorkDone: _work_done,
    e.Faulted: _faulted,
}
