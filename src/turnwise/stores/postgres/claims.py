"""Which replica runs a turn, and whether that replica lives: by its lease, with the clock of the database."""

from __future__ import annotations

from collections.abc import Collection

from turnwise.errors import StoreUnavailable
from turnwise.runner.ports import MOST_LEASED, Claim
from turnwise.stores.postgres.commit import escape_text, unescape_text
from turnwise.stores.postgres.connect import Connection, Row
from turnwise.stores.postgres.leases import HOLDER, Leases
from turnwise.stores.postgres.process import ALIVE, Process
from turnwise.stores.postgres.reader import Reader

MOST_ASKED = 3
"""How often the database is asked at most whether a run has its turn, where the lease ends before the answer."""

_CLAIM = (
    f"SELECT claim.process, {ALIVE} FROM conversation JOIN claim ON claim.conversation = conversation.n"
    " LEFT JOIN process ON process.n = claim.process WHERE id = %s"
)
_HOLDS = "SELECT turnwise_holds_1(%t, %b::int4, %b::int8)"
_MINE = "SELECT conversation FROM claim WHERE process = %s"
_DEAD = (  # those that no replica could continue come last
    "SELECT claim.conversation, lease.process = %s AND lease.until > clock_timestamp() FROM claim"
    " LEFT JOIN lease ON lease.conversation = claim.conversation LEFT JOIN process ON process.n = claim.process"
    f" WHERE claim.process <> %s AND {ALIVE} IS NOT TRUE AND coalesce({HOLDER.format('claim.conversation')}, %s) = %s"
    " AND claim.conversation <> ALL (SELECT n FROM conversation WHERE id = ANY(%s))"
    " ORDER BY lease.until NULLS FIRST, claim.conversation LIMIT %s"
)
_NAMES = "SELECT id FROM conversation WHERE n = ANY(%s) ORDER BY n"


async def claim(reader: Reader, process: int | None, conversation: str) -> Claim | None:
    """Return which process runs a turn of a conversation now; `None` if no turn is in progress.
    `process` is the number of this replica, `None` if it has none yet.
    """
    found = await reader.one(_CLAIM, escape_text(conversation))
    if found is None:
        return None
    is_mine = process is not None and found[0] == process
    return Claim(is_mine, is_mine or bool(found[1]))


async def holds(reader: Reader, process: Process, conversation: str, fence: int) -> bool:
    """Return whether the run with the token `fence` has the turn; where the lease may be over, renew it and ask."""

    def is_held(db: Connection) -> bool:
        if not process.renew(db):
            return False
        term = process.lease.term
        row = db.execute(_HOLDS, (escape_text(conversation), process.n, fence)).fetchone()
        if row is None or not row[0]:
            return False
        process.lease.record_claim(conversation, fence, term)
        return True

    for _ in range(MOST_ASKED):
        if process.lease.covers(conversation, fence):
            return True
        if not await reader.run(is_held):
            return False
    reason = f"it answers later than dead_after={process.lease.lasts_s:g}s, after which this replica counts as dead"
    raise StoreUnavailable(process.address.shown, reason)


async def cut_off(reader: Reader, leases: Leases, without: Collection[str]) -> tuple[str, ...]:
    """Return the conversations with a turn of this replica, and those with one of a dead replica, which are leased.
    Those in `without` are left to other replicas.
    """
    left = [escape_text(name) for name in without]

    def work(db: Connection) -> list[Row]:
        mine = leases.mine
        dead = db.execute(_DEAD, (mine, mine, mine, mine, left, MOST_LEASED)).fetchall()
        free = [n for n, is_leased in dead if not is_leased]
        got = {n for n, is_leased in dead if is_leased} | (leases.take(db, free) if free else set[int]())
        got |= {n for (n,) in db.execute(_MINE, (mine,))}
        return db.execute(_NAMES, (list(got),)).fetchall() if got else []

    return tuple([unescape_text(name) for (name,) in await reader.run(work)])
