"""Runs queries and other work in a few threads, each with a connection of its own, so that no event loop waits.

After an error that may pass, such as a failover or a restart of the server, the work is repeated on a new
connection, for at most `retry_s` seconds.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from math import inf
from typing import TypeVar
from weakref import finalize

import psycopg

from turnwise.errors import ForkedProcess, StoreFailed
from turnwise.runner.store_upkeep import ConnectionLoad
from turnwise.stores import Patience
from turnwise.stores.encoded import UNREADABLE
from turnwise.stores.postgres.address import Address
from turnwise.stores.postgres.connect import ANSWERS_S, Connection, Row, connect, failure, may_pass
from turnwise.stores.postgres.process import Process

Found = TypeVar("Found")
"""The type of what a query finds."""
Made = TypeVar("Made")
"""The type of what is made from the rows."""


class Reader:
    """Runs queries on the database. Raises `StoreFailed`, or `StoreUnavailable` for an error that may pass."""

    def __init__(self, address: Address, retry_s: float, process: Process) -> None:
        self.address = address
        self.retry_s = retry_s
        self.process = process
        self.round_trips = 0
        """How often the server was waited for."""
        self.under_way = 0
        """How much work has a connection or waits for one."""
        self._threads = ThreadPoolExecutor(address.readers, thread_name_prefix="turnwise-reader")
        self._mine = threading.local()
        self._all: list[Connection] = []
        self._is_closed = False
        finalize(self, _close_all, self._all)  # of a store that nothing refers to any more

    async def all(self, sql: str, *parameters: object, is_long: bool = False) -> list[Row]:
        """Run a query with parameters, and return all of its rows. With `is_long` the answer may take any time."""
        return await self.run(lambda db: db.execute(sql, parameters).fetchall(), is_long=is_long)

    async def one(self, sql: str, *parameters: object, is_long: bool = False) -> Row | None:
        """Run a query with parameters, and return its first row; `None` if it has none. With `is_long` the answer may
        take any time.
        """
        return await self.run(lambda db: db.execute(sql, parameters).fetchone(), is_long=is_long)

    async def run(self, work: Callable[[Connection], Found], *, is_long: bool = False) -> Found:
        """Call `work` with a connection, in another thread; return its result. It may be called again on an error.
        With `is_long` its answers may take any time, as where whole tables are counted.
        """
        if self.process.is_forked:
            raise ForkedProcess("store")
        if self._is_closed:
            raise StoreFailed(self.address.shown, "the store is closed")
        self.under_way += 1
        done = asyncio.get_running_loop().run_in_executor(self._threads, self._done, work, is_long)
        done.add_done_callback(self._ended)
        return await done

    async def write(self, work: Callable[[Connection], Found]) -> Found:
        """Call `work` with a connection in a transaction, in another thread; return its result."""

        def in_transaction(db: Connection) -> Found:
            with db.transaction():
                return work(db)

        return await self.run(in_transaction)

    def _ended(self, _: object) -> None:
        self.under_way -= 1

    @property
    def load(self) -> ConnectionLoad:
        """Return how many connections there are, how many are in use, and how many queries wait for one."""
        most = self.address.readers
        return ConnectionLoad(most, min(most, self.under_way), max(0, self.under_way - most))

    def decode(self, make: Callable[[Found], Made], found: Found) -> Made:
        """Return `make(found)` for found rows; raises `StoreFailed` for a damaged row."""
        try:
            return make(found)
        except UNREADABLE as error:
            raise StoreFailed(self.address.shown, f"the database is damaged ({error})") from None

    # in a thread -----------------------------------------------------------------------------

    def _done(self, work: Callable[[Connection], Found], is_long: bool) -> Found:  # noqa: FBT001  executors take no names
        patience = Patience(self.retry_s)
        while True:
            try:
                db = self._connected()
                db.answers_within_s = inf if is_long else ANSWERS_S
                self.round_trips += 1
                return work(db)
            except psycopg.Error as error:
                self._disconnect()
                if not may_pass(error) or self._is_closed or not patience.waits():
                    raise failure(self.address, error) from None

    def _connected(self) -> Connection:
        db: Connection | None = getattr(self._mine, "db", None)
        if db is None or db.closed:
            db = self._mine.db = connect(self.address)
            self._all.append(db)
        return db

    def _disconnect(self) -> None:
        db: Connection | None = getattr(self._mine, "db", None)
        if db is not None:
            self._mine.db = None
            with suppress(psycopg.Error, ValueError):
                self._all.remove(db)
                db.close()

    def close(self) -> None:
        """Wait for the queries in progress, and close the connections."""
        self._is_closed = True
        self._threads.shutdown()
        _close_all(self._all)


def _close_all(connections: list[Connection]) -> None:
    while connections:
        with suppress(psycopg.Error):
            connections.pop().close()
