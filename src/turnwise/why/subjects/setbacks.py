"""What left a field without a value: its removal, a refusal, an undo, or an answer that was stored elsewhere."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from turnwise.core.state import SAID_BY_USER
from turnwise.core.state import events as e
from turnwise.core.values.json_data import as_object
from turnwise.why.answer import Fact, Subject
from turnwise.why.facts.calls import WRITE
from turnwise.why.kinds import FactKind
from turnwise.why.query import Query
from turnwise.why.subjects.forms import REFUSED

_EMPTIED: tuple[FactKind, ...] = (
    *("field_cleared", "not_understood", "nothing_set", "turn_undone", "migrated", "field_set"),
    "field_shelved",
    *REFUSED,
    *("call_refused", "call_answered", "result_not_stored"),
)
_NEAR = 20
"""How many turns are searched for what left a field without a value that a rule read."""
_MOST_TRACED = 5
"""How many such fields are traced in one answer."""


async def with_setbacks(query: Query, facts: list[Fact]) -> list[Fact]:
    """Return facts in which each missing value that a rule read has what left its field without one."""
    done: set[str] = set()
    return [await _with_setbacks(query, fact, done) for fact in facts]


async def _with_setbacks(query: Query, fact: Fact, done: set[str]) -> Fact:
    if fact.kind != "value_missing" or fact.causes:
        if not fact.causes:
            return fact
        return replace(fact, causes=tuple([await _with_setbacks(query, cause, done) for cause in fact.causes]))
    name = str(fact.values["name"])
    if name in done or len(done) >= _MOST_TRACED:
        return fact
    done.add(name)
    found = await last_setback(query, name, since=max(1, fact.turn - _NEAR), before=fact.seq)
    return replace(fact, causes=(found,)) if found is not None else fact


def refuses_value(event: e.AnyEvent, name: str) -> bool:
    """Return whether an event is the refusal of a value for a field: of a command, by a person, or in a write."""
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
    """Return whether an event can be the refusal of a value for a field, or of a call that writes its record."""
    match event:
        case e.CallRefused(tool=tool):
            return tool == WRITE + name.partition(".")[0]
        case e.CallAnswered(tool=tool, result=result):
            return tool == WRITE + name.partition(".")[0] and not result["success"]
        case _:
            return refuses_value(event, name)


async def last_setback(query: Query, name: str, *, since: int = 1, before: int = 0) -> Fact | None:
    """Return the last event that left a field without a value: its removal, a refusal, an undo, or an answer to its
    question that was stored in other fields. It is searched from a turn on, and before an entry.
    """
    field = Subject("field", name)
    answered = 0
    async for entry in query.back(since=since):
        if before and entry.seq >= before:
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
                return query.end.standing("nothing_returned", field, causes=(returned,), **values)
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
        case e.FieldCleared() | e.FieldSet() | e.FieldShelved() | e.NothingSet() | e.Missed():
            return event.field == name
        case e.Undone() | e.Migrated():
            return True
        case _:
            return refuses(event, name)


def _returns_nothing(query: Query, event: e.ToolReturned, name: str) -> bool:
    """Return whether a result, which a node stores in a field or its record, has null for the field, or nothing."""
    record, _, part = name.partition(".")
    nodes = query.machine.nodes.values()
    into = {node.into.get(event.tool) for node in nodes} if event.call else set[str | None]()
    own = [node.tool for node in nodes if node.tool is not None and not event.call]
    into |= {work.into for work in own if work.tool.tool.name == event.tool}
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
    others = " and ".join(dict.fromkeys(str(fact.values["field"]) for fact in given))
    about = [Subject("field", str(fact.values["field"])) for fact in given]
    values: dict[str, Any] = {"field": name, "others": others, "turn": number}
    found = query.end.standing("answer_elsewhere", Subject("field", name), *about, causes=tuple(given), **values)
    return replace(found, turn=number)
