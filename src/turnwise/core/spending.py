"""Whether a call fits the budgets of a flow: what is reserved for it, which model it calls, which budget refuses it.

An estimate reads the state only, so that a replay decides as the run did.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from turnwise.core.costs import LinkedBudget, LinkedPrice
from turnwise.core.guards import env_of
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.spending import NO_USE, Spending, Used
from turnwise.core.zones import local_time

CHARS_PER_TOKEN: Final = 4
"""How many characters count as a token where no provider counted."""
ANY_MODEL: Final = "*"
"""The name of the price for all other models."""
_NONE = Spending()


class CallPlan(Struct, frozen=True):
    """How a call would be made under the budgets: the model, the reserved amounts, or the budget that refuses it."""

    purpose: str
    """What the call is for."""
    model: str
    """The name of the model that is called; empty for a tool."""
    usual: str
    """The model that would be called without budgets."""
    reserved: Used
    """The amounts that are reserved for the call until it ends."""
    day: str
    """The date on which the call counts, in the conversation's time zone, such as `2026-11-29`."""
    cheaper: tuple[LinkedBudget, ...] = ()
    """The budgets because of which `model` is called in place of `usual`."""
    refused: LinkedBudget | None = None
    """The budget that does not allow the call; `None` if all do."""
    is_unpriced: bool = False
    """True if a budget for money applies, and the model has no price."""

    @property
    def may_call(self) -> bool:
        """True if no budget refuses the call."""
        return self.refused is None and not self.is_unpriced


def plan_call(machine: Machine, state: State, purpose: str) -> CallPlan:
    """Return how a model call with a purpose would be made now; the purpose `tool` is a tool call, which uses time."""
    day, usual = day_of(state), usual_model(machine, state, purpose)
    if purpose == "tool":
        refused = next((one for one in _hard(machine) if one.measure == "time" and _exceeds(one, state, NO_USE)), None)
        return CallPlan(purpose, "", "", NO_USE, day, refused=refused)
    tokens = _prompt_tokens(machine, state, purpose), most_output(machine, state)
    cheaper = tuple(
        [one for one in machine.budgets if one.then == "model" and _goes_cheaper(one, machine, state, usual, tokens)]
    )
    model = cheaper[-1].model if cheaper else usual
    reserved, price = _reserved(machine, model, tokens), price_of(machine, model)
    for one in _hard(machine):
        if one.measure == "money" and price is None:
            return CallPlan(purpose, model, usual, reserved, day, cheaper, is_unpriced=True)
        if _exceeds(one, state, reserved):
            return CallPlan(purpose, model, usual, reserved, day, cheaper, refused=one)
    return CallPlan(purpose, model, usual, reserved, day, cheaper)


def _hard(machine: Machine) -> Iterator[LinkedBudget]:
    return (one for one in machine.budgets if one.then != "model")


def _goes_cheaper(budget: LinkedBudget, machine: Machine, state: State, model: str, tokens: tuple[int, int]) -> bool:
    spending = state.spending or _NONE
    if spending.reached.get(budget.name) == period_of(budget, state):
        return True
    is_unpriced = budget.measure == "money" and price_of(machine, model) is None
    return is_unpriced or _exceeds(budget, state, _reserved(machine, model, tokens))


def _exceeds(budget: LinkedBudget, state: State, reserved: Used) -> bool:
    """Return whether a call would go beyond a budget. A call begins while time is left."""
    left = allowed_by(budget, state) - spent_of(budget, state)
    return left <= 0 if budget.measure == "time" else getattr(reserved, budget.measure) > left


def period_of(budget: LinkedBudget, state: State) -> str:
    """Return the current period of a budget: the turn's number, the day's date, or empty for the conversation."""
    return "" if budget.per == "conversation" else str(state.turn) if budget.per == "turn" else day_of(state)


def spent_of(budget: LinkedBudget, state: State) -> int:
    """Return what was used of a budget in its current period, in the unit of its amount."""
    spending = state.spending or _NONE
    if budget.per == "turn":
        used = spending.of_turn if spending.turn == state.turn else NO_USE
    elif budget.per == "day":
        used = spending.of_day if spending.day == day_of(state) else NO_USE
    else:
        used = spending.total
    return getattr(used, budget.measure)


def allowed_by(budget: LinkedBudget, state: State) -> int:
    """Return what a budget allows in its current period, with what the user added, in the unit of its amount."""
    spending = state.spending or _NONE
    period, more = spending.granted.get(budget.name, ("", 0))
    return budget.amount + (more if period == period_of(budget, state) else 0)


def wanted_by(budget: LinkedBudget, state: State, reserved: Used) -> int:
    """Return how much more the user is asked to allow, in the unit of the budget: its amount again, or what the call
    for which `reserved` is estimated needs.
    """
    needed = spent_of(budget, state) + getattr(reserved, budget.measure) - allowed_by(budget, state)
    return max(budget.amount, needed)


def day_of(state: State) -> str:
    """Return the current date in a conversation's time zone, such as `2026-11-29`."""
    return local_time(state.at_ms, state.time_zone).date().isoformat()


# models and what they cost -----------------------------------------------------------------------


def usual_model(machine: Machine, state: State, purpose: str) -> str:
    """Return the model for a purpose if no budget chooses another one; empty if the flow names none."""
    node = machine.nodes[state.frame.node].node
    scope = state.frame.scope
    of_summary = ""
    if purpose == "summary" and scope is not None and (linked := machine.scopes[scope.name].scope) is not None:
        of_summary = linked.summary.model
    return machine.model_for_all or of_summary or node.model or machine.flow.model


def cheaper_model(machine: Machine, state: State) -> str:
    """Return the model that a reached budget puts in place of the usual one; empty if none does."""
    reached = state.spending.reached if state.spending is not None else {}
    found = [one.model for one in machine.budgets if one.name in reached and reached[one.name] == period_of(one, state)]
    return found[-1] if found else ""


def price_of(machine: Machine, model: str) -> LinkedPrice | None:
    """Return the price of a model, `None` if it has none; for a list of alternatives the highest."""
    found = [machine.prices.get(name) or machine.prices.get(ANY_MODEL) for name in _names_in(machine, model)]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    return LinkedPrice(*(max(getattr(one, part) for one in known) for part in ("input", "output", "cached")))


def _names_in(machine: Machine, model: str) -> list[str]:
    return [model] if model in machine.prices else [one.strip() for one in model.split(",")]


def most_output(machine: Machine, state: State) -> int:
    """Return the most tokens that a reply may have: by the model settings, else by the limit of characters."""
    allowed = machine.nodes[state.frame.node].settings.get("max_tokens")
    return allowed or -(-machine.flow.limits.reply_chars // CHARS_PER_TOKEN)


def _prompt_tokens(machine: Machine, state: State, purpose: str) -> int:
    """Return how many tokens the next prompt has, by the last one of its purpose; before that by its instructions."""
    message = (state.doing.message or "") if state.doing is not None else ""
    own = len(message) // CHARS_PER_TOKEN
    known = state.spending.prompts if state.spending is not None else {}
    if known:
        return known.get(purpose, max(known.values())) + own
    node, env = machine.nodes[state.frame.node], env_of(state)
    texts = [text(env) for text in (node.persona, node.prompt, node.entry) if text is not None]
    return sum(len(text) for text in texts) // CHARS_PER_TOKEN + own + 1


def _reserved(machine: Machine, model: str, tokens: tuple[int, int]) -> Used:
    price = price_of(machine, model)
    return Used(price.cost(*tokens) if price is not None else 0, sum(tokens))
