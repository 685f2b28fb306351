"""What a conversation does by the clock, and what its models spent, as clients receive it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.archive.spending import TurnSpending
from turnwise.core.spending_report import BudgetUse
from turnwise.core.state.schedules import ScheduleWait

DueKind = Literal["timer", "schedule"]
"""What comes due by itself."""
Holds = ScheduleWait
"""Why something that is due waits, as `ScheduleWait` has it; a timer waits only for an inner conversation."""


class DueView(Struct, frozen=True):
    """Something that the conversation does by itself, the next time that it does it."""

    kind: DueKind
    """What kind of thing it is: a timer, a schedule."""
    name: str
    """Its name in the flow."""
    title: str
    """What people call it."""
    due_ms: int | None
    """When it is due; `None` where that is not known."""
    does: str
    """What happens when it fires."""
    subject: str = ""
    """What a question of why calls it; empty where there is none."""
    because: str = ""
    """Why the author wants it."""
    node: str = ""
    """The node of a timer."""
    held_by: Holds = ""
    """Why it waits although it is due, or would wait now; empty if it would not."""
    can_fire: bool = False
    """True where an admin may fire it now."""
    fires_ms: int | None = None
    """When it fires, if that is known and later than it is due."""


class OfferView(Struct, frozen=True):
    """A scope that is proposed to the user."""

    scope: str
    """The address of the scope."""
    title: str
    """What people call the scope."""
    opener: str
    """The question that proposes it."""
    by: str
    """`node`, or the name of the schedule that proposes it."""
    is_open: bool
    """True while its question waits for an answer; else it waits until it may be asked."""
    subject: str
    """What a question of why calls it."""


class OverlayView(Struct, frozen=True):
    """How an overlay stands."""

    name: str
    title: str
    """What people call it."""
    persona_name: str
    """The name that the agent has while it is active; empty for no other name."""
    is_active: bool
    """Whether it was active in the last turn."""
    is_next: bool
    """Whether it is active in a turn that begins now."""
    forced: Literal["", "on", "off"]
    """How it is forced; where it is empty its dates decide."""
    is_forced_for_all: bool
    """True where it is forced for all conversations of the flow."""
    forced_by: str
    """Who forced it; empty if that is not known."""
    forced_ms: int | None
    """When it was forced."""
    begins_ms: int | None
    """When the span of its dates begins that holds now, else the next one; `None` without one."""
    ends_ms: int | None
    """When that span ends; `None` without one."""
    subject: str
    """What a question of why calls it."""


class OverlaySwitch(Struct, frozen=True, forbid_unknown_fields=True):
    """Force an overlay on or off; with `null` its dates decide."""

    on: bool | None
    """Whether it is on; `null` to go by its dates."""


class SpendingView(Struct, frozen=True):
    """What the calls of models used and cost: in all turns, and in each of the last ones that called a model."""

    calls: int
    """How many calls of models were made."""
    tokens_in: int
    """How many tokens the requests had."""
    tokens_out: int
    """How many tokens the replies had."""
    money: float | None
    """The cost in `currency`; `None` where no price is known."""
    turns: tuple[TurnSpending, ...]
    """The last turns that called a model."""
    currency: str
    """The code of the currency of `money`."""
    budgets: tuple[BudgetUse, ...]
    """The budgets of the flow in their present period."""
    asked: str
    """The budget about which the user is asked; empty for none."""


class TimeView(Struct, frozen=True):
    """What a conversation does by the clock, and what it spent."""

    conversation: str
    now_ms: int
    """The time of the server."""
    time_zone: str
    """The time zone of the dates of the conversation."""
    due: tuple[DueView, ...]
    """Timers and schedules, the next one first."""
    offers: tuple[OfferView, ...]
    """The scopes that are proposed."""
    overlays: tuple[OverlayView, ...]
    spending: SpendingView
