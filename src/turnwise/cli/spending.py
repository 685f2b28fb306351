"""The command `/spending` of `chat`: what the calls of a conversation have used, and what its budgets leave."""

from __future__ import annotations

from rich.console import Console

from turnwise.cli.show import print_line
from turnwise.core.costs import amount_text
from turnwise.core.spending_report import SpendingReport, SpentAmount
from turnwise.core.state.spending import NANO_PER_UNIT
from turnwise.flow.durations import write_duration


def print_spending(console: Console, report: SpendingReport) -> None:
    """Print the spending of a conversation, of its last turn and of today, and the status of each budget."""
    if not report.budgets:
        print_line(console, "the flow has no budgets, so nothing is counted", "dim")
        return
    parts = (("conversation", report.conversation), ("last turn", report.turn), ("last day", report.day))
    for name, amount in parts:
        print_line(console, f"{name}: {_in_words(amount, report.currency)}")
    print_line(console, "budgets:")
    for budget in report.budgets:
        is_asked = "; the user is asked whether to go on" if budget.name == report.asked else ""
        print_line(console, f"  {budget.text} (then: {budget.then}){is_asked}")


def _in_words(amount: SpentAmount, currency: str) -> str:
    money = [amount_text("money", round(amount.money * NANO_PER_UNIT), currency)] if currency else []
    return ", ".join([f"{amount.tokens:,} tokens", *money, write_duration(amount.time_s)])
