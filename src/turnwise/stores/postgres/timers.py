"""The timers that are due, found by the version of the flow of their conversation."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.json import Decoder

from turnwise.core.state import Timer
from turnwise.runner.ports import CIRCLE, Due, Part
from turnwise.stores.postgres.commit import given
from turnwise.stores.postgres.reader import Reader

_OLDEST = (  # LATERAL: a look at the index for each version, not one through all that is due
    "SELECT first.due_ms, first.n AS place, first.conversation, version.fingerprint FROM version CROSS JOIN LATERAL"
    " (SELECT due_ms, n, conversation FROM timer WHERE timer.version = version.n AND due_ms <= %s"
    " ORDER BY due_ms, n LIMIT %s) AS first WHERE version.flow = %s AND version.fingerprint <> ALL(%s)"
    " ORDER BY first.due_ms, place LIMIT %s"
)
_FIRST_OF_PART = (  # the factor spreads the numbers of conversations over the circle
    "SELECT *, CASE WHEN after < %s THEN after ELSE {} - after END AS rank FROM"
    " (SELECT *, (conversation * 2654435761 - %s) & {} AS after FROM ({}) AS oldest) AS placed"
    " ORDER BY rank LIMIT %s"
)
_READ = (
    "SELECT conversation.id, timer.body, one.fingerprint FROM ({}) AS one JOIN timer ON timer.n = one.place"
    " JOIN conversation ON conversation.n = timer.conversation ORDER BY {}"
)
_NEXT = (
    "SELECT min(first.due_ms) FROM version CROSS JOIN LATERAL"
    " (SELECT due_ms FROM timer WHERE timer.version = version.n ORDER BY due_ms, n LIMIT 1) AS first"
    " WHERE version.flow = %s AND version.fingerprint <> ALL(%s)"
)

_timers = Decoder(Timer)


async def due(
    reader: Reader, flow: str, now_ms: int, limit: int, without: Collection[str], part: Part | None
) -> tuple[Due, ...]:
    """Return the timers of a flow that are due, the oldest first, without those of some versions; those of a part of
    all conversations before others.
    """
    most = part.among if part is not None else limit
    values: tuple[object, ...] = (now_ms, most, flow, list(without), most)
    sql = _READ.format(_OLDEST, "one.due_ms, one.place")
    if part is not None:
        sql = _READ.format(_FIRST_OF_PART.format(2 * CIRCLE, CIRCLE - 1, _OLDEST), "one.rank")
        values = (part.length, part.first, *values, limit)
    found = await reader.all(sql, *values)
    return tuple([Due(given(name), reader.made(_timers.decode, body), version) for name, body, version in found])


async def next_due(reader: Reader, flow: str, without: Collection[str]) -> int | None:
    """Return when the next timer of a flow is due, without those of some versions."""
    found = await reader.one(_NEXT, flow, list(without))
    return found[0] if found is not None else None
