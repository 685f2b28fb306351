"""Who runs a turn, and whether it lives: by the leases of replicas, with the clock of the database."""

from __future__ import annotations

from turnwise.errors import StoreUnavailable
from turnwise.runner.ports import Claim
from turnwise.stores.postgres.commit import given, kept
from turnwise.stores.postgres.connect import Connection
from turnwise.stores.postgres.process import ALIVE, Process
from turnwise.stores.postgres.reader import Reader

RESCUE_S = 5
"""For how long a replica that was given a turn which was cut off is the only one that is given it."""

MOST_ASKED = 3
"""How often the database is asked at most whether a run has its turn, where the lease ends before it answers."""

_CLAIM = (
    f"SELECT claim.process, {ALIVE} FROM conversation JOIN claim ON claim.conversation = conversation.n"
    " LEFT JOIN process ON process.n = claim.process WHERE id = %s"
)
_HOLDS = "SELECT turnwise_holds_1(%t, %b::int4, %b::int8)"
_CUT_OFF = (
    "WITH found AS (SELECT claim.conversation, claim.process = %s AS is_mine FROM claim"
    " LEFT JOIN process ON process.n = claim.process"
    f" WHERE claim.process = %s OR (coalesce(NOT {ALIVE}, true)"
    " AND coalesce(claim.rescued_until < clock_timestamp(), true)) FOR UPDATE OF claim SKIP LOCKED),"
    f" leased AS (UPDATE claim SET rescued_until = clock_timestamp() + {RESCUE_S} * interval '1 second'"
    " FROM found WHERE claim.conversation = found.conversation AND NOT found.is_mine)"
    " SELECT id FROM found JOIN conversation ON conversation.n = found.conversation ORDER BY conversation.n"
)


async def claim(reader: Reader, process: int | None, conversation: str) -> Claim | None:
    """Return who runs a turn of a conversation now."""
    found = await reader.one(_CLAIM, kept(conversation))
    if found is None:
        return None
    is_mine = process is not None and found[0] == process
    return Claim(is_mine, is_mine or bool(found[1]))


async def holds(reader: Reader, process: Process, conversation: str, fence: int) -> bool:
    """Return whether a run has its turn. Where the lease may be over it is renewed, and then the database is asked."""

    def is_held(db: Connection) -> bool:
        if not process.renew(db):
            return False
        term = process.lease.term
        row = db.execute(_HOLDS, (kept(conversation), process.n, fence)).fetchone()
        if row is None or not row[0]:
            return False
        process.lease.claimed(conversation, fence, term)
        return True

    for _ in range(MOST_ASKED):
        if process.lease.covers(conversation, fence):
            return True
        if not await reader.run(is_held):
            return False
    reason = f"it answers later than dead_after={process.lease.lasts_s:g}s, after which this replica counts as dead"
    raise StoreUnavailable(process.address.shown, reason)


async def cut_off(reader: Reader, process: int | None) -> tuple[str, ...]:
    """Return the conversations whose turn was cut off; other replicas are not given those of dead ones for a while."""
    number = process if process is not None else -1
    found = await reader.all(_CUT_OFF, number, number)
    return tuple([given(name) for (name,) in found])
