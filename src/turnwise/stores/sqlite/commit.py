"""Writes a commit in one transaction, after checks that a turn has one writer."""

from __future__ import annotations

import sqlite3
from functools import cache

from turnwise.core.state.codec import encode_state
from turnwise.core.state.events import Started
from turnwise.errors import Conflict, Superseded
from turnwise.runner.ports import Commit
from turnwise.stores.sqlite import rows
from turnwise.stores.sqlite.process import Process

_COLUMNS = 6
"""Of an event."""
_MOST_VALUES = 64 * _COLUMNS
"""How many one statement takes; older versions of SQLite know no more than 999."""


class Prepared:
    """A commit, encoded where it was made; the writer compresses what is long, and writes."""

    __slots__ = ("bodies", "commit", "conversation", "first", "kinds", "process", "state", "timers")

    def __init__(self, conversation: str, commit: Commit, process: Process) -> None:
        self.conversation = conversation
        self.commit = commit
        self.process = process
        self.first = commit.entries[0].seq
        self.kinds = bytes([rows.kind_of(entry.event) for entry in commit.entries])
        self.bodies = [rows.body_of(entry.event) for entry in commit.entries]
        state = commit.state
        self.state = encode_state(state) if state is not None else None
        self.timers = [(timer.due_ms, rows.timer_blob(timer)) for timer in state.timers] if state is not None else []

    def __call__(self, db: sqlite3.Connection) -> None:
        """Check, then write. Nothing is written where a check fails."""
        write(db, self, self.process)


def write(db: sqlite3.Connection, prepared: Prepared, process: Process) -> None:
    """Check, then write. Nothing is written where a check fails."""
    commit = prepared.commit
    row = db.execute("SELECT n, seq FROM conversation WHERE id = ?", (prepared.conversation,)).fetchone()
    n, seq = row if row is not None else (0, 0)
    is_claimed = _check(db, prepared, process, n, seq)
    if row is None:
        n = _begin(db, prepared)
    _append(db, prepared, n)
    if commit.receipt is not None:
        receipt = commit.receipt
        db.execute("INSERT INTO inbox VALUES (?, ?, ?, ?)", (n, receipt.key, receipt.body, receipt.turn))
    if prepared.state is not None:
        _end_turn(db, prepared, process, n, is_claimed=is_claimed)
    elif commit.part != "next":
        db.execute("INSERT OR REPLACE INTO claim VALUES (?, ?)", (n, process.claims(db, n, commit.fence)))


def _append(db: sqlite3.Connection, prepared: Prepared, n: int) -> None:
    """The rows of the entries, many with each statement: that takes two thirds of the time of one by one."""
    values: list[object] = []
    for entry, kind, body in zip(prepared.commit.entries, prepared.kinds, prepared.bodies, strict=True):
        values += (n, entry.seq, entry.turn, entry.at_ms, kind, rows.pack(body))
    for begin in range(0, len(values), _MOST_VALUES):
        some = values[begin : begin + _MOST_VALUES]
        db.execute(_insertion(len(some) // _COLUMNS), some)


@cache
def _insertion(entries: int) -> str:
    return f"INSERT INTO event VALUES {', '.join(['(?, ?, ?, ?, ?, ?)'] * entries)}"


def _check(db: sqlite3.Connection, prepared: Prepared, process: Process, n: int, seq: int) -> bool:
    """Refuse what does not follow; true where a turn of the conversation is claimed."""
    name, part = prepared.conversation, prepared.commit.part
    claim = db.execute("SELECT process FROM claim WHERE conversation = ?", (n,)).fetchone()
    if part == "first":
        if claim is not None:
            raise Conflict(f"{name}: a turn is under way")
    elif part == "next" and (claim is None or claim[0] != process.n or not process.holds(n, prepared.commit.fence)):
        raise Superseded(f"{name}: another process or another run has the turn, or none is under way")
    else:
        (seq,) = db.execute("SELECT max(seq) FROM event WHERE conversation = ?", (n,)).fetchone()
    if prepared.first != seq + 1:
        kind = Superseded if part == "next" else Conflict
        raise kind(f"{name}: entry {prepared.first} does not follow {seq}")
    return claim is not None


def _begin(db: sqlite3.Connection, prepared: Prepared) -> int:
    """The row of a conversation that begins: with `Started`, or whole, with a journal from elsewhere."""
    entry = prepared.commit.entries[0]
    begins = entry.event if isinstance(entry.event, Started) else prepared.commit.state
    assert begins is not None, "a journal begins with `Started`, or has its state"
    started = (prepared.conversation, begins.flow, begins.fingerprint, entry.at_ms, entry.at_ms)
    sql = "INSERT INTO conversation (id, flow, fingerprint, began_ms, at_ms, seq) VALUES (?, ?, ?, ?, ?, 0)"
    n = db.execute(sql, started).lastrowid
    assert n is not None
    return n


def _end_turn(db: sqlite3.Connection, prepared: Prepared, process: Process, n: int, *, is_claimed: bool) -> None:
    """State and timers are those of the turn's end, and the claim is given back."""
    state = prepared.commit.state
    assert state is not None
    assert prepared.state is not None
    db.execute(
        "UPDATE conversation SET fingerprint = ?, at_ms = ?, seq = ?, state = ? WHERE n = ?",
        (state.fingerprint, state.at_ms, state.seq, rows.pack(prepared.state), n),
    )
    db.execute("DELETE FROM timer WHERE conversation = ?", (n,))
    if prepared.timers:
        db.executemany("INSERT INTO timer VALUES (?, ?, ?)", [(n, *row) for row in prepared.timers])
    if is_claimed:
        db.execute("DELETE FROM claim WHERE conversation = ?", (n,))
        process.releases(n)


def forget(db: sqlite3.Connection, conversation: str) -> bool:
    """Delete every row of a conversation; false where there is none."""
    row = db.execute("SELECT n FROM conversation WHERE id = ?", (conversation,)).fetchone()
    if row is None:
        return False
    for table in ("event", "inbox", "timer", "claim"):
        db.execute(f"DELETE FROM {table} WHERE conversation = ?", row)
    db.execute("DELETE FROM conversation WHERE n = ?", row)
    return True
