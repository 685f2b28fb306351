"""Erases the words inside closed scopes whose time is over, scope by scope, each in a transaction."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from turnwise.core.state.erased_words import erasure_of_words, without_words, words_due
from turnwise.errors import StoreFailed, StoreUnavailable
from turnwise.stores import encoded
from turnwise.stores.sqlite import rows
from turnwise.stores.sqlite.reader import Reader
from turnwise.stores.sqlite.writer import Work

_log = logging.getLogger("turnwise.stores.sqlite")

Write = Callable[[Work], Awaitable[Any]]
"""A function that runs work in the thread that writes, in one transaction, and returns its result."""

_DUE = (
    "SELECT closing.conversation, closing.seq, closing.frame FROM closing"
    " JOIN conversation ON conversation.n = closing.conversation"
    " WHERE due_ms <= ?1 AND closing.seq <= conversation.seq AND (?2 IS NULL OR conversation.id = ?2)"
    " ORDER BY due_ms LIMIT 200"
)
_ENTRIES = f"SELECT {encoded.ENTRY_COLUMNS} FROM event WHERE conversation = ? AND seq BETWEEN ? AND ? ORDER BY seq"


async def erase_words(reader: Reader, write: Write, now_ms: int, conversation: str | None) -> int:
    """Erase the words of closed scopes whose time is over, of one conversation or of all; return how many scopes.
    A damaged conversation is left unchanged, and not tried again.
    """
    found = 0
    while due := await asyncio.to_thread(reader.all, _DUE, now_ms, conversation):
        for n, seq, frame in due:
            try:
                found += await write(partial(_erase, reader=reader, n=n, seq=seq, frame=frame, now_ms=now_ms))
            except StoreUnavailable:
                raise
            except StoreFailed as failed:
                _log.error("the words of a scope in conversation number %d stay: %s", n, failed)
                await write(partial(_forget, n=n, seq=seq, frame=frame))
    return found


def _erase(db: sqlite3.Connection, reader: Reader, n: int, seq: int, frame: int, now_ms: int) -> int:
    """Erase the words of one scope, unless an undo opened it again: then its next closing counts."""
    _forget(db, n, seq, frame)
    row = db.execute("SELECT state FROM conversation WHERE n = ?", (n,)).fetchone()
    entries = reader.decode(encoded.entries_of, db.execute(_ENTRIES, (n, frame, seq)))
    if row is None or row[0] is None or not entries or frame not in [due for due, _ in words_due(entries[-1])]:
        return 0
    if any(one.id == frame for one in reader.decode(encoded.state_of, row[0]).frames):
        return 0
    rows.rewrite(db, n, without_words(entries, frame, erasure_of_words(entries[-1], frame, now_ms)))
    return 1


def _forget(db: sqlite3.Connection, n: int, seq: int, frame: int) -> None:
    db.execute("DELETE FROM closing WHERE conversation = ? AND seq = ? AND frame = ?", (n, seq, frame))
