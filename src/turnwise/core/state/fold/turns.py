"""Folds the begin, end, failure and undo of a turn, and retention."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import (
    FORMAT,
    KEPT_USES,
    MOST_UNREPORTED,
    Ended,
    Failed,
    Frame,
    State,
    ToolHistory,
    ToolUse,
    TurnState,
    Waiting,
)
from turnwise.core.state import events as e


def doing_of(state: State) -> TurnState:
    """What belongs to the turn that is under way."""
    assert state.doing is not None, "no turn is under way"
    return state.doing


def without(table: dict[str, Any], key: str) -> dict[str, Any]:
    """A table without a key."""
    return {k: v for k, v in table.items() if k != key} if key in table else table


def used(state: State, entry: e.Entry, tool: str) -> State:
    """A tool was used: its count, and its place among the last uses (law 1.1)."""
    counts = {**state.tools.counts, tool: state.tools.counts.get(tool, 0) + 1}
    last = (*state.tools.last, ToolUse(tool, entry.turn, state.node))[-KEPT_USES:]
    return replace(state, tools=ToolHistory(counts, last))


def started(entry: e.Entry, event: e.Started) -> State:
    """The first state of a conversation."""
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


_UNPROMPTED = ("timer", "continued")
"""The turns that the machine starts itself; no caller waits for them."""


def _begin(state: State, entry: e.Entry, *, is_user: bool = False, **parts: Any) -> State:
    """A turn begins; a first message belongs to the turn that started the conversation. Where the last
    one failed, this one tries again.
    """
    doing = state.doing if state.doing is not None and entry.turn == state.turn else None
    if doing is None:
        doing = TurnState("", entry.at_ms, entry.seq, start_node=state.node, base=state.turn)
    frames = (*state.frames[:-1], replace(state.frame, turns=state.frame.turns + 1)) if is_user else state.frames
    cut_off, missed = (doing.cut_off or state.cut_off), (doing.missed or (*state.missed, *state.unprompted))
    doing = replace(doing, at_ms=entry.at_ms, seq=entry.seq, cut_off=cut_off, missed=missed, **parts)
    status = Waiting("user", entry.at_ms) if isinstance(state.status, Failed) else state.status
    run_moves = 0 if is_user else state.run_moves
    if doing.kind in _UNPROMPTED:
        cut_off, missed = state.cut_off, state.missed
        unprompted = (*state.unprompted, entry.turn)[-MOST_UNREPORTED:]
    else:
        cut_off, missed, unprompted = 0, (), ()
    return replace(
        state,
        turn=entry.turn,
        frames=frames,
        doing=doing,
        status=status,
        run_moves=run_moves,
        cut_off=cut_off,
        missed=missed,
        unprompted=unprompted,
    )


def _said_by_user(state: State, entry: e.Entry, event: e.UserSaid) -> State:
    return _begin(state, entry, is_user=True, kind="said", message=event.text)


def _chosen(state: State, entry: e.Entry, event: e.UserChose) -> State:
    return _begin(state, entry, is_user=True, kind="chose", button=event.value)


def _commands(state: State, entry: e.Entry, _event: e.Commands) -> State:
    return _begin(state, entry, is_user=True, kind="commands")


def _tool_used(state: State, entry: e.Entry, event: e.ToolUsed) -> State:
    return _begin(used(state, entry, event.tool), entry, kind="tool")


def _timer_fired(state: State, entry: e.Entry, event: e.TimerFired) -> State:
    timers = tuple(timer for timer in state.timers if not event.means(timer))
    return _begin(replace(state, timers=timers), entry, kind="timer")


def _continued(state: State, entry: e.Entry, _event: e.Continued) -> State:
    """An undo takes back the whole of an autonomous run, with the turn that the run began with."""
    came_from = state.came_from
    state = _begin(state, entry, kind="continued")
    return replace(state, doing=replace(doing_of(state), base=came_from))


def _undo_asked(state: State, entry: e.Entry, _event: e.UndoAsked) -> State:
    """An undo is no turn that a later one takes back, also where there was nothing to undo."""
    state = _begin(state, entry, kind="undo")
    return replace(state, doing=replace(doing_of(state), base=state.came_from))


def _turn_ended(state: State, entry: e.Entry, event: e.TurnEnded) -> State:
    status = Waiting(event.waits_for, entry.at_ms) if event.waits_for else state.status
    return replace(state, status=status, timers=event.timers, came_from=doing_of(state).base, doing=None)


def _ended(state: State, _entry: e.Entry, event: e.Ended) -> State:
    return replace(state, status=Ended(event.outcome), question=None, pending=None)


def _failed(state: State, _entry: e.Entry, event: e.Failed) -> State:
    return replace(state, status=Failed(event.reason, event.message))


def _undone(state: State, entry: e.Entry, event: e.Undone) -> State:
    """The question of that time is open anew: no button that was offered until now answers it."""
    doing, question = replace(doing_of(state), base=event.state.came_from, heard=()), event.state.question
    return replace(
        event.state,
        turn=state.turn,
        at_ms=entry.at_ms,
        doing=doing,
        question=replace(question, first=entry.seq) if question is not None else None,
        snapshot=state.snapshot,
        cut_off=0,
        missed=(),
        unprompted=(),
    )


def _turn_restarted(state: State, entry: e.Entry, _event: e.TurnRestarted) -> State:
    doing = doing_of(state)
    cut_off, missed = state.cut_off or doing.cut_off or entry.turn, state.missed or doing.missed
    return replace(state, cut_off=cut_off, missed=missed)


def _caller_left(state: State, _entry: e.Entry, event: e.CallerLeft) -> State:
    """A note without turns says that a refusal reported everything that nobody had received."""
    return replace(state, cut_off=0, missed=event.turns, unprompted=event.unprompted)


def _snapshot(_state: State, _entry: e.Entry, event: e.Snapshot) -> State:
    return event.state


def _forked(state: State, _entry: e.Entry, event: e.Forked) -> State:
    return replace(state, is_bound=not event.effects)


def _migrated(state: State, _entry: e.Entry, event: e.Migrated) -> State:
    return replace(event.state, snapshot=state.snapshot)


def _erased(_state: State, entry: e.Entry, _event: e.Erased) -> State:
    raise AssertionError(f"the event at {entry.seq} is no longer kept: fold from a snapshot after it")


CHANGES: dict[type, Callable[[State, e.Entry, Any], State]] = {
    e.UserSaid: _said_by_user,
    e.UserChose: _chosen,
    e.Commands: _commands,
    e.ToolUsed: _tool_used,
    e.TimerFired: _timer_fired,
    e.Continued: _continued,
    e.UndoAsked: _undo_asked,
    e.Undone: _undone,
    e.Ended: _ended,
    e.Failed: _failed,
    e.TurnEnded: _turn_ended,
    e.TurnRestarted: _turn_restarted,
    e.CallerLeft: _caller_left,
    e.Snapshot: _snapshot,
    e.Forked: _forked,
    e.Migrated: _migrated,
    e.Erased: _erased,
}
