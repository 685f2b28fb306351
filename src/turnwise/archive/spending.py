"""What the calls of models in a conversation used and cost, turn by turn."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.state import events as e
from turnwise.core.state.spending import NANO_PER_UNIT


class TurnSpending(Struct, frozen=True):
    """What the model calls of one turn used and cost."""

    turn: int
    """The number of the turn."""
    at_ms: int
    """When the first model call of the turn ended, in milliseconds since 1970."""
    calls: int
    """How many model calls the turn made."""
    tokens_in: int
    """How many tokens the requests of the turn had."""
    tokens_out: int
    """How many tokens the replies of the turn had."""
    money: float | None = None
    """The cost in US dollars by the provider's prices; `None` where these are not known."""
    priced: float | None = None
    """The cost in the flow's currency by its own prices; `None` in a flow without budgets."""


def add_spending(turns: list[TurnSpending], entry: e.Entry) -> None:
    """Add an entry to the list of each turn's spending, if the entry says what a model call used.
    Turns without a call are left out.
    """
    event = entry.event
    if not isinstance(event, e.ModelReplied | e.CallSettled) or (isinstance(event, e.CallSettled) and event.tool):
        return
    last = turns[-1] if turns else None
    if last is None or last.turn != entry.turn:
        last = TurnSpending(entry.turn, entry.at_ms, 0, 0, 0)
        turns.append(last)
    if isinstance(event, e.CallSettled):
        turns[-1] = replace(last, priced=(last.priced or 0.0) + event.used.money / NANO_PER_UNIT)
        return
    turns[-1] = replace(
        last,
        calls=last.calls + 1,
        tokens_in=last.tokens_in + event.tokens_in,
        tokens_out=last.tokens_out + event.tokens_out,
        money=last.money if event.cost is None else (last.money or 0.0) + event.cost,
    )
