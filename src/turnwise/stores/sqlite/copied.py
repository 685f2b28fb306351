"""What a store offers so that it can be copied: receipts, deliveries and settings are read and added as they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec

from turnwise.runner.outbox_port import StoredDelivery
from turnwise.runner.ports import Receipt, Setting
from turnwise.stores.sqlite.reader import Reader

_NUMBER = "(SELECT n FROM conversation WHERE id = ?)"
_RECEIPTS = f"SELECT key, body, turn FROM inbox WHERE conversation = {_NUMBER} ORDER BY turn, key"
_KEEP_RECEIPT = f"INSERT OR IGNORE INTO inbox VALUES ({_NUMBER}, ?, ?, ?)"
_KEEP_DELIVERY = (
    "INSERT OR IGNORE INTO delivery (conversation, id, flow, turn, seq, at_ms, status, attempts, due_ms, since_ms,"
    f" done_ms, error) VALUES ({_NUMBER}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_SETTINGS = "SELECT flow, name, data, who, at_ms FROM setting ORDER BY n"
_KEEP_SETTING = (
    "INSERT INTO setting (flow, name, data, who, at_ms) SELECT ?1, ?2, ?3, ?4, ?5 WHERE NOT EXISTS"
    " (SELECT 1 FROM setting WHERE flow = ?1 AND name = ?2 AND data = ?3 AND who = ?4 AND at_ms = ?5)"
)


def receipts(reader: Reader, conversation: str) -> tuple[Receipt, ...]:
    """Return the receipts of all idempotency keys of a conversation, in order of their turns."""
    return tuple([Receipt(*row) for row in reader.all(_RECEIPTS, conversation)])


def keep_receipts(db: sqlite3.Connection, conversation: str, found: Sequence[Receipt]) -> None:
    """Add those receipts of a conversation that the database does not have yet."""
    db.executemany(_KEEP_RECEIPT, [(conversation, one.key, one.body, one.turn) for one in found])


def keep_deliveries(db: sqlite3.Connection, found: Sequence[StoredDelivery]) -> None:
    """Add those deliveries that the database does not have yet."""
    db.executemany(_KEEP_DELIVERY, [_row(one) for one in found])


def _row(one: StoredDelivery) -> tuple[object, ...]:
    placed = (one.conversation, one.id, one.flow, one.turn, one.seq, one.at_ms)
    return (*placed, one.status, one.attempts, one.due_ms, one.since_ms, one.done_ms, one.error)


def all_settings(reader: Reader) -> tuple[Setting, ...]:
    """Return every setting of any flow with its history, in the order in which they were set."""
    rows = reader.all(_SETTINGS)
    return tuple([Setting(flow, name, msgspec.json.decode(data), who, at) for flow, name, data, who, at in rows])


def keep_settings(db: sqlite3.Connection, found: Sequence[Setting]) -> None:
    """Add those settings of flows that the database does not have yet."""
    rows = [(one.flow, one.name, msgspec.json.encode(one.data).decode(), one.by, one.at_ms) for one in found]
    db.executemany(_KEEP_SETTING, rows)
