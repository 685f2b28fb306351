"""Prices and budgets as whole numbers, what tokens cost, and amounts in words."""

from __future__ import annotations

from decimal import Decimal

from msgspec import Struct

from turnwise.core.state.spending import NANO_PER_UNIT, Measure, Used
from turnwise.flow.durations import write_duration
from turnwise.flow.model.budgets import BudgetAction, Period

_MILLION = 1_000_000


class LinkedPrice(Struct, frozen=True):
    """What a million tokens of a model cost, in billionths of the currency."""

    input: int
    """Of prompts."""
    output: int
    """Of replies."""
    cached: int
    """Of the part of prompts that the provider had cached."""

    def cost(self, tokens_in: int, tokens_out: int, cached: int = 0) -> int:
        """Return what tokens cost, rounded up; `cached` are among `tokens_in`."""
        cached = min(cached, tokens_in)
        whole = (tokens_in - cached) * self.input + cached * self.cached + tokens_out * self.output
        return -(-whole // _MILLION)


class LinkedBudget(Struct, frozen=True):
    """A budget with its amount as a whole number: billionths of money, tokens, milliseconds."""

    name: str
    measure: Measure
    per: Period
    """For how long it is: a turn, the conversation, a day."""
    amount: int
    """What it allows: billionths of money, tokens or milliseconds."""
    then: BudgetAction
    """What happens where the next call would go beyond it."""
    model: str = ""
    """The cheaper model, where that is what happens."""
    queue: str = ""
    """The queue of the person, where one is called."""
    outcome: str = ""
    """The outcome, where the conversation ends."""
    currency: str = ""
    """The currency of a budget of money; empty for others."""
    at: str = ""
    """Its `file:line` in the flow."""


def amount_text(measure: Measure, amount: int, currency: str = "", thousands: str = ",") -> str:
    """Return an amount as people read it: `0.50 USD`, `1,200 tokens`, `2m`. Of small money all digits that count."""
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
    """Return what was used in words: `1,200 tokens, 0.004 USD and 2s`."""
    tokens = f"{used.tokens:,} tokens" if used.tokens else ""
    money = amount_text("money", used.money, currency) if used.money else ""
    time = write_duration(used.time / 1000) if used.time else ""
    *first, last = [one for one in (tokens, money, time) if one] or ["nothing"]
    return f"{', '.join(first)} and {last}" if first else last


_POINTS = str.maketrans(",.", ".,")
