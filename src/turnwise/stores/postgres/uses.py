"""Counts what conversations use: a commit notes its conversation, and one replica at a time adds to the sums."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.runner.uses import Uncounted, UseCount, Uses
from turnwise.stores.postgres.commit import escape_text, unescape_text
from turnwise.stores.postgres.connect import Connection
from turnwise.stores.postgres.reader import Reader

LOCK = "SELECT pg_advisory_xact_lock(7812455)"
"""The SQL of a lock until the end of a transaction that changes the sums, which all conversations of a flow share."""
_UNCOUNTED = (
    "SELECT id, flow, coalesce(counted.seq, 0), conversation.seq, coalesce(counted.fingerprint, ''),"
    " coalesce(counted.version, 0) FROM uncounted JOIN conversation ON conversation.n = uncounted.conversation"
    " LEFT JOIN counted ON counted.conversation = uncounted.conversation LIMIT %s"
)
_STANDING = (
    "SELECT n, conversation.seq, coalesce(counted.seq, 0) FROM conversation"
    " LEFT JOIN counted ON counted.conversation = n WHERE id = %s FOR UPDATE OF conversation"
)
_ITEMS = (
    "INSERT INTO use (flow, kind, name, version) SELECT %s, * FROM unnest(%s::text[], %s::text[], %s::int[])"
    " ON CONFLICT (flow, kind, name, version) DO NOTHING"
)
_USED = (
    "WITH one AS (SELECT use.n, given.count FROM unnest(%s::text[], %s::text[], %s::int[], %s::bigint[])"
    " AS given (kind, name, version, count)"
    " JOIN use ON use.flow = %s AND use.kind = given.kind AND use.name = given.name AND use.version = given.version),"
    " is_new AS (SELECT n FROM one WHERE NOT EXISTS"
    " (SELECT 1 FROM conversation_use WHERE conversation = %s AND item = n)),"
    " added AS (INSERT INTO conversation_use SELECT %s, n, count FROM one"
    " ON CONFLICT (conversation, item) DO UPDATE SET count = conversation_use.count + excluded.count)"
    " UPDATE use SET count = use.count + one.count,"
    " conversations = conversations + (CASE WHEN one.n IN (SELECT n FROM is_new) THEN 1 ELSE 0 END)"
    " FROM one WHERE use.n = one.n"
)
_TAKE_AWAY = (
    "WITH gone AS (DELETE FROM conversation_use WHERE conversation = %s RETURNING item, count)"
    " UPDATE use SET count = use.count - gone.count, conversations = conversations - 1"
    " FROM gone WHERE use.n = gone.item"
)
_COUNTED = (
    "INSERT INTO counted (conversation, seq, fingerprint, version) VALUES (%s, %s, %s, %s) ON CONFLICT (conversation)"
    " DO UPDATE SET seq = excluded.seq, fingerprint = excluded.fingerprint, version = excluded.version"
)
_COUNTS = "SELECT kind, name, version, count, conversations FROM use WHERE flow = %s AND conversations > 0"


async def uncounted(reader: Reader, most: int) -> tuple[Uncounted, ...]:
    """Return up to `most` conversations with ended turns whose uses of nodes, transitions, tools are uncounted."""
    found = await reader.all(_UNCOUNTED, most)
    return tuple([Uncounted(unescape_text(name), *row) for name, *row in found])


def add(db: Connection, found: Iterable[Uses]) -> None:
    """Add the uses of entries to the counts, unless another process has, or the conversation was deleted."""
    db.execute(LOCK)
    for one in found:
        at = one.uncounted
        row = db.execute(_STANDING, (escape_text(at.conversation),)).fetchone()
        if row is None or row[2] != at.after or row[1] < at.until:
            continue
        n, seq, _ = row
        if one.replaces:
            db.execute(_TAKE_AWAY, (n,))
        keys = [[key.kind for key in one.counts], [escape_text(key.name) for key in one.counts]]
        versions = [key.version for key in one.counts]
        db.execute(_ITEMS, (at.flow, *keys, versions))
        db.execute(_USED, (*keys, versions, list(one.counts.values()), at.flow, n, n))
        db.execute(_COUNTED, (n, at.until, one.fingerprint, one.version))
        if at.until == seq:
            db.execute("DELETE FROM uncounted WHERE conversation = %s", (n,))


def drop(db: Connection, n: int) -> None:
    """Remove the counts of conversation number `n`, which is deleted."""
    db.execute(_TAKE_AWAY, (n,))
    for table in ("uncounted", "counted"):
        db.execute(f"DELETE FROM {table} WHERE conversation = %s", (n,))


async def counts(reader: Reader, flow: str, kind: str) -> tuple[UseCount, ...]:
    """Return how often each thing of a flow was used, of one kind or, if empty, of all."""
    found = await (reader.all(f"{_COUNTS} AND kind = %s", flow, kind) if kind else reader.all(_COUNTS, flow))
    return tuple([UseCount(one, unescape_text(name), *row) for one, name, *row in found])
