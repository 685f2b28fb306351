"""Rules about budgets: models without a price, budgets that no call fits, and cheaper models that come too late."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.check.checked_flow import CheckedFlow
from turnwise.core.costs import LinkedBudget, amount_text
from turnwise.core.machine import LinkedNode, Machine
from turnwise.core.spending import CHARS_PER_TOKEN, price_of
from turnwise.flow.diagnostic import Diagnostic, problem
from turnwise.flow.walk import named_models


def check_prices(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW113: report models without a price in a flow with a budget of money, which then cannot be called."""
    machine = checked.machine
    if not any(one.measure == "money" for one in machine.budgets):
        return
    for name, span in named_models(machine.flow):
        if price_of(machine, name) is None:
            message = f"'{name}' has no price, so no call of it is made where money has a budget"
            yield problem("TW113", message, span, "add it to 'limits.prices', or give the price to 'tw.open'")


def check_reached(checked: CheckedFlow) -> Iterator[Diagnostic]:
    """TW113: report budgets that are too small for a single call, and cheaper models that come too late."""
    machine = checked.machine
    limits = machine.flow.limits
    spans = {
        one.at: given.span for one in machine.budgets for given in limits.budgets if given.span.line_text == one.at
    }
    speaks = [node for node in machine.nodes.values() if node.prompt is not None]
    for budget in machine.budgets:
        span = spans.get(budget.at, limits.span)
        if budget.then != "model" and speaks and budget.amount and budget.measure != "time":
            least = min(_reserved(machine, node, budget) for node in speaks)
            if least > budget.amount:
                needed = amount_text(budget.measure, least, budget.currency)
                message = f"no call fits this budget: {needed} are reserved for the reply alone"
                yield problem("TW113", message, span, "allow fewer tokens with 'settings.max_tokens', or more here")
        if budget.then == "model" and (other := _before(machine, budget)) is not None:
            message = f"'{budget.model}' is never called: the budget with 'then: {other.then}' is reached first"
            yield problem("TW113", message, span, "give the cheaper model the smaller amount")


def _reserved(machine: Machine, node: LinkedNode, budget: LinkedBudget) -> int:
    """Return what is reserved for the reply of a node at least; nothing where its model has no price."""
    tokens = node.settings.get("max_tokens") or -(-machine.flow.limits.reply_chars // CHARS_PER_TOKEN)
    if budget.measure == "tokens":
        return tokens
    models = [node.node.model or machine.flow.model]
    models += [one.model for one in machine.budgets if one.then == "model"]
    prices = [price_of(machine, model) for model in models]
    return min((price.cost(0, tokens) for price in prices if price is not None), default=0)


def _before(machine: Machine, budget: LinkedBudget) -> LinkedBudget | None:
    """Return a budget of the same measure and period that refuses calls before a cheaper model would be called."""
    same = [one for one in machine.budgets if (one.measure, one.per) == (budget.measure, budget.per)]
    return next((one for one in same if one.then != "model" and one.amount <= budget.amount), None)
