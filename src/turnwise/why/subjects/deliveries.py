"""How the messages that the machine sent by itself reached the user: the deliveries of the outbox,
which are no events.
"""

from __future__ import annotations

from typing import Any

from turnwise.core.phrase import Phrase, phrase
from turnwise.runner.outbox_port import DeliveryQuery, HasOutbox, StoredDelivery
from turnwise.why.answer import Fact, Subject
from turnwise.why.query import Query

_PAGE = 100


async def answer(query: Query) -> list[Fact]:
    """Return facts about the last delivery begun by the end of the turn, or that there is none, and why."""
    only = query.turn.number if query.names_turn else 0
    rows = [row for row in await _rows(query, only) if row.turn <= query.turn.number]
    if rows:
        return [delivery_status(query, rows[-1])]
    has_outbox = isinstance(query.history.store, HasOutbox)
    reason = "" if has_outbox else Phrase("its store keeps no outbox")
    return [query.end.fact_of_state("delivery_none", query.subject, turn=only or None, reason=reason)]


async def of_turn(query: Query) -> list[Fact]:
    """Return the fact about the delivery of the turn, in a list; empty if it has none."""
    return [delivery_status(query, row) for row in await _rows(query, query.turn.number)]


async def _rows(query: Query, turn: int) -> list[StoredDelivery]:
    """Return the deliveries of the conversation in order, of one turn or with 0 of all."""
    store, found, after = query.history.store, list[StoredDelivery](), 0
    while isinstance(store, HasOutbox):
        asked = DeliveryQuery(conversation=query.history.conversation, turn=turn, after=after, limit=_PAGE)
        page = await store.outbox.find(asked)
        found += page
        if len(page) < _PAGE:
            break
        after = page[-1].number
    return sorted(found, key=lambda row: row.number)


def delivery_status(query: Query, row: StoredDelivery) -> Fact:
    """Return the fact about the status of a delivery."""
    attempts = phrase("attempt {attempts}", attempts=row.attempts) if row.attempts else Phrase("no attempt")
    due = query.end.time(row.due_ms) if row.due_ms is not None else ""
    done = query.end.time(row.done_ms) if row.done_ms is not None else ""
    match row.status:
        case "delivered":
            how = phrase("was delivered to the user at {done}, in {attempts}", done=done, attempts=attempts)
        case "failed":
            how = phrase("was not delivered: it was given up at {done}, after {attempts}", done=done, attempts=attempts)
        case "sending":
            how = phrase("is being delivered to the user, in {attempts}", attempts=attempts)
        case "waiting" if due:
            how = phrase(
                "waits to be delivered to the user, after {attempts}; the next one is due at {due}",
                attempts=attempts,
                due=due,
            )
        case "waiting":
            how = Phrase("waits to be delivered to the user after an earlier message")
    values: dict[str, Any] = {"status": row.status, "attempts": row.attempts, "id": row.id}
    about = (Subject("turn", str(row.turn)), Subject("delivery"), Subject("conversation"))
    return query.end.fact_of_state("delivery_stands", *about, how=how, error=row.error, **values)
