"""Folds events of lists of records: items that are added, changed, removed and moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from turnwise.core.state import CommandOutcome, FieldValue, Place, State
from turnwise.core.state import events as e
from turnwise.core.state.fold.fields import without_key
from turnwise.core.state.items import ChangedItem, Item, index_of, number_of


def _item_added(state: State, entry: e.Entry, event: e.ItemAdded) -> State:
    items = [*_items(state, event), {"id": event.id, **event.values}]
    changed = _with_items(state, entry, event, items, event.words, event.confidence)
    return replace(changed, last_item=max(state.last_item, number_of(event.id)))


def _item_changed(state: State, entry: e.Entry, event: e.ItemChanged) -> State:
    items = list(_items(state, event))
    at = index_of(items, event.id)
    if event.value is None:
        items[at] = without_key(items[at], event.name)
    else:
        items[at] = {**items[at], event.name: event.value}
    return _with_items(state, entry, event, items, event.words, event.confidence)


def _item_removed(state: State, entry: e.Entry, event: e.ItemRemoved) -> State:
    items = [item for item in _items(state, event) if item["id"] != event.id]
    return _with_items(state, entry, event, items)


def _item_moved(state: State, entry: e.Entry, event: e.ItemMoved) -> State:
    items = list(_items(state, event))
    items.insert(event.to, items.pop(index_of(items, event.id)))
    return _with_items(state, entry, event, items)


def _items(state: State, event: e.ItemEvent) -> list[Item]:
    found = state.values.get(event.field)
    return found.value if found is not None else []


def _with_items(
    state: State,
    entry: e.Entry,
    event: e.ItemEvent,
    items: list[Item],
    words: tuple[int, int] | None = None,
    confidence: float | None = None,
) -> State:
    """Return the state with other items in a list; a list without items has no value."""
    doing = state.current
    if items:
        value = FieldValue(items, event.how, entry.turn, entry.at_ms, confidence, _place(state, event, words))
        values = {**state.values, event.field: value}
    else:
        values = without_key(state.values, event.field)
    outcome = CommandOutcome("set" if items else "cleared", event.field)
    return replace(
        state,
        frame=replace(state.frame, last_field=event.field) if event.how != "set" else state.frame,
        values=values,
        shelved=without_key(state.shelved, event.field) if state.shelved else state.shelved,
        changed_item=_changed_item(state, entry, event),
        doing=replace(
            doing,
            is_used_up=doing.is_used_up or event.how in ("button", "direct"),
            outcomes=(*doing.outcomes, outcome),
        ),
    )


def _changed_item(state: State, entry: e.Entry, event: e.ItemEvent) -> ChangedItem:
    """Return the item that was changed last; without its id if it is gone, if the turn changed another one too, or if
    items changed places, of which the event names only one.
    """
    before = state.changed_item
    is_other = before is not None and before.turn == entry.turn and (before.field, before.id) != (event.field, event.id)
    is_one = not is_other and not isinstance(event, e.ItemRemoved | e.ItemMoved)
    return ChangedItem(entry.turn, event.field, event.id if is_one else "")


def _place(state: State, event: e.ItemEvent, words: tuple[int, int] | None) -> Place | None:
    """Return the span of the message that a whole list came from; `None` if it came from several messages."""
    found, seq = state.values.get(event.field), state.current.seq
    if words is None or found is None:
        return None if words is None else (seq, *words)
    place = found.place
    if place is None or place[0] != seq:
        return None
    return seq, min(place[1], words[0]), max(place[2], words[1])


CHANGES: dict[type[e.AnyEvent], Callable[[State, e.Entry, Any], State]] = {
    e.ItemAdded: _item_added,
    e.ItemChanged: _item_changed,
    e.ItemRemoved: _item_removed,
    e.ItemMoved: _item_moved,
}
"""The functions that return the state after an event, by the class of the event."""
