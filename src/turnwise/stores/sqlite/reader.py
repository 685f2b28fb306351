"""Reading: a connection for each thread, so that a long read beside the loop holds up nobody."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

from turnwise.errors import StoreFailed, StoreUnavailable
from turnwise.stores.sqlite.connect import PASSING, code_of, connect_reader, reason


class Reader:
    """Runs queries. Raises `StoreFailed`, or `StoreUnavailable` for what may pass."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._mine = threading.local()
        self._all: list[sqlite3.Connection] = []

    def all(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Every row of a query."""
        try:
            return self._db().execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise self._failure(error) from None

    def one(self, sql: str, *parameters: object) -> tuple[Any, ...] | None:
        """The first row of a query."""
        try:
            return self._db().execute(sql, parameters).fetchone()
        except sqlite3.Error as error:
            raise self._failure(error) from None

    def _db(self) -> sqlite3.Connection:
        db: sqlite3.Connection | None = getattr(self._mine, "db", None)
        if db is None:
            db = self._mine.db = connect_reader(self.path)
            self._all.append(db)
        return db

    def _failure(self, error: sqlite3.Error) -> StoreFailed:
        kind = StoreUnavailable if code_of(error) in PASSING else StoreFailed
        return kind(self.path, reason(error))

    def close(self) -> None:
        """Close the connections of all threads."""
        for db in self._all:
            db.close()
        self._all.clear()
