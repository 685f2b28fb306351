"""Opens the database file, checks that it was not replaced, and explains SQLite's errors."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, get_args

from turnwise.errors import StoreFailed, WrongArgument
from turnwise.stores import Patience, check_seconds
from turnwise.stores.sqlite.functions import add_functions
from turnwise.stores.sqlite.schema import APPLICATION_ID, is_current, older_views, upgrade, version_of


class OpenFiles:
    """The identities of the database file, its log and the log's index, as of the first written transaction.

    A connection continues to write into a file that was removed, renamed or replaced. A process that opens the path
    later does not find what it writes, so nothing may be acknowledged then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        file = str(path.absolute())
        self._names = (file, f"{file}-wal", f"{file}-shm")
        self._file = _identity(file)
        self._known: tuple[tuple[int, int] | None, ...] | None = None

    def check(self) -> None:
        """Raise `StoreFailed` if the files are no longer those of the first written transaction.
        It calls `stat` three times.
        """
        found = tuple(map(_identity, self._names))
        if self._known is None:
            self._known = (self._file, *found[1:])  # SQLite has made the other two by now
        if found != self._known:
            raise StoreFailed(self.path, self._reason(found))

    def _reason(self, found: tuple[tuple[int, int] | None, ...]) -> str:
        known = self._known or (None,) * len(found)
        name, now = next(
            (name, now) for name, was, now in zip(self._names, known, found, strict=True) if now is None or now != was
        )
        what = "removed or renamed" if now is None else "replaced by another file"
        return f"{Path(name).name} was {what} while it was open; put it back, or open the store again"


def _identity(name: str) -> tuple[int, int] | None:
    try:
        stat = os.stat(name)  # noqa: PTH116  a third of the time of a `Path`
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


Sync = Literal["full", "normal"]
"""How far SQLite waits for the disk: at each commit, or at checkpoints."""

PAGE_BYTES = 1024
"""The size of a page of a new file."""
CHECKPOINT_PAGES = 4096
"""After how many pages SQLite copies its log into the file: four megabytes."""

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
    sqlite3.SQLITE_PROTOCOL: "the locks of the database cannot be taken; it may be on a network drive, or too many"
    " processes use it at once",
    sqlite3.SQLITE_NOLFS: "the file system does not take files of this size",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
    sqlite3.SQLITE_TOOBIG: "a value is larger than SQLite can store",
    sqlite3.SQLITE_SCHEMA: "another program has changed the tables",
}
TRANSIENT_ERRORS = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PROTOCOL,
        sqlite3.SQLITE_NOMEM,
    }
)
"""Errors that may pass by themselves or with help; the work is retried for a while."""
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


def code_of(error: sqlite3.Error) -> int:
    """Return the primary SQLite code of an error, 0 if it has none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def reason(error: sqlite3.Error) -> str:
    """Return the text of an SQLite error for users, with SQLite's own text."""
    words = _REASONS.get(code_of(error))
    return f"{words} ({error})" if words else str(error)


def check_settings(path: Any, sync: Any, retry_s: Any, claim_timeout_s: Any) -> None:
    """Raise `WrongArgument` for a wrong setting. SQLite would read an unknown `sync` as no sync at all."""
    if not isinstance(path, str | Path):
        raise WrongArgument("path", path, "the path of a file")
    if sync not in get_args(Sync):
        raise WrongArgument("sync", sync, '"full" or "normal"')
    check_seconds("retry_s", retry_s)
    check_seconds("claim_timeout_s", claim_timeout_s, is_above_zero=True)


def prepare(path: Path, sync: Sync, retry_s: float, *, may_only_read: bool = False) -> sqlite3.Connection | None:
    """Create a database file or upgrade its tables, and return the connection for writing. A file that can only be read
    returns `None` with `may_only_read`, and else raises `StoreFailed`. A locked file is retried for `retry_s` seconds.
    """
    _check_place(path)
    if may_only_read and path.exists() and not os.access(path, os.W_OK):
        return None  # not even tried: SQLite would leave a log beside the file that its owner cannot write
    patience = Patience(retry_s)
    while True:
        try:
            _make_ready(path)
            return _connected(path, sync)
        except sqlite3.Error as error:
            if may_only_read and code_of(error) in _UNWRITABLE and path.exists():
                return None
            if code_of(error) not in _LOCKED or not patience.waits():
                raise StoreFailed(path, reason(error)) from None


