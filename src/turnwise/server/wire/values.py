"""Values of fields as clients receive them: where each came from, and the items of lists of records."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.state import ValueOrigin


class Origin(Struct, frozen=True):
    """Where a value came from."""

    how: ValueOrigin
    """How it was set: typed, chosen, by a model, by a tool, by the flow."""
    turn: int
    """The turn in which it was set."""
    at_ms: int
    """When it was set."""
    confidence: float | None = None
    """Of the understanding, from 0 to 1; `None` where it has none."""
    seq: int | None = None
    """The position of the message that has its words; `None` where none does."""
    start: int | None = None
    """Where its words begin in the message."""
    end: int | None = None
    """Where its words end in the message."""


class ItemField(Struct, frozen=True):
    """A field of the items of a list of records, for tables and editors."""

    name: str
    """The name of the field in the items."""
    title: str
    """What people call it."""
    type: str
    """Its type: `text`, `number`, `choice`."""
    options: tuple[str, ...] = ()
    """The values that it may have, of a choice."""


class ItemCells(Struct, frozen=True):
    """An item as a row."""

    id: str
    """Its id; empty as long as it is not stored."""
    cells: tuple[str, ...]
    """A text for each column."""


class ItemTexts(Struct, frozen=True):
    """The items of a list of records as users read them, for cards; only columns in which an item has a value."""

    columns: tuple[str, ...]
    """The titles of the columns."""
    rows: tuple[ItemCells, ...]
    """The items, in order."""


class ValueView(Struct, frozen=True):
    """A field with its value at the end of the turn. The value of a list of records is its items, each with its `id`
    and its values by name.
    """

    field: str
    """Its address, `record.field`."""
    title: str
    """What people call it."""
    type: str
    """Its type: `text`, `number`, `list of text`."""
    value: Any = None
    """As JSON data; the default where it has none."""
    text: str = ""
    """The value as people read it."""
    is_known: bool = False
    """True where it has a value of its own, which is active."""
    is_secret: bool = False
    """True where it is redacted."""
    is_default: bool = False
    """True where `value` is the default of the flow."""
    is_active: bool = True
    """False where its question does not apply any more, so that its answer does not count."""
    origin: Origin | None = None
    """Where the value came from; `None` where that is unknown or secret."""
    reason: str = ""
    """Why it is empty or inactive."""
    before: Any = None
    """The value before the turn, where it changed."""
    is_changed: bool = False
    """Whether the turn changed it."""
    item_fields: tuple[ItemField, ...] = ()
    """The fields of the items, of a list of records."""
    most: int | None = None
    """How many items there may be, of a list of records; `None` for no limit."""
