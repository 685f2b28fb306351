"""What is kept, in figures; and giving back the room of what is not kept any more."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from turnwise.errors import StoreFailed, StoreUnavailable
from turnwise.runner.ports import Progress
from turnwise.stores.sqlite import rows
from turnwise.stores.sqlite.connect import PASSING, code_of, reason
from turnwise.stores.sqlite.reader import Reader

PAGE = 500
"""How many conversations are counted in one go."""


class Info(Struct, frozen=True):
    """What a file holds. `bytes` are by kind, before SQLite's own order around them, which is `overhead`;
    with `free`, which new rows fill first, they add up to `file_bytes`. Times are in milliseconds since 1970.
    """

    file: str
    file_bytes: int
    log_bytes: int
    conversations: int
    open_turns: int
    oldest_ms: int | None
    newest_ms: int | None
    entries: int
    erased: int
    bytes: dict[str, int]


class Listed(Struct, frozen=True):
    """A conversation in a list. Times are in milliseconds since 1970; `entries` are up to its last whole turn, and
    so is its `status`: `waiting`, `ended` with an `outcome`, or `failed`.
    """

    conversation: str
    flow: str
    fingerprint: str
    began_ms: int
    last_ms: int
    entries: int
    is_open: bool
    status: str = "waiting"
    outcome: str = ""


_KINDS = {
    0: "events",
    rows.SAID: "events",
    rows.DECIDED: "decisions",
    rows.SNAPSHOT: "snapshots",
    rows.ERASED: "erased",
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
    "flows": "SELECT sum(length(fingerprint) + length(document)) FROM flow",
}


def info(reader: Reader, progress: Progress | None = None) -> Info:
    """Count everything; long in a large file, and beside the turns that go on."""
    sizes = dict.fromkeys(["events", "decisions", "snapshots", "erased", *_TABLES], 0)
    counts = dict.fromkeys(_KINDS, 0)
    last, conversations, oldest, newest = _one(
        reader, "SELECT coalesce(max(n), 0), count(*), min(began_ms), max(at_ms) FROM conversation"
    )
    for begin in range(1, last + 1, PAGE):
        for kind, count, length in reader.all(_EVENTS, begin, begin + PAGE - 1):
            counts[kind] += count
            sizes[_KINDS[kind]] += length
        if progress is not None:
            progress(min(begin + PAGE - 1, last), last)
    for name, sql in _TABLES.items():
        sizes[name] = _one(reader, sql)[0] or 0
    pages, free, page = (_one(reader, f"PRAGMA {what}")[0] for what in ("page_count", "freelist_count", "page_size"))
    sizes |= {"free": free * page, "overhead": (pages - free) * page - sum(sizes.values())}
    return Info(
        file=str(reader.path),
        file_bytes=pages * page,
        log_bytes=_size(Path(f"{reader.path}-wal")),
        conversations=conversations,
        open_turns=_one(reader, "SELECT count(*) FROM claim")[0],
        oldest_ms=oldest,
        newest_ms=newest,
        entries=sum(counts.values()),
        erased=counts[rows.ERASED],
        bytes=sizes,
    )


def _one(reader: Reader, sql: str) -> tuple[int, ...]:
    found = reader.one(sql)
    assert found is not None
    return found


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def listed(reader: Reader) -> tuple[Listed, ...]:
    """All conversations, in the order in which they began; read in parts, for each has its state with it."""
    found: list[Listed] = []
    last = 0
    while page := reader.all(_LISTED, last, PAGE):
        found += reader.made(_listed, page)
        last = page[-1][0]
    return tuple(found)


def _listed(page: Iterable[tuple[Any, ...]]) -> list[Listed]:
    found: list[Listed] = []
    for _, *row, is_open, state in page:
        status, outcome = rows.status_of(state) if state is not None else ("waiting", "")
        found.append(Listed(*row, is_open=bool(is_open), status=status, outcome=outcome))
    return found


def vacuum(path: Path, retry_s: float) -> int:
    """Write the file anew, with nothing in it but what is kept, and empty the log; gives how many bytes it
    is smaller. Raises `StoreUnavailable` where others read or write all the time.
    """
    before = path.stat().st_size + _size(Path(f"{path}-wal"))
    try:
        with closing(sqlite3.connect(path.absolute(), isolation_level=None, timeout=retry_s)) as db:
            db.execute("VACUUM")
            (is_busy, _, _) = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        kind = StoreUnavailable if code_of(error) in PASSING else StoreFailed
        raise kind(path, reason(error)) from None
    if is_busy:
        raise StoreUnavailable(path, "others are using the file, and old text may still be in its log; try again")
    return before - path.stat().st_size
