"""What came before: the value that a field had, and the answers to its question that were not understood."""

from __future__ import annotations

from typing import Any

from turnwise.core.state import events as e
from turnwise.core.values.json_data import as_list
from turnwise.why.answer import Fact
from turnwise.why.kinds import FactKind
from turnwise.why.query import Query

_NEAR = 20
"""How many turns are searched for how a value was lost before the present one was set."""
_MISSES = 3
"""How many answers that were not understood, and how many values that were undone, are listed before the last one."""
_LOSSES = (e.FieldCleared, e.FieldSet, e.Undone, e.Migrated)
_ANSWERS = (e.Missed, e.FieldSet, e.FieldCleared)
_REFUSALS = (e.CommandRefused, e.GiveBackRefused, e.Faulted, e.Missed)
_NOT_STORED: tuple[FactKind, ...] = ("value_refused", "write_refused", "not_understood")


async def value_before(query: Query, name: str, first: Fact) -> list[Fact]:
    """Return the value that a field had before the present one was set, and how that was lost or replaced."""
    turn = await query.history.turn(first.turn) if first.seq else None
    if turn is None or turn.before is None:
        return []
    before = turn.before.values.get(name)
    if before is None:
        return await value_lost(query, name, first)
    if before.value == query.state.values[name].value:
        return []
    cause = await query.in_turn(before.turn, lambda fact: fact.kind == "field_set" and query.subject in fact.about)
    value = query.end.value(name, before.value)
    values: dict[str, Any] = {"field": name, "before": value, "since": before.turn, "turn": first.turn}
    return [query.end.standing("value_replaced", query.subject, causes=(cause,), **values)]


async def value_lost(query: Query, name: str, first: Fact) -> list[Fact]:
    """Return how a field lost the value that it had before a fact; nothing where it had none."""
    async for entry in query.back(*_LOSSES, since=max(1, first.turn - _NEAR)):
        match entry.event:
            case e.FieldCleared(field=field) if field == name and entry.seq < first.seq:
                return [fact for fact in await query.facts_of(entry) if query.subject in fact.about]
            case e.Undone() | e.Migrated() if entry.seq < first.seq:
                facts = [fact for fact in await query.facts_of(entry) if query.subject in fact.about]
                if facts and (found := await value_undone(query, facts[-1], name)):
                    return found
            case e.FieldSet(field=field) if field == name and entry.seq < first.seq:
                return []
            case _:
                pass
    return []


async def value_undone(query: Query, undone: Fact, name: str) -> list[Fact]:
    """Return the value that an undo, or another version of the flow, took away, and how it had been set."""
    turn = await query.history.turn(undone.turn)
    before = turn.before.values.get(name) if turn is not None and turn.before is not None else None
    if before is None:
        return []
    was = await query.in_turn(before.turn, lambda fact: fact.kind == "field_set" and query.subject in fact.about)
    kind: FactKind = "value_lost" if undone.kind == "migrated" else "value_undone"
    value = query.end.value(name, before.value)
    values: dict[str, Any] = {"field": name, "before": value, "turn": undone.turn, "to": undone.values.get("to")}
    return [query.end.standing(kind, query.subject, causes=(undone, was), **values)]


async def values_undone(query: Query, name: str) -> list[Fact]:
    """Return the values of a field that undos took back, the last one first."""
    found: list[Fact] = []
    async for entry in query.back(e.Undone, since=max(1, query.turn.number - _NEAR)):
        facts = [fact for fact in await query.facts_of(entry) if query.subject in fact.about]
        found += await value_undone(query, facts[-1], name) if facts and len(found) < _MISSES else []
    return found


async def value_cleared(query: Query, cleared: Fact, name: str) -> list[Fact]:
    """Return how the value had been set that was cleared; nothing for another fact."""
    turn = await query.history.turn(cleared.turn) if cleared.kind == "field_cleared" else None
    before = turn.before.values.get(name) if turn is not None and turn.before is not None else None
    if before is None:
        return []
    return [fact for fact in (await query.history.writes(before.turn, name))[-1:] if fact.seq < cleared.seq]


async def missed_before(query: Query, name: str, last: Fact) -> list[Fact]:
    """Return the answers to the question of a field that were not understood before the last one."""
    found: list[Fact] = []
    async for entry in query.back(*_ANSWERS, since=max(1, last.turn - _NEAR)):
        match entry.event:
            case e.Missed(field=field) if field == name and entry.seq < last.seq:
                found += await query.facts_of(entry)
            case e.FieldSet(field=field) | e.FieldCleared(field=field) if field == name:
                break
            case _:
                pass
        if len(found) == _MISSES:
            break
    return found[::-1]


async def refused_before(query: Query, first: Fact) -> list[Fact]:
    """Return the last values that were refused for a field before the present one was set, by any source, and the
    last answers to its question that were not understood.
    """
    found: list[Fact] = []
    async for entry in query.back(*_REFUSALS, since=max(1, first.turn - _NEAR)):
        if entry.seq < first.seq and len(found) < _MISSES:
            facts = [one for one in await query.facts_of(entry) if query.subject in one.about]
            found += [one for one in reversed(facts) if one.kind in _NOT_STORED]
    return found[::-1]


async def items_changed(query: Query, name: str) -> list[Fact]:
    """Return which items of a list were added and removed, each time with what did it, the newest last."""
    newer: list[Any] = []
    write: e.Entry | None = None
    found: list[Fact] = []
    async for entry in query.back(e.FieldSet, since=max(1, query.turn.number - _NEAR)):
        if not isinstance(entry.event, e.FieldSet) or entry.event.field != name:
            continue
        items = as_list(entry.event.value) or []
        found += await _changed(query, write, newer, items) if write is not None else ()
        newer, write = items, entry
    turn = await query.history.turn(write.turn) if found and write is not None else None
    if turn is not None and write is not None and turn.before is not None and name not in turn.before.values:
        found += await _changed(query, write, newer, [])
    return found[::-1]


async def _changed(query: Query, write: e.Entry, now: list[Any], before: list[Any]) -> list[Fact]:
    """Return which items a write added to a list and removed from it."""
    name, causes = query.subject.name, tuple([one for one in await query.facts_of(write) if one.kind == "field_set"])
    kinds: dict[FactKind, list[Any]] = {
        "items_removed": [item for item in before if item not in now],
        "items_added": [item for item in now if item not in before],
    }
    return [
        query.end.standing(
            kind, query.subject, causes=causes, field=name, before=query.end.value(name, items), turn=write.turn
        )
        for kind, items in kinds.items()
        if items
    ]
