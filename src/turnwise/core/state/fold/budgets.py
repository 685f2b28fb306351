"""Folds events of budgets: the sums of what was used, and the question whether to go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import State, Waiting, with_frame
from turnwise.core.state import events as e
from turnwise.core.state.spending import NO_USE, Spending

_NONE = Spending()


def _call_settled(state: State, entry: e.Entry, event: e.CallSettled) -> State:
    """Add what a call used to the sums; the last prompt of its purpose is that of the next estimate."""
    before, used = state.spending or _NONE, event.used
    prompts = {**before.prompts, event.purpose: event.tokens_in} if event.tokens_in else before.prompts
    spending = replace(
        before,
        total=before.total.plus(used),
        turn=entry.turn,
        of_turn=(before.of_turn if before.turn == entry.turn else NO_USE).plus(used),
        day=event.day,
        of_day=(before.of_day if before.day == event.day else NO_USE).plus(used),
        prompts=prompts,
        last=used,
    )
    if event.is_lost and isinstance(state.status, Waiting):
        state = replace(state, status=Waiting(state.status.what, entry.at_ms))
    return replace(state, spending=spending)


def _budget_reached(state: State, _entry: e.Entry, event: e.BudgetReached) -> State:
    spending = state.spending or _NONE
    if event.then == "model":
        spending = replace(spending, reached={**spending.reached, event.budget: event.period})
    elif event.then == "ask":
        spending = replace(spending, asked=event.budget, wanted=event.wanted)
    return replace(state, spending=spending)


def _budget_answered(state: State, _entry: e.Entry, event: e.BudgetAnswered) -> State:
    spending = state.spending or _NONE
    granted = spending.granted
    if event.granted:
        period, more = granted.get(event.budget, ("", 0))
        before = more if period == event.period else 0
        granted = {**granted, event.budget: (event.period, before + event.granted)}
    question = state.frame.question
    if question is not None and question.kind == "budget":
        state = with_frame(state, question=None)
    return replace(state, spending=replace(spending, asked="", wanted=0, granted=granted))


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    e.CallSettled: _call_settled,
    e.BudgetReached: _budget_reached,
    e.BudgetAnswered: _budget_answered,
}
"""The functions that return the state after an event, by the class of the event."""
