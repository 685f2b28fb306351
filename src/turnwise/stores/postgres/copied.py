"""What a store offers so that it can be copied: receipts, deliveries and settings are read and added as they are."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from turnwise.runner.outbox_port import StoredDelivery
from turnwise.runner.ports import Receipt, Setting
from turnwise.stores.postgres.commit import escape_text, unescape_text
from turnwise.stores.postgres.connect import Connection
from turnwise.stores.postgres.reader import Reader

_NUMBER = "(SELECT n FROM conversation WHERE id = %s)"
_RECEIPTS = f"SELECT key, body, turn FROM inbox WHERE conversation = {_NUMBER} ORDER BY turn, key"
_KEEP_RECEIPT = (
    f"INSERT INTO inbox (conversation, key, body, turn) VALUES ({_NUMBER}, %s, %s, %s) ON CONFLICT DO NOTHING"
)
_KEEP_DELIVERY = (
    "INSERT INTO delivery (conversation, id, flow, turn, seq, at_ms, status, attempts, due_ms, since_ms, done_ms,"
    f" error) VALUES ({_NUMBER}, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING"
)
_SETTINGS = "SELECT flow, name, data, who, at_ms FROM setting ORDER BY n"
_KEEP_SETTING = (
    "INSERT INTO setting (flow, name, data, who, at_ms) SELECT one.* FROM"
    " (SELECT %s::text, %s::text, %s::text, %s::text, %s::bigint) AS one (flow, name, data, who, at_ms)"
    " WHERE NOT EXISTS (SELECT 1 FROM setting WHERE setting.flow = one.flow AND setting.name = one.name"
    " AND setting.data = one.data AND setting.who = one.who AND setting.at_ms = one.at_ms)"
)


async def receipts(reader: Reader, conversation: str) -> tuple[Receipt, ...]:
    """Return the receipts of all idempotency keys of a conversation, in order of their turns."""
    found = await reader.all(_RECEIPTS, escape_text(conversation))
    return tuple([Receipt(unescape_text(key), unescape_text(body), turn) for key, body, turn in found])


def keep_receipts(db: Connection, conversation: str, found: Sequence[Receipt]) -> None:
    """Add those receipts of a conversation that the database does not have yet."""
    rows = [(escape_text(conversation), escape_text(one.key), escape_text(one.body), one.turn) for one in found]
    with db.pipeline():
        for row in rows:
            db.execute(_KEEP_RECEIPT, row)


def keep_deliveries(db: Connection, found: Sequence[StoredDelivery]) -> None:
    """Add those deliveries that the database does not have yet."""
    with db.pipeline():
        for one in found:
            db.execute(_KEEP_DELIVERY, _row(one))


def _row(one: StoredDelivery) -> tuple[object, ...]:
    placed = (escape_text(one.conversation), one.id, one.flow, one.turn, one.seq, one.at_ms)
    return (*placed, one.status, one.attempts, one.due_ms, one.since_ms, one.done_ms, escape_text(one.error))


async def all_settings(reader: Reader) -> tuple[Setting, ...]:
    """Return every setting of any flow with its history, in the order in which they were set."""
    rows = await reader.all(_SETTINGS)
    return tuple(
        [
            Setting(unescape_text(flow), unescape_text(name), msgspec.json.decode(data), unescape_text(who), at)
            for flow, name, data, who, at in rows
        ]
    )


def keep_settings(db: Connection, found: Sequence[Setting]) -> None:
    """Add those settings of flows that the database does not have yet."""
    with db.pipeline():
        for one in found:
            data = msgspec.json.encode(one.data).decode()
            db.execute(
                _KEEP_SETTING, (escape_text(one.flow), escape_text(one.name), data, escape_text(one.by), one.at_ms)
            )
