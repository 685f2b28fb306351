"""What the calls of models in a conversation used and cost, turn by turn."""

from __future__ import annotations

from msgspec import Struct

from turnwise.core.state import events as e


class TurnSpending(Struct, frozen=True):
    """What the model calls of one turn used and cost. `money` is in US dollars, `None` where no price is known."""

    turn: int
    at_ms: int
    calls: int
    tokens_in: int
    tokens_out: int
    money: float | None = None


def add_spending(turns: list[TurnSpending], entry: e.Entry) -> None:
    """Add an entry to the spending of the turns before it, if it is the reply of a model. Turns without a reply are
    left out.
    """
    event = entry.event
    if not isinstance(event, e.ModelReplied):
        return
    last = turns[-1] if turns else None
    if last is None or last.turn != entry.turn:
        last = TurnSpending(entry.turn, entry.at_ms, 0, 0, 0)
        turns.append(last)
    turns[-1] = TurnSpending(
        last.turn,
        last.at_ms,
        last.calls + 1,
        last.tokens_in + event.tokens_in,
        last.tokens_out + event.tokens_out,
        last.money if event.cost is None else (last.money or 0.0) + event.cost,
    )
