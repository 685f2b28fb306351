"""Retention, in small transactions: turns that are under way go on between them.

Each transaction leaves a whole journal: entries are erased up to the end of a turn, and the state there
takes the place of the last of them.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from turnwise.core.events import Decided, Entry
from turnwise.core.retain import Retention, erased, trimmed
from turnwise.runner.ports import Progress, Retained
from turnwise.stores.sqlite import rows
from turnwise.stores.sqlite.journal import Places
from turnwise.stores.sqlite.reader import Reader
from turnwise.stores.sqlite.writer import Work

MOST_AT_ONCE = 400
"""How many entries one transaction changes, or the entries of one turn where they are more."""
PAGE = 200
"""How many conversations are looked at in one go."""

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
        for n in await asyncio.to_thread(_with_something_old, reader, page, limits):
            found = await _conversation(write, n, limits, found)
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


async def _conversation(write: Write, n: int, limits: Limits, found: Retained) -> Retained:
    """All that is to be done in one conversation."""
    events, decisions = found
    await write(lambda db: _drop_receipts(db, n, limits))
    while done := await write(lambda db: _erase(db, n, limits)):
        events += done
    while (changed := await write(lambda db: _trim(db, n, limits))) is not None:
        decisions += changed
    return Retained(events, decisions)


def _places(db: sqlite3.Connection, n: int) -> tuple[Places, int] | None:
    """The conversation as it is now; `None` where it was forgotten meanwhile."""
    row = db.execute("SELECT seq, trimmed FROM conversation WHERE n = ?", (n,)).fetchone()
    if row is None or not row[0]:
        return None

    def first(sql: str, *parameters: object) -> tuple[Any, ...] | None:
        return db.execute(sql, parameters).fetchone()

    return Places(first, n, row[0]), row[1]


def _drop_receipts(db: sqlite3.Connection, n: int, limits: Limits) -> None:
    """Receipts go with their turns, and before them: what a receipt names is always there."""
    found = _places(db, n)
    if found is None:
        return
    places, _ = found
    end = places.whole_turns(places.before(limits.events_ms))
    if end:
        db.execute("DELETE FROM inbox WHERE conversation = ? AND turn <= ?", (n, places.turn(end)))


def _erase(db: sqlite3.Connection, n: int, limits: Limits) -> int:
    """Erase some entries; gives how many, 0 where none are left to erase. One more becomes a snapshot."""
    found = _places(db, n)
    span = _to_erase(found[0], limits) if found is not None else None
    if span is None:
        return 0
    old = rows.entries_of(db.execute(f"{_ENTRIES} ORDER BY seq", (n, *span)))
    return _rewrite(db, n, erased(old)) - 1


def _trim(db: sqlite3.Connection, n: int, limits: Limits) -> int | None:
    """Trim some decisions; gives how many, `None` where nothing is left to look at."""
    found = _places(db, n)
    span = _to_trim(*found, limits) if found is not None else None
    if span is None:
        return None
    old = rows.entries_of(db.execute(f"{_ENTRIES} AND kind = {rows.DECIDED}", (n, *span)))
    count = _rewrite(db, n, [trimmed(entry) for entry in old if _has_more(entry)])
    db.execute("UPDATE conversation SET trimmed = ? WHERE n = ?", (span[1], n))
    return count


def _has_more(entry: Entry) -> bool:
    event = entry.event
    return isinstance(event, Decided) and bool(event.reads or event.code)


def _rewrite(db: sqlite3.Connection, n: int, entries: Iterable[Entry]) -> int:
    changed = [(kind, body, n, seq) for seq, _, _, kind, body in map(rows.event_row, entries)]
    db.executemany("UPDATE event SET kind = ?, body = ? WHERE conversation = ? AND seq = ?", changed)
    return len(changed)
