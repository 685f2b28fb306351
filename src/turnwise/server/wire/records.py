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
    """The name of the conversation."""
    turn: int
    """The number of the last turn."""
    seq: int
    """The position of the last entry in the journal."""
    values: tuple[ValueView, ...]
    """The fields with their values."""


class RecordsEdit(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to change values of fields and items of lists of records."""

    set: dict[str, Any] = {}
    """The values to set, by field (`user.age`)."""
    clear: tuple[str, ...] = ()
    """The names of the fields to clear."""
    items: tuple[ItemCommand, ...] = ()
    """Changes of items, in order: each names its item by `id`, by position (from 1), or by values that it has."""


class RecordsEdited(Struct, frozen=True):
    """The turn of an edit of fields, and the records after it."""

    turn: TurnResult
    """The turn."""
    records: Records
    """All records after the edit."""


class Artefact(Struct, frozen=True):
    """Something that a form made for the host."""

    seq: int
    """The position of the artefact's event in the journal."""
    turn: int
    """The number of the turn in which the artefact was made."""
    at_ms: int
    """When the artefact was made, in milliseconds since 1970."""
    kind: ArtefactKind
    """The kind of artefact: a problem statement, a plan of answers so far, or a handover."""
    data: dict[str, Any]
    """The content of the artefact as JSON data, as the form made it."""
    is_undone: bool = False
    """True where a later undo took back the turn that made the record."""


class ForkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to copy a conversation up to the end of a turn."""

    name: Name | None = None
    """The name of the copy; `None` to have the server make one."""
    turn: int | None = None
    """The number of the last turn that is copied; `None` for the last of all."""
    effects: bool = False
    """Whether the copy may use tools that change the world."""


class DryRunRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """An event to try without effects: exactly one of `text`, `button` (with `position`) and `commands`."""

    text: str | None = None
    """A message of the user; `None` for another event."""
    button: str | None = None
    """The value or label of a button that the user would press; `None` for another event."""
    position: int | None = None
    """The journal position of the turn that offered the button; `None` without a button."""
    commands: tuple[AnyCommand, ...] | None = None
    """Commands of a program, instead of words of a user; `None` for another event."""
