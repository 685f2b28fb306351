"""Why an item of a list of records is there, or has a value: what added it, and what happened to it since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from turnwise.core.phrase import Phrase, joined, phrase
from turnwise.core.state import events as e
from turnwise.core.state.items import Item, index_of
from turnwise.core.values import REDACTED
from turnwise.core.values.items import item_as_text
from turnwise.core.values.json_data import as_list
from turnwise.why.answer import Fact
from turnwise.why.item_names import ItemName, item_in, item_name, items_at, position_of
from turnwise.why.path import on_path, with_undos
from turnwise.why.query import Query

ITEM_EVENTS = (e.ItemAdded, e.ItemChanged, e.ItemRemoved, e.ItemMoved)
"""The events that change a list of records item by item."""
_WHOLE = (e.FieldSet, e.FieldCleared)
_MOST = 40
"""How many changes of one list are facts of its answer: the last ones."""


class _Step(NamedTuple):
    """An event about an item with its fact, and the undo that took it back, if there is one."""

    event: e.AnyEvent
    fact: Fact
    undo: e.Entry | None


async def answer(query: Query) -> list[Fact]:
    """Return what added an item, or set its value, and what happened to it; or why its list lacks it.
    What happened before and since, what was refused, and what undos took back.
    """
    name = item_name(query.subject.name)
    steps = await _steps(query, name)
    kept = _changing(name, [one for one in steps if one.undo is None])
    first = await _first(query, name, kept)
    facts = [first, *[one.fact for one in kept if one.fact not in (first, *first.causes)]]
    number = position_of(query.state, name)
    is_elsewhere = any(one.values.get("number", number) != number for one in facts)
    if number and first.kind != "item_holds" and (is_elsewhere or (not name.part and len(facts) > 1)):
        facts.append(_holds(query, name, ()))
    facts += await _refused(query)
    return [*facts, *[await _undone(query, name, one, one.undo) for one in steps if one.undo is not None]]


async def answer_list(query: Query, name: str, first: Fact) -> list[Fact]:
    """Return which items a list has, then how they changed; `first` is the last change."""
    return [list_holds(query, name), *[one for one in await changes_of_list(query, name) if one != first], first]


async def changes_of_list(query: Query, name: str) -> list[Fact]:
    """Return facts about the changes of a list's items, in order, without those that were undone."""
    found: list[Fact] = []
    async for entry in on_path(query.entries_backwards(*ITEM_EVENTS, *_WHOLE, e.Undone)):
        if getattr(entry.event, "field", "") != name:
            continue
        if isinstance(entry.event, _WHOLE) or len(found) == _MOST:
            break
        found += await query.facts_of(entry)
    return found[::-1]


async def _steps(query: Query, name: ItemName) -> list[_Step]:
    """Return the events that may have changed an item or one of its values, in order, back to the one that added it."""
    found: list[_Step] = []
    async for entry, undo in with_undos(query.entries_backwards(*ITEM_EVENTS, *_WHOLE, e.Undone)):
        if _concerns(entry.event, name):
            found += [_Step(entry.event, fact, undo) for fact in (await query.facts_of(entry))[-1:]]
        if isinstance(entry.event, e.ItemAdded) and entry.event.id == name.id:
            break
    return found[::-1]


def _concerns(event: e.AnyEvent, name: ItemName) -> bool:
    match event:
        case e.ItemAdded() | e.ItemRemoved():
            return (event.field, event.id) == (name.field, name.id)
        case e.ItemChanged():
            return (event.field, event.id) == (name.field, name.id) and name.part in ("", event.name)
        case e.ItemMoved():
            return (event.field, event.id) == (name.field, name.id) and not name.part
        case e.FieldSet() | e.FieldCleared():
            return event.field == name.field
        case _:
            return False


def _changing(name: ItemName, steps: Sequence[_Step]) -> list[_Step]:
    """Return the steps without those that set the whole list and left the item, or the value, as it was."""
    before: object = None
    found: list[_Step] = []
    for one in steps:
        if isinstance(one.event, _WHOLE):
            items = as_list(one.event.value) if isinstance(one.event, e.FieldSet) else None
            at = index_of(items or [], name.id)
            item: Item | None = (items or [])[at] if at >= 0 else None
            now = _value(item, name)
            found += [one] if now != before else []
            before = now
        else:
            found.append(one)
            before = _after(before, one.event, name)
    return found


def _after(before: object, event: e.AnyEvent, name: ItemName) -> object:
    """Return an item, or one of its values, after an event about it."""
    match event:
        case e.ItemAdded():
            return event.values.get(name.part) if name.part else {"id": event.id, **event.values}
        case e.ItemChanged() if name.part:
            return event.value
        case e.ItemChanged() if isinstance(before, dict):
            changed = {**before, event.name: event.value}  # pyright: ignore[reportUnknownVariableType]
            return {key: one for key, one in changed.items() if one is not None}  # pyright: ignore[reportUnknownVariableType]
        case e.ItemRemoved():
            return None
        case _:
            return before


def _value(item: Item | None, name: ItemName) -> object:
    return item.get(name.part) if item is not None and name.part else item


# the fact that answers ----------------------------------------------------------------------------


