"""Stores the deliveries of a SQLite file (its outbox, the table `delivery`). Each change is one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from turnwise.runner.outbox_port import DeliveryQuery, Settlement, StoredDelivery
from turnwise.stores.sqlite.deliveries import MAKE_NEXT_DUE
from turnwise.stores.sqlite.process import Process
from turnwise.stores.sqlite.reader import Reader
from turnwise.stores.sqlite.writer import Work

Write = Callable[[Work], Awaitable[Any]]
"""A function that runs work in the thread that writes, in one transaction, and returns its result."""

_ROW = (
    "SELECT one.n, one.id, conversation.id, one.flow, turn, one.seq, one.at_ms, one.status, attempts, due_ms,"
    " since_ms, done_ms, error FROM delivery AS one JOIN conversation ON conversation.n = one.conversation"
)
_DUE = (
    f"{_ROW} WHERE one.flow = ? AND due_ms IS NOT NULL AND {{}} AND one.status = 'waiting'"
    " ORDER BY due_ms, one.n LIMIT ?"
)
_DUE_BY_NOW, _DUE_TOO_LATE = _DUE.format("due_ms <= ?"), _DUE.format("due_ms > ?")
_NEXT_DUE = (
    "SELECT due_ms FROM delivery WHERE flow = ? AND due_ms IS NOT NULL AND status = 'waiting' ORDER BY due_ms LIMIT 1"
)
_COUNT_OPEN = (
    "SELECT count(*) FROM"
    " (SELECT 1 FROM delivery WHERE flow = ? AND status IN ('waiting', 'sending') ORDER BY conversation, n LIMIT ?)"
)
"""In the order of the index of open ones, so that it is used."""
_TAKEN = "UPDATE delivery SET status = 'sending', attempts = attempts + 1, due_ms = NULL, process = ? WHERE n = ?"
_SENDERS = (
    "SELECT DISTINCT delivery.process, host, pid, token, beat_s FROM delivery"
    " LEFT JOIN process ON process.n = delivery.process WHERE delivery.status = 'sending'"
)
_FREED = "UPDATE delivery SET status = 'waiting', due_ms = ?, process = NULL WHERE status = 'sending' AND process = ?"
_ANY = (
    "SELECT EXISTS (SELECT 1 FROM delivery WHERE flow = ?1 AND due_ms IS NOT NULL)"
    " OR EXISTS (SELECT 1 FROM delivery WHERE status = 'sending' AND process IS NOT ?2)"
)
"""Whether a delivery may be due, or another process sends one, which may have ended."""
_SETTLED = (
    "UPDATE delivery SET status = ?, due_ms = ?, done_ms = ?, error = ?, process = NULL"
    " WHERE id = ? AND attempts = ? AND status = 'sending' RETURNING conversation"
)
_AGAIN = "UPDATE delivery SET status = 'waiting', attempts = 0, due_ms = ?, since_ms = ?, done_ms = NULL WHERE n = ?"
_BEHIND = "UPDATE delivery SET due_ms = NULL WHERE conversation = ? AND n > ? AND status = 'waiting'"
"""Lets younger deliveries of a conversation that wait come after an older one."""
_FILTERS = {
    "conversation": "one.conversation = (SELECT n FROM conversation WHERE id = ?)",
    "flow": "one.flow = ?",
    "status": "one.status = ?",
    "turn": "one.turn = ?",
}
"""What each attribute of a query demands of a row."""


class SqliteOutbox:
    """The outbox of a SQLite file: the deliveries and their status."""

    def __init__(self, reader: Reader, write: Write, process: Process) -> None:
        self._reader = reader
        self._write = write
        self._process = process

    async def take(self, flow: str, now_ms: int, longest_pause_ms: int, most: int) -> tuple[StoredDelivery, ...]:
        """Take up to `most` due deliveries of a flow, and those that dead processes were sending; see `Outbox.take`."""
        found = self._reader.one(_ANY, flow, self._process.n)
        if found is None or not found[0]:
            return ()

        def work(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
            self._process.beat(db)
            self._free(db, now_ms)
            rows = db.execute(_DUE_BY_NOW, (flow, now_ms, most)).fetchall()
            rows += db.execute(_DUE_TOO_LATE, (flow, now_ms + longest_pause_ms, most - len(rows))).fetchall()
            db.executemany(_TAKEN, [(self._process.n, row[0]) for row in rows])
            self._process.is_sending = self._process.is_sending or bool(rows)
            return [(*row[:7], "sending", row[8] + 1, None, *row[10:]) for row in rows]

        return tuple([StoredDelivery(*row) for row in await self._write(work)])

    def _free(self, db: sqlite3.Connection, now_ms: int) -> None:
        """Make due what dead processes were sending."""
        for n, host, *process in db.execute(_SENDERS).fetchall():
            if n != self._process.n and (host is None or not self._process.is_alive(host, *process)):
                db.execute(_FREED, (now_ms, n))

    async def settle(self, settlement: Settlement) -> bool:
        """Record the outcome of an attempt; return false if another one has begun, or the delivery was deleted."""
        one = settlement

        def work(db: sqlite3.Connection) -> bool:
            done_ms = None if one.status == "waiting" else one.at_ms
            parameters = (one.status, one.due_ms, done_ms, one.error, one.id, one.attempt)
            row = db.execute(_SETTLED, parameters).fetchone()
            if row is not None and one.status != "waiting":
                db.execute(MAKE_NEXT_DUE, (row[0], one.at_ms))
            return row is not None

        return await self._write(work)

    async def next_due(self, flow: str) -> int | None:
        """Return when the next delivery of a flow is due, in milliseconds since 1970; `None` if none waits."""
        row = self._reader.one(_NEXT_DUE, flow)
        return row[0] if row is not None else None

    async def count_open(self, flow: str, most: int) -> int:
        """Return how many deliveries of a flow wait or are being sent, but no more than `most`."""
        row = self._reader.one(_COUNT_OPEN, flow, most)
        return row[0] if row is not None else 0

    async def find(self, query: DeliveryQuery) -> tuple[StoredDelivery, ...]:
        """Return the deliveries that match a query, the oldest first."""
        chosen = {name: value for name in _FILTERS if (value := getattr(query, name))}
        where = " AND ".join(["one.n > ?", *[_FILTERS[name] for name in chosen]])
        sql = f"{_ROW} WHERE {where} ORDER BY one.n LIMIT ?"
        rows = self._reader.all(sql, query.after, *chosen.values(), query.limit)
        return tuple([StoredDelivery(*row) for row in rows])

    async def get(self, id: str) -> StoredDelivery | None:  # noqa: A002  as the port
        """Return the delivery with an id; `None` if there is none."""
        row = self._reader.one(f"{_ROW} WHERE one.id = ?", id)
        return StoredDelivery(*row) if row is not None else None

    async def send_again(self, id: str, now_ms: int) -> StoredDelivery | None:  # noqa: A002  as the port
        """Queue a delivery again and return it; `None` if there is no such delivery."""

        def work(db: sqlite3.Connection) -> None:
            row = db.execute("SELECT n, conversation, status FROM delivery WHERE id = ?", (id,)).fetchone()
            if row is None or row[2] == "sending":
                return
            n, conversation, status = row
            if status == "waiting":
                db.execute("UPDATE delivery SET due_ms = ? WHERE n = ? AND due_ms IS NOT NULL", (now_ms, n))
                return
            db.execute(_AGAIN, (None, now_ms, n))
            db.execute(_BEHIND, (conversation, n))
            is_head = "SELECT 1 FROM delivery WHERE conversation = ? AND (due_ms IS NOT NULL OR status = 'sending')"
            if db.execute(is_head, (conversation,)).fetchone() is None:
                db.execute(MAKE_NEXT_DUE, (conversation, now_ms))

        await self._write(work)
        return await self.get(id)

    async def queued(self, conversation: str, turns: Collection[int]) -> frozenset[int]:
        """Return the numbers of those of the `turns` that have a delivery which has not failed for good."""
        rows = self._reader.all(
            "SELECT turn FROM delivery WHERE conversation = (SELECT n FROM conversation WHERE id = ?)"
            " AND turn BETWEEN ? AND ? AND status <> 'failed'",
            *(conversation, min(turns, default=0), max(turns, default=0)),
        )
        return frozenset(turn for (turn,) in rows) & frozenset(turns)
