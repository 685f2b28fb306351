"""What the calls of a conversation have used, as sums. A state has them only if its flow has budgets."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Literal

from msgspec import Struct

NANO_PER_UNIT = 10**9
"""How many of the stored amounts are one unit of the currency: billionths are counted, so that sums are exact."""

Measure = Literal["money", "tokens", "time"]
"""What a budget can limit."""


class Used(Struct, frozen=True, gc=False, array_like=True):
    """An amount of each measure: money in billionths of the currency, tokens, and time in milliseconds."""

    money: int = 0
    """Money, in billionths of the currency."""
    tokens: int = 0
    """The number of tokens of prompts and replies."""
    time: int = 0
    """Time, in milliseconds."""

    def plus(self, other: Used) -> Used:
        """Return the sum of two amounts."""
        return Used(self.money + other.money, self.tokens + other.tokens, self.time + other.time)


NO_USE = Used()
"""No use of any measure."""


def sum_of(amounts: Iterable[Used]) -> Used:
    """Return the sum of amounts, measure by measure."""
    return reduce(Used.plus, amounts, NO_USE)


class Spending(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a conversation has used: in all, in the last turn, and on the last day with any use."""

    total: Used = NO_USE
    """What all turns together used."""
    turn: int = 0
    """The number of the last turn that used anything."""
    of_turn: Used = NO_USE
    """What the turn `turn` used."""
    day: str = ""
    """The date of the last day that used anything, such as `2026-11-01`; empty if none did."""
    of_day: Used = NO_USE
    """What the day `day` used."""
    prompts: dict[str, int] = {}
    """The tokens of the last prompt, by the purpose of its call: from this the next one is estimated."""
    reached: dict[str, str] = {}
    """The period (turn or date) in which a budget that switches to a cheaper model was reached, by budget."""
    granted: dict[str, tuple[str, int]] = {}
    """The period (turn or date) for which the user allowed more, and how much, by the name of the budget."""
    asked: str = ""
    """The budget about which the user is asked; empty if none is."""
    wanted: int = 0
    """How much more the user is asked to allow, in the budget's unit (see `Used`); 0 if they are not asked."""
    last: Used = NO_USE
    """What the last call used."""


class TokenCount(Struct, frozen=True, gc=False, omit_defaults=True):
    """The tokens of all attempts of a model call, in a flow with budgets."""

    tokens_in: int = 0
    """The number of tokens of the prompts of all attempts."""
    tokens_out: int = 0
    """The number of tokens of the replies of all attempts."""
    tokens_cached: int = 0
    """How many of `tokens_in` the provider had cached."""
    last_in: int = 0
    """The number of tokens of the last attempt's prompt."""
    is_estimated: bool = False
    """True if the provider counted no tokens, so that they are estimated: four characters are one token."""
