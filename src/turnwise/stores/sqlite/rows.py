"""Rows of the database: entries, states and timers, and the transaction that writes a commit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from msgspec.json import encode

from turnwise.core.state import State
from turnwise.core.state.codec import encode_state
from turnwise.core.state.erased_words import CLOSING_EVENTS, words_due
from turnwise.core.state.events import Entry, Started
from turnwise.errors import Conflict, Superseded
from turnwise.runner.ports import Commit
from turnwise.runner.search import node_and_status
from turnwise.stores.encoded import NUMBER_OF_KIND, kind_of, pack
from turnwise.stores.sqlite import deliveries
from turnwise.stores.sqlite.process import Process
from turnwise.stores.sqlite.short_commits import MOST_BYTES

_COLUMNS = 7
"""How many columns an event has."""
_MOST_VALUES = 64 * _COLUMNS
"""How many values one statement takes; older versions of SQLite take at most 999."""


class _Stored(NamedTuple):
    """What a commit must know of the conversation as it is stored: one statement reads it, for each statement costs as
    much as what it does.
    """

    n: int = 0
    """Its number, 0 where there is no such conversation."""
    seq: int = 0
    """The position of its state."""
    node: str | None = None
    status: str | None = None
    waits: str | None = None
    claim: int | None = None
    """The process that has claimed its turn."""
    has_timers: int = 0


_NOTHING = _Stored()
_STORED = (
    "SELECT n, seq, node, status, waits, process, EXISTS (SELECT 1 FROM timer WHERE timer.conversation = n)"
    " FROM conversation LEFT JOIN claim ON claim.conversation = n WHERE id = ?"
)

_ARM = "INSERT INTO timer SELECT ?, ?, ?, version.n FROM version WHERE flow = ? AND fingerprint = ?"


class Prepared:
    """A commit, encoded by its caller. The writer calls the object to write the commit, in a transaction."""

    __slots__ = ("bodies", "commit", "conversation", "first_position", "kinds", "process", "state", "timers")

    def __init__(self, conversation: str, commit: Commit, process: Process) -> None:
        self.conversation = conversation
        self.commit = commit
        self.process = process
        self.first_position = commit.entries[0].seq
        self.kinds = bytes(
            [kind_of(entry.event) if type(entry.event) in NUMBER_OF_KIND else 0 for entry in commit.entries]
        )
        self.bodies = [encode(entry.event) for entry in commit.entries]
        state = commit.state
        self.state = encode_state(state) if state is not None else None
        self.timers = [(timer.due_ms, encode(timer)) for timer in state.due_timers] if state is not None else []

    @property
    def ends_turn(self) -> bool:
        """Whether the commit has the state after a whole turn, and its caller waits for it."""
        return self.state is not None

    @property
    def is_short(self) -> bool:
        """Whether the commit has so little data that its length adds no time to writing it."""
        return sum(map(len, self.bodies)) + len(self.state or b"") <= MOST_BYTES

    def __call__(self, db: sqlite3.Connection) -> None:
        """Check, then write. Nothing is written if a check fails."""
        commit, process = self.commit, self.process
        row = db.execute(_STORED, (self.conversation,)).fetchone()
        stored = _Stored(*row) if row is not None else _NOTHING
        self._check(db, stored)
        n = stored.n or self._begin(db)
        self._append(db, n)
        if commit.receipt is not None:
            receipt = commit.receipt
            db.execute("INSERT INTO inbox VALUES (?, ?, ?, ?)", (n, receipt.key, receipt.body, receipt.turn))
        if commit.state is not None and self.state is not None:
            self._end_turn(db, n, commit.state, self.state, stored)
            if commit.delivery:
                deliveries.add(db, n, commit.delivery, commit.state)
            process.beat(db)  # other processes must see each one that runs turns
        elif commit.part != "next":
            db.execute("INSERT OR REPLACE INTO claim VALUES (?, ?)", (n, process.claim(db, n, commit.fence)))

    def _check(self, db: sqlite3.Connection, stored: _Stored) -> None:
        """Refuse a commit that does not follow what is stored."""
        name, part, process, n, seq = self.conversation, self.commit.part, self.process, stored.n, stored.seq
        if part == "first":
            if stored.claim is not None:
                raise Conflict(f"{name}: a turn is under way")
        elif part == "next" and (
            stored.claim is None or stored.claim != process.n or not process.holds(n, self.commit.fence)
        ):
            raise Superseded(f"{name}: another process or another run has the turn, or none is under way")
        elif part == "takeover" and self._is_alive(db, stored):
            raise Conflict(f"{name}: a turn is under way in another process")
        else:
            (seq,) = db.execute("SELECT max(seq) FROM event WHERE conversation = ?", (n,)).fetchone()
        if self.first_position != seq + 1:
            kind = Superseded if part == "next" else Conflict
            raise kind(f"{name}: entry {self.first_position} does not follow {seq}")

    def _is_alive(self, db: sqlite3.Connection, stored: _Stored) -> bool:
        """Return whether another process has the turn and is alive; it may have come back since it was found dead."""
        if stored.claim is None or stored.claim == self.process.n:
            return False
        row = db.execute("SELECT host, pid, token, beat_s FROM process WHERE n = ?", (stored.claim,)).fetchone()
        return row is not None and self.process.is_alive(*row)

    def _begin(self, db: sqlite3.Connection) -> int:
        """Insert a conversation that begins with `Started`, or that is imported with its state; return its number."""
        entry = self.commit.entries[0]
        begins = entry.event if isinstance(entry.event, Started) else self.commit.state
        assert begins is not None, "a journal begins with `Started`, or has its state"
        started = (self.conversation, begins.flow, begins.fingerprint, entry.at_ms, entry.at_ms)
        sql = "INSERT INTO conversation (id, flow, fingerprint, began_ms, at_ms, seq) VALUES (?, ?, ?, ?, ?, 0)"
        n = db.execute(sql, started).lastrowid
        assert n is not None
        return n

    def _append(self, db: sqlite3.Connection, n: int) -> None:
        """Insert the entries, many with each statement: that takes two thirds of the time of one by one. For each
        parameter that is `bytes` the module `sqlite3` searches an adapter, for a `bytearray` it does not; both become
        the same blob.
        """
        values: list[object] = []
        for entry, kind, body in zip(self.commit.entries, self.kinds, self.bodies, strict=True):
            values += (n, entry.seq, entry.turn, entry.at_ms, kind, bytearray(pack(body)), entry.frame)
            if type(entry.event) in CLOSING_EVENTS:
                for frame, due_ms in words_due(entry):
                    db.execute("INSERT INTO closing VALUES (?, ?, ?, ?)", (n, entry.seq, frame, due_ms))
        for begin in range(0, len(values), _MOST_VALUES):
            some = values[begin : begin + _MOST_VALUES]
            db.execute(_insertion(len(some) // _COLUMNS), some)

    def _end_turn(self, db: sqlite3.Connection, n: int, state: State, blob: bytes, stored: _Stored) -> None:
        """Write the state and the timers of the end of the turn, and release the claim."""
        standing, written = node_and_status(state), (state.fingerprint, state.at_ms, state.seq, pack(blob))
        if standing == (stored.node, stored.status, stored.waits):  # most turns change no indexed column
            db.execute(_UPDATE.format(""), (*written, n))
        else:
            db.execute(_UPDATE.format(", node = ?, status = ?, waits = ?"), (*written, *standing, n))
        if stored.has_timers:
            db.execute("DELETE FROM timer WHERE conversation = ?", (n,))
        if self.timers:
            self._arm(db, n, (state.flow, state.fingerprint))
        if stored.claim is not None:
            db.execute("DELETE FROM claim WHERE conversation = ?", (n,))
            self.process.releases(n)

    def _arm(self, db: sqlite3.Connection, n: int, version: tuple[str, str]) -> None:
        """Write the timers; the first time also the version of the flow that they have."""
        found = [(n, *timer, *version) for timer in self.timers]
        if db.executemany(_ARM, found).rowcount < len(found):
            db.execute("INSERT INTO version (flow, fingerprint) VALUES (?, ?)", version)
            db.executemany(_ARM, found)


_UPDATE = "UPDATE conversation SET fingerprint = ?, at_ms = ?, seq = ?, state = ?{} WHERE n = ?"


@cache
def _insertion(entries: int) -> str:
    return f"INSERT INTO event VALUES {', '.join(['(?, ?, ?, ?, ?, ?, ?)'] * entries)}"


def forget(db: sqlite3.Connection, conversation: str) -> bool:
    """Delete every row of a conversation from the database; return false if there is no such conversation."""
    row = db.execute("SELECT n FROM conversation WHERE id = ?", (conversation,)).fetchone()
    if row is None:
        return False
    for table in ("event", "inbox", "timer", "claim", "closing", "delivery", "lease"):
        db.execute(f"DELETE FROM {table} WHERE conversation = ?", row)
    db.execute("DELETE FROM conversation WHERE n = ?", row)
    return True


def rewrite(db: sqlite3.Connection, n: int, entries: Iterable[Entry]) -> int:
    """Replace the stored entries of conversation number `n` at the positions of these entries; return how many."""
    changed = [(kind_of(entry.event), pack(encode(entry.event)), n, entry.seq) for entry in entries]
    db.executemany("UPDATE event SET kind = ?, body = ? WHERE conversation = ? AND seq = ?", changed)
    return len(changed)
