"""How PostgreSQL answers the questions that are asked all the time, with 100,000 conversations that wait."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from support.durable.running import run
from support.postgres import server
from turnwise.core.state import Timer
from turnwise.stores.postgres import PostgresStore, timers
from turnwise.stores.postgres.connect import Connection
from turnwise.testing.store_support import NOON_MS, Journal

PARKED = 100_000
LARGE = ("conversation", "event", "inbox", "timer")
"""The tables of which no question may read every row."""


@pytest.fixture(scope="module")
def parked() -> Iterator[str]:
    """A database with conversations that wait for their timers: one that was written, and copies of its rows."""
    address = server().fresh()

    async def play() -> None:
        store = PostgresStore(address)
        await store.commit("c0", Journal().begin(key="k", timers=[Timer("soon", "home", 1, NOON_MS)]))
        await store.close()

    run(play())
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(
            "INSERT INTO conversation (began_ms, at_ms, seq, id, flow, fingerprint, node, status, waits, state)"
            " SELECT began_ms + i, at_ms + i, seq, 'c' || i, flow, fingerprint, node, status, waits, state"
            f" FROM conversation, generate_series(1, {PARKED}) AS i"
        )
        for table, columns in (
            ("event", "at_ms, seq, turn, frame, kind, body"),
            ("inbox", "turn, key, body"),
            ("timer", "version, due_ms, body"),
        ):
            copied = ", ".join([f"one.{column}" for column in columns.split(", ")])
            db.execute(
                f"INSERT INTO {table} (conversation, {columns}) SELECT other.n, {copied}"  # type: ignore[arg-type]
                f" FROM {table} AS one, conversation AS other WHERE other.id <> 'c0'"
            )
        db.execute("ANALYZE")
    yield address


class Explained:
    """A connection that notes the plan of each question before it asks it."""

    def __init__(self, db: Connection, plans: list[str]) -> None:
        self._db = db
        self._plans = plans

    def execute(self, query: str, params: Any = None, **more: Any) -> Any:
        if query.startswith(("SELECT", "WITH", "INSERT", "UPDATE", "DELETE")):
            found = self._db.execute(f"EXPLAIN {query}", params).fetchall()  # type: ignore[arg-type]
            self._plans.append(query + "\n" + "\n".join(line for (line,) in found))
        return self._db.execute(query, params, **more)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


def test_no_question_of_a_turn_or_of_a_look_reads_a_whole_table(parked: str) -> None:
    plans: list[str] = []

    async def play() -> None:
        store = PostgresStore(parked)
        run_ = store.reader.run
        store.reader.run = lambda work, **more: run_(lambda db: work(Explained(db, plans)), **more)  # type: ignore[method-assign,arg-type,return-value]
        await store.load("c77")
        await store.receipt("c77", "k")
        await store.entries("c77")
        await store.turn("c77", 1)
        await store.window("c77", 0, 10)
        await store.claim("c77")
        assert await store.cut_off() == ()
        assert len(await store.due("talk", NOON_MS, 100)) == 100
        assert await store.next_due("talk") == NOON_MS
        assert await store.outbox.next_due("talk") is None
        assert await store.conversations(10)
        await store.close()

    run(play())
    assert len(plans) > 12
    for plan in plans:
        for table in LARGE:
            assert f"Seq Scan on {table}" not in plan, plan


def test_what_is_due_costs_the_same_however_much_is_leased(parked: str) -> None:
    """The look reads the index in order, and no more rows than it passes over."""

    async def play() -> None:
        one, other = PostgresStore(parked), PostgresStore(parked)
        assert len(await one.due("talk", NOON_MS, 500)) == 500
        found = await other.due("talk", NOON_MS, 100)
        assert len(found) == 100
        mine = await one.due("talk", NOON_MS, 500)
        assert not {due.conversation for due in found} & {due.conversation for due in mine}
        await asyncio.gather(one.close(), other.close())

    run(play())
    with psycopg.connect(parked, autocommit=True) as db:
        values = (NOON_MS, False, -1, 100, "talk", [], 100)
        lines = db.execute(f"EXPLAIN (ANALYZE, TIMING off) {timers._DUE}", values).fetchall()  # type: ignore[arg-type]
    plan = "\n".join(line for (line,) in lines)
    scans = [line for (line,) in lines if "timer_by_version" in line]
    read = [float(line.rpartition("rows=")[2].partition(" ")[0]) for line in scans]
    assert read, plan
    assert max(read) <= 1_000, plan
