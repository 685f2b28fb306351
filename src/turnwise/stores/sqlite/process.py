"""Records which process runs a turn, and whether that process is alive.

A process that ended is known to be dead at once: its number is gone, or belongs to another. One that
hangs or is stopped shows no beat, and counts as dead when the last one is too long ago. Beats are of
the clock that all processes of a machine share and that nobody can set.
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
    """This store's place in the table of processes. `timeout_s` is the age of a beat that means death."""

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
        only tell apart the runs of this process, and end with it."""
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
        """How often it shows that it is alive."""
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
        """Give the claim of a turn back."""
        self._claimed.discard(conversation)
        self._former.setdefault(conversation, self._fences.get(conversation))
        self._fences.pop(conversation, None)

    def beat(self, db: sqlite3.Connection) -> None:
        """Show that this process is alive, if it has not done so lately. A row that others took for one
        of long ago, and removed, is made anew.
        """
        now = time.monotonic()
        if self.n is not None and now - self._last_beat_s < self.beat_s:
            return
        if self.n is None or not db.execute("UPDATE process SET beat_s = ? WHERE n = ?", (now, self.n)).rowcount:
            self.n = self._enrolled(db, now)
        self._last_beat_s = now
        claimed = db.execute("SELECT conversation FROM claim WHERE process = ?", (self.n,))
        self._claimed = {conversation for (conversation,) in claimed}

    def _enrolled(self, db: sqlite3.Connection, now: float) -> int:
        """A row of its own; those of processes that have ended and claim nothing make room."""
        found = db.execute("SELECT n, host, pid, token, beat_s FROM process WHERE n NOT IN (SELECT process FROM claim)")
        ended = [(n,) for n, *process in found.fetchall() if not self.may_come_back(*process)]
        db.executemany("DELETE FROM process WHERE n = ?", ended)
        sql = "INSERT INTO process (host, pid, token, beat_s) VALUES (?, ?, ?, ?)"
        n = db.execute(sql, (self.host, os.getpid(), self.token, now)).lastrowid
        assert n is not None
        return n

    def kept(self) -> None:
        """A transaction was kept, and with it what was written of this process."""
        self._kept = self.n
        self._former.clear()

    def undone(self) -> None:
        """A transaction was undone: its beat, and maybe the row, were not kept."""
        self.n = self._kept
        self._last_beat_s = 0.0
        for conversation, fence in self._former.items():
            if fence is None:
                self._fences.pop(conversation, None)
            else:
                self._fences[conversation] = fence
        self._former.clear()

    def is_alive(self, host_: str, pid: int, token: str, beat_s: float) -> bool:
        """Whether the process of a row of the table is alive."""
        if host_ == self.host and pid == os.getpid():
            return token in _LIVE
        return self._exists(host_, pid) and 0 <= time.monotonic() - beat_s <= self.timeout_s

    @property
    def is_seen(self) -> bool:
        """Whether others see this process, and know that it may come back."""
        return self._kept is not None and time.monotonic() - self._last_beat_s <= 60 * self.timeout_s

    def may_come_back(self, host_: str, pid: int, token: str, beat_s: float) -> bool:
        """Whether a process may claim something again, though it has been silent for a while."""
        if host_ == self.host and pid == os.getpid():
            return token in _LIVE
        return self._exists(host_, pid) and 0 <= time.monotonic() - beat_s <= 60 * self.timeout_s

    def _exists(self, host_: str, pid: int) -> bool:
        """False for a process that is known to have ended; of one behind another wall only the beats tell."""
        machine, _, numbers = self.host.partition(" ")
        its_machine, _, its_numbers = host_.partition(" ")
        if its_machine != machine:
            return False
        return its_numbers != numbers or exists(pid)

    def leave(self, db: sqlite3.Connection) -> None:
        """The store is closed: its row is taken away, or tells others that nobody goes on with what it claims."""
        db.execute("UPDATE process SET beat_s = ? WHERE n = ?", (-60 * self.timeout_s, self.n))
        db.execute("DELETE FROM process WHERE n = ? AND n NOT IN (SELECT process FROM claim)", (self.n,))

    def close(self) -> None:
        """The store is closed: what it has claimed and not finished is free."""
        _LIVE.discard(self.token)


def host() -> str:
    """This machine since it was started, and the part of it in which process numbers count."""
    machine, numbers = platform.node().replace(" ", "-"), ""
    with suppress(OSError):
        machine = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        numbers = str(Path("/proc/self/ns/pid").readlink())
    return f"{machine} {numbers}"


def exists(pid: int) -> bool:
    """Whether a process has this number; where the system has no harmless way to ask, it may have."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
