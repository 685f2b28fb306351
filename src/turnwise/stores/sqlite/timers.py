"""The timers in the file that are due, found by the version of the flow of their conversation."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.json import Decoder

from turnwise.core.state import Timer
from turnwise.runner.ports import CIRCLE, Due, Part
from turnwise.stores.sqlite.reader import Reader

_OLDEST = (  # CROSS: a look at the index for each version, not one through all that is due
    "SELECT due_ms, timer.rowid AS place, conversation, fingerprint FROM version CROSS JOIN timer ON timer.rowid IN"
    " (SELECT first.rowid FROM timer AS first WHERE first.version = version.n AND first.due_ms <= ?"
    " ORDER BY first.due_ms, first.rowid LIMIT ?) WHERE version.flow = ?{}"
    " ORDER BY due_ms, place LIMIT ?"
)
_FIRST_OF_PART = (  # the factor spreads the numbers of conversations over the circle
    f"SELECT place, fingerprint FROM (SELECT *, (conversation * 2654435761 - ?) & {CIRCLE - 1} AS after FROM ({{}}))"
    f" ORDER BY CASE WHEN after < ? THEN after ELSE {2 * CIRCLE} - after END LIMIT ?"
)
_READ = (
    "SELECT id, body, one.fingerprint FROM ({}) AS one CROSS JOIN timer ON timer.rowid = one.place"
    " CROSS JOIN conversation ON conversation.n = timer.conversation"
)
_NEXT = (
    "SELECT min((SELECT due_ms FROM timer WHERE timer.version = version.n ORDER BY due_ms LIMIT 1))"
    " FROM version WHERE version.flow = ?{}"
)

_timers = Decoder(Timer)


def due(
    reader: Reader, flow: str, now_ms: int, limit: int, without: Collection[str], part: Part | None
) -> tuple[Due, ...]:
    """Return the timers of a flow that are due, the oldest first, without those of some versions; those of a part of
    all conversations before others.
    """
    sql, most = _OLDEST.format(_others(reader, flow, without)), part.among if part is not None else limit
    values: tuple[object, ...] = (now_ms, most, flow, most)
    if part is not None:
        sql, values = _FIRST_OF_PART.format(sql), (part.first, *values, part.length, limit)
    found = reader.all(_READ.format(sql), *values)
    return tuple([Due(name, reader.made(_timers.decode, body), version) for name, body, version in found])


def next_due(reader: Reader, flow: str, without: Collection[str]) -> int | None:
    """Return when the next timer of a flow is due, without those of some versions."""
    found = reader.one(_NEXT.format(_others(reader, flow, without)), flow)
    return found[0] if found is not None else None


def _others(reader: Reader, flow: str, without: Collection[str]) -> str:
    """Return the condition that leaves out versions, by their numbers: SQLite limits how many parameters there are."""
    if not without:
        return ""
    versions = reader.all("SELECT n, fingerprint FROM version WHERE flow = ?", flow)
    return f" AND version.n NOT IN ({', '.join([str(n) for n, fingerprint in versions if fingerprint in without])})"
