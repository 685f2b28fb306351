"""What turns and replicas ask of PostgreSQL is found by indexes, whatever the number of conversations (`EXPLAIN`)."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from support.postgres import server
from turnwise.runner.search import ConversationQuery
from turnwise.stores.postgres import PostgresStore

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import capacity  # noqa: E402

LARGE = ("conversation", "event", "timer", "inbox")
PARKED = 20_000
DAY_MS = 86_400_000
ASKED: dict[str, Callable[[PostgresStore], Awaitable[object]]] = {
    "a state": lambda store: store.load("parked-7"),
    "a key": lambda store: store.receipt("parked-7", "k1"),
    "a turn": lambda store: store.turn("parked-7", 2),
    "entries": lambda store: store.entries("parked-7", 5, 10),
    "who has a turn": lambda store: store.claim("parked-7"),
    "turns that were cut off": lambda store: store.cut_off(),
    "timers, none due": lambda store: store.due("intake", store.clock.now_ms(), 100, ()),
    "timers, all due": lambda store: store.due("intake", store.clock.now_ms() + 31 * DAY_MS, 100, ()),
    "the next timer": lambda store: store.next_due("intake", ()),
    "a delivery": lambda store: store.outbox.next_due("intake"),
}


class Recording:
    """A connection that keeps the statements that are sent with it."""

    def __init__(self, db: Any, sent: list[tuple[str, Any]]) -> None:
        self._db, self._sent = db, sent

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def execute(self, sql: str, values: Any = None, **more: Any) -> Any:
        self._sent.append((sql, values))
        return self._db.execute(sql, values, **more)


def scanned(plan: dict[str, Any]) -> Iterator[str]:
    """The tables that a plan reads from one end to the other."""
    if plan["Node Type"] == "Seq Scan":
        yield plan["Relation Name"]
    for part in plan.get("Plans", ()):
        yield from scanned(part)


@pytest.fixture(scope="module")
def address() -> str:
    found = server().fresh()
    asyncio.run(capacity.park(found, ["template"]))
    capacity.multiply(server(), found.partition("@/")[2].partition("?")[0], PARKED)
    return found


async def plans(address: str, ask: Callable[[PostgresStore], Awaitable[object]]) -> list[dict[str, Any]]:
    """The plans of the statements with which a store answers."""
    store, sent = PostgresStore(address), list[tuple[str, Any]]()
    run = store.reader.run
    store.reader.run = lambda work: run(lambda db: work(Recording(db, sent)))  # type: ignore[assignment, arg-type, return-value]
    await ask(store)
    await store.close()
    with psycopg.connect(address) as db:
        db.execute("SET random_page_cost = 1.1")  # of a disk without heads; else 20,000 rows are read rather than 100 found
        found = [db.execute(f"EXPLAIN (FORMAT JSON) {sql}", values).fetchone() for sql, values in sent]  # type: ignore[arg-type]
    return [row[0][0]["Plan"] for row in found if row is not None]


@pytest.mark.parametrize("asked", ASKED)
def test_no_large_table_is_read_as_a_whole(address: str, asked: str) -> None:
    found = asyncio.run(plans(address, ASKED[asked]))
    assert found, "nothing was asked"
    assert not [table for plan in found for table in scanned(plan) if table in LARGE], json.dumps(found)[:2000]


def test_a_total_is_what_is_counted_as_a_whole(address: str) -> None:
    """The test would notice: a page of the list counts all conversations of its flow."""
    found = asyncio.run(plans(address, lambda store: store.find(ConversationQuery(flow="intake"))))
    assert any(plan["Plan Rows"] > PARKED / 10 or "Aggregate" in json.dumps(plan) for plan in found)
