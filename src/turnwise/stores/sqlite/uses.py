"""Counts which nodes, transitions and tools conversations use, in tables of the file; in memory if it is read-only.

A trigger notes each conversation whose state is written as uncounted, in the transaction of its turn. What its entries
use is counted later, when the counts are asked for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from turnwise.runner.uses import Uncounted, UseCount, Uses
from turnwise.stores.sqlite.reader import Reader
from turnwise.stores.uses import UsesInMemory

_UNCOUNTED = (
    "SELECT id, flow, coalesce(counted.seq, 0), conversation.seq, coalesce(counted.fingerprint, ''),"
    " coalesce(counted.version, 0) FROM uncounted JOIN conversation ON conversation.n = uncounted.conversation"
    " LEFT JOIN counted ON counted.conversation = uncounted.conversation LIMIT ?"
)
_STANDING = (
    "SELECT n, conversation.seq, coalesce(counted.seq, 0) FROM conversation"
    " LEFT JOIN counted ON counted.conversation = n WHERE id = ?"
)
_ITEM = "flow = ? AND kind = ? AND name = ? AND version = ?"
_USED = (
    f"INSERT INTO conversation_use SELECT ?, n, ? FROM use WHERE {_ITEM}"
    " ON CONFLICT (conversation, item) DO UPDATE SET count = count + excluded.count"
)
_COUNTS = "SELECT kind, name, version, count, conversations FROM use WHERE flow = ? AND conversations > 0"


def uncounted(reader: Reader, most: int) -> tuple[Uncounted, ...]:
    """Return up to `most` conversations with ended turns whose uses of nodes, transitions, tools are uncounted."""
    return tuple([Uncounted(*row) for row in reader.all(_UNCOUNTED, most)])


def add(db: sqlite3.Connection, found: Iterable[Uses]) -> None:
    """Add the uses of entries to the counts, except what another process has counted, and deleted conversations."""
    for one in found:
        at = one.uncounted
        row = db.execute(_STANDING, (at.conversation,)).fetchone()
        if row is None or row[2] != at.after or row[1] < at.until:
            continue
        n, seq, _ = row
        if one.replaces:
            db.execute("DELETE FROM conversation_use WHERE conversation = ?", (n,))
        items = [((at.flow, *key), count) for key, count in one.counts.items()]
        insertion = "INSERT OR IGNORE INTO use (flow, kind, name, version) VALUES (?, ?, ?, ?)"
        db.executemany(insertion, [item for item, _ in items])
        db.executemany(_USED, [(n, count, *item) for item, count in items])
        db.execute("INSERT OR REPLACE INTO counted VALUES (?, ?, ?, ?)", (n, at.until, one.fingerprint, one.version))
        if at.until == seq:
            db.execute("DELETE FROM uncounted WHERE conversation = ?", (n,))


def counts(reader: Reader, flow: str, kind: str) -> tuple[UseCount, ...]:
    """Return how often each thing of a flow was used, of one kind or, if empty, of all."""
    found = reader.all(f"{_COUNTS} AND kind = ?", flow, kind) if kind else reader.all(_COUNTS, flow)
    return tuple([UseCount(*row) for row in found])


class UsesOfUnwritable(UsesInMemory):
    """Counts the uses of a file that can only be read: each process counts them anew, in memory."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self._reader = reader

    def of_file(self, most: int) -> tuple[Uncounted, ...]:
        """Return up to `most` conversations of the file whose uses this process has not counted yet."""
        stored = self._reader.all("SELECT id, flow, seq FROM conversation ORDER BY n")
        return self.uncounted([(name, flow, seq) for name, flow, seq in stored], most)
