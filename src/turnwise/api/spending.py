"""The call of chats about budgets: what their conversation has used, and what is left."""

from __future__ import annotations

from turnwise.api.runtime import Runtime
from turnwise.core.spending_report import BudgetUse, SpendingReport, SpentAmount, spending_report

__all__ = [
    "BudgetUse",
    "SpendingCalls",
    "SpendingReport",
    "SpentAmount",
]


class SpendingCalls:
    """A part of `Chat`: its method `spending`, about budgets."""

    runtime: Runtime
    """The shared parts of the app that the chat belongs to."""
    name: str
    """The id of the conversation."""

    async def spending(self) -> SpendingReport:
        """Return what model calls used in all, in the last turn and on the last day, and the status of the budgets.

        In a flow without budgets nothing is counted. What an undo took back stays spent, and a copy of a conversation
        has spent what was copied. Prices that the program gives in the place of the flow's count from then on; what
        was settled before stays as it was. Raises `UnknownConversation`.
        """
        state = await self.runtime.archive.state(self.name)
        return spending_report(await self.runtime.machines.shown_of_state(state), state)
