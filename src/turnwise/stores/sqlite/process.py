"""Records which process runs a turn, and whether that process is alive.

A process that ended is known to be dead at once: its number is gone, or belongs to another one. A process that hangs or
is stopped writes no beat, and counts as dead when its last beat is too old. Beats are read from the clock that all
processes of a machine share and that no one can set.
"""

from __future__ import annotations

import os
import platform
import secrets
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

_LIVE: set[str] = set()
"""The tokens of the stores that this process has open."""


class Process:
    """The row of this store in the table of processes. A process whose last beat is older than `timeout_s` is dead."""

    def __init__(self, timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self.token = secrets.token_hex(8)
        self.host = host()
        self.pid = os.getpid()
        self.n: int | None = None
        self._kept: int | None = None
        self._last_beat_s = 0.0
        self._claimed: set[int] = set()
        self._fences: dict[int, int] = {}
        """The fencing token of each turn that this process has claimed. The claims table need not know it: the tokens
        only distinguish the runs of this process, and end with it."""
        self._former: dict[int, int | None] = {}
        """What the transaction under way has changed of the tokens."""
        _LIVE.add(self.token)

    @property
    def is_forked(self) -> bool:
        """True in a forked child of the process that opened the store."""
        return os.getpid() != self.pid

    @property
    def wants_to_beat(self) -> bool:
        """True while a turn is claimed, so that others should know that this process is alive."""
        return bool(self._claimed)

    @property
    def beat_s(self) -> float:
        """The time between two beats."""
        return self.timeout_s / 4

    def claims(self, db: sqlite3.Connection, conversation: int, fence: int) -> int:
        """Claim a turn for the run with this fencing token; return this process's number in the table."""
        self.beat(db)
        self._claimed.add(conversation)
        self._former.setdefault(conversation, self._fences.get(conversation))
        self._fences[conversation] = fence
        assert self.n is not None
        return self.n

    def holds(self, conversation: int, fence: int) -> bool:
        """Whether the run with this fencing token was the last one of this process to claim the turn."""
        return self._fences.get(conversation) == fence

    def releases(self, conversation: int) -> None:
        """Release the claim of a turn."""
        self._claimed.discard(conversation)
        self._former.setdefault(conversation, self._fences.get(conversation))
        self._fences.pop(conversation, None)

    def beat(self, db: sqlite3.Connection) -> None:
        """Write a beat, unless the last one is recent. A row that others have removed as outdated is inserted again."""
        now = time.monotonic()
        if self.n is not None and now - self._last_beat_s < self.beat_s:
            return
        if self.n is None or not db.execute("UPDATE process SET beat_s = ? WHERE n = ?", (now, self.n)).rowcount:
            self.n = self._enrolled(db, now)
        self._last_beat_s = now
        claimed = db.execute("SELECT conversation FROM claim WHERE process = ?", (self.n,))
        self._claimed = {conversation for (conversation,) in claimed}

    def _enrolled(self, db: sqlite3.Connection, now: float) -> int:
        """Insert a row for this process, and delete those of processes that have ended and claim nothing."""
        found = db.execute("SELECT n, host, pid, token, beat_s FROM process WHERE n NOT IN (SELECT process FROM claim)")
        ended = [(n,) for n, *process in found.fetchall() if not self.may_come_back(*process)]
        db.executemany("DELETE FROM process WHERE n = ?", ended)
        sql = "INSERT INTO process (host, pid, token, beat_s) VALUES (?, ?, ?, ?)"
        n = db.execute(sql, (self.host, os.getpid(), self.token, now)).lastrowid
        assert n is not None
        return n

    def kept(self) -> None:
        """Take note that a transaction was committed."""
        self._kept = self.n
        self._former.clear()

    def undone(self) -> None:
        """Take note that a transaction was rolled back, and with it the beat and maybe the row."""
        self.n = self._kept
        self._last_beat_s = 0.0
        for conversation, fence in self._former.items():
            if fence is None:
                self._fences.pop(conversation, None)
            else:
                self._fences[conversation] = fence
        self._former.clear()

    def is_alive(self, host_: str, pid: int, token: str, beat_s: float) -> bool:
        """Return whether the process of a row of the table is alive."""
        if host_ == self.host and pid == os.getpid():
            return token in _LIVE
        return self._exists(host_, pid) and 0 <= time.monotonic() - beat_s <= self.timeout_s

    def has_ended(self, host_: str, pid: int, token: str) -> bool:
        """Return whether a process is known to have ended, however old its last beat is."""
        if host_ == self.host and pid == os.getpid():
            return token not in _LIVE
        return not self._exists(host_, pid)

    @property
    def is_new(self) -> bool:
        """Whether other processes see this one, and know that it may come back."""
        return self._kept is not None and time.monotonic() - self._last_beat_s <= 60 * self.timeout_s

    def may_come_back(self, host_: str, pid: int, token: str, beat_s: float) -> bool:
        """Return whether a process may claim a turn again, though it has written no beat for a while."""
        if host_ == self.host and pid == os.getpid():
            return token in _LIVE
        return self._exists(host_, pid) and 0 <= time.monotonic() - beat_s <= 60 * self.timeout_s

    def _exists(self, host_: str, pid: int) -> bool:
        """Return false for a process that is known to have ended; in another container only the beats show it."""
        machine, _, numbers = self.host.partition(" ")
        its_machine, _, its_numbers = host_.partition(" ")
        if its_machine != machine:
            return False
        return its_numbers != numbers or exists(pid)

    def leave(self, db: sqlite3.Connection) -> None:
        """Delete the row of this process, or mark it as dead while it still claims a turn."""
        db.execute("UPDATE process SET beat_s = ? WHERE n = ?", (-60 * self.timeout_s, self.n))
        db.execute("DELETE FROM process WHERE n = ? AND n NOT IN (SELECT process FROM claim)", (self.n,))

    def close(self) -> None:
        """Give up the turns that this store has claimed and not finished."""
        _LIVE.discard(self.token)


def host() -> str:
    """Return an id of this machine since its start, and of the namespace of its process numbers."""
    machine, numbers = platform.node().replace(" ", "-"), ""
    with suppress(OSError):
        machine = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        numbers = str(Path("/proc/self/ns/pid").readlink())
    return f"{machine} {numbers}"


def exists(pid: int) -> bool:
    """Return whether a process has this number, and has not ended; true if the system has no harmless way to ask."""
    if os.name != "posix":
        return True
    with suppress(OSError):  # one that was killed keeps its number until its parent has reaped it
        state = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2][:1]
        return state not in (b"Z", b"X")
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
