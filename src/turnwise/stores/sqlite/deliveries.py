"""Writes and erases rows of the table `delivery`: when a turn ends, and when its words are erased."""

from __future__ import annotations

import sqlite3

from turnwise.core.state import State

IS_OPEN = "status IN ('waiting', 'sending')"
"""The condition of the deliveries that still wait or are being sent."""
MAKE_NEXT_DUE = (
    "UPDATE delivery SET due_ms = ?2 WHERE status = 'waiting' AND due_ms IS NULL AND n ="
    f" (SELECT min(n) FROM delivery WHERE conversation = ?1 AND {IS_OPEN})"
)
"""The statement that makes the oldest open delivery of a conversation due."""


def add(db: sqlite3.Connection, n: int, id_: str, state: State) -> None:
    """Add the delivery, with the id `id_`, of a turn that ends; it is due at once if its conversation has no other open
    delivery.
    """
    is_blocked = db.execute(f"SELECT 1 FROM delivery WHERE conversation = ? AND {IS_OPEN} LIMIT 1", (n,)).fetchone()
    due_ms = None if is_blocked else state.at_ms
    db.execute(
        "INSERT INTO delivery (conversation, id, flow, turn, seq, at_ms, status, due_ms, since_ms)"
        " VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, ?)",
        (n, id_, state.flow, state.turn, state.seq, state.at_ms, due_ms, state.at_ms),
    )


def forget(db: sqlite3.Connection, n: int, turn: int, now_ms: int) -> None:
    """Delete the deliveries of conversation number `n` up to and including turn `turn`, whose words are erased."""
    if db.execute("DELETE FROM delivery WHERE conversation = ? AND turn <= ?", (n, turn)).rowcount:
        db.execute(MAKE_NEXT_DUE, (n, now_ms))
