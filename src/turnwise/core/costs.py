"""Prices and budgets as whole numbers, what tokens cost, and amounts in words."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from turnwise.core.state.spending import NANO_PER_UNIT, Measure, Used
from turnwise.flow.durations import write_duration
from turnwise.flow.model.budgets import BudgetAction, Period

_MILLION = 1_000_000


class LinkedPrice(Struct, frozen=True):
    """The price of a million tokens of a model, in billionths of the currency."""

    input: int
    """The price of a million prompt tokens, in billionths of the currency."""
    output: int
    """The price of a million reply tokens, in billionths of the currency."""
    cached: int
    """The price of a million prompt tokens that the provider had cached, in billionths of the currency."""

    def cost(self, tokens_in: int, tokens_out: int, cached: int = 0) -> int:
        """Return the cost of the tokens that a call read and wrote (`tokens_in`, `tokens_out`), in billionths of the
        currency, rounded up; `cached` is a part of `tokens_in`.
        """
        cached = min(cached, tokens_in)
        whole = (tokens_in - cached) * self.input + cached * self.cached + tokens_out * self.output
        return -(-whole // _MILLION)


class LinkedBudget(Struct, frozen=True):
    """A budget whose amount is a whole number: billionths of the currency, tokens or milliseconds."""

    name: str
    """The name of the budget."""
    measure: Measure
    """What the budget limits: money, tokens or time."""
    per: Period
    """The period that the budget covers: a turn, the conversation, a day."""
    amount: int
    """What the budget allows per period, in billionths of the currency, tokens or milliseconds."""
    then: BudgetAction
    """What happens when the next call would exceed the budget."""
    model: str = ""
    """The cheaper model that is called then; empty for another action."""
    queue: str = ""
    """The queue in which the conversation then waits for a person; empty for another action."""
    outcome: str = ""
    """The outcome with which the conversation then ends; empty for another action."""
    currency: str = ""
    """The currency of a budget for money; empty for tokens and time."""
    at: str = ""
    """The `file:line` of the budget in the flow."""


def amount_text(measure: Measure, amount: int, currency: str = "", thousands: str = ",") -> str:
    """Return an amount as text: `0.50 USD`, `1,200 tokens`, `2m`. It is in the unit of `measure`: billionths of
    `currency`, tokens, or milliseconds. Small money has all its significant digits; `thousands` is the mark that groups
    digits.
    """
    match measure:
        case "money":
            text = f"{Decimal(amount) / NANO_PER_UNIT:,f}"
            whole, _, digits = text.partition(".")
            text = f"{whole}.{digits.rstrip('0').ljust(2, '0')} {currency}".rstrip()
        case "tokens":
            text = f"{amount:,} tokens"
        case "time":
            return write_duration(amount / 1000)
    return text.translate(_POINTS) if thousands == "." else text


def used_text(used: Used, currency: str) -> str:
    """Return the used amounts as text, with the currency of the money: `1,200 tokens, 0.004 USD and 2s`."""
    tokens = f"{used.tokens:,} tokens" if used.tokens else ""
    money = amount_text("money", used.money, currency) if used.money else ""
    time = write_duration(used.time / 1000) if used.time else ""
    *first, last = [one for one in (tokens, money, time) if one] or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


_POINTS = str.maketrans(",.", ".,")
