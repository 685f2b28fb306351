"""Records, artefacts and copies of a conversation: what clients send and receive."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.state.commands import AnyCommand
from turnwise.core.state.kinds import ArtefactKind
from turnwise.core.state.spending import Measure
from turnwise.flow.model.budgets import BudgetAction, Period
from turnwise.server.wire.conversations import TurnResult
from turnwise.server.wire.requests import Name
from turnwise.server.wire.trace import ValueView


class Records(Struct, frozen=True):
    """Every field of a conversation's records with its value, at the end of its last turn. Secrets are redacted."""

    conversation: str
    turn: int
    seq: int
    values: tuple[ValueView, ...]


class RecordsEdit(Struct, frozen=True, forbid_unknown_fields=True):
    """Values to set, by field (`user.age`), and fields to clear."""

    set: dict[str, Any] = {}
    clear: tuple[str, ...] = ()


class RecordsEdited(Struct, frozen=True):
    """The turn of an edit, and the records after it."""

    turn: TurnResult
    records: Records


class Artefact(Struct, frozen=True):
    """Something that a form made for the host."""

    seq: int
    turn: int
    at_ms: int
    kind: ArtefactKind
    data: dict[str, Any]
    is_undone: bool = False


class Spent(Struct, frozen=True):
    """An amount of each measure: money in the currency of the budgets, tokens, seconds of models and tools."""

    money: float
    tokens: int
    time_s: float


class BudgetView(Struct, frozen=True):
    """A budget in its present period: what it allows, what is used and what is left, as `text` in words."""

    name: str
    measure: Measure
    per: Period
    allowed: float
    spent: float
    left: float
    then: BudgetAction
    text: str
    is_reached: bool


class Spending(Struct, frozen=True):
    """What calls used in all, in the last turn and on the last day. `asked` is the budget that the user is asked about,
    empty where none is.
    """

    conversation: Spent
    turn: Spent
    day: Spent
    currency: str
    asked: str
    budgets: tuple[BudgetView, ...]


class ForkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Copy a conversation up to the end of a turn, by default the last. Without `effects` the copy may not use tools
    that change the world. Without a `name` the server makes one.
    """

    name: Name | None = None
    turn: int | None = None
    effects: bool = False


class DryRunRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """One event to try: exactly one of `text`, `button` (with `position`) and `commands`."""

    text: str | None = None
    button: str | None = None
    position: int | None = None
    commands: tuple[AnyCommand, ...] | None = None
