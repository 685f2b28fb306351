"""The history of one field: values it lost or had before, refusals, and answers that were not taken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from turnwise.core.addresses import local_name
from turnwise.core.phrase import joined
from turnwise.core.state import SAID_BY_USER, Waiting
from turnwise.core.state import events as e
from turnwise.core.values.json_data import as_list, as_object
from turnwise.flow.addresses import field_of, map_of, record_of
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.calls import WRITE_PREFIX
from turnwise.why.facts.dropped import nodes_that_collect
from turnwise.why.kinds import FactKind
from turnwise.why.prompts import model_calls
from turnwise.why.query import Query
from turnwise.why.subjects.forms import REFUSED
from turnwise.why.subjects.models import deed_of_model

_NEAR = 20
"""How many turns are searched for what happened to a field before."""
_MISSES = 3
"""How many answers that were not understood, and how many values that were undone, are listed before the last one."""
_MOST_TRACED = 5
"""For how many fields without a value, which rules read, one answer says what left them without."""
_LOSSES = (e.FieldCleared, e.FieldSet, e.Undone, e.Migrated)
_ANSWERS = (e.Missed, e.FieldSet, e.FieldCleared)
_REFUSALS = (e.CommandRefused, e.GiveBackRefused, e.Faulted, e.Missed)
_NOT_STORED: tuple[FactKind, ...] = ("value_refused", "write_refused", "not_understood")
_EMPTIED: tuple[FactKind, ...] = (
    *("field_cleared", "not_understood", "nothing_set", "turn_undone", "migrated", "field_set"),
    *("field_shelved", "item_removed"),
    *REFUSED,
    *("call_refused", "call_answered", "result_not_stored"),
)


async def values_not_taken(query: Query, name: str, since: int = 1, *, most: int = 3) -> list[Fact]:
    """Return facts about values of a field that messages since turn `since` had and that were not taken.
    At most `most`, of each value the newest.
    """
    found: dict[str, Fact] = {}
    async for entry in query.entries_backwards(e.Understood, since=since):
        if isinstance(entry.event, e.Understood) and any(one.field == name for one in entry.event.dropped):
            for fact in await query.facts_of(entry):
                if fact.kind == "words_not_taken" and fact.values["field"] == name:
                    found.setdefault(str(fact.values["value"]), fact)
        if len(found) >= most:
            break
    return list(found.values())[:most]


async def value_before(query: Query, name: str, first: Fact) -> list[Fact]:
    """Return facts about the value that a field had before the turn of `first`, the fact about its present value, and
    how it was lost or replaced; empty if there was none, or the same.
    """
    turn = await query.history.turn(first.turn) if first.seq else None
    if turn is None or turn.before is None:
        return []
    before = turn.before.values.get(name)
    if before is None:
        return await value_lost(query, name, first)
    if before.value == query.state.values[name].value:
        return []
    cause = await query.newest_in_turn(
        before.turn, lambda fact: fact.kind == "field_set" and query.subject in fact.about
    )
    value = query.end.value(name, before.value)
    values: dict[str, Any] = {"field": name, "before": value, "since": before.turn, "turn": first.turn}
    return [query.end.fact_of_state("value_replaced", query.subject, causes=(cause,), **values)]


async def value_lost(query: Query, name: str, first: Fact) -> list[Fact]:
    """Return facts about how a field lost the value that it had before the fact `first`; empty if it had none."""
    async for entry in query.entries_backwards(*_LOSSES, since=max(1, first.turn - _NEAR)):
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
    """Return facts about the value that an undo, or another flow version, took away (the fact `undone`), and how it had
    been set.
    """
    turn = await query.history.turn(undone.turn)
    before = turn.before.values.get(name) if turn is not None and turn.before is not None else None
    if before is None:
        return []
    was = await query.newest_in_turn(before.turn, lambda fact: fact.kind == "field_set" and query.subject in fact.about)
    kind: FactKind = "value_lost" if undone.kind == "migrated" else "value_undone"
    value = query.end.value(name, before.value)
    values: dict[str, Any] = {"field": name, "before": value, "turn": undone.turn, "to": undone.values.get("to")}
    return [query.end.fact_of_state(kind, query.subject, causes=(undone, was), **values)]


async def values_undone(query: Query, name: str) -> list[Fact]:
    """Return facts about the values of a field that undos took back, the last one first."""
    found: list[Fact] = []
    async for entry in query.entries_backwards(e.Undone, since=max(1, query.turn.number - _NEAR)):
        facts = [fact for fact in await query.facts_of(entry) if query.subject in fact.about]
        found += await value_undone(query, facts[-1], name) if facts and len(found) < _MISSES else []
    return found


async def value_cleared(query: Query, cleared: Fact, name: str) -> list[Fact]:
    """Return the fact that says how the value had been set that `cleared` reports as cleared, in a list; empty if
    nothing was cleared.
    """
    turn = await query.history.turn(cleared.turn) if cleared.kind == "field_cleared" else None
    before = turn.before.values.get(name) if turn is not None and turn.before is not None else None
    if before is None:
        return []
    return [fact for fact in (await query.history.writes(before.turn, name))[-1:] if fact.seq < cleared.seq]


async def missed_before(query: Query, name: str, last: Fact) -> list[Fact]:
    """Return facts about answers to a field's question that were not understood, before the last one (the fact `last`);
    the oldest first.
    """
    found: list[Fact] = []
    async for entry in query.entries_backwards(*_ANSWERS, since=max(1, last.turn - _NEAR)):
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
    """Return facts about values refused for a field before the fact `first` about its present value, and answers not
    understood. The last refusals by any source, and the last answers to its question.
    """
    found: list[Fact] = []
    async for entry in query.entries_backwards(*_REFUSALS, since=max(1, first.turn - _NEAR)):
        if entry.seq < first.seq and len(found) < _MISSES:
            facts = [one for one in await query.facts_of(entry) if query.subject in one.about]
            found += [one for one in reversed(facts) if one.kind in _NOT_STORED]
    return found[::-1]


async def items_changed(query: Query, name: str) -> list[Fact]:
    """Return facts about the items that were added to a list and removed, with what did it, the newest last."""
    newer: list[Any] = []
    write: e.Entry | None = None
    found: list[Fact] = []
    async for entry in query.entries_backwards(e.FieldSet, since=max(1, query.turn.number - _NEAR)):
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
        query.end.fact_of_state(
            kind, query.subject, causes=causes, field=name, before=query.end.value(name, items), turn=write.turn
        )
        for kind, items in kinds.items()
        if items
    ]


async def with_setbacks(query: Query, facts: list[Fact]) -> list[Fact]:
    """Return facts in which each missing value that a rule read has the cause that left its field empty."""
    return await _with_setbacks(query, facts, set())


async def _with_setbacks(query: Query, facts: Iterable[Fact], done: set[str]) -> list[Fact]:
    found: list[Fact] = []
    for fact in facts:
        if fact.causes:
            found.append(replace(fact, causes=tuple(await _with_setbacks(query, fact.causes, done))))
        elif fact.kind == "value_missing":
            found.append(await _with_setback(query, fact, done))
        else:
            found.append(fact)
    return found


async def _with_setback(query: Query, missing: Fact, done: set[str]) -> Fact:
    name = str(missing.values["name"])
    if name in done or len(done) >= _MOST_TRACED:
        return missing
    done.add(name)
    cause = await last_setback(query, name, since_turn=max(1, missing.turn - _NEAR), before_seq=missing.seq)
    return replace(missing, causes=(cause,)) if cause is not None else missing


def refuses_value(event: e.AnyEvent, name: str) -> bool:
    """Return whether an event is the refusal of a value for a field: in a command, by a person, or in a write."""
    match event:
        case e.CommandRefused(field=field):
            return field == name
        case e.GiveBackRefused(set=given):
            return name in given
        case e.Faulted(fault=fault):
            return fault.kind == "write" and fault.subject == name
        case e.Warned(code="result_not_stored", fields=fields):
            return name in fields
        case _:
            return False


def refuses(event: e.AnyEvent, name: str) -> bool:
    """Return whether an event may be the refusal of a value for a field, or of a call that writes its record."""
    match event:
        case e.CallRefused(tool=tool):
            return tool in _writing(name)
        case e.CallAnswered(tool=tool, result=result):
            return tool in _writing(name) and not result["success"]
        case _:
            return refuses_value(event, name)


def _writing(name: str) -> tuple[str, str]:
    """Return the tools by which a model writes the record of a field, or of the answers to which one belongs."""
    return WRITE_PREFIX + local_name(record_of(name)), WRITE_PREFIX + local_name(record_of(map_of(name)))


async def last_setback(query: Query, name: str, *, since_turn: int = 1, before_seq: int = 0) -> Fact | None:
    """Return the last event that left a field empty: a removal, refusal, undo, or an answer stored elsewhere.
    It is searched from turn `since_turn` on, and before the entry at position `before_seq`; 0 is the end.
    """
    field = Subject("field", name)
    answered = 0
    async for entry in query.entries_backwards(since=since_turn):
        if before_seq and entry.seq >= before_seq:
            continue
        match entry.event:
            case e.UserSaid() | e.UserChose():
                answered = entry.turn
            case e.Said(question="field", field=asked) if asked == name and answered > entry.turn:
                elsewhere = await _elsewhere(query, name, answered)
                if elsewhere is not None:
                    return elsewhere
            case e.ToolReturned(tool=tool) as event if _returns_nothing(query, event, name):
                returned = (await query.facts_of(entry))[-1]
                values: dict[str, Any] = {"field": name, "tool": tool, "turn": entry.turn}
                return query.end.fact_of_state("nothing_returned", field, causes=(returned,), **values)
            case event if _may_empty(event, name):
                facts = await query.facts_of(entry)
                found = [fact for fact in facts if field in fact.about and fact.kind in _EMPTIED]
                if found:
                    return found[-1]
            case _:
                pass
    return None


def _may_empty(event: e.AnyEvent, name: str) -> bool:
    """Return whether an event can have left a field without a value."""
    match event:
        case e.FieldCleared() | e.FieldSet() | e.FieldShelved() | e.NothingSet() | e.Missed() | e.ItemRemoved():
            return event.field == name
        case e.Undone() | e.Migrated():
            return True
        case _:
            return refuses(event, name)


def _returns_nothing(query: Query, event: e.ToolReturned, name: str) -> bool:
    """Return whether a result, which a node stores in a field or its record, has null for the field, or nothing."""
    record, part = record_of(name), field_of(name)
    nodes = query.machine.nodes.values()
    into = {node.result_targets.get(event.tool) for node in nodes} if event.call else set[str | None]()
    own = [node.tool for node in nodes if node.tool is not None and not event.call]
    into |= {work.result_target for work in own if work.tool.tool.name == event.tool}
    values = as_object(event.result)
    is_part = record in into and values is not None and values.get(part) is None
    return is_part or (name in into and event.result is None)


async def _elsewhere(query: Query, name: str, number: int) -> Fact | None:
    """Return the fact that the message of a turn, which came while a field was asked, was stored in other fields."""
    turn, facts = await query.history.turn(number), await query.history.facts(number)
    question = turn.before.question if turn is not None and turn.before is not None else None
    received = next((fact for fact in facts if fact.kind in ("message_received", "button_pressed")), None)
    if question is None or question.field != name or question.kind != "field" or received is None:
        return None
    given = [fact for fact in facts if fact.kind == "field_set" and fact.values["origin"] in SAID_BY_USER]
    if not given:
        return None
    others = joined(dict.fromkeys(str(fact.values["field"]) for fact in given), " and ")
    about = [Subject("field", str(fact.values["field"])) for fact in given]
    values: dict[str, Any] = {"field": name, "others": others, "turn": number}
    found = query.end.fact_of_state("answer_elsewhere", Subject("field", name), *about, causes=tuple(given), **values)
    return replace(found, turn=number)


async def write_not_called(query: Query, name: str) -> Fact | None:
    """Return what the model did in the last turn in which it could write a field and did not; `None` without such a
    turn, if the conversation goes on, or if users enter the value.
    """
    if isinstance(query.state.status, Waiting) or nodes_that_collect(query.machine, name):
        return None
    tool, _ = _writing(name)
    async for entry in query.entries_backwards(e.ModelReplied):
        turn = await query.history.turn(entry.turn)
        asked = list(model_calls(turn)) if turn is not None else []
        if turn is None or not any(_may_write(query, one.state.node, tool, name) for one in asked):
            continue
        facts = await query.history.facts(entry.turn)
        replies = [fact for fact in facts if fact.kind in ("model_replied", "model_failed")]
        failed = next((fact for fact in facts if fact.kind == "turn_failed"), None)
        values: dict[str, Any] = {"field": name, "tool": tool, "turn": entry.turn}
        values["did"] = joined((deed_of_model(facts, fact) for fact in replies), ", then ")
        values["failed"] = failed.values["reason"] if failed is not None else ""
        about = (query.subject, Subject("tool", tool), Subject("model"))
        return query.end.fact_of_state("write_not_called", *about, causes=(*replies, failed), **values)
    return None


def _may_write(query: Query, node: str, tool: str, field: str) -> bool:
    """Return whether the model may write a field at a node."""
    box = query.machine.nodes[node].toolbox if node in query.machine.nodes else None
    return box is not None and tool in box.writes and field in box.writes[tool]
