"""The timers that are due, found by the version of the flow of their conversation."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.json import Decoder

from turnwise.core.state import Timer
from turnwise.runner.ports import Due
from turnwise.stores.postgres.commit import unescape_text
from turnwise.stores.postgres.connect import Connection, Row
from turnwise.stores.postgres.leases import HOLDER, Leases
from turnwise.stores.postgres.reader import Reader

MOST_ASKED = 3
"""How often at most a replica asks what is due, where others ask at the same moment and get some of it."""
_OLDEST = (  # LATERAL: a look at the index for each version, not one through all that is due
    "SELECT first.due_ms, first.n AS place, first.conversation, first.holder, version.fingerprint FROM version"
    " CROSS JOIN LATERAL (SELECT * FROM (SELECT due_ms, n, conversation, {} AS holder FROM timer"
    " WHERE timer.version = version.n AND due_ms <= %s ORDER BY due_ms, n) AS one"
    " WHERE %s OR holder IS NULL OR holder = %s LIMIT %s) AS first WHERE version.flow = %s"
    " AND version.fingerprint <> ALL(%s) ORDER BY first.due_ms, place LIMIT %s"
).format(HOLDER.format("timer.conversation"))
_DUE = (
    f"SELECT conversation.n, conversation.id, one.holder, timer.body, one.fingerprint FROM ({_OLDEST}) AS one"
    " JOIN timer ON timer.n = one.place JOIN conversation ON conversation.n = timer.conversation"
    " ORDER BY one.due_ms, one.place"
)
_NEXT = (
    "SELECT min(first.due_ms) FROM version CROSS JOIN LATERAL"
    " (SELECT due_ms FROM timer WHERE timer.version = version.n ORDER BY due_ms, n LIMIT 1) AS first"
    " WHERE version.flow = %s AND version.fingerprint <> ALL(%s)"
)

_timers = Decoder(Timer)


async def due(
    reader: Reader, leases: Leases | None, flow: str, now_ms: int, limit: int, without: Collection[str]
) -> tuple[Due, ...]:
    """Return the due timers of a flow, the oldest first, but none of the versions `without`; lease their conversations.
    Without `leases` all due timers are returned, whichever replica has leased them.
    """

    def work(db: Connection) -> list[Row]:
        found = list[Row]()
        for _ in range(MOST_ASKED):
            mine = leases.mine if leases is not None else None
            values = (now_ms, leases is None, mine, limit, flow, list(without), limit)
            found = db.execute(_DUE, values).fetchall()
            free = list({n for n, _, holder, *_ in found if holder is None})
            if leases is None or not free:
                return found
            got = leases.take(db, free)
            found = [row for row in found if row[2] is not None or row[0] in got]
            if len(got) == len(free):
                return found
        return found

    found = await reader.run(work)
    return tuple(
        [Due(unescape_text(name), reader.decode(_timers.decode, body), version) for _, name, _, body, version in found]
    )


async def next_due(reader: Reader, flow: str, without: Collection[str]) -> int | None:
    """Return when a flow's next timer is due, in milliseconds since 1970, or `None`; `without`: versions to skip."""
    found = await reader.one(_NEXT, flow, list(without))
    return found[0] if found is not None else None
