"""Values of fields as clients receive them: where each came from, and the items of lists of records."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.state import ValueOrigin


class Origin(Struct, frozen=True):
    """The origin of a field's value: how, when and by which words it was set."""

    how: ValueOrigin
    """How the value was set: typed, chosen, by a model, by a tool, by the flow."""
    turn: int
    """The number of the turn in which the value was set."""
    at_ms: int
    """When the value was set, in milliseconds since 1970."""
    confidence: float | None = None
    """The confidence of the understanding, from 0 to 1; `None` where it has none."""
    seq: int | None = None
    """The journal position of the message that has the value's words; `None` where none does."""
    start: int | None = None
    """The offset in the message of the value's first character; `None` where no words are known."""
    end: int | None = None
    """The offset in the message after the value's last character; `None` where no words are known."""


class ItemField(Struct, frozen=True):
    """A field of the items of a list of records, for tables and editors."""

    name: str
    """The name of the field in the items."""
    title: str
    """The title of the field for people."""
    type: str
    """The type of the field: `text`, `number`, `choice`."""
    options: tuple[str, ...] = ()
    """The values that the field may have, if it is a choice; empty for any."""


class ItemCells(Struct, frozen=True):
    """An item of a list of records as a row of texts."""

    id: str
    """The id of the item; empty as long as it is not stored."""
    cells: tuple[str, ...]
    """The texts of the row, one for each column."""


class ItemTexts(Struct, frozen=True):
    """The items of a list of records as a table of texts; only columns in which an item has a value."""

    columns: tuple[str, ...]
    """The titles of the columns."""
    rows: tuple[ItemCells, ...]
    """The items as rows, in order."""


class ValueView(Struct, frozen=True):
    """A field with its value at the end of a turn.
    The value of a list of records is its items, each with its `id` and its values by name.
    """

    field: str
    """The address of the field, `record.field`."""
    title: str
    """The title of the field for people."""
    type: str
    """The type of the field: `text`, `number`, `list of text`."""
    value: Any = None
    """The value as JSON data; the default where the field has none, and `null` without a default."""
    text: str = ""
    """The value as people read it."""
    is_known: bool = False
    """True where the field has a value of its own, not the default, which is active."""
    is_secret: bool = False
    """True where the value is redacted."""
    is_default: bool = False
    """True where `value` is the default of the flow."""
    is_active: bool = True
    """False where the field's question does not apply any more, so that its answer does not count."""
    origin: Origin | None = None
    """Where the value came from; `None` where that is unknown or secret."""
    reason: str = ""
    """Why the value is missing or inactive; empty where it is neither."""
    before: Any = None
    """The value before the turn, if the turn changed it; else `None`."""
    is_changed: bool = False
    """True where the turn changed the value."""
    item_fields: tuple[ItemField, ...] = ()
    """The fields of the items, if the value is a list of records."""
    most: int | None = None
    """How many items a list of records may have; `None` for no limit."""
