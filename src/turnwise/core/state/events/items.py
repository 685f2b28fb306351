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
    """The id of the item in the list, such as `i3`."""
    values: dict[str, Any]
    """The values of the item by name."""
    how: ValueOrigin
    """How the item was added, such as by the user, a button, a model or a tool."""
    confidence: float | None = None
    """How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say."""
    words: tuple[int, int] | None = None
    """Start and end (exclusive) of the item's words in the turn's message, in characters; `None` if not known."""
    copy_of: str = ""
    """The id of the item that this one copies; empty if it is no copy."""


class ItemChanged(Event, frozen=True, tag="item_changed"):
    """One value of an item in a list of records was set or removed."""

    field: str
    """The address of the list."""
    id: str
    """The id of the item, such as `i3`."""
    name: str
    """The name of the value in the item."""
    value: Any
    """The new value; `None` if the value was removed."""
    how: ValueOrigin
    """How the value was set, such as by the user, a button, a model or a tool."""
    confidence: float | None = None
    """How sure the understanding was, from 0 to 1; recorded only. `None` if it did not say."""
    words: tuple[int, int] | None = None
    """Start and end (exclusive) of the value's words in the turn's message, in characters; `None` if not known."""


class ItemRemoved(Event, frozen=True, tag="item_removed"):
    """An item was removed from its list; the conversation never uses the item's id again."""

    field: str
    """The address of the list."""
    id: str
    """The id of the item."""
    how: ValueOrigin
    """How the item was removed: by the user, a tool, the flow."""


class ItemMoved(Event, frozen=True, tag="item_moved"):
    """An item was moved within its list."""

    field: str
    """The address of the list."""
    id: str
    """The id of the item."""
    to: int
    """The new position of the item in the list, counted from 0."""
    how: ValueOrigin
    """How the item was moved: by the user, a tool, the flow."""


ItemEvent = ItemAdded | ItemChanged | ItemRemoved | ItemMoved
"""Every event that changes one item of a list of records."""
