"""Events of budgets: what a call used, a budget that is reached, and what the user answered about it."""

from __future__ import annotations

from typing import Literal

from turnwise.core.state.events.base import Event
from turnwise.core.state.spending import Measure, Used
from turnwise.flow.model.budgets import Period

BudgetWay = Literal["ask", "hand_over", "model", "end", "own_text"]
"""What came of a budget: as it says, or the text of the flow itself, where a model would only have worded it."""


class CallSettled(Event, frozen=True, tag="call_settled"):
    """What a call used, in a flow with budgets: of a model, or of a tool, which only takes time.

    `reserved` is what was reserved for it. Where `is_estimated`, the provider counted no tokens; where `is_lost`, the
    process ended before the reply came, and what was reserved counts. `day` is the local day of the conversation.
    """

    effect: str
    """The id of the call."""
    used: Used
    """The amounts that it used."""
    day: str
    purpose: str = ""
    """What the model was called for."""
    model: str = ""
    tool: str = ""
    node: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    """How many of `tokens_in` the provider had cached."""
    reserved: Used | None = None
    is_estimated: bool = False
    is_lost: bool = False


class BudgetReached(Event, frozen=True, tag="budget_reached"):
    """A call was not made, for it would have gone beyond a budget; with `then` as `model` another model is called.

    `budget` names the budget, `amount` is what it allows, `spent` what was used of it, and `needed` what was reserved
    for the call: money in billionths of the currency, tokens, or milliseconds. `wanted` is how much more the user is
    asked for. `model` is the model that was not called, `instead` the one that is.
    """

    budget: str
    measure: Measure
    """What the budget limits: money, tokens or time."""
    per: Period
    """For how long it is: a turn, the conversation, a day."""
    period: str
    """The present one: the number of the turn, or the day."""
    amount: int
    spent: int
    needed: int
    then: BudgetWay
    purpose: str
    """What the call was for."""
    node: str
    model: str = ""
    instead: str = ""
    wanted: int = 0
    currency: str = ""


class BudgetAnswered(Event, frozen=True, tag="budget_answered"):
    """The user answered whether to go on beyond a budget: `granted` is how much more, 0 for a no."""

    budget: str
    """The name of the budget."""
    period: str
    """The period for which more was allowed."""
    granted: int = 0


BudgetEvent = CallSettled | BudgetReached | BudgetAnswered
