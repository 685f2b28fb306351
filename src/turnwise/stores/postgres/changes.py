"""Reports what any replica writes: a connection of its own listens for hints, for all watchers of this process. The
pieces of models' texts come by the same connection.

PostgreSQL gives a hint to each session that listens. One is lost where a replica was killed before it sent it, or where
a pooler stands before the connection that listens. So once in a while the last number of the sequence `written` is
read: if hints of earlier numbers have not come, any conversation may have changed. Nothing is read while no one
watches.
"""

from __future__ import annotations

import asyncio
import logging
import os
import selectors
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

import psycopg

from turnwise.runner.ports import Change
from turnwise.runner.shared_texts import Piece
from turnwise.stores.postgres.address import Address
from turnwise.stores.postgres.connect import ANSWERS_S, Connection, connect, failure
from turnwise.stores.postgres.hints import CHANNEL, Hint, read_hint
from turnwise.stores.postgres.process import Process
from turnwise.stores.postgres.texts import TEXT_CHANNEL, read_message

POLL_S = 0.8
"""The seconds between two looks for lost hints: a lost one is noticed at the second look."""

_LAST = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM written"
_log = logging.getLogger("turnwise.stores.postgres")


class _Watcher(NamedTuple):
    """The event loop of who watches, and whether that is for pieces of texts, or else for changes."""

    loop: asyncio.AbstractEventLoop
    wants_texts: bool


class Listener:
    """Receives hints of other replicas about what they wrote, while a stream or a listener needs them."""

    def __init__(self, address: Address, process: Process) -> None:
        self.address = address
        self.process = process
        self._watchers: dict[asyncio.Queue[Any], _Watcher] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._listens = threading.Event()
        self._wake: int | None = None
        self._is_closed = False
        self._floor = 0
        """Hints of numbers up to here have come, or were reported as lost."""
        self._come = set[int]()
        self._last = 0

    async def changes(self) -> AsyncIterator[Change]:
        """Yield one change for all conversations, then every conversation that a replica has written or deleted."""
        async with self._watched(wants_texts=False) as queue:
            yield Change()
            while True:
                yield await queue.get()

    async def texts(self) -> AsyncIterator[Piece]:
        """Yield the pieces of generated texts that other replicas send."""
        async with self._watched(wants_texts=True) as queue:
            while True:
                yield await queue.get()

    @asynccontextmanager
    async def _watched(self, *, wants_texts: bool) -> AsyncGenerator[asyncio.Queue[Any]]:
        """Listen, and return the queue of what comes."""
        queue: asyncio.Queue[Any] = asyncio.Queue()
        with self._lock:
            self._watchers[queue] = _Watcher(asyncio.get_running_loop(), wants_texts)
            self._begin()
        try:
            await asyncio.to_thread(self._listens.wait)
            yield queue
        finally:
            with self._lock:
                self._watchers.pop(queue, None)
                if not self._watchers:
                    self._awake()

    def _begin(self) -> None:
        if self._thread is None and not self._is_closed:
            self._listens.clear()
            reading, self._wake = os.pipe()
            self._thread = threading.Thread(target=self._run, args=(reading,), name="turnwise-listener", daemon=True)
            self._thread.start()

    def _awake(self) -> None:
        if self._wake is not None:
            os.write(self._wake, b"x")

    def close(self) -> None:
        """Stop listening for hints."""
        with self._lock:
            self._is_closed = True
            self._awake()
            thread = self._thread
        if thread is not None:
            thread.join()

    # in the thread ---------------------------------------------------------------------------

    def _run(self, woken: int) -> None:
        is_first = True
        while not self._may_end(woken):
            try:
                with connect(self.address, listens=True, answers_within_s=ANSWERS_S) as db:
                    db.execute(f"LISTEN {CHANNEL}")
                    db.execute(f"LISTEN {TEXT_CHANNEL}")
                    self._floor = self._last = _last(db)
                    self._come.clear()
                    if not is_first:
                        self._report(Change())  # hints may have come while there was no connection
                    is_first = False
                    self.process.hints.lag.measure(is_on=True)
                    self._listens.set()
                    self._listen(db, woken)
            except psycopg.Error as error:
                self.process.hints.lag.measure(is_on=False)
                _log.warning("%s; listening is tried again", failure(self.address, error))
                _readable(POLL_S, woken)

    def _may_end(self, woken: int) -> bool:
        """End where no one watches; a later watcher begins another thread."""
        with self._lock:
            if self._watchers and not self._is_closed:
                return False
            assert self._wake is not None
            os.close(woken)
            os.close(self._wake)
            self._thread = self._wake = None
            self.process.hints.lag.measure(is_on=False)
            return True

    def _listen(self, db: Connection, woken: int) -> None:
        """Report hints until no one watches, and look for lost ones, however many come."""
        db.add_notify_handler(self._notified)
        looks_s = time.monotonic() + POLL_S
        while self._watchers and not self._is_closed:
            found = _readable(max(0.0, looks_s - time.monotonic()), db.fileno(), woken)
            if woken in found:
                os.read(woken, 100)
            if db.fileno() in found:
                db.pgconn.consume_input()
                while (notify := db.pgconn.notifies()) is not None:
                    self._received(notify.relname.decode(), notify.extra.decode())
            if time.monotonic() >= looks_s:
                self._look(db)
                looks_s = time.monotonic() + POLL_S

    def _notified(self, notify: psycopg.Notify) -> None:
        self._received(notify.channel, notify.payload)

    def _received(self, channel: str, text: str) -> None:
        if channel == TEXT_CHANNEL:
            for piece in read_message(text, self.process.n):
                self._report(piece)
        else:
            self._hinted(read_hint(text))

    def _look(self, db: Connection) -> None:
        """Report a change of all where hints are missing that should have come since the look before."""
        due, self._last = self._last, _last(db)
        if any(number not in self._come for number in range(self._floor + 1, due + 1)):
            self._report(Change())
        self._floor = max(due, self._floor)
        self._come = {number for number in self._come if number > self._floor}

    def _hinted(self, hint: Hint) -> None:
        self.process.hints.lag.note_hints(hint.numbers)
        self._come.update(number for number in hint.numbers if number > self._floor)
        if hint.written is None:
            self._report(Change())
        for conversation, seq in hint.written or ():
            self._report(Change(conversation, seq))

    def _report(self, found: Change | Piece) -> None:
        with self._lock:
            watchers = list(self._watchers.items())
        for queue, watcher in watchers:
            if watcher.wants_texts is isinstance(found, Piece):
                with suppress(RuntimeError):  # the loop was closed, and with it who watches
                    watcher.loop.call_soon_threadsafe(queue.put_nowait, found)


def _last(db: Connection) -> int:
    row = db.execute(_LAST).fetchone()
    return int(row[0]) if row is not None else 0


def _readable(within_s: float, *descriptors: int) -> set[int]:
    """Return which descriptors can be read, after at most a time. Their numbers may be of any size."""
    with selectors.DefaultSelector() as selector:
        for one in descriptors:
            selector.register(one, selectors.EVENT_READ)
        return {key.fd for key, _ in selector.select(within_s)}
