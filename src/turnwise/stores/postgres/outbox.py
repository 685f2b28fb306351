"""The outbox: the table `delivery`. Each change is one transaction; replicas take different rows."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from turnwise.runner.outbox_port import DeliveryQuery, Settlement, StoredDelivery
from turnwise.stores.postgres.commit import escape_text, unescape_text
from turnwise.stores.postgres.connect import Connection, Row
from turnwise.stores.postgres.process import Process
from turnwise.stores.postgres.reader import Reader

OPEN = "status IN ('waiting', 'sending')"
"""The condition of the deliveries that still wait or are being sent."""
NEXT = (
    "UPDATE delivery SET due_ms = %s WHERE status = 'waiting' AND due_ms IS NULL AND n ="
    f" (SELECT min(n) FROM delivery WHERE conversation = %s AND {OPEN})"
)
"""The statement that makes the oldest open delivery of a conversation due."""
HOLD = "SELECT 1 FROM conversation WHERE n = %s FOR UPDATE"
"""The SQL that locks a conversation, so that the changes of its deliveries follow one another."""

_COLUMNS = (
    "one.n, one.id, conversation.id, one.flow, one.turn, one.seq, one.at_ms, one.status, attempts, due_ms,"
    " since_ms, done_ms, error"
)
_ROW = f"SELECT {_COLUMNS} FROM delivery AS one JOIN conversation ON conversation.n = one.conversation"
_FREED = (
    "UPDATE delivery SET status = 'waiting', due_ms = %s, process = NULL WHERE status = 'sending' AND process <> %s"
    " AND process NOT IN (SELECT n FROM process WHERE until > clock_timestamp())"
)
_ANY = (
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM delivery WHERE flow = %s AND due_ms IS NOT NULL)"
    " OR EXISTS (SELECT 1 FROM delivery WHERE status = 'sending' AND process IS DISTINCT FROM %s)"
)
"""Whether a delivery may be due, or another replica sends one, which may have ended."""
_TAKEN = (
    "WITH due AS (SELECT n FROM delivery WHERE flow = %s AND (due_ms <= %s OR due_ms > %s) ORDER BY due_ms, n LIMIT %s"
    " FOR UPDATE SKIP LOCKED), one AS (UPDATE delivery SET status = 'sending', attempts = attempts + 1, due_ms = NULL,"
    " process = %s FROM due WHERE delivery.n = due.n RETURNING delivery.*)"
    f" SELECT {_COLUMNS} FROM one JOIN conversation ON conversation.n = one.conversation ORDER BY one.n"
)
_SETTLED = (
    "UPDATE delivery SET status = %s, due_ms = %s, done_ms = %s, error = %s, process = NULL"
    " WHERE id = %s AND attempts = %s AND status = 'sending' RETURNING conversation"
)
_AGAIN = (
    "UPDATE delivery SET status = 'waiting', attempts = 0, due_ms = NULL, since_ms = %s, done_ms = NULL WHERE n = %s"
)
_OPEN = "SELECT 1 FROM delivery WHERE flow = %s AND status IN ('waiting', 'sending') LIMIT %s"
_COUNT_OPEN = f"SELECT count(*) FROM ({_OPEN}) AS found"
_BEHIND = "UPDATE delivery SET due_ms = NULL WHERE conversation = %s AND n > %s AND status = 'waiting'"
"""Lets younger deliveries of a conversation that wait come after an older one."""
_FILTERS = {
    "conversation": "one.conversation = (SELECT n FROM conversation WHERE id = %s)",
    "flow": "one.flow = %s",
    "status": "one.status = %s",
    "turn": "one.turn = %s",
}
"""What each attribute of a query demands of a row."""


class PostgresOutbox:
    """The outbox of a PostgreSQL database: the deliveries and their status."""

    def __init__(self, reader: Reader, process: Process) -> None:
        self._reader = reader
        self._process = process

    async def take(self, flow: str, now_ms: int, longest_pause_ms: int, most: int) -> tuple[StoredDelivery, ...]:
        """Take up to `most` due deliveries of a flow, and those of replicas whose lease is over; see `Outbox.take`."""
        if await self._reader.one(_ANY, flow, self._process.n) is None:
            return ()

        def work(db: Connection) -> list[Row]:
            n = self._process.enrol(db)
            with db.transaction():
                db.execute(_FREED, (now_ms, n))
                return db.execute(_TAKEN, (flow, now_ms, now_ms + longest_pause_ms, most, n)).fetchall()

        return tuple([_delivery(row) for row in await self._reader.run(work)])

    async def settle(self, settlement: Settlement) -> bool:
        """Record the outcome of an attempt; return false if another one has begun, or the delivery was deleted."""
        one = settlement

        def work(db: Connection) -> bool:
            done_ms = None if one.status == "waiting" else one.at_ms
            parameters = (one.status, one.due_ms, done_ms, escape_text(one.error), one.id, one.attempt)
            row = db.execute(
                "SELECT 1 FROM conversation WHERE n = (SELECT conversation FROM delivery WHERE id = %s) FOR UPDATE",
                (one.id,),
            ).fetchone()
            row = db.execute(_SETTLED, parameters).fetchone()
            if row is not None and one.status != "waiting":
                db.execute(NEXT, (one.at_ms, row[0]))
            return row is not None

        return await self._reader.write(work)

    async def next_due(self, flow: str) -> int | None:
        """Return when the next delivery of a flow is due, in milliseconds since 1970; `None` if none waits."""
        row = await self._reader.one("SELECT min(due_ms) FROM delivery WHERE flow = %s AND due_ms IS NOT NULL", flow)
        return row[0] if row is not None else None

    async def count_open(self, flow: str, most: int) -> int:
        """Return how many deliveries of a flow wait or are being sent, but no more than `most`."""
        row = await self._reader.one(_COUNT_OPEN, flow, most)
        return int(row[0]) if row is not None else 0

    async def find(self, query: DeliveryQuery) -> tuple[StoredDelivery, ...]:
        """Return the deliveries that match a query, the oldest first."""
        chosen = {name: value for name in _FILTERS if (value := getattr(query, name))}
        where = " AND ".join(["one.n > %s", *[_FILTERS[name] for name in chosen]])
        values = [escape_text(value) if isinstance(value, str) else value for value in chosen.values()]
        rows = await self._reader.all(
            f"{_ROW} WHERE {where} ORDER BY one.n LIMIT %s", query.after, *values, query.limit
        )
        return tuple([_delivery(row) for row in rows])

    async def get(self, id: str) -> StoredDelivery | None:  # noqa: A002  the name of the attribute
        """Return the delivery with an id; `None` if there is none."""
        row = await self._reader.one(f"{_ROW} WHERE one.id = %s", escape_text(id))
        return _delivery(row) if row is not None else None

    async def send_again(self, id: str, now_ms: int) -> StoredDelivery | None:  # noqa: A002  as the port
        """Queue a delivery again and return it; `None` if there is no such delivery."""

        def work(db: Connection) -> None:
            row = db.execute("SELECT conversation FROM delivery WHERE id = %s", (escape_text(id),)).fetchone()
            if row is None:
                return
            (conversation,) = row
            db.execute(HOLD, row)
            row = db.execute("SELECT n, status FROM delivery WHERE id = %s FOR UPDATE", (escape_text(id),)).fetchone()
            if row is None or row[1] == "sending":
                return
            n, status = row
            if status == "waiting":
                db.execute("UPDATE delivery SET due_ms = %s WHERE n = %s AND due_ms IS NOT NULL", (now_ms, n))
                return
            db.execute(_AGAIN, (now_ms, n))
            db.execute(_BEHIND, (conversation, n))
            is_head = "SELECT 1 FROM delivery WHERE conversation = %s AND (due_ms IS NOT NULL OR status = 'sending')"
            if db.execute(is_head, (conversation,)).fetchone() is None:
                db.execute(NEXT, (now_ms, conversation))

        await self._reader.write(work)
        return await self.get(id)

    async def queued(self, conversation: str, turns: Collection[int]) -> frozenset[int]:
        """Return the numbers of those of the `turns` that have a delivery which has not failed for good."""
        rows = await self._reader.all(
            "SELECT turn FROM delivery WHERE conversation = (SELECT n FROM conversation WHERE id = %s)"
            " AND turn = ANY(%s) AND status <> 'failed'",
            escape_text(conversation),
            list(turns),
        )
        return frozenset(turn for (turn,) in rows)


def forget(db: Connection, n: int, turn: int, now_ms: int) -> None:
    """Delete the deliveries of conversation number `n` up to and including turn `turn`, whose words are erased."""
    if db.execute("DELETE FROM delivery WHERE conversation = %s AND turn <= %s", (n, turn)).rowcount:
        db.execute(NEXT, (now_ms, n))


def _delivery(row: Row) -> StoredDelivery:
    values: list[Any] = [*row[:2], unescape_text(row[2]), *row[3:-1], unescape_text(row[-1])]
    return StoredDelivery(*values)
