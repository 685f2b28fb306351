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
    """Something that the conversation does by itself, the next time that it does it.

    `does` says what then happens, `because` why the author wants it. `subject` is what a question of why calls it,
    empty where there is none. `held_by` is why it waits although it is due, or would wait now. `can_fire` is true where
    an admin may fire it now.
    """

    kind: DueKind
    name: str
    title: str
    """What people call it."""
    due_ms: int | None
    """When it is due; `None` where that is not known."""
    does: str
    subject: str = ""
    because: str = ""
    node: str = ""
    """The node of a timer."""
    held_by: Holds = ""
    can_fire: bool = False
    fires_ms: int | None = None
    """When it fires, if that is known and later than it is due."""


class OfferView(Struct, frozen=True):
    """A scope that is proposed to the user. It is `open` while its question waits for an answer, else it waits until it
    may be asked. `by` is `node`, or the name of the schedule that proposes it.
    """

    scope: str
    title: str
    """What people call the scope."""
    opener: str
    """The question that proposes it."""
    by: str
    is_open: bool
    subject: str
    """What a question of why calls it."""


class OverlayView(Struct, frozen=True):
    """How an overlay stands. `is_active` is whether it was active in the last turn, `is_next` whether it is in a turn
    that begins now. `forced` is how it is forced; where it is empty its dates decide. `begins_ms` and `ends_ms` are the
    span of its dates that holds now, else the next one.
    """

    name: str
    title: str
    """What people call it."""
    persona_name: str
    """The name that the agent has while it is active; empty for no other name."""
    is_active: bool
    is_next: bool
    forced: Literal["", "on", "off"]
    is_forced_for_all: bool
    """True where it is forced for all conversations of the flow."""
    forced_by: str
    """Who forced it; empty if that is not known."""
    forced_ms: int | None
    """When it was forced."""
    begins_ms: int | None
    ends_ms: int | None
    subject: str
    """What a question of why calls it."""


class OverlaySwitch(Struct, frozen=True, forbid_unknown_fields=True):
    """Force an overlay on or off; with `null` its dates decide."""

    on: bool | None
    """Whether it is on; `null` to go by its dates."""


class SpendingView(Struct, frozen=True):
    """What the calls of models used and cost: in all turns, and in each of the last ones that called a model.

    `money` is in `currency`, `None` where no price is known. `budgets` are those of the flow in their present period,
    `asked` the one about which the user is asked.
    """

    calls: int
    """How many calls of models were made."""
    tokens_in: int
    tokens_out: int
    money: float | None
    turns: tuple[TurnSpending, ...]
    """The last turns that called a model."""
    currency: str
    budgets: tuple[BudgetUse, ...]
    asked: str


class TimeView(Struct, frozen=True):
    """What a conversation does by the clock, and what it spent. `now_ms` is the time of the server; the dates of the
    conversation are in `time_zone`.
    """

    conversation: str
    now_ms: int
    time_zone: str
    due: tuple[DueView, ...]
    """Timers and schedules, the next one first."""
    offers: tuple[OfferView, ...]
    """The scopes that are proposed."""
    overlays: tuple[OverlayView, ...]
    spending: SpendingView
