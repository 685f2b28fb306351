"""Records, artefacts and copies of a conversation: what clients send and receive."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.state.commands import AnyCommand, ItemCommand
from turnwise.core.state.kinds import ArtefactKind
from turnwise.server.wire.requests import Name
from turnwise.server.wire.turns import TurnResult
from turnwise.server.wire.values import ValueView


class Records(Struct, frozen=True):
    """Every field of a conversation's records with its value, at the end of its last turn. Secrets are redacted."""

    conversation: str
    turn: int
    """The number of the last turn."""
    seq: int
    """The position of the last entry in the journal."""
    values: tuple[ValueView, ...]


class RecordsEdit(Struct, frozen=True, forbid_unknown_fields=True):
    """Values to set, by field (`user.age`), fields to clear, and changes of items of lists of records, in order: each
    names its item by `id`, by position (from 1), or by values that it has.
    """

    set: dict[str, Any] = {}
    clear: tuple[str, ...] = ()
    items: tuple[ItemCommand, ...] = ()


class RecordsEdited(Struct, frozen=True):
    """The turn of an edit, and the records after it."""

    turn: TurnResult
    records: Records
    """All records after the edit."""


class Artefact(Struct, frozen=True):
    """Something that a form made for the host."""

    seq: int
    """The position of its event in the journal."""
    turn: int
    at_ms: int
    kind: ArtefactKind
    """What it is: a problem statement, a plan of answers so far, or a handover."""
    data: dict[str, Any]
    """Its content, as the form made it."""
    is_undone: bool = False
    """True where a later undo took it back."""


class ForkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Copy a conversation up to the end of a turn, by default the last. Without `effects` the copy may not use tools
    that change the world. Without a `name` the server makes one.
    """

    name: Name | None = None
    turn: int | None = None
    """The last turn that is copied, by default the last of all."""
    effects: bool = False


class DryRunRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """One event to try: exactly one of `text`, `button` (with `position`) and `commands`."""

    text: str | None = None
    button: str | None = None
    position: int | None = None
    commands: tuple[AnyCommand, ...] | None = None
