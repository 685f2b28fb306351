"""Leases of conversations: which replica works on what is due, or was cut off.

A lease ends after a while, and sooner with its replica. Where two replicas ask at once for the same conversations, one
gets each; the other asks again, and sees then what is taken.
"""

from __future__ import annotations

import time

from turnwise.runner.ports import LEASE_S
from turnwise.stores.postgres.connect import Connection
from turnwise.stores.postgres.process import ALIVE, Process

HOLDER = (
    "(SELECT lease.process FROM lease JOIN process ON process.n = lease.process"
    f" WHERE lease.conversation = {{}} AND lease.until > clock_timestamp() AND {ALIVE})"
)
"""The replica that has leased a conversation: a subquery, for the column with the number of the conversation."""
_TAKE = (
    "INSERT INTO lease (conversation, process, until) SELECT one, %s, clock_timestamp() + %s * interval '1 second'"
    " FROM unnest(%s::bigint[]) AS one ORDER BY one ON CONFLICT (conversation) DO UPDATE"
    " SET process = excluded.process, until = excluded.until WHERE lease.until < clock_timestamp()"
    f" OR NOT EXISTS (SELECT 1 FROM process WHERE process.n = lease.process AND {ALIVE}) RETURNING conversation"
)
_SWEEP = "DELETE FROM lease WHERE until < clock_timestamp()"


class Leases:
    """The conversations that this replica has leased."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._swept_s = time.monotonic()

    @property
    def mine(self) -> int:
        """The number of this replica in the table of processes; -1 if it is not enrolled."""
        return self.process.n if self.process.n is not None else -1

    def take(self, db: Connection, conversations: list[int]) -> set[int]:
        """Lease conversations that no replica has leased, by their numbers; return those that this replica got.
        The first call enrols the replica.
        """
        n = self.process.enrol(db)
        if time.monotonic() - self._swept_s > LEASE_S:
            self._swept_s = time.monotonic()
            db.execute(_SWEEP)
        return {one for (one,) in db.execute(_TAKE, (n, LEASE_S, conversations))}
