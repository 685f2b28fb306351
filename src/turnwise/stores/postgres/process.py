"""The row of this replica in the table of processes: its lease, by the clock of the database.

A thread with a connection of its own renews the lease, so that an event loop that is busy cannot let it expire. With
each heartbeat it measures how far the clock of this machine is from the database's, and reads how many replicas live.
It also sends the hints of what was written, outside of the transactions of turns.
"""

from __future__ import annotations

import logging
import os
import secrets
import threading
import time
from contextlib import suppress

import psycopg

from turnwise.runner.clocks import SystemClock
from turnwise.stores.postgres.address import Address
from turnwise.stores.postgres.connect import Connection, connect, failure
from turnwise.stores.postgres.hints import PAUSE_S, Hints
from turnwise.stores.postgres.lease import Lease, steady_s
from turnwise.stores.postgres.texts import WaitingTexts
from turnwise.stores.system import machine_id

MOST_DRIFT_S = 30.0
"""By how many seconds the clock of this machine may have been set before it is compared with the database's again."""
LEAST_ANSWERS_S = 2.0
"""How many seconds an answer to a heartbeat is waited for at least."""
_KNOWN_FOR = 60
"""For how many times its lease a replica that has ended and claims nothing stays in the table."""

_log = logging.getLogger("turnwise.stores.postgres")

_ENROL = (
    "INSERT INTO process (host, pid, token, until)"
    " VALUES (%s, %s, %s, clock_timestamp() + %s * interval '1 second') RETURNING n"
)
_BEAT = (
    "UPDATE process SET until = clock_timestamp() + %s * interval '1 second'"
    " FROM (SELECT n, until FROM process WHERE n = %s AND token = %s FOR UPDATE) AS before WHERE process.n = before.n"
    " RETURNING extract(epoch FROM clock_timestamp())::float8, before.until < clock_timestamp(),"
    " (SELECT count(*) FROM process WHERE until > clock_timestamp())"
)
_ENDED = (
    "DELETE FROM process WHERE until < clock_timestamp() - %s * interval '1 second'"
    " AND n NOT IN (SELECT process FROM claim)"
    " AND n NOT IN (SELECT process FROM delivery WHERE status = 'sending' AND process IS NOT NULL)"
)
_NOW = "SELECT extract(epoch FROM clock_timestamp())::float8"
_LEAVE = "UPDATE process SET until = '-infinity' WHERE n = %s"
ALIVE = "process.until > clock_timestamp()"
"""The condition under which a process counts as alive."""


