"""What a conversation has used, and how much of each budget is left: for programs, the server and the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from turnwise.core.costs import amount_text
from turnwise.core.machine import Machine
from turnwise.core.spending import allowed_by, period_of, spent_of
from turnwise.core.state import State
from turnwise.core.state.events import AnyEvent, CallSettled
from turnwise.core.state.spending import NANO_PER_UNIT, NO_USE, Measure, Used, sum_of
from turnwise.flow.model.budgets import BudgetAction, Period


class SpentAmount(Struct, frozen=True):
    """An amount of each measure: money in the currency of the budgets, tokens, and seconds."""

    money: float = 0.0
    """Money, in the currency of the budgets; 0 where no call cost any."""
    tokens: int = 0
    """How many tokens prompts and replies had."""
    time_s: float = 0.0
    """The time that models and tools took, in seconds."""


class BudgetUse(Struct, frozen=True):
    """The use of a budget in its current period: what it allows, what is used and left, also in words.

    Money is in the currency, time in seconds.
    """

    name: str
    """The name of the budget."""
    measure: Measure
    """What the budget limits: money, tokens or time."""
    per: Period
    """The period that the budget covers: a turn, the conversation, a day."""
    allowed: float
    """What the budget allows, with what the user added, in the currency, tokens or seconds."""
    spent: float
    """What is used of the budget in the current period, in the currency, tokens or seconds."""
    left: float
    """What is left of the budget in the current period, in the currency, tokens or seconds."""
    then: BudgetAction
    """What happens when the next call would exceed the budget."""
    text: str
    """The use of the budget in words."""
    is_reached: bool = False
    """True while another model is called because of this budget."""


class SpendingReport(Struct, frozen=True):
    """What the calls of a conversation used in all, in the last turn and on the last day, and its budgets."""

    conversation: SpentAmount
    """What all turns of the conversation together used."""
    turn: SpentAmount
    """What the last turn used."""
    day: SpentAmount
    """What the last day with any use used."""
    currency: str = ""
    """The currency of the budgets; empty if none limits money."""
    asked: str = ""
    """The budget about which the user is asked; empty if none is."""
    budgets: tuple[BudgetUse, ...] = ()
    """The use of each budget in its current period."""


def spending_report(machine: Machine, state: State) -> SpendingReport:
    """Return what a conversation has used; zeros if its flow has no budgets, since then nothing is counted."""
    spending = state.spending
    currency = machine.currency
    if spending is None:
        return SpendingReport(_NOTHING, _NOTHING, _NOTHING, currency, budgets=_uses(machine, state))
    of_turn = spending.of_turn if spending.turn == state.turn else NO_USE
    amounts = (_amount(spending.total), _amount(of_turn), _amount(spending.of_day))
    return SpendingReport(*amounts, currency, spending.asked, _uses(machine, state))


def spent_by(events: Iterable[AnyEvent]) -> SpentAmount:
    """Return what the calls among some events used in total."""
    return _amount(sum_of(one.used for one in events if isinstance(one, CallSettled)))


def _amount(used: Used) -> SpentAmount:
    return SpentAmount(used.money / NANO_PER_UNIT, used.tokens, used.time / 1000)


_NOTHING = SpentAmount()
_UNITS: dict[Measure, int] = {"money": NANO_PER_UNIT, "tokens": 1, "time": 1000}


def _uses(machine: Machine, state: State) -> tuple[BudgetUse, ...]:
    reached = state.spending.reached if state.spending is not None else {}
    found: list[BudgetUse] = []
    for budget in machine.budgets:
        spent, allowed = spent_of(budget, state), allowed_by(budget, state)
        used, most = (amount_text(budget.measure, amount, budget.currency) for amount in (spent, allowed))
        unit = _UNITS[budget.measure]
        numbers = (allowed / unit, spent / unit, max(0, allowed - spent) / unit)
        text = f"{used} of {most} per {budget.per}"
        is_reached = reached.get(budget.name) == period_of(budget, state)
        found.append(BudgetUse(budget.name, budget.measure, budget.per, *numbers, budget.then, text, is_reached))
    return tuple(found)
