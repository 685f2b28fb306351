"""Facts about items of lists of records: what was added, changed, removed and moved, and by what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from turnwise.core.phrase import Phrase, phrase
from turnwise.core.state import events as e
from turnwise.core.state.items import ID, Item, index_of
from turnwise.core.values import REDACTED
from turnwise.core.values.items import item_as_text
from turnwise.why.answer import Fact
from turnwise.why.facts.builder import FactBuilder
from turnwise.why.facts.fields import how_written, part_of_message, write_causes
from turnwise.why.item_names import item_subjects, items_at
from turnwise.why.kinds import FactKind


def _added(builder: FactBuilder, event: e.ItemAdded) -> Iterator[Fact]:
    yield _fact(
        builder,
        "item_added",
        event,
        number=len(_before(builder, event)) + 1,
        item=_shown(builder, event, event.values),
        copied=_position(builder, event, event.copy_of) if event.copy_of else None,
        part=part_of_message(builder, event),
    )


def _changed(builder: FactBuilder, event: e.ItemChanged) -> Iterator[Fact]:
    before = _item(builder, event).get(event.name)
    value = None if event.value is None else _shown(builder, event, {event.name: event.value})
    yield _fact(
        builder,
        "item_changed",
        event,
        number=_position(builder, event, event.id),
        name=event.name,
        did=Phrase("was removed") if value is None else phrase("was set to {value}", value=value),
        value=value,
        before=None if before is None else _shown(builder, event, {event.name: before}),
        part=part_of_message(builder, event),
    )


def _removed(builder: FactBuilder, event: e.ItemRemoved) -> Iterator[Fact]:
    item = _item(builder, event)
    number = _position(builder, event, event.id)
    yield _fact(builder, "item_removed", event, number=number, item=_shown(builder, event, item))


def _moved(builder: FactBuilder, event: e.ItemMoved) -> Iterator[Fact]:
    number = _position(builder, event, event.id)
    yield _fact(builder, "item_moved", event, number=number, to=event.to + 1)


def _fact(builder: FactBuilder, kind: FactKind, event: e.ItemEvent, **values: Any) -> Fact:
    return builder.fact(
        kind,
        *item_subjects(event.field, event.id, str(values.get("name", ""))),
        causes=(*write_causes(builder, event.field, event.how, None), *_copied(builder, event)),
        field=event.field,
        id=event.id,
        how=how_written(builder, event.how, None),
        origin=event.how,
        **values,
    )


def _copied(builder: FactBuilder, event: e.ItemEvent) -> Iterator[Fact]:
    """Yield how the item came that an item is a copy of, where that was in the same turn."""
    if isinstance(event, e.ItemAdded) and event.copy_of:
        own = (one for one in reversed(builder.facts) if one.kind == "item_added" and one.values["id"] == event.copy_of)
        yield from (one for one in [next(own, None)] if one is not None)


def _before(builder: FactBuilder, event: e.ItemEvent) -> list[Item]:
    return items_at(builder.state, event.field)


def _item(builder: FactBuilder, event: e.ItemEvent) -> Item:
    """Return the item before the event."""
    return next((item for item in _before(builder, event) if item[ID] == event.id), Item())


def _position(builder: FactBuilder, event: e.ItemEvent, id_: str) -> int:
    """Return the position of an item before the event, from 1."""
    return index_of(_before(builder, event), id_) + 1


def _shown(builder: FactBuilder, event: e.ItemEvent, values: Item) -> str:
    field = builder.machine.fields.get(event.field)
    return REDACTED if field is not None and field.secret else item_as_text(values) or Phrase("no values yet")


FACT_MAKERS: dict[type, Callable[[FactBuilder, Any], Iterator[Fact]]] = {
    e.ItemAdded: _added,
    e.ItemChanged: _changed,
    e.ItemRemoved: _removed,
    e.ItemMoved: _moved,
}
"""The functions that yield the facts of an event, by the class of the event."""
