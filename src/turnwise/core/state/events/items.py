"""The events of lists of records: one small event for each change of an item, so that none repeats the whole list."""

from __future__ import annotations

from typing import Any

from turnwise.core.state import ValueOrigin
from turnwise.core.state.events.base import Event


class ItemAdded(Event, frozen=True, tag="item_added"):
    """An item was added at the end of a list of records. `copy_of` is the id of the item that it is a copy of."""

    field: str
    id: str
    values: dict[str, Any]
    how: ValueOrigin
    confidence: float | None = None
    words: tuple[int, int] | None = None
    copy_of: str = ""


class ItemChanged(Event, frozen=True, tag="item_changed"):
    """A value of an item was set; `None` removed it."""

    field: str
    id: str
    name: str
    value: Any
    how: ValueOrigin
    confidence: float | None = None
    words: tuple[int, int] | None = None


class ItemRemoved(Event, frozen=True, tag="item_removed"):
    """An item was removed from its list. Its id is never used again in the conversation."""

    field: str
    id: str
    how: ValueOrigin


class ItemMoved(Event, frozen=True, tag="item_moved"):
    """An item was moved within its list, to the position `to`, counted from 0."""

    field: str
    id: str
    to: int
    how: ValueOrigin


ItemEvent = ItemAdded | ItemChanged | ItemRemoved | ItemMoved
