"""Folds which turns callers received: those that were cut off, whose callers left, or that a timer began (law 3.8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import State
from turnwise.core.state import events as e

UNPROMPTED = frozenset((e.TimerFired, e.Continued))
"""The machine starts these turns itself; no caller waits for them."""


def unseen_from(state: State, entry: e.Entry) -> int:
    """Return where turns that the user did not begin begin, as a turn begins: with a timer that was due, not with one
    that the host fires, with the decision of an operator, or as a person gives the conversation back.
    """
    event = entry.event
    if isinstance(event, e.GivenBack) or (isinstance(event, e.CallsDecided) and event.is_operator):
        return state.unseen_from or entry.seq
    if type(event) not in UNPROMPTED:
        return 0
    is_due = isinstance(event, e.TimerFired) and event.due_ms is not None
    return state.unseen_from or (entry.seq if is_due else 0)


def _turn_restarted(state: State, entry: e.Entry, _event: e.TurnRestarted) -> State:
    doing = state.current
    cut_off, missed = state.cut_off or doing.cut_off or entry.turn, state.missed or doing.missed
    return replace(state, cut_off=cut_off, missed=missed)


def _caller_left(state: State, _entry: e.Entry, event: e.CallerLeft) -> State:
    """An event without turns records that a refusal reported all turns whose outcome no caller had received."""
    unseen = state.unseen_from if event.unprompted else 0
    return replace(state, cut_off=0, missed=event.turns, unprompted=event.unprompted, unseen_from=unseen)


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    e.TurnRestarted: _turn_restarted,
    e.CallerLeft: _caller_left,
}
