"""Retention, in small transactions: turns that are under way go on between them.

Each transaction leaves a whole journal: entries are erased up to the end of a turn, and the state there
takes the place of the last of them.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from turnwise.core.events import Decided, Entry
from turnwise.core.retain import Retention, erased, trimmed
from turnwise.errors import StoreFailed, StoreUnavailable
from turnwise.runner.ports import Progress, Retained
from turnwise.stores.sqlite import rows
from turnwise.stores.sqlite.journal import Places
from turnwise.stores.sqlite.reader import Reader
from turnwise.stores.sqlite.writer import Work

MOST_AT_ONCE = 400
"""How many entries one transaction changes, or the entries of one turn where they are more."""
SIDE_BY_SIDE = 4
"""How many conversations share a transaction, where nothing else waits for one."""
PAGE = 200
"""How many conversations are looked at in one go."""

_log = logging.getLogger("turnwise.stores.sqlite")

Write = Callable[[Work], Awaitable[Any]]

_ENTRIES = f"SELECT {rows.EVENT} FROM event WHERE conversation = ? AND seq BETWEEN ? AND ?"
_PLACES = "SELECT n, seq, trimmed FROM conversation WHERE n > ? ORDER BY n LIMIT ?"


class Limits:
    """From when on things are kept, in milliseconds since 1970."""

    def __init__(self, retention: Retention, now_ms: int) -> None:
        self.events_ms = retention.events_before_ms(now_ms)
        self.decisions_ms = retention.decisions_before_ms(now_ms)


async def retain(reader: Reader, write: Write, limits: Limits, progress: Progress | None) -> Retained:
    """Erase and trim what is older, conversation by conversation."""
    total = await asyncio.to_thread(_count, reader)
    found = Retained()
    done = last = 0
    while page := await asyncio.to_thread(reader.all, _PLACES, last, PAGE):
        old = await asyncio.to_thread(_with_something_old, reader, page, limits)
        for begin in range(0, len(old), SIDE_BY_SIDE):
            some = old[begin : begin + SIDE_BY_SIDE]
            for events, decisions in await asyncio.gather(*(_conversation(reader, write, n, limits) for n in some)):
                found = Retained(found.events + events, found.decisions + decisions)
        last = page[-1][0]
        done += len(page)
        if progress is not None:
            progress(done, max(total, done))
    return found


def _count(reader: Reader) -> int:
    (found,) = reader.all("SELECT count(*) FROM conversation")
    return int(found[0])


def _with_something_old(reader: Reader, page: Iterable[tuple[Any, ...]], limits: Limits) -> list[int]:
    """The conversations of a page in which there is something to do."""
    found: list[int] = []
    for n, seq, was_trimmed in page:
        places = Places(reader.one, n, seq)
        if seq and (_to_erase(places, limits) or _to_trim(places, was_trimmed, limits)):
            found.append(n)
    return found


def _to_erase(places: Places, limits: Limits) -> tuple[int, int] | None:
    """The next entries to erase, from the one that still holds a state up to the end of a turn."""
    begin = places.erased() + 1
    end = places.whole_turns(places.before(limits.events_ms))
    if end <= begin:
        return None
    if end - begin > MOST_AT_ONCE:
        some = places.whole_turns(begin + MOST_AT_ONCE)
        end = some if some > begin else places.turn_ends(places.turn(begin + 1))
    return begin, end


def _to_trim(places: Places, was_trimmed: int, limits: Limits) -> tuple[int, int] | None:
    """The next entries whose decisions are to be trimmed."""
    begin = max(was_trimmed, places.erased()) + 1
    end = min(places.before(limits.decisions_ms), begin + MOST_AT_ONCE)
    return (begin, end) if end >= begin else None


async def _conversation(reader: Reader, write: Write, n: int, limits: Limits) -> Retained:
    """All that is to be done in one conversation; a damaged one is left as it is."""
    events = decisions = 0
    try:
        while done := await write(lambda db: _step(db, reader, n, limits)):
            events += done.events
            decisions += done.decisions
    except StoreUnavailable:
        raise
    except StoreFailed as failed:
        _log.error("retention passes over conversation number %d: %s", n, failed)
    return Retained(events, decisions)


def _step(db: sqlite3.Connection, reader: Reader, n: int, limits: Limits) -> Retained | None:
    """Erase and trim some; `None` where nothing is left to do, or the conversation was forgotten meanwhile."""
    row = db.execute("SELECT seq, trimmed FROM conversation WHERE n = ?", (n,)).fetchone()
    if row is None:
        return None

    def first(sql: str, *parameters: object) -> tuple[Any, ...] | None:
        return db.execute(sql, parameters).fetchone()

    places = Places(first, n, row[0])
    to_erase = _to_erase(places, limits)
    events = _erase(db, reader, places, to_erase, limits) if to_erase is not None else 0
    to_trim = _to_trim(places, row[1], limits)
    decisions = _trim(db, reader, n, to_trim) if to_trim is not None else 0
    return Retained(events, decisions) if to_erase or to_trim else None


def _erase(db: sqlite3.Connection, reader: Reader, places: Places, span: tuple[int, int], limits: Limits) -> int:
    """Erase some entries; gives how many. One more becomes a snapshot. Receipts go with their turns, all of
    them before the first of the entries: what a receipt names is always there.
    """
    last = places.whole_turns(places.before(limits.events_ms))
    db.execute("DELETE FROM inbox WHERE conversation = ? AND turn <= ?", (places.n, places.turn(last)))
    old = reader.made(rows.entries_of, db.execute(f"{_ENTRIES} ORDER BY seq", (places.n, *span)))
    return _rewrite(db, places.n, erased(old)) - 1


def _trim(db: sqlite3.Connection, reader: Reader, n: int, span: tuple[int, int]) -> int:
    """Trim some decisions; gives how many."""
    old = reader.made(rows.entries_of, db.execute(f"{_ENTRIES} AND kind = {rows.DECIDED}", (n, *span)))
    count = _rewrite(db, n, [trimmed(entry) for entry in old if _has_more(entry)])
    db.execute("UPDATE conversation SET trimmed = ? WHERE n = ?", (span[1], n))
    return count


def _has_more(entry: Entry) -> bool:
    event = entry.event
    return isinstance(event, Decided) and bool(event.reads or event.code)


def _rewrite(db: sqlite3.Connection, n: int, entries: Iterable[Entry]) -> int:
    changed = [(rows.kind_of(entry.event), rows.pack(rows.body_of(entry.event)), n, entry.seq) for entry in entries]
    db.executemany("UPDATE event SET kind = ?, body = ? WHERE conversation = ? AND seq = ?", changed)
    return len(changed)
