"""Erases the words inside closed scopes whose time is over, scope by scope, each in a transaction."""

from __future__ import annotations

import logging
from functools import partial

from turnwise.core.state.erased_words import erasure_of_words, without_words, words_due
from turnwise.errors import StoreFailed, StoreUnavailable
from turnwise.stores.encoded import entries_of, state_of
from turnwise.stores.postgres.commit import escape_text
from turnwise.stores.postgres.connect import Connection
from turnwise.stores.postgres.journal import ENTRY
from turnwise.stores.postgres.reader import Reader
from turnwise.stores.postgres.rewrite import rewrite

_log = logging.getLogger("turnwise.stores.postgres")

_DUE = (
    "SELECT closing.conversation, closing.seq, closing.frame FROM closing"
    " JOIN conversation ON conversation.n = closing.conversation"
    " WHERE due_ms <= %s AND closing.seq <= conversation.seq {} ORDER BY due_ms LIMIT 200"
)
_ENTRIES = f"SELECT {ENTRY} FROM event WHERE conversation = %s AND seq BETWEEN %s AND %s ORDER BY seq"


async def erase_words(reader: Reader, now_ms: int, conversation: str | None) -> int:
    """Erase the words of closed scopes whose time is over, of one conversation or of all; return how many scopes.
    A damaged conversation is left unchanged, and not tried again.
    """
    sql, values = (_DUE.format(""), (now_ms,))
    if conversation is not None:
        sql, values = _DUE.format("AND conversation.id = %s"), (now_ms, escape_text(conversation))
    found = 0
    while due := await reader.all(sql, *values):
        for n, seq, frame in due:
            try:
                found += await reader.write(partial(_erase, reader=reader, n=n, seq=seq, frame=frame, now_ms=now_ms))
            except StoreUnavailable:
                raise
            except StoreFailed as failed:
                _log.error("the words of a scope in conversation number %d stay: %s", n, failed)
                await reader.write(partial(_forget, n=n, seq=seq, frame=frame))
    return found


def _erase(db: Connection, reader: Reader, n: int, seq: int, frame: int, now_ms: int) -> int:
    """Erase the words of one scope, unless an undo opened it again: then its next closing counts."""
    row = db.execute("SELECT state FROM conversation WHERE n = %s FOR UPDATE", (n,)).fetchone()
    if not _forget(db, n, seq, frame):
        return 0  # another replica has erased them
    entries = reader.decode(entries_of, db.execute(_ENTRIES, (n, frame, seq)))
    if row is None or row[0] is None or not entries or frame not in [due for due, _ in words_due(entries[-1])]:
        return 0
    if any(one.id == frame for one in reader.decode(state_of, row[0]).frames):
        return 0
    rewrite(db, n, without_words(entries, frame, erasure_of_words(entries[-1], frame, now_ms)))
    return 1


def _forget(db: Connection, n: int, seq: int, frame: int) -> int:
    return db.execute(
        "DELETE FROM closing WHERE conversation = %s AND seq = %s AND frame = %s", (n, seq, frame)
    ).rowcount
