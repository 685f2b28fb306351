"""Opening the file, and what SQLite's errors mean to a user of the store."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Literal

from turnwise.errors import StoreFailed
from turnwise.stores.sqlite.schema import upgrade

Sync = Literal["full", "normal"]

PAGE_BYTES = 1024
CHECKPOINT_PAGES = 4096
"""Four megabytes of log before it is taken over into the file."""

_REASONS = {
    sqlite3.SQLITE_BUSY: "the database is locked by another process",
    sqlite3.SQLITE_LOCKED: "the database is locked by another process",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "the database is read-only",
    sqlite3.SQLITE_CANTOPEN: "the database cannot be opened",
    sqlite3.SQLITE_PERM: "there is no permission to use the database",
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written",
    sqlite3.SQLITE_CORRUPT: "the database is damaged",
    sqlite3.SQLITE_NOTADB: "this is not a database",
}
PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
    }
)
"""What may pass by itself, or by somebody's help: tried again for a while."""


def code_of(error: sqlite3.Error) -> int:
    """The primary code of an error, 0 where it has none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def reason(error: sqlite3.Error) -> str:
    """An error in a user's words, with SQLite's own."""
    words = _REASONS.get(code_of(error))
    return f"{words} ({error})" if words else str(error)


def prepare(path: Path, sync: Sync) -> None:
    """Make the file ready: its format, and the journal mode that lasts. Raises `StoreFailed`."""
    if path.is_dir():
        raise StoreFailed(path, "this is a folder; a file is needed")
    if not path.parent.is_dir():
        raise StoreFailed(path, f"there is no folder {path.parent}")
    db = _connected(path, sync)
    try:
        upgrade(db, str(path))
    except sqlite3.Error as error:
        raise StoreFailed(path, reason(error)) from None
    finally:
        db.close()


def connect(path: Path, sync: Sync) -> sqlite3.Connection:
    """A connection for writing."""
    db = _connected(path, sync)
    db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    return db


def connect_reader(path: Path) -> sqlite3.Connection:
    """A connection for reading only."""
    try:
        db = sqlite3.connect(path, isolation_level=None, timeout=5.0, check_same_thread=False, cached_statements=64)
        db.execute("PRAGMA query_only = 1")
    except sqlite3.Error as error:
        raise StoreFailed(path, reason(error)) from None
    return db


def _connected(path: Path, sync: Sync) -> sqlite3.Connection:
    db = None
    try:
        db = sqlite3.connect(path, isolation_level=None, timeout=0.1, check_same_thread=False, cached_statements=64)
        db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {sync}")
        db.execute("PRAGMA secure_delete = FAST")
    except sqlite3.Error as error:
        if db is not None:
            db.close()
        raise StoreFailed(path, reason(error)) from None
    return db
