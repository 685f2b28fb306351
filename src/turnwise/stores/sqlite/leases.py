"""Leases of conversations: which process works on what is due, or was cut off.

The writer takes them, so that of two processes one gets each conversation. A lease ends after a while, and sooner with
its process. Its end is a time of the clock that all processes of a machine share. That begins anew when the machine
starts: a lease whose end is further away than a lease may last is of an earlier time, and ignored.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from turnwise.runner.ports import LEASE_S
from turnwise.stores.sqlite.process import Process

Row = tuple[Any, ...]
"""A row that a query returned: the values of its columns."""
Find = Callable[[sqlite3.Connection, set[int]], list[Row]]
"""A query that returns rows, except of the conversations whose numbers it is given; a row begins with the number."""
Lease = Callable[[Find], Awaitable[list[Row]]]
"""A function that runs a `Find` and leases the conversations of its rows."""

_HOLDERS = (
    "SELECT DISTINCT lease.process, host, pid, token, beat_s FROM lease JOIN process ON process.n = lease.process"
)


async def lease_found(write: Callable[[Any], Awaitable[Any]], process: Process, find: Find) -> list[Row]:
    """Return the rows that `find` finds, without conversations that other processes have leased; lease the rest to this
    process. `write` runs the query in a transaction.
    """

    def work(db: sqlite3.Connection) -> list[Row]:
        process.beat(db)
        found = find(db, _taken(db, process))
        _take(db, process, {row[0] for row in found})
        return found

    return await write(work)


def _taken(db: sqlite3.Connection, process: Process) -> set[int]:
    """Return the conversations that other processes which are alive have leased. Leases that are over are deleted."""
    now_s = time.monotonic()
    db.execute("DELETE FROM lease WHERE until_s NOT BETWEEN ? AND ?", (now_s, now_s + LEASE_S))
    alive = [n for n, *row in db.execute(_HOLDERS).fetchall() if n != process.n and process.is_alive(*row)]
    return {one for (one,) in db.execute(f"SELECT conversation FROM lease WHERE process IN ({sql_list(alive)})")}


def _take(db: sqlite3.Connection, process: Process, conversations: set[int]) -> None:
    """Lease conversations; a lease of this process goes on as it is, so that it ends where the work is in vain."""
    mine = {one for (one,) in db.execute("SELECT conversation FROM lease WHERE process = ?", (process.n,))}
    until_s = time.monotonic() + LEASE_S
    rows = [(one, process.n, until_s) for one in conversations - mine]
    db.executemany("INSERT OR REPLACE INTO lease VALUES (?, ?, ?)", rows)


def sql_list(numbers: Iterable[int]) -> str:
    """Return numbers as the text of a list in SQL, since SQLite limits how many parameters there are."""
    return ", ".join(map(str, numbers))