def _check_place(path: Path) -> None:
    """Raise `StoreFailed` for a path at which there can be no file."""
    if str(path) == ":memory:":
        raise StoreFailed(path, "this is no file; the store without one is memory://")
    try:
        is_folder, has_parent = path.is_dir(), path.parent.is_dir()
        path.exists()
        if "\0" in str(path):
            raise ValueError("a name has no null byte")
    except (OSError, ValueError) as error:
        raise StoreFailed(path, f"there can be no such file ({getattr(error, 'strerror', None) or error})") from None
    if is_folder:
        raise StoreFailed(path, "this is a folder; a file is needed")
    if not has_parent:
        raise StoreFailed(path, f"there is no folder {path.parent}; make it first, or name another")


def _make_ready(path: Path) -> None:
    """Set the format and the journal mode, which persist. A file of another program is left unchanged."""
    with closing(sqlite3.connect(path.absolute(), isolation_level=None, timeout=0.1)) as db:
        if not is_current(db, str(path)):
            add_functions(db)
            db.execute(f"PRAGMA page_size = {PAGE_BYTES}")
            db.execute("PRAGMA journal_mode = WAL")
            upgrade(db, str(path))


def _connected(path: Path, sync: Sync) -> sqlite3.Connection:
    db = sqlite3.connect(
        path.absolute(), isolation_level=None, timeout=0.1, check_same_thread=False, cached_statements=64
    )
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {sync}")
        db.execute("PRAGMA secure_delete = FAST")
        db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        _try_to_write(db)
    except BaseException:
        db.close()
        raise
    return db


def _try_to_write(db: sqlite3.Connection) -> None:
    """Raise the error of a read-only file at once; a file that another process writes now counts as writable."""
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("ROLLBACK")
    except sqlite3.Error as error:
        if code_of(error) not in _LOCKED:
            raise


def connect_reader(path: Path, retry_s: float) -> sqlite3.Connection:
    """Return a connection for reading, which waits for up to `retry_s` seconds while a lock excludes readers.
    Raises `StoreFailed`.
    """
    try:
        address = f"{path.absolute().as_uri()}?mode=rw"  # a file that was removed is not made anew
        db = sqlite3.connect(
            address, uri=True, isolation_level=None, timeout=retry_s, check_same_thread=False, cached_statements=64
        )
        db.execute("PRAGMA query_only = 1")
        add_functions(db)
    except sqlite3.Error as error:
        raise StoreFailed(path, reason(error)) from None
    return db


def connect_to_unwritable(path: Path, retry_s: float) -> sqlite3.Connection:
    """Return a connection for reading a file that cannot be written; it creates no files. Raises `StoreFailed`.

    Without a log no process writes, and the file is opened as immutable. SQLite then assumes that it never changes, so
    the reader must check that it did not (`file_stamp`).
    """
    options = "mode=ro" if file_stamp(path)[2] else "mode=ro&immutable=1"
    address = f"{path.absolute().as_uri()}?{options}"
    try:
        db = sqlite3.connect(
            address, uri=True, isolation_level=None, timeout=retry_s, check_same_thread=False, cached_statements=64
        )
        is_current(db, str(path))
        if version := version_of(db):  # an older format is read as it is
            add_functions(db)
            for view in older_views(version):
                db.execute(view)
            return db
        db.close()
    except sqlite3.Error as error:
        words = "its log cannot be read there; copy both to where they can be written"
        raise StoreFailed(path, f"{reason(error)}; {words}" if options == "mode=ro" else reason(error)) from None
    raise StoreFailed(path, "it is read-only, and has not the format of this version yet; it must be written once")


def file_stamp(path: Path) -> tuple[int, int, int]:
    """Return of a file its modification time in nanoseconds, its size, and the size of its log in bytes."""
    log = Path(f"{path}-wal")
    try:
        stat = path.stat()
        return stat.st_mtime_ns, stat.st_size, log.stat().st_size if log.exists() else 0
    except OSError as error:
        raise StoreFailed(path, f"it cannot be read: {error.strerror}") from None