class Process:
    """The entry of this replica in the table of processes, which is made before the replica first writes."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.token = secrets.token_hex(8)
        self.pid = os.getpid()
        self.n: int | None = None
        self._has_lease = False
        self.hints, self.texts = Hints(), WaitingTexts()
        self.lease = Lease(address.dead_after_s)
        self.alive = 1
        """How many replicas live, as of the last heartbeat."""
        self._measured: tuple[float, float, float] | None = None
        """By how many seconds the clock of the database is ahead, and when it was measured: wall, monotonic."""
        self._enrolling = threading.Lock()
        self._ends, self._leaves = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def is_forked(self) -> bool:
        """True in a forked child of the process that opened the store."""
        return os.getpid() != self.pid

    @property
    def beat_s(self) -> float:
        """The time between two heartbeats, in seconds."""
        return self.address.dead_after_s / 4

    # the clock -------------------------------------------------------------------------------

    def now_ms(self) -> int:
        """Return the time of the database, as it was measured last, in milliseconds since 1970, UTC."""
        return round((_wall_s() + self.ahead_s) * 1000)

    @property
    def ahead_s(self) -> float:
        """By how many seconds the clock of the database is ahead of this machine's, when it was measured last."""
        return self._measured[0] if self._measured is not None else 0.0

    def has_drifted(self) -> bool:
        """Return whether this machine's clock was set, or the machine suspended, since the last `measure`."""
        if self._measured is None:
            return True
        _, wall, steady = self._measured
        return abs((_wall_s() - wall) - (time.monotonic() - steady)) > MOST_DRIFT_S

    def measure(self, db: Connection) -> None:
        """Measure how far the clock of this machine is from the database's."""
        began = _wall_s()
        row = db.execute(_NOW).fetchone()
        assert row is not None
        self._note(began, row[0])

    def _note(self, began: float, now_s: float) -> None:
        ended = _wall_s()
        self._measured = (now_s - (began + ended) / 2, ended, time.monotonic())

    # the row ---------------------------------------------------------------------------------

    def enrol(self, db: Connection) -> int:
        """Return the number of this replica in the table of processes; add its row and start the heartbeat if new."""
        with self._enrolling:
            if self.n is None:
                self._enter(db)
            if self._thread is None and not self._ends.is_set():
                self._thread = threading.Thread(target=self._run, name="turnwise-heartbeat", daemon=True)
                self._thread.start()
            assert self.n is not None
            return self.n

    def _enter(self, db: Connection) -> None:
        lease_s = self.address.dead_after_s
        with db.transaction():
            db.execute(_ENDED, (_KNOWN_FOR * lease_s,))
            row = db.execute(_ENROL, (machine_id(), self.pid, self.token, lease_s)).fetchone()
        assert row is not None
        n = row[0]
        self._beat(db, n)
        self.n, self._has_lease = n, True

    def renew(self, db: Connection) -> bool:
        """Renew the lease of this replica now; return false if it is not enrolled (any more)."""
        return self.n is not None and not self._leaves.is_set() and self._beat(db, self.n)

    def _beat(self, db: Connection, n: int) -> bool:
        """Renew the lease; return false where others have removed the row as outdated."""
        began, sent_s = _wall_s(), steady_s()
        row = db.execute(_BEAT, (self.address.dead_after_s, n, self.token)).fetchone()
        if row is not None:
            now_s, has_lapsed, self.alive = row
            self.lease.record_heartbeat(sent_s, has_lapsed=has_lapsed)
            self._note(began, now_s)
        else:
            self.lease.record_lapse()
        return row is not None

    def _run(self) -> None:
        """Renew the lease and send hints, until the store is closed. What fails is done again with a new connection."""
        db: Connection | None = None
        due = time.monotonic() + self.beat_s
        while not self._ends.is_set():
            until = min(due, self.texts.due_s or due)
            if self.hints.wait(max(0.0, until - time.monotonic())) and not self._leaves.is_set():
                self._ends.wait(PAUSE_S)  # those that come meanwhile go with them
            try:
                if db is None:
                    db = self._connected()
                if self._leaves.is_set():
                    self._give_up(db)
                elif time.monotonic() >= due:
                    self._beat_or_enter(db)
                    due = time.monotonic() + self.beat_s
                self.hints.send(db)
                self.texts.send(db, self.n or 0)
            except psycopg.Error as error:
                _log.warning("%s; the heartbeat is tried again", failure(self.address, error))
                db = _closed(db)
                self._ends.wait(min(1.0, self.beat_s))
        with suppress(psycopg.Error):
            db = db or self._connected()
            self.hints.send(db)
            self._give_up(db)
            db.execute(_ENDED, (_KNOWN_FOR * self.address.dead_after_s,))
        _closed(db)

    def _connected(self) -> Connection:
        """Connect for heartbeats: one that is not answered in time is sent by another connection."""
        return connect(self.address, answers_within_s=max(LEAST_ANSWERS_S, self.address.dead_after_s / 2))

    def _give_up(self, db: Connection) -> None:
        if self._has_lease:
            db.execute(_LEAVE, (self.n,))
            self._has_lease = False

    def _beat_or_enter(self, db: Connection) -> None:
        if not self.renew(db):
            with self._enrolling:
                self._enter(db)

    def leave(self) -> None:
        """Give up the lease, without waiting for the database: other replicas continue the open turns at once."""
        self._leaves.set()
        self.lease.record_lapse()
        self.hints.wake()

    def end(self) -> None:
        """Give up the lease, send the last hints, and end the heartbeat, without waiting for that."""
        self._ends.set()
        self.hints.wake()

    def close(self) -> None:
        """Do what `end` does, and wait until it is done."""
        self.end()
        if self._thread is not None:
            self._thread.join()


def _wall_s() -> float:
    return SystemClock().now_ms() / 1000


def _closed(db: Connection | None) -> None:
    if db is not None:
        with suppress(psycopg.Error):
            db.close()