async def _first(query: Query, name: ItemName, kept: Sequence[_Step]) -> Fact:
    item, last = item_in(query.state, name), kept[-1] if kept else None
    if item is None:
        return await _absent(query, name, last)
    if name.part and name.part not in item:
        by = last.fact if last is not None and not isinstance(last.event, e.ItemAdded) else None
        values: dict[str, Any] = {
            "field": name.field,
            "id": name.id,
            "name": name.part,
            "number": position_of(query.state, name),
        }
        values["reason"] = by.text if by is not None else Phrase("nothing set it")
        return query.end.fact_of_state("item_part_empty", query.subject, causes=(by,), **values)
    origin = last if name.part else next(iter(kept), None)
    if origin is None or isinstance(origin.event, _WHOLE):
        whole = origin.fact if origin is not None else await query.last(e.Migrated, e.Forked)
        return _holds(query, name, (whole,))
    if isinstance(origin.event, e.ItemAdded) and origin.event.copy_of:
        copied = await _copied(query, origin.event, origin.fact.seq, name.part)
        causes = tuple([one for one in origin.fact.causes if one.kind not in ("item_added", "item_changed")])
        return replace(origin.fact, causes=(*causes, *([copied] if copied is not None else [])))
    return origin.fact


async def _absent(query: Query, name: ItemName, last: _Step | None) -> Fact:
    """Return why an item is not in its list: what removed it, also by an undo or with the whole list."""
    if last is not None and isinstance(last.event, e.ItemRemoved):
        return last.fact
    causes: tuple[Fact | None, ...] = (last.fact,) if last is not None else ()
    others = [one for one in query.state.values if one != name.field and item_in(query.state, ItemName(one, name.id))]
    reason = phrase("nothing[ {where}] added it", where=query.turns_searched)
    undone = [one for one in await _steps(query, name) if isinstance(one.event, e.ItemAdded) and one.undo is not None]
    if last is not None:
        is_cleared, text = isinstance(last.event, e.FieldCleared), "{field} was set as a whole in turn {turn}"
        text = "{field} was cleared as a whole in turn {turn}" if is_cleared else text
        reason = phrase(text, field=name.field, turn=last.fact.turn)
    elif undone and undone[0].undo is not None:
        causes = (undone[0].fact, *(await query.facts_of(undone[0].undo))[-1:])
        reason = phrase("the undo of turn {turn} took back that it was added", turn=undone[0].undo.turn)
    elif others:
        reason = phrase("{field} has it", field=others[0])
    return query.end.fact_of_state(
        "item_absent", query.subject, causes=causes, field=name.field, id=name.id, reason=reason
    )


def _holds(query: Query, name: ItemName, causes: tuple[Fact | None, ...]) -> Fact:
    """Return which values an item has, or which one is asked about."""
    item, number = item_in(query.state, name) or Item(), position_of(query.state, name)
    own = {name.part: item[name.part]} if name.part else item
    value = REDACTED if query.machine.fields[name.field].secret else item_as_text(own) or Phrase("without values")
    what = (
        phrase("{part} of item {number}", part=name.part, number=number)
        if name.part
        else phrase("item {number}", number=number)
    )
    values: dict[str, Any] = {
        "field": name.field,
        "id": name.id,
        "value": value,
        "number": number,
        "name": name.part,
        "what": what,
    }
    return query.end.fact_of_state("item_holds", query.subject, causes=causes, **values)


async def _copied(query: Query, added: e.ItemAdded, seq: int, part: str) -> Fact | None:
    """Return what gave an item, or one of its values, from which another one was copied; nothing of a value that the
    copy does not share.
    """
    async for entry in on_path(query.entries_backwards(e.ItemAdded, e.ItemChanged, e.Undone)):
        event = entry.event
        if entry.seq >= seq or not isinstance(event, e.ItemAdded | e.ItemChanged) or event.id != added.copy_of:
            continue
        if isinstance(event, e.ItemAdded) or event.name == part:
            given = event.values.get(part) if isinstance(event, e.ItemAdded) else event.value
            is_shared = not part or given == added.values.get(part)
            return (await query.facts_of(entry))[-1] if is_shared else None
    return None


# what else happened -------------------------------------------------------------------------------


async def _refused(query: Query) -> list[Fact]:
    """Return the last commands about the item that were refused."""
    found: list[Fact] = []
    async for entry in query.entries_backwards(e.CommandRefused):
        if isinstance(entry.event, e.CommandRefused) and entry.event.item and len(found) < _MOST_REFUSED:
            found += [one for one in await query.facts_of(entry) if query.subject in one.about]
    return found[::-1]


_MOST_REFUSED = 3


async def _undone(query: Query, name: ItemName, step: _Step, undo: e.Entry) -> Fact:
    values: dict[str, Any] = {"field": name.field, "id": name.id, "did": step.fact.text, "turn": undo.turn}
    causes = (step.fact, *(await query.facts_of(undo))[-1:])
    return query.end.fact_of_state("item_change_undone", query.subject, causes=causes, **values)


def list_holds(query: Query, name: str) -> Fact:
    """Return the fact that says which items a list has."""
    items, is_secret = items_at(query.state, name), query.machine.fields[name].secret
    count = phrase("{count} item" if len(items) == 1 else "{count} items", count=len(items))
    value = REDACTED if is_secret else joined((f"{at}: {item_as_text(one)}" for at, one in enumerate(items, 1)), "; ")
    return query.end.fact_of_state("list_holds", query.subject, field=name, count=count, value=value)
