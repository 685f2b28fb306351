"""Reads journals: a connection for each thread."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from turnwise.errors import ForkedProcess, StoreFailed, StoreUnavailable
from turnwise.stores.encoded import UNREADABLE
from turnwise.stores.sqlite.connect import (
    TRANSIENT_ERRORS,
    code_of,
    connect_reader,
    connect_to_unwritable,
    file_stamp,
    reason,
)

Found = TypeVar("Found")
"""The type of what a query finds."""
Made = TypeVar("Made")
"""The type of what is made from the rows."""


class Reader:
    """Runs queries on the database. Raises `StoreFailed`, or `StoreUnavailable` for an error that may pass."""

    def __init__(self, path: Path, retry_s: float, *, is_unwritable: bool = False) -> None:
        self.path = path
        self.retry_s = retry_s
        self.is_unwritable = is_unwritable
        self._mine = threading.local()
        self._all: dict[sqlite3.Connection, threading.Lock] = {}
        self._is_closed = False
        self._pid = os.getpid()

    def all(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Run a query with parameters, and return all of its rows."""
        try:
            db = self._db()
            with self._mine.lock:
                return db.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise self._failure(error) from None

    def one(self, sql: str, *parameters: object) -> tuple[Any, ...] | None:
        """Run a query with parameters, and return its first row; `None` if it has none."""
        try:
            db = self._db()
            with self._mine.lock:
                return db.execute(sql, parameters).fetchone()
        except sqlite3.Error as error:
            raise self._failure(error) from None

    def decode(self, make: Callable[[Found], Made], found: Found) -> Made:
        """Return `make(found)` for found rows; raises `StoreFailed` for a damaged row."""
        try:
            return make(found)
        except UNREADABLE as error:
            raise StoreFailed(self.path, f"the database is damaged ({error})") from None

    def _db(self) -> sqlite3.Connection:
        if os.getpid() != self._pid:
            raise ForkedProcess("store")
        if self._is_closed:
            raise StoreFailed(self.path, "the store is closed")
        if self.is_unwritable:
            return self._db_of_unwritable()
        db: sqlite3.Connection | None = getattr(self._mine, "db", None)
        if db is None:
            db = self._mine.db = connect_reader(self.path, self.retry_s)
            self._opened(db)
        return db

    def _opened(self, db: sqlite3.Connection) -> None:
        """Keep a connection of this thread, with a lock that is held while a query runs."""
        lock = self._mine.lock = threading.Lock()
        self._all[db] = lock

    def _db_of_unwritable(self) -> sqlite3.Connection:
        """Return a connection to a file that others may write after all: a new one sees what they wrote."""
        stand = file_stamp(self.path)
        known: tuple[object, sqlite3.Connection] | None = getattr(self._mine, "known", None)
        if known is not None and known[0] == stand:
            return known[1]
        if known is not None:
            del self._all[known[1]]
            known[1].close()
        db = connect_to_unwritable(self.path, self.retry_s)
        self._mine.known = (stand, db)
        self._opened(db)
        return db

    def _failure(self, error: sqlite3.Error) -> StoreFailed:
        kind = StoreUnavailable if code_of(error) in TRANSIENT_ERRORS else StoreFailed
        return kind(self.path, reason(error))

    def close(self) -> None:
        """Close the connections of all threads, each after its query: SQLite may not close one that is in use."""
        self._is_closed = True
        for db, lock in list(self._all.items()):
            db.interrupt()
            with lock:
                db.close()
        self._all.clear()
