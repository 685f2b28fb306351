"""Budgets of a flow: how much money, tokens or time its calls may take, what comes then, and the prices of models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from turnwise.flow.call_sites import call_site
from turnwise.flow.declare import Takes, converter, hidden, key, part
from turnwise.flow.diagnostic import Span
from turnwise.flow.kinds import Integer, Many, Named, NameRule, Number, Object, one_of
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model.words import SECONDS

Period = Literal["turn", "conversation", "day"]
"""The period that a budget covers."""
BudgetAction = Literal["ask", "hand_over", "model", "end"]
"""What happens where the next call would go beyond a budget."""

MODEL_NAME = NameRule(late_pattern(r"\*|\S(?:.*\S)?"), "the name of a model as flow or node name it, or *")
"""The rule for names of models in prices; `*` stands for every other model."""
MOST_PRICE = 1_000_000.0
"""The highest price of a million tokens."""


@part("a budget")
class Budget:
    """A limit on the money, tokens or time that calls may use per turn, conversation or day, and what happens then."""

    money: str = key("an amount and its currency: `0.50 USD`", default="")
    tokens: int | None = key("tokens of prompts and replies", Integer(0), default=None)
    time_s: float | None = key("time that models and tools take", converter=SECONDS, default=None, name="time")
    per: Period = key(
        "the period that it covers: a turn, the conversation or a day", one_of(Period), default="conversation"
    )
    then: BudgetAction = key("what happens when the next call would exceed it", one_of(BudgetAction), default="ask")
    model: str = key("the cheaper model, with `then: model`", default="")
    queue: str = key("the queue of the person, with `then: hand_over`; else that of the flow's `person`", default="")
    outcome: str = key("the outcome, with `then: end`", default="")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


@part("the price of a model")
class Price:
    """The price of a million tokens of a model."""

    name: str
    """The name of the model as the flow or a node names it; `*` for every other model."""
    input: float = key("the price of a million prompt tokens", Number(0, MOST_PRICE), default=0.0, required=True)
    output: float = key("the price of a million reply tokens", Number(0, MOST_PRICE), default=0.0, required=True)
    cached: float | None = key(
        "the price of a million prompt tokens that the provider had cached; `input` where left out",
        Number(0, MOST_PRICE),
        default=None,
    )
    currency: str = key("the currency of the price", default="USD")
    span: Span = hidden(factory=call_site)
    """Where a document or program declares this part."""


BUDGETS: Takes[Sequence[Budget | Mapping[str, Any]], tuple[Budget, ...]] = converter(Many(Object("Budget")))
"""The converter of a list of budgets."""
PRICES: Takes[Sequence[Price], tuple[Price, ...]] = converter(Named("Price", MODEL_NAME))
"""The converter of the prices of models."""
