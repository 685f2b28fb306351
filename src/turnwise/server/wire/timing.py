"""What a conversation does by the clock, and what its models spent, as clients receive it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise.archive.spending import TurnSpending
from turnwise.core.spending_report import BudgetUse
from turnwise.core.state.schedules import ScheduleWait

DueKind = Literal["timer", "schedule"]
"""The kinds of things that come due by themselves."""
Holds = ScheduleWait
"""Why something that is due waits, as `ScheduleWait` has it; a timer waits only for an inner conversation."""


class DueView(Struct, frozen=True):
    """Something that the conversation does by itself, such as a timer, with the next time when it does it."""

    kind: DueKind
    """The kind of thing that is due: a timer, a schedule."""
    name: str
    """The name of the timer or schedule in the flow."""
    title: str
    """The title of the timer or schedule for people."""
    due_ms: int | None
    """When the timer or schedule is due, in milliseconds since 1970; `None` where that is not known."""
    does: str
    """What happens when the timer or schedule fires, in words."""
    subject: str = ""
    """The subject by which questions to `why` name the timer or schedule; empty where there is none."""
    because: str = ""
    """Why the author wants the transition or schedule; empty if not given."""
    node: str = ""
    """The node of a timer; empty for a schedule."""
    held_by: Holds = ""
    """Why the timer or schedule waits although it is due, or would wait if it were due now; empty if it does not."""
    can_fire: bool = False
    """True where an admin may fire the timer or schedule now."""
    fires_ms: int | None = None
    """When the timer or schedule fires, in milliseconds since 1970, if known and later than `due_ms`; else `None`."""


class OfferView(Struct, frozen=True):
    """A scope that is proposed to the user."""

    scope: str
    """The address of the scope."""
    title: str
    """The title of the scope for people."""
    opener: str
    """The question that proposes the scope."""
    by: str
    """What made the offer: `node`, or the name of a schedule."""
    is_open: bool
    """True while the offer's question waits for an answer; false while the offer waits until it may be asked."""
    subject: str
    """The subject by which questions to `why` name the offer."""


class OverlayView(Struct, frozen=True):
    """The status of an overlay in a conversation."""

    name: str
    """The name of the overlay."""
    title: str
    """The title of the overlay for people."""
    persona_name: str
    """The name that the agent has while the overlay is active; empty for no other name."""
    is_active: bool
    """Whether the overlay was active in the last turn."""
    is_next: bool
    """Whether the overlay is active in a turn that begins now."""
    forced: Literal["", "on", "off"]
    """Whether the overlay is forced on or off; empty where its dates decide."""
    is_forced_for_all: bool
    """True where the overlay is forced for all conversations of the flow."""
    forced_by: str
    """Who forced the overlay; empty if that is not known."""
    forced_ms: int | None
    """When the overlay was forced, in milliseconds since 1970; `None` if it is not."""
    begins_ms: int | None
    """When the present period of the overlay began, else the next begins, in milliseconds since 1970; `None` without
    one."""
    ends_ms: int | None
    """When the period of `begins_ms` ends, in milliseconds since 1970; `None` if there is no such period or end."""
    subject: str
    """The subject by which questions to `why` name the overlay."""


class OverlaySwitch(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to force an overlay on or off; with `null` its dates decide."""

    on: bool | None
    """True forces the overlay on, false off; `null` lets its dates decide."""


class SpendingView(Struct, frozen=True):
    """The usage and cost of model calls: in all turns together, and in each of the last turns that made some."""

    calls: int
    """How many model calls were made."""
    tokens_in: int
    """How many tokens the requests of all calls had."""
    tokens_out: int
    """How many tokens the replies of all calls had."""
    money: float | None
    """The cost in `currency`; `None` where no price is known."""
    turns: tuple[TurnSpending, ...]
    """The spending of each of the last turns that called a model."""
    currency: str
    """The code of the currency of `money`."""
    budgets: tuple[BudgetUse, ...]
    """The budgets of the flow in their present period."""
    asked: str
    """The name of the budget about which the user is asked now; empty for none."""


class TimeView(Struct, frozen=True):
    """What a conversation does by the clock, and what it spent."""

    conversation: str
    """The name of the conversation."""
    now_ms: int
    """The time of the server, in milliseconds since 1970."""
    time_zone: str
    """The name of the time zone of the conversation's dates."""
    due: tuple[DueView, ...]
    """The timers and schedules that fire by themselves, the next one first."""
    offers: tuple[OfferView, ...]
    """The scopes that are proposed to the user."""
    overlays: tuple[OverlayView, ...]
    """The overlays of the flow, each with its status."""
    spending: SpendingView
    """What model calls of the conversation used, and what its budgets leave."""
