"""Records which process runs a turn, and whether that process is alive.

A process that ended is known to be dead at once: its number is gone, or belongs to another one. A process that hangs or
is stopped writes no beat, and counts as dead when its last beat is too old. Beats are read from the clock that all
processes of a machine share and that no one can set.

A beat may also be missing because the file was locked, or because the whole machine stood still. So a process counts as
silent only if the one that judges it could write the file itself, and sees the same beat for a while after that.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import time

from turnwise.stores.system import machine_id, process_exists

_LIVE: set[str] = set()
"""The tokens of the stores that this process has open."""
_AT_WORK = (
    "(SELECT process FROM claim"
    " UNION ALL SELECT process FROM delivery WHERE status = 'sending' AND process IS NOT NULL)"
)
"""The processes that run a turn or send a delivery. Their rows stay, so that no other process gets their numbers."""
_IS_SENDING = "SELECT 1 FROM delivery WHERE status = 'sending' AND process = ? LIMIT 1"


class _Doubt:
    """A beat of another process that is late, and when this process first wrote the file after it had noticed that."""

    __slots__ = ("beat_s", "wrote_s")

    def __init__(self, beat_s: float) -> None:
        self.beat_s = beat_s
        self.wrote_s: float | None = None


class Process:
    """The row of this store in the table of processes. A process without a beat for `timeout_s` seconds is dead."""

    def __init__(self, timeout_s: float, *, can_write: bool = True) -> None:
        self.timeout_s = timeout_s
        self.can_write = can_write
        self.token = secrets.token_hex(8)
        self.host = machine_id()
        self.pid = os.getpid()
        self.n: int | None = None
        self._kept: int | None = None
        self._last_beat_s = 0.0
        self._kept_beat_s = 0.0
        """The last beat that was committed."""
        self._claimed: set[int] = set()
        self._fences: dict[int, int] = {}
        """The fencing token of each turn that this process has claimed. The claims table need not know it: the tokens
        only distinguish the runs of this process, and end with it."""
        self._former: dict[int, int | None] = {}
        """What the transaction under way has changed of the tokens."""
        self.is_sending = False
        """Whether this process sends deliveries, as of the last beat or later."""
        self._doubts: dict[str, _Doubt] = {}
        _LIVE.add(self.token)

    @property
    def is_forked(self) -> bool:
        """True in a forked child of the process that opened the store."""
        return os.getpid() != self.pid

    @property
    def wants_to_beat(self) -> bool:
        """True while a turn is claimed or a delivery is sent: others should see that this process is alive."""
        return self.is_sending or bool(self._claimed)

    @property
    def beat_s(self) -> float:
        """The time between two beats (signs of life in the file), in seconds."""
        return self.timeout_s / 4

    def claim(self, db: sqlite3.Connection, conversation: int, fence: int) -> int:
        """Claim a conversation's turn for the run with this token; return this process's number in the table."""
        self.beat(db)
        self._claimed.add(conversation)
        self._former.setdefault(conversation, self._fences.get(conversation))
        self._fences[conversation] = fence
        assert self.n is not None
        return self.n

    def holds(self, conversation: int, fence: int) -> bool:
        """Whether the run with this fencing token was the last one of this process to claim the turn."""
        return self._fences.get(conversation) == fence

    def certainly_holds(self, fence: int) -> bool:
        """Return whether the run with this token has its turn, and no other process may take it over soon.
        The last sign of life is recent enough for that.
        """
        return fence in tuple(self._fences.values()) and time.monotonic() - self._kept_beat_s < self.timeout_s / 2

    def confirms(self, db: sqlite3.Connection, fence: int) -> bool:
        """Write a beat (a sign of life), and return whether the run with this token still has its turn."""
        self._last_beat_s = 0.0
        self.beat(db)
        return fence in self._fences.values()

    def releases(self, conversation: int) -> None:
        """Release the claim of a conversation's turn."""
        self._claimed.discard(conversation)
        self._former.setdefault(conversation, self._fences.get(conversation))
        self._fences.pop(conversation, None)

    def beat(self, db: sqlite3.Connection) -> None:
        """Write a beat (a sign of life), unless the last one is recent. A row that was removed is inserted again."""
        now = time.monotonic()
        if self.n is not None and now - self._last_beat_s < self.beat_s:
            return
        if self.n is None or not db.execute("UPDATE process SET beat_s = ? WHERE n = ?", (now, self.n)).rowcount:
            self.n = self._enrolled(db, now)
        self._last_beat_s = now
        claimed = db.execute("SELECT conversation FROM claim WHERE process = ?", (self.n,))
        self._claimed = {conversation for (conversation,) in claimed}
        for taken_over in self._fences.keys() - self._claimed:
            self._former.setdefault(taken_over, self._fences.pop(taken_over))
        self.is_sending = db.execute(_IS_SENDING, (self.n,)).fetchone() is not None

    def _enrolled(self, db: sqlite3.Connection, now: float) -> int:
        """Insert a row for this process, and delete those of processes that have ended and are not at work."""
        found = db.execute(f"SELECT n, host, pid, token, beat_s FROM process WHERE n NOT IN {_AT_WORK}")
        ended = [(n,) for n, *process in found.fetchall() if not self.may_come_back(*process)]
        db.executemany("DELETE FROM process WHERE n = ?", ended)
        sql = "INSERT INTO process (host, pid, token, beat_s) VALUES (?, ?, ?, ?)"
        n = db.execute(sql, (self.host, os.getpid(), self.token, now)).lastrowid
        assert n is not None
        return n

    def note_commit(self) -> None:
        """Record that a transaction of this process was committed."""
        self._kept, self._kept_beat_s = self.n, self._last_beat_s
        self._former.clear()
        for doubt in tuple(self._doubts.values()):
            if doubt.wrote_s is None:
                doubt.wrote_s = time.monotonic()

    def note_rollback(self) -> None:
        """Record that a transaction was rolled back, and with it the beat and maybe the row of this process."""
        self.n = self._kept
        self._last_beat_s = 0.0
        for conversation, fence in self._former.items():
            if fence is None:
                self._fences.pop(conversation, None)
            else:
                self._fences[conversation] = fence
        self._former.clear()

    def is_alive(self, host_: str, pid: int, token: str, beat_s: float) -> bool:
        """Return whether the process of a row in the table of processes is alive, by the columns of the row: machine,
        process id, token of the store, and time of the last beat (sign of life).
        """
        if host_ == self.host and pid == os.getpid():
            return token in _LIVE
        return self._exists(host_, pid) and not self._is_silent(token, beat_s, time.monotonic())

    def _is_silent(self, token: str, beat_s: float, now_s: float) -> bool:
        """Return whether a process that exists has written no beat for `timeout_s`, though it could: this process has
        written the file after it had noticed, and two beats later there is still none.
        """
        age_s = now_s - beat_s
        if beat_s < 0:  # it has left
            return True
        if not self.can_write:  # it takes nothing over
            return not 0 <= age_s <= self.timeout_s
        if 0 <= age_s <= 2 * self.beat_s:
            self._doubts.pop(token, None)
            return False
        doubt = self._doubts.get(token)
        if doubt is None or doubt.beat_s != beat_s:
            doubt = self._doubts[token] = _Doubt(beat_s)
        is_proven = doubt.wrote_s is not None and now_s - doubt.wrote_s >= 2 * self.beat_s
        return age_s < 0 or (is_proven and age_s > self.timeout_s)

    @property
    def has_doubts(self) -> bool:
        """Whether this process should write to the file to find out whether another process is silent."""
        return any(doubt.wrote_s is None for doubt in tuple(self._doubts.values()))

    @property
    def is_visible(self) -> bool:
        """Whether other processes can see this one in the table, and know that it may claim a turn again."""
        return self._kept is not None and time.monotonic() - self._last_beat_s <= 60 * self.timeout_s

    def may_come_back(self, host_: str, pid: int, token: str, beat_s: float) -> bool:
        """Return whether the process of a row may claim a turn again, though it has written no beat for a while; the
        arguments are as in `is_alive`.
        """
        if host_ == self.host and pid == os.getpid():
            return token in _LIVE
        return self._exists(host_, pid) and 0 <= time.monotonic() - beat_s <= 60 * self.timeout_s

    def _exists(self, host_: str, pid: int) -> bool:
        """Return false for a process that is known to have ended; in another container only the beats show it."""
        machine, _, numbers = self.host.partition(" ")
        its_machine, _, its_numbers = host_.partition(" ")
        if its_machine != machine:
            return False
        return its_numbers != numbers or process_exists(pid)

    def leave(self, db: sqlite3.Connection) -> None:
        """Delete the row of this process, or mark it as dead where it leaves work undone."""
        db.execute("UPDATE process SET beat_s = ? WHERE n = ?", (-60 * self.timeout_s, self.n))
        db.execute(f"DELETE FROM process WHERE n = ? AND n NOT IN {_AT_WORK}", (self.n,))

    def close(self) -> None:
        """Give up the turns that this store has claimed and not finished."""
        _LIVE.discard(self.token)
