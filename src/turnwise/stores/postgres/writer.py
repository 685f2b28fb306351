"""The writer thread: the commits that wait go to the server together, as one transaction in one round trip.

What cannot be written alone fails alone. A conversation that another session has locked waits, and the others do not.
If the connection is lost before the server has answered, the same commits are sent again with the question whether they
are there already.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import psycopg

from turnwise.errors import StoreFailed, StoreUnavailable
from turnwise.stores import Patience
from turnwise.stores.postgres.address import Address
from turnwise.stores.postgres.commit import COMMIT, Prepared
from turnwise.stores.postgres.connect import ANSWERS_S, Connection, connect, failure, may_pass
from turnwise.stores.postgres.hints import NEXT_NUMBER
from turnwise.stores.postgres.process import Process
from turnwise.stores.write_queue import Item, Result, WriteQueue, one_by_one, refused

LOCKED_PAUSE_S = 0.004
"""How many seconds a commit waits whose conversation another session has locked, before it is tried again."""


class _Locked(NamedTuple):
    """An item whose conversation is locked, and until when it is tried."""

    item: Item
    until: float


class Writer(WriteQueue[Prepared]):
    """Writes queued commits to the database in its own thread, with its own connection. After an error that may pass it
    tries again, for `retry_s` seconds.
    """

    def __init__(self, address: Address, retry_s: float, process: Process) -> None:
        self.address = address
        self.retry_s = retry_s
        self.process = process
        self.round_trips = 0
        """How often the server was waited for."""
        self._db: Connection | None = None
        self._locked: list[_Locked] = []
        super().__init__(address.shown, lambda: process.is_forked)
        self._thread.start()

    def run(self) -> None:
        """Write the queued items until the store is closed; runs in the writer's thread."""
        is_open = True
        while is_open or self._locked:
            items, is_open = self.waiting(LOCKED_PAUSE_S if self._locked else None) if is_open else ([], False)
            if not is_open and self._locked:
                time.sleep(LOCKED_PAUSE_S)
            until = time.monotonic() + self.retry_s
            tried = [*self._locked, *[_Locked(item, until) for item in items]]
            self._locked = []
            tried.sort(key=_name)  # replicas that begin the same conversations wait for each other in one order
            if tried:
                self.finish(self._without_locked(tried, self._written([one.item for one in tried])))
        self._disconnect()

    def _without_locked(self, tried: Sequence[_Locked], results: Sequence[Result]) -> list[Result]:
        """Keep the items of locked conversations for the next time, in their order; return the results of the
        others.
        """
        found, held, now = list[Result](), set[str](), time.monotonic()
        for one, result in zip(tried, results, strict=True):
            name = one.item.work.conversation
            if result.value == "locked" and now >= one.until and name not in held:
                found.append(Result(one.item, None, StoreUnavailable(self.address.shown, _LOCKED)))
            elif result.value == "locked" or (result.error is not None and name in held):
                held.add(name)
                self._locked.append(one)
            else:
                found.append(result)
        return found

    def _written(self, items: Sequence[Item]) -> list[Result]:
        """Write all items in one transaction; if one raises an unexpected error, each in its own."""
        patience, again = Patience(self.retry_s), False
        while True:
            try:
                return self._together(items, again=again)
            except psycopg.Error as error:
                again = True
                failed = failure(self.address, error)
                self._recover()
                if not may_pass(error):
                    return one_by_one(items, failed, self._written)
                if not patience.waits():
                    return refused(items, failed)
            except StoreFailed as error:
                return refused(items, error)
            except Exception as error:  # noqa: BLE001  the thread must live on, whatever an item does
                self._disconnect()
                return one_by_one(items, error, self._written)

    def _together(self, items: Sequence[Item], *, again: bool) -> list[Result]:
        """Write one transaction. An item that is refused has written nothing, and fails alone."""
        db = self._connected()
        n, term = self.process.enrol(db), self.process.lease.term
        if self.process.has_drifted():
            self.process.measure(db)
        with db.pipeline():
            db.execute("BEGIN")
            sent = [db.execute(COMMIT, item.work.parameters(n, again=again), binary=True) for item in items]
            number = db.execute(NEXT_NUMBER)
            db.execute("COMMIT")
        self.round_trips += 1
        codes = [_first(cursor) for cursor in sent]
        results = [_result(item, code) for item, code in zip(items, codes, strict=True)]
        written = {item.work.conversation: item.work.last for item, code in zip(items, codes, strict=True) if not code}
        self.process.hints.add(_first(number), written)
        for item, code in zip(items, codes, strict=True):
            if not code:
                self._know_claim(item.work, term, again=again)
        return results

    def _know_claim(self, work: Prepared, term: int, *, again: bool) -> None:
        """Take note of the claim that a commit has made or released. One that is written again may have been written
        long before, and its claim lost since.
        """
        commit, lease = work.commit, self.process.lease
        if commit.state is not None:
            lease.forget_turn(work.conversation)
        elif commit.part != "next" and not again:
            lease.record_claim(work.conversation, commit.fence, term)

    # the connection --------------------------------------------------------------------------

    def _connected(self) -> Connection:
        if self._db is None or self._db.closed:
            self._db = connect(self.address, answers_within_s=ANSWERS_S)
        return self._db

    def _recover(self) -> None:
        """Undo a transaction that failed; a connection that is lost is opened anew."""
        if self._db is not None:
            try:
                self._db.execute("ROLLBACK")
            except psycopg.Error:
                self._disconnect()

    def _disconnect(self) -> None:
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()
            self._db = None


def _name(one: _Locked) -> str:
    return one.item.work.conversation


_LOCKED = "the conversation is locked by another session of the database"


def _first(cursor: psycopg.Cursor[tuple[Any, ...]]) -> Any:
    row = cursor.fetchone()
    assert row is not None, "a function returns a row"
    return row[0]


def _result(item: Item, code: str) -> Result:
    """Return the result of an item: none, `locked`, or the error of a commit that was refused."""
    if code in ("", "locked"):
        return Result(item, code or None, None)
    work: Prepared = item.work
    return Result(item, None, work.refused(code))
