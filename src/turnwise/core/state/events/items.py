"""The events of lists of records: one small event for each change of an item, so that none repeats the whole list."""

from __future__ import annotations

from typing import Any

from turnwise.core.state import ValueOrigin
from turnwise.core.state.events.base import Event


class ItemAdded(Event, frozen=True, tag="item_added"):
    """An item was added at the end of a list of records."""

    field: str
    """The address of the list."""
    id: str
    """The id of the item in its list, such as `i3`."""
    values: dict[str, Any]
    """Its values by name."""
    how: ValueOrigin
    """How it was set: typed, chosen, by a model, by a tool."""
    confidence: float | None = None
    """How sure the reader of the message was, from 0 to 1; it decides nothing. `None` if it did not say."""
    words: tuple[int, int] | None = None
    """Start and end of its words in the message of the turn."""
    copy_of: str = ""
    """The id of the item that it is a copy of; empty if it is none."""


class ItemChanged(Event, frozen=True, tag="item_changed"):
    """A value of an item was set; `None` removed it."""

    field: str
    """The address of the list."""
    id: str
    """The id of the item."""
    name: str
    """The name of the value."""
    value: Any
    """The new value; `None` if it was removed."""
    how: ValueOrigin
    """How it was set: typed, chosen, by a model, by a tool."""
    confidence: float | None = None
    """How sure the reader of the message was, from 0 to 1; it decides nothing. `None` if it did not say."""
    words: tuple[int, int] | None = None
    """Start and end of its words in the message of the turn."""


class ItemRemoved(Event, frozen=True, tag="item_removed"):
    """An item was removed from its list. Its id is never used again in the conversation."""

    field: str
    """The address of the list."""
    id: str
    """The id of the item."""
    how: ValueOrigin
    """Who removed it: the user, a tool, the flow."""


class ItemMoved(Event, frozen=True, tag="item_moved"):
    """An item was moved within its list."""

    field: str
    """The address of the list."""
    id: str
    """The id of the item."""
    to: int
    """Its new position, counted from 0."""
    how: ValueOrigin
    """Who moved it: the user, a tool, the flow."""


ItemEvent = ItemAdded | ItemChanged | ItemRemoved | ItemMoved
