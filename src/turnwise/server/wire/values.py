"""Values of fields as clients receive them: where each came from, and the items of lists of records."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from turnwise.core.state import ValueOrigin


class Origin(Struct, frozen=True):
    """Where a value came from. `seq`, `start` and `end` are the place of its words in a message."""

    how: ValueOrigin
    turn: int
    at_ms: int
    confidence: float | None = None
    seq: int | None = None
    start: int | None = None
    end: int | None = None


class ItemField(Struct, frozen=True):
    """A field of the items of a list of records, for tables and editors."""

    name: str
    title: str
    type: str
    options: tuple[str, ...] = ()


class ItemCells(Struct, frozen=True):
    """An item as a row: its id, which is empty as long as it is not stored, and a text for each column."""

    id: str
    cells: tuple[str, ...]


class ItemTexts(Struct, frozen=True):
    """The items of a list of records as users read them, for cards; only columns in which an item has a value."""

    columns: tuple[str, ...]
    rows: tuple[ItemCells, ...]


class ValueView(Struct, frozen=True):
    """A field with its value at the end of the turn. The value of a list of records is its items, each with its `id`
    and its values by name; `item_fields` are the fields of these, and `most` how many items there may be.
    """

    field: str
    title: str
    type: str
    value: Any = None
    text: str = ""
    is_known: bool = False
    is_secret: bool = False
    is_default: bool = False
    is_active: bool = True
    origin: Origin | None = None
    reason: str = ""
    """Why it is empty or inactive."""
    before: Any = None
    is_changed: bool = False
    item_fields: tuple[ItemField, ...] = ()
    most: int | None = None
