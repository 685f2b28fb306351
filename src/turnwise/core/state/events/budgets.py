"""Events of budgets: what a call used, a budget that is reached, and what the user answered about it."""

from __future__ import annotations

from typing import Literal

from turnwise.core.state.events.base import Event
from turnwise.core.state.spending import Measure, Used
from turnwise.flow.model.budgets import Period

BudgetWay = Literal["ask", "hand_over", "model", "end", "own_text"]
"""What happened when a budget was reached: what its `then` says, or `own_text`: the flow's own text is sent where a
model would only have reworded it."""


class CallSettled(Event, frozen=True, tag="call_settled"):
    """A call of a model or tool ended, in a flow with budgets: what it used. A tool uses only time."""

    effect: str
    """The id of the call's effect."""
    used: Used
    """The money, tokens and time that the call used."""
    day: str
    """The date of the call in the conversation's time zone, such as `2026-11-01`."""
    purpose: str = ""
    """What the model was called for; empty for a tool."""
    model: str = ""
    """The model that was called; empty for a tool."""
    tool: str = ""
    """The tool that was called; empty for a model."""
    node: str = ""
    """The node that the call was made for."""
    tokens_in: int = 0
    """The number of tokens of the prompt."""
    tokens_out: int = 0
    """The number of tokens of the reply."""
    cached: int = 0
    """How many of `tokens_in` the provider had cached."""
    reserved: Used | None = None
    """The amounts that were reserved before the call; `None` if nothing was."""
    is_estimated: bool = False
    """True where the provider counted no tokens, so that they are estimated."""
    is_lost: bool = False
    """True where the process ended before the reply came: the reserved amounts count as used."""


class BudgetReached(Event, frozen=True, tag="budget_reached"):
    """A call was not made, since it would have exceeded a budget.

    Amounts are in billionths of the currency, tokens, or milliseconds.
    """

    budget: str
    """The name of the budget."""
    measure: Measure
    """What the budget limits: money, tokens or time."""
    per: Period
    """The period that the budget covers: a turn, the conversation, a day."""
    period: str
    """The current period: the number of the turn, or the date of the day; empty for the conversation."""
    amount: int
    """What the budget allows, in the unit of `Used`: billionths of the currency, tokens or milliseconds."""
    spent: int
    """What was used of the budget so far, in the same unit as `amount`."""
    needed: int
    """What the call would have needed at most, in the same unit as `amount`."""
    then: BudgetWay
    """What happens in place of the call; for `model`, another model is called."""
    purpose: str
    """What the call would have been for, such as a reply."""
    node: str
    """The node that the call was made for."""
    model: str = ""
    """The model that was not called."""
    instead: str = ""
    """The model that is called instead; empty if none is."""
    wanted: int = 0
    """How much more the user is asked to allow, in the unit of `amount`; 0 if they are not asked."""
    currency: str = ""
    """The currency of a budget for money; empty for tokens and time."""


class BudgetAnswered(Event, frozen=True, tag="budget_answered"):
    """The user answered whether the conversation may exceed a budget."""

    budget: str
    """The name of the budget."""
    period: str
    """The turn number or date for which more was allowed."""
    granted: int = 0
    """How much more the user allowed, in billionths of the currency, tokens or milliseconds; 0 if the user declined."""


BudgetEvent = CallSettled | BudgetReached | BudgetAnswered
"""Every event about budgets."""
