"""Whether the event loop writes the end of a turn itself.

To hand a commit to the writer's thread and to be woken by it takes as long as a quick disk takes to sync, and the
caller of a turn waits for both. So a commit that waits alone is written where it is. The loop stands still meanwhile,
and therefore nothing may take long: the last transactions were quick, no lock is waited for, the log is not copied into
the file, and the commit is short.
"""

from __future__ import annotations

import sqlite3

QUICK_S = 0.001
"""How many seconds a transaction may take to count as quick."""
QUICK_BEFORE = 8
"""After how many quick transactions of one commit the event loop writes the next one itself."""
MOST_IN_ROW = 128
"""How many commits the event loop writes in a row; then the thread writes, and the log is copied if it is long."""
MOST_BYTES = 32768
"""How many bytes a short commit may have."""
LOCK_WAIT_MS = 100
"""How many milliseconds a transaction of the thread waits for a lock, before it is tried again."""


class ShortCommits:
    """Decides whether the event loop may write short commits, by how long recent transactions took."""

    def __init__(self, checkpoint_pages: int) -> None:
        self._of_thread = LOCK_WAIT_MS, checkpoint_pages
        self._set = self._of_thread
        self._quick = 0
        self._in_row = 0

    @property
    def are_quick(self) -> bool:
        """Whether the event loop may write a short commit now."""
        return self._quick >= QUICK_BEFORE and self._in_row < MOST_IN_ROW

    def note(self, seconds: float, items: int, *, in_loop: bool) -> None:
        """Record how many seconds a transaction took, how many commits it had, and whether it ran in the event loop.
        Several commits at once are a load that is better written together.
        """
        self._quick = self._quick + 1 if seconds <= QUICK_S and items <= 1 else 0
        self._in_row = self._in_row + 1 if in_loop else 0

    def note_failure(self) -> None:
        """Record that the event loop could not write a commit: the writer's thread writes the next ones."""
        self._quick = 0

    def prepare(self, db: sqlite3.Connection, *, in_loop: bool) -> None:
        """Set how long the connection waits for a lock, and after how many pages SQLite copies its log: neither happens
        in the event loop (`in_loop`).
        """
        wanted = (0, 0) if in_loop else self._of_thread
        if wanted != self._set:
            db.execute(f"PRAGMA busy_timeout = {wanted[0]}")
            db.execute(f"PRAGMA wal_autocheckpoint = {wanted[1]}")
            self._set = wanted
