"""How the events that begin a turn change a state: messages, timers, events of other systems, acts of a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import (
    MOST_UNREPORTED,
    EventData,
    Failed,
    Fault,
    Frame,
    State,
    TurnState,
    Waiting,
    with_frame,
)
from turnwise.core.state import events as e
from turnwise.core.state.fold import person, schedules
from turnwise.core.state.fold.effects import with_tool_use
from turnwise.core.state.kinds import BY_USER, TurnKind

_UNPROMPTED: frozenset[TurnKind] = frozenset(("timer", "schedule", "event", "continued"))
UNPROMPTED = frozenset((e.TimerFired, e.ScheduleDue, e.EventReceived, e.Continued))
"""The events that begin turns which no caller of the user waits for: the machine or another system starts them."""


def _turn_begun(state: State, entry: e.Entry, kind: TurnKind, **of_turn: Any) -> State:
    """A turn begins; a first message belongs to the turn that started the conversation. If the last turn failed, this
    one tries again. `of_turn` is what the turn holds beside that.
    """
    frame, begun = state.frame, state.doing if entry.turn == state.turn else None
    of_turn |= {"kind": kind, "at_ms": entry.at_ms, "seq": entry.seq}
    cut_off, missed = state.cut_off, (*state.missed, *state.unprompted)
    if begun is None:
        of_turn = {"start_node": frame.node, "base": state.turn, **of_turn}
        doing = TurnState(cut_off=cut_off, missed=missed, **of_turn)
    else:
        doing = replace(begun, cut_off=begun.cut_off or cut_off, missed=begun.missed or missed, **of_turn)
    is_user, is_unprompted = kind in BY_USER, kind in _UNPROMPTED
    return replace(
        state,
        turn=entry.turn,
        frame=_after_message(frame, entry.turn) if is_user else frame,
        status=Waiting("user", entry.at_ms) if type(state.status) is Failed else state.status,
        run_moves=0 if is_user else state.run_moves,
        doing=doing,
        cut_off=state.cut_off if is_unprompted else 0,
        missed=state.missed if is_unprompted else (),
        unprompted=(*state.unprompted, entry.turn)[-MOST_UNREPORTED:] if is_unprompted else (),
        unseen_from=0 if is_user else _unseen_from(state, entry),
        schedules=schedules.after_message(state, entry) if is_user and state.schedules is not None else state.schedules,
    )


def _user_said(state: State, entry: e.Entry, event: e.UserSaid) -> State:
    return _turn_begun(state, entry, "said", message=event.text)


def _user_chose(state: State, entry: e.Entry, event: e.UserChose) -> State:
    return _turn_begun(state, entry, "chose", button=event.value)


def _commanded(state: State, entry: e.Entry, _event: e.Commands) -> State:
    return _turn_begun(state, entry, "commands")


def _calls_decided(state: State, entry: e.Entry, _event: e.CallsDecided) -> State:
    return _turn_begun(state, entry, "approval")


def _tool_used(state: State, entry: e.Entry, event: e.ToolUsed) -> State:
    return with_tool_use(_turn_begun(state, entry, "tool"), entry, event.tool)


def _timer_fired(state: State, entry: e.Entry, event: e.TimerFired) -> State:
    timers = tuple([timer for timer in state.frame.timers if not event.is_of(timer)])
    return with_frame(_turn_begun(state, entry, "timer"), timers=timers)


def _schedule_due(state: State, entry: e.Entry, _event: e.ScheduleDue) -> State:
    return _turn_begun(state, entry, "schedule")


def _event_received(state: State, entry: e.Entry, event: e.EventReceived) -> State:
    return _turn_begun(state, entry, "event", event=EventData(event.name, event.data, entry.seq))


def _continued(state: State, entry: e.Entry, _event: e.Continued) -> State:
    """An undo takes the whole autonomous run back."""
    return _turn_begun(state, entry, "continued", base=state.came_from)


def _undo_asked(state: State, entry: e.Entry, _event: e.UndoAsked) -> State:
    """An undo is no turn that a later undo takes back."""
    return _turn_begun(state, entry, "undo", base=state.came_from)


def _taken_over(state: State, entry: e.Entry, event: e.TakenOver) -> State:
    return person.taken_over(_turn_begun(state, entry, "taken_over"), entry, event)


def _operator_said(state: State, entry: e.Entry, _event: e.OperatorSaid) -> State:
    return _turn_begun(state, entry, "operator")


def _given_back(state: State, entry: e.Entry, event: e.GivenBack) -> State:
    state, failed = person.without_person(_turn_begun(state, entry, "given_back"), event.outcome), state.frame.failed
    if failed is None:
        return state
    doing = state.current if event.transition or event.end else replace(state.current, fault=Fault(*failed))
    return replace(state, frame=replace(state.frame, failed=None), doing=doing)


def _unseen_from(state: State, entry: e.Entry) -> int:
    """Return where turns that the user did not begin begin, as a turn begins: with a timer that was due, not with one
    that the host fires, with an event of another system, with the decision of an operator, or as a person gives the
    conversation back.
    """
    event = entry.event
    if isinstance(event, e.GivenBack) or (isinstance(event, e.CallsDecided) and event.is_operator):
        return state.unseen_from or entry.seq
    if type(event) not in UNPROMPTED:
        return 0
    is_other = isinstance(event, e.ScheduleDue | e.EventReceived)
    is_due = is_other or (isinstance(event, e.TimerFired) and event.due_ms is not None)
    return state.unseen_from or (entry.seq if is_due else 0)


def _after_message(frame: Frame, turn: int) -> Frame:
    """Return the frame with one more turn of the user; the turn that entered the node has no message since then."""
    scope = frame.scope
    if scope is not None:
        frame = replace(frame, scope=replace(scope, turns=scope.turns + 1))
    return replace(frame, turns=frame.turns + 1, has_message=frame.entered_turn < turn)


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    e.UserSaid: _user_said,
    e.UserChose: _user_chose,
    e.Commands: _commanded,
    e.ToolUsed: _tool_used,
    e.TimerFired: _timer_fired,
    e.ScheduleDue: _schedule_due,
    e.EventReceived: _event_received,
    e.Continued: _continued,
    e.CallsDecided: _calls_decided,
    e.UndoAsked: _undo_asked,
    e.TakenOver: _taken_over,
    e.OperatorSaid: _operator_said,
    e.GivenBack: _given_back,
}
"""The functions that return the state after an event, by the class of the event."""
