"""What an operator does with the database: counts its content, lists it, and releases the room of what was erased."""

from __future__ import annotations

import psycopg

from turnwise.runner.ports import Progress
from turnwise.runner.store_upkeep import ListedConversation, OldestTransaction, StoreInfo
from turnwise.stores.encoded import DECIDED, ERASED, NOTED, SAID, SNAPSHOT, status_of
from turnwise.stores.postgres.commit import unescape_text
from turnwise.stores.postgres.connect import Row, connect, failure
from turnwise.stores.postgres.reader import Reader

ROWS_AT_ONCE = 500
"""How many conversations are counted or listed at once."""

_TABLES = (
    "conversation, event, inbox, version, timer, process, claim, flow, owner, uncounted, counted, use,"
    " conversation_use, closing, setting, delivery"
)
_KINDS = {0: "events", SAID: "events", DECIDED: "decisions", SNAPSHOT: "snapshots", ERASED: "erased", NOTED: "events"}
_EVENTS = (
    "SELECT kind, count(*), coalesce(sum(octet_length(body)), 0)::int8 FROM event"
    " WHERE conversation BETWEEN %s AND %s GROUP BY kind"
)
_SIZES = {
    "states": "SELECT sum(octet_length(state)) FROM conversation",
    "receipts": "SELECT sum(octet_length(key) + octet_length(body)) FROM inbox",
    "timers": "SELECT sum(octet_length(body)) FROM timer",
    "deliveries": "SELECT sum(octet_length(id) + octet_length(error)) FROM delivery",
    "flows": "SELECT sum(octet_length(fingerprint) + octet_length(document)) FROM flow",
}
_SIZE = f"SELECT sum(pg_total_relation_size(one::regclass)) FROM unnest(string_to_array('{_TABLES}', ', ')) AS one"
_GONE = (
    "SELECT coalesce(sum(last - rows) * max(bytes), 0)::int8 FROM (SELECT max((ctid::text::point)[1]) AS last,"
    " count(*) AS rows, avg(pg_column_size(event.*)) AS bytes FROM event GROUP BY (ctid::text::point)[0]) AS page"
)
"""About how many bytes the entries have that were deleted or written anew: the numbers of rows that a page lacks."""
_SUMMARY = "SELECT coalesce(max(n), 0), count(*), min(began_ms), max(at_ms) FROM conversation"
_LISTED = (
    "SELECT n, id, flow, fingerprint, began_ms, at_ms, seq, claim.process IS NOT NULL, state FROM conversation"
    " LEFT JOIN claim ON claim.conversation = conversation.n WHERE n > %s ORDER BY n LIMIT %s"
)

_OLDEST_TRANSACTION = (
    "SELECT pid, coalesce(usename, '?'), coalesce(nullif(application_name, ''), '?'), coalesce(state, '?'),"
    " extract(epoch FROM clock_timestamp() - xact_start)::float8 FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    " AND xact_start IS NOT NULL AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) ORDER BY xact_start LIMIT 1"
)
"""A session that is idle in a transaction holds nothing where it has neither a snapshot nor written anything."""


async def info(reader: Reader, progress: Progress | None = None) -> StoreInfo:
    """Return figures about the database. Turns continue meanwhile; reading a large database takes long."""
    sizes = dict.fromkeys(["events", "decisions", "snapshots", "erased", *_SIZES], 0)
    counts = dict.fromkeys(_KINDS, 0)
    last, conversations, oldest, newest = await _one(reader, _SUMMARY)
    for begin in range(1, last + 1, ROWS_AT_ONCE):
        for kind, count, length in await reader.all(_EVENTS, begin, begin + ROWS_AT_ONCE - 1, is_long=True):
            counts[kind] = counts.get(kind, 0) + count
            sizes[_KINDS.get(kind, "events")] += length
        if progress is not None:
            progress(min(begin + ROWS_AT_ONCE - 1, last), last)
    for name, sql in _SIZES.items():
        sizes[name] = int((await _one(reader, sql))[0] or 0)
    total = int((await _one(reader, _SIZE))[0])
    sizes |= {"free": 0, "overhead": total - sum(sizes.values())}
    return StoreInfo(
        file=reader.address.shown,
        file_bytes=total,
        log_bytes=0,
        conversations=conversations,
        open_turns=(await _one(reader, "SELECT count(*) FROM claim"))[0],
        oldest_ms=oldest,
        newest_ms=newest,
        entries=sum(counts.values()),
        erased=counts[ERASED],
        bytes=sizes,
        oldest_transaction=await oldest_transaction(reader),
    )


async def _one(reader: Reader, sql: str) -> Row:
    found = await reader.one(sql, is_long=True)
    assert found is not None
    return found


async def listed(reader: Reader) -> tuple[ListedConversation, ...]:
    """Return a summary of every conversation, in order of beginning; read in parts, as each has a state."""
    found: list[ListedConversation] = []
    last = 0
    while page := await reader.all(_LISTED, last, ROWS_AT_ONCE, is_long=True):
        found += reader.decode(_listed, page)
        last = page[-1][0]
    return tuple(found)


def _listed(page: list[Row]) -> list[ListedConversation]:
    found: list[ListedConversation] = []
    for _, name, *row, is_open, state in page:
        status, outcome = status_of(state) if state is not None else ("waiting", "")
        found.append(ListedConversation(unescape_text(name), *row, is_open=is_open, status=status, outcome=outcome))
    return found


async def oldest_transaction(reader: Reader) -> OldestTransaction | None:
    """Return the transaction that a session of this database has had open for longest; `None` if none is open.
    Those of other roles are seen only by a role that may read statistics (`pg_read_all_stats`).
    """
    found = await reader.one(_OLDEST_TRANSACTION)
    return OldestTransaction(*found) if found is not None else None


async def vacuum(reader: Reader) -> int:
    """Write the tables anew, without what was erased; return how many bytes smaller they are.
    Where they need as many pages as before, that is about how many bytes of entries are no longer in them. The log of
    the server and backups still have what was erased.
    """
    before, gone = int((await _one(reader, _SIZE))[0]), int((await _one(reader, _GONE))[0])
    await reader.run(lambda _: _written_anew(reader), is_long=True)
    return max(before - int((await _one(reader, _SIZE))[0]), gone)


def _written_anew(reader: Reader) -> None:
    try:
        with connect(reader.address) as db:
            for table in _TABLES.split(", "):
                db.execute(f"VACUUM (FULL, ANALYZE) {table}")
    except psycopg.Error as error:
        raise failure(reader.address, error) from None
