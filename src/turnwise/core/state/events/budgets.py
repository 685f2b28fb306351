"""Events of budgets: what a call used, a budget that is reached, and what the user answered about it."""

from __future__ import annotations

from typing import Literal

from turnwise.core.state.events.base import Event
from turnwise.core.state.spending import Measure, Used
from turnwise.flow.model.budgets import Period

BudgetWay = Literal["ask", "hand_over", "model", "end", "own_text"]
"""What came of a budget: as it says, or the text of the flow itself, where a model would only have worded it."""


class CallSettled(Event, frozen=True, tag="call_settled"):
    """What a call used, in a flow with budgets: of a model, or of a tool, which only takes time."""

    effect: str
    """The id of the call."""
    used: Used
    """The amounts that it used."""
    day: str
    """The local day of the conversation."""
    purpose: str = ""
    """What the model was called for."""
    model: str = ""
    """The model that was called; empty for a tool."""
    tool: str = ""
    """The tool that was called; empty for a model."""
    node: str = ""
    """The node that the call was for."""
    tokens_in: int = 0
    """The tokens of the prompt."""
    tokens_out: int = 0
    """The tokens of the reply."""
    cached: int = 0
    """How many of `tokens_in` the provider had cached."""
    reserved: Used | None = None
    """What was reserved for it."""
    is_estimated: bool = False
    """True where the provider counted no tokens."""
    is_lost: bool = False
    """True where the process ended before the reply came, and what was reserved counts."""


class BudgetReached(Event, frozen=True, tag="budget_reached"):
    """A call was not made, for it would have gone beyond a budget.

    Amounts are in billionths of the currency, tokens, or milliseconds.
    """

    budget: str
    """The name of the budget."""
    measure: Measure
    """What the budget limits: money, tokens or time."""
    per: Period
    """For how long it is: a turn, the conversation, a day."""
    period: str
    """The present one: the number of the turn, or the day."""
    amount: int
    """What the budget allows."""
    spent: int
    """What was used of it."""
    needed: int
    """What was reserved for the call."""
    then: BudgetWay
    """What happens instead; with `model` another model is called."""
    purpose: str
    """What the call was for."""
    node: str
    """The node that the call was for."""
    model: str = ""
    """The model that was not called."""
    instead: str = ""
    """The model that is called instead; empty if none is."""
    wanted: int = 0
    """How much more the user is asked for; 0 if they are not asked."""
    currency: str = ""
    """The currency of a budget of money; empty for others."""


class BudgetAnswered(Event, frozen=True, tag="budget_answered"):
    """The user answered whether to go on beyond a budget."""

    budget: str
    """The name of the budget."""
    period: str
    """The period for which more was allowed."""
    granted: int = 0
    """How much more the user allowed; 0 for a no."""


BudgetEvent = CallSettled | BudgetReached | BudgetAnswered
