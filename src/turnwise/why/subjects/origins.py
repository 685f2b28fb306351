"""Where the conversation comes from: of which it is a copy, when it began, and its newest version of the flow."""

from __future__ import annotations

from msgspec.structs import replace

from turnwise.core.state import events as e
from turnwise.why.answer import Fact, Subject
from turnwise.why.query import Query

_ORIGIN = Subject("origin")


async def answer(query: Query) -> list[Fact]:
    """Return facts about where the conversation comes from: of which it is a copy, its start and migrations."""
    copied, began = await copies(query), await _began(query)
    return [*(copied or [began]), *(await migrations(query)), *(began.causes if copied else ())]


async def copies(query: Query) -> list[Fact]:
    """Return facts about how the conversation was copied from another one; empty if it is no copy."""
    seq = query.history.last.forked
    for entry in await query.history.unerased(seq, seq) if seq else ():
        if isinstance(entry.event, e.Forked):
            return await query.facts_of(entry)
    found = await query.last(e.Forked) if query.state.is_bound else None
    return [found] if found is not None else []


async def migrations(query: Query) -> list[Fact]:
    """Return facts about the last migration of the conversation to another version of its flow."""
    found = await query.last(e.Migrated)
    return [found] if found is not None else []


async def with_lost_state(query: Query, fact: Fact) -> Fact:
    """Return the fact; if it is an undo refused for lost state, with the cause: erased, or of another version."""
    if fact.kind != "undo_refused" or not fact.values["to"]:
        return fact
    to = fact.values["to"]
    erased = await query.history.turn(to) is None
    lost = [query.history.erased_fact(to)] if erased else await migrations(query)
    return replace(fact, causes=(*fact.causes, *lost))


async def _began(query: Query) -> Fact:
    """Return how the conversation began, or that its first turn is erased."""
    first = (await query.history.store.entries(query.history.conversation, 0, 1))[0]
    started = next((one for one in await query.facts_of(first) if one.kind == "conversation_started"), None)
    values = dict(started.values) if started is not None else {}
    if started is None and await query.history.turn(1) is None:
        values["first"] = query.history.erased_fact(1).text
    at = query.end.time(first.at_ms)
    return query.end.fact_of_state("began_here", _ORIGIN, Subject("conversation"), causes=(started,), at=at, **values)
