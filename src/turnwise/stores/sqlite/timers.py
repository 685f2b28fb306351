"""The timers in the file that are due, found by the version of the flow of their conversation."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from msgspec.json import Decoder

from turnwise.core.state import Timer
from turnwise.runner.ports import Due
from turnwise.stores.sqlite.leases import Lease, Row, sql_list
from turnwise.stores.sqlite.reader import Reader

_DUE = (  # CROSS: a look at the index for each version, not one through all that is due
    "SELECT conversation, id, body, one.fingerprint FROM (SELECT conversation, body, fingerprint FROM version"
    " CROSS JOIN timer ON timer.rowid IN (SELECT first.rowid FROM timer AS first WHERE first.version = version.n"
    " AND first.due_ms <= ?{} ORDER BY first.due_ms, first.rowid LIMIT ?) WHERE version.flow = ?{}"
    " ORDER BY due_ms, timer.rowid LIMIT ?) AS one CROSS JOIN conversation ON conversation.n = one.conversation"
)
_NOT_TAKEN = " AND first.conversation NOT IN ({})"
_NEXT = (
    "SELECT min((SELECT due_ms FROM timer WHERE timer.version = version.n ORDER BY due_ms LIMIT 1))"
    " FROM version WHERE version.flow = ?{}"
)

_timers = Decoder(Timer)


async def due(
    reader: Reader, lease: Lease | None, flow: str, now_ms: int, limit: int, without: Collection[str]
) -> tuple[Due, ...]:
    """Return the due timers of a flow, the oldest first, but none of the versions `without`.
    With `lease`, where other processes share the file, without those of conversations that these have leased.
    """
    others, values = _others(reader, flow, without), (now_ms, limit, flow, limit)
    found = reader.all(_DUE.format("", others), *values)
    if found and lease is not None:

        def read(db: sqlite3.Connection, taken: set[int]) -> list[Row]:
            return db.execute(_DUE.format(_NOT_TAKEN.format(sql_list(taken)), others), values).fetchall()

        found = await lease(read)
    return tuple([Due(name, reader.decode(_timers.decode, body), version) for _, name, body, version in found])


def next_due(reader: Reader, flow: str, without: Collection[str]) -> int | None:
    """Return when a flow's next timer is due, in milliseconds since 1970, or `None`; `without`: versions to skip."""
    found = reader.one(_NEXT.format(_others(reader, flow, without)), flow)
    return found[0] if found is not None else None


def _others(reader: Reader, flow: str, without: Collection[str]) -> str:
    """Return the condition that leaves out versions, by their numbers: SQLite limits how many parameters there are."""
    if not without:
        return ""
    versions = reader.all("SELECT n, fingerprint FROM version WHERE flow = ?", flow)
    return f" AND version.n NOT IN ({sql_list([n for n, fingerprint in versions if fingerprint in without])})"
