"""Erases old entries in small transactions (retention), conversation by conversation, while turns continue.

A query finds in one round trip which conversations of a page have something old; only those are locked, one at a time.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from turnwise.core.state.retention import erased, trimmed
from turnwise.runner.ports import Progress, Retained
from turnwise.stores.encoded import DECIDED, ERASED, SNAPSHOT, entries_of
from turnwise.stores.places import ErasureTimes, Places, retain_in_steps, to_erase, to_trim
from turnwise.stores.postgres import outbox
from turnwise.stores.postgres.connect import Connection, Row
from turnwise.stores.postgres.journal import ENTRY
from turnwise.stores.postgres.reader import Reader
from turnwise.stores.postgres.rewrite import rewrite

PAGE = 500
"""How many conversations one query of retention searches."""

_log = logging.getLogger("turnwise.stores.postgres")

_ENTRIES = f"SELECT {ENTRY} FROM event WHERE conversation = %s AND seq BETWEEN %s AND %s"
_OLD = f"""
    WITH page AS (SELECT n, seq, trimmed FROM conversation WHERE n > %(after)s ORDER BY n LIMIT {PAGE}),
    standing AS (SELECT n, trimmed, CASE
            WHEN (SELECT kind FROM event WHERE conversation = n AND event.seq = 1) <> {ERASED} THEN 1
            ELSE (SELECT min(event.seq) FROM event WHERE conversation = n AND kind = {SNAPSHOT}) END AS first
        FROM page WHERE seq > 0)
    SELECT max(n), count(*), ARRAY(SELECT n FROM standing WHERE EXISTS (SELECT 1 FROM event
            WHERE conversation = n AND seq = first + 1 AND at_ms < %(events)s)
        OR EXISTS (SELECT 1 FROM event
            WHERE conversation = n AND seq = greatest(trimmed + 1, first) AND at_ms < %(decisions)s) ORDER BY n)
    FROM page
"""
"""Which conversations of a page have an entry that is to be erased or trimmed next, and the last one of the page."""


async def retain(reader: Reader, times: ErasureTimes, progress: Progress | None) -> Retained:
    """Erase events and trim decisions that are older than the times, conversation by conversation; return how many."""
    ((total,),) = await reader.all("SELECT count(*) FROM conversation", is_long=True)
    latest = [times, *times.of_versions]
    values: dict[str, Any] = {
        "events": max(one.events_ms for one in latest),
        "decisions": max(one.decisions_ms for one in latest),
    }
    found, done, last = Retained(), 0, 0
    while True:
        values["after"] = last
        ((last, count, old),) = await reader.run(lambda db: db.execute(_OLD, values).fetchall(), is_long=True)
        if not count:
            return found
        for n in old:
            events, decisions = await _conversation(reader, n, times)
            found = Retained(found.events + events, found.decisions + decisions)
        done += count
        if progress is not None:
            progress(done, max(total, done))


async def _conversation(reader: Reader, n: int, times: ErasureTimes) -> Retained:
    """Erase and trim all that is old in one conversation; a damaged one is left unchanged."""
    return await retain_in_steps(n, lambda: reader.write(partial(_step, reader=reader, n=n, times=times)), _log)


def _step(db: Connection, reader: Reader, n: int, times: ErasureTimes) -> Retained | None:
    """Erase and trim one batch; return `None` if nothing is left, or the conversation was deleted meanwhile."""
    sql = "SELECT seq, trimmed, fingerprint FROM conversation WHERE n = %s FOR UPDATE"
    row = db.execute(sql, (n,)).fetchone()
    if row is None or not row[0]:
        return None
    times = times.of_version(row[2])

    def first(sql: str, *values: object) -> Row | None:
        return db.execute(sql.replace("?", "%s"), values).fetchone()

    places = Places(first, n, row[0])
    old = to_erase(places, times)
    events = _erase(db, reader, places, old, times) if old is not None else 0
    decided = to_trim(places, row[1], times)
    decisions = _trim(db, reader, n, decided, times) if decided is not None else 0
    return Retained(events, decisions) if old or decided else None


def _erase(db: Connection, reader: Reader, places: Places, span: tuple[int, int], times: ErasureTimes) -> int:
    """Erase some entries; return how many. One more becomes a snapshot. Receipts go with their turns, all of
    them before the first of the entries: what a receipt names is always there.
    """
    last = places.whole_turns(places.before(times.events_ms))
    db.execute("DELETE FROM inbox WHERE conversation = %s AND turn <= %s", (places.n, places.turn(last)))
    old = reader.decode(entries_of, db.execute(f"{_ENTRIES} ORDER BY seq", (places.n, *span)))
    outbox.forget(db, places.n, places.turn(last), times.now_ms)
    return rewrite(db, places.n, erased(old, times.of_events)) - 1


def _trim(db: Connection, reader: Reader, n: int, span: tuple[int, int], times: ErasureTimes) -> int:
    """Trim some decisions; return how many."""
    old = reader.decode(entries_of, db.execute(f"{_ENTRIES} AND kind = {DECIDED} ORDER BY seq", (n, *span)))
    changed = [(one, trimmed(one, times.of_decisions)) for one in old]
    count = rewrite(db, n, [now for was, now in changed if now is not was])
    db.execute("UPDATE conversation SET trimmed = %s WHERE n = %s", (span[1], n))
    return count
