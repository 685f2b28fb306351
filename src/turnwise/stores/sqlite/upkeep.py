"""Erases old entries in small transactions (retention), counts the content of the file, and vacuums it.

Each transaction of the retention leaves a whole journal: entries are erased up to the end of a turn, and a snapshot of
the state there replaces the last of them.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from turnwise.core.state.retention import erased, trimmed
from turnwise.errors import StoreFailed, StoreUnavailable
from turnwise.runner.ports import Progress, Retained
from turnwise.runner.store_upkeep import ListedConversation, StoreInfo
from turnwise.stores import encoded
from turnwise.stores.places import ErasureTimes, Places, retain_in_steps, to_erase, to_trim
from turnwise.stores.sqlite import deliveries, rows
from turnwise.stores.sqlite.connect import TRANSIENT_ERRORS, code_of, reason
from turnwise.stores.sqlite.reader import Reader
from turnwise.stores.sqlite.writer import Work

CONVERSATIONS_PER_TRANSACTION = 4
"""How many conversations share a transaction, if nothing else waits for one."""
PAGE_CONVERSATIONS = 200
"""How many conversations one page of retention reads."""

_log = logging.getLogger("turnwise.stores.sqlite")

Write = Callable[[Work], Awaitable[Any]]
"""A function that runs work in the thread that writes, in one transaction, and returns its result."""

_ENTRIES = f"SELECT {encoded.ENTRY_COLUMNS} FROM event WHERE conversation = ? AND seq BETWEEN ? AND ?"
_PLACES = "SELECT n, seq, trimmed, fingerprint FROM conversation WHERE n > ? ORDER BY n LIMIT ?"


async def retain(reader: Reader, write: Write, times: ErasureTimes, progress: Progress | None) -> Retained:
    """Erase events and trim decisions that are older than the times, conversation by conversation; return how many."""
    ((total,),) = await asyncio.to_thread(reader.all, "SELECT count(*) FROM conversation")
    found = Retained()
    done = last = 0
    while page := await asyncio.to_thread(reader.all, _PLACES, last, PAGE_CONVERSATIONS):
        old = await asyncio.to_thread(_with_something_old, reader, page, times)
        for begin in range(0, len(old), CONVERSATIONS_PER_TRANSACTION):
            some = old[begin : begin + CONVERSATIONS_PER_TRANSACTION]
            for events, decisions in await asyncio.gather(*(_conversation(reader, write, n, times) for n in some)):
                found = Retained(found.events + events, found.decisions + decisions)
        last = page[-1][0]
        done += len(page)
        if progress is not None:
            progress(done, max(total, done))
    return found


def _with_something_old(reader: Reader, page: Iterable[tuple[Any, ...]], times: ErasureTimes) -> list[int]:
    """Return the conversations of a page that have entries to erase or decisions to trim."""
    found: list[int] = []
    for n, seq, was_trimmed, fingerprint in page:
        places, own = Places(reader.one, n, seq), times.of_version(fingerprint)
        if seq and (to_erase(places, own) or to_trim(places, was_trimmed, own)):
            found.append(n)
    return found


async def _conversation(reader: Reader, write: Write, n: int, times: ErasureTimes) -> Retained:
    """Erase and trim all that is old in one conversation; a damaged one is left unchanged."""
    return await retain_in_steps(n, lambda: write(lambda db: _step(db, reader, n, times)), _log)


def _step(db: sqlite3.Connection, reader: Reader, n: int, times: ErasureTimes) -> Retained | None:
    """Erase and trim one batch; return `None` if nothing is left, or the conversation was deleted meanwhile."""
    row = db.execute("SELECT seq, trimmed, fingerprint FROM conversation WHERE n = ?", (n,)).fetchone()
    if row is None:
        return None
    times = times.of_version(row[2])

    def first(sql: str, *parameters: object) -> tuple[Any, ...] | None:
        return db.execute(sql, parameters).fetchone()

    places = Places(first, n, row[0])
    old = to_erase(places, times)
    events = _erase(db, reader, places, old, times) if old is not None else 0
    decided = to_trim(places, row[1], times)
    decisions = _trim(db, reader, n, decided, times) if decided is not None else 0
    return Retained(events, decisions) if old or decided else None


def _erase(db: sqlite3.Connection, reader: Reader, places: Places, span: tuple[int, int], times: ErasureTimes) -> int:
    """Erase some entries; return how many. One more becomes a snapshot. Receipts go with their turns, all of
    them before the first of the entries: what a receipt names is always there.
    """
    last = places.whole_turns(places.before(times.events_ms))
    db.execute("DELETE FROM inbox WHERE conversation = ? AND turn <= ?", (places.n, places.turn(last)))
    old = reader.decode(encoded.entries_of, db.execute(f"{_ENTRIES} ORDER BY seq", (places.n, *span)))
    deliveries.forget(db, places.n, places.turn(last), times.now_ms)
    return rows.rewrite(db, places.n, erased(old, times.of_events)) - 1


def _trim(db: sqlite3.Connection, reader: Reader, n: int, span: tuple[int, int], times: ErasureTimes) -> int:
    """Trim some decisions; return how many."""
    old = reader.decode(encoded.entries_of, db.execute(f"{_ENTRIES} AND kind = {encoded.DECIDED}", (n, *span)))
    changed = [(one, trimmed(one, times.of_decisions)) for one in old]
    count = rows.rewrite(db, n, [now for was, now in changed if now is not was])
    db.execute("UPDATE conversation SET trimmed = ? WHERE n = ?", (span[1], n))
    return count


ROWS_AT_ONCE = 500
"""How many conversations are counted at once."""


_KINDS = {
    0: "events",
    encoded.SAID: "events",
    encoded.DECIDED: "decisions",
    encoded.SNAPSHOT: "snapshots",
    encoded.ERASED: "erased",
    encoded.NOTED: "events",
}
_EVENTS = (
    "SELECT kind, count(*), sum(length(body)) FROM event"
    " WHERE conversation BETWEEN ? AND ? GROUP BY kind"
)  # fmt: skip
_LISTED = (
    "SELECT n, id, flow, fingerprint, began_ms, at_ms, seq, claim.process IS NOT NULL, state FROM conversation"
    " LEFT JOIN claim ON claim.conversation = conversation.n WHERE n > ? ORDER BY n LIMIT ?"
)
_TABLES = {
    "states": "SELECT sum(length(state)) FROM conversation",
    "receipts": "SELECT sum(length(key) + length(body)) FROM inbox",
    "timers": "SELECT sum(length(body)) FROM timer",
    "deliveries": "SELECT sum(length(id) + length(error)) FROM delivery",
    "flows": "SELECT sum(length(fingerprint) + length(document)) FROM flow",
}


def info(reader: Reader, progress: Progress | None = None) -> StoreInfo:
    """Return figures about the file. Turns continue meanwhile; reading a large file takes long."""
    sizes = dict.fromkeys(["events", "decisions", "snapshots", "erased", *_TABLES], 0)
    counts = dict.fromkeys(_KINDS, 0)
    last, conversations, oldest, newest = _one(
        reader, "SELECT coalesce(max(n), 0), count(*), min(began_ms), max(at_ms) FROM conversation"
    )
    for begin in range(1, last + 1, ROWS_AT_ONCE):
        for kind, count, length in reader.all(_EVENTS, begin, begin + ROWS_AT_ONCE - 1):
            counts[kind] += count
            sizes[_KINDS[kind]] += length
        if progress is not None:
            progress(min(begin + ROWS_AT_ONCE - 1, last), last)
    for name, sql in _TABLES.items():
        sizes[name] = _one(reader, sql)[0] or 0
    pages, free, page = (_one(reader, f"PRAGMA {what}")[0] for what in ("page_count", "freelist_count", "page_size"))
    sizes |= {"free": free * page, "overhead": (pages - free) * page - sum(sizes.values())}
    return StoreInfo(
        file=str(reader.path),
        file_bytes=pages * page,
        log_bytes=_size(Path(f"{reader.path}-wal")),
        conversations=conversations,
        open_turns=_one(reader, "SELECT count(*) FROM claim")[0],
        oldest_ms=oldest,
        newest_ms=newest,
        entries=sum(counts.values()),
        erased=counts[encoded.ERASED],
        bytes=sizes,
    )


def _one(reader: Reader, sql: str) -> tuple[int, ...]:
    found = reader.one(sql)
    assert found is not None
    return found


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def listed(reader: Reader) -> tuple[ListedConversation, ...]:
    """Return a summary of every conversation, in order of beginning; read in parts, as each has a state."""
    found: list[ListedConversation] = []
    last = 0
    while page := reader.all(_LISTED, last, ROWS_AT_ONCE):
        found += reader.decode(_listed, page)
        last = page[-1][0]
    return tuple(found)


def _listed(page: Iterable[tuple[Any, ...]]) -> list[ListedConversation]:
    found: list[ListedConversation] = []
    for _, *row, is_open, state in page:
        status, outcome = encoded.status_of(state) if state is not None else ("waiting", "")
        found.append(ListedConversation(*row, is_open=bool(is_open), status=status, outcome=outcome))
    return found


def vacuum(path: Path, retry_s: float) -> int:
    """Rewrite a file without deleted data, and empty its log; return how many bytes smaller it is.
    Raises `StoreUnavailable` if others read or write all the time.
    """
    before = path.stat().st_size + _size(Path(f"{path}-wal"))
    try:
        with closing(sqlite3.connect(path.absolute(), isolation_level=None, timeout=retry_s)) as db:
            db.execute("VACUUM")
            (is_busy, _, _) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        kind = StoreUnavailable if code_of(error) in TRANSIENT_ERRORS else StoreFailed
        raise kind(path, reason(error)) from None
    if is_busy:
        raise StoreUnavailable(path, "others are using the file, and old text may still be in its log; try again")
    return before - path.stat().st_size
