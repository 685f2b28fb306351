"""What background work costs with one of two engines: `costs.py local|jobs`. It prints a line of JSON.

- idle: transactions a second while three replicas have nothing to do
- runs: turns a second of autonomous runs on one replica, with transactions and bytes of the server's log for each turn
- timers: how late they fire; deliveries: how long after the turn they arrive, where one conversation at a time has one
- blocked: whether a replica is taken for dead whose event loop computes for three times the threshold
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tests")]
import turnwise as tw
from replica import STEPS, opened
from support.postgres import Server, programs
from turnwise.core.state import Ended
from turnwise.core.state.events import TimerFired
from turnwise.stores.postgres.address import read_address

IDLE_S = 10.0
RUNS = 100
ONE_BY_ONE = 30
BLOCKED_S = 3.0


class Counted:
    """A server that syncs each commit, with what it counted."""

    def __init__(self) -> None:
        self.server = Server(next(iter(programs().values())), fsync="on", full_page_writes="on", autovacuum="on")
        self.address = self.server.fresh() + "&dead_after=1s&readers=2"
        self.name = self.address.partition("@/")[2].partition("?")[0]

    def counts(self) -> tuple[int, int]:
        """Transactions, and bytes of the log."""
        time.sleep(1.2)  # sessions report once a second
        sql = (
            "SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = '{}'),"
            " pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
        )
        ((commits, written),) = self.server.execute(sql.format(self.name))
        return commits, written


async def idle(open_: Any, counted: Counted) -> dict[str, float]:
    """What three replicas without work do."""
    apps = [open_(lambda _: None) for _ in range(3)]
    for app in apps:
        await app.__aenter__()
    await asyncio.sleep(2)
    before, began = await asyncio.to_thread(counted.counts), time.monotonic()
    await asyncio.sleep(IDLE_S)
    after = await asyncio.to_thread(counted.counts)
    for app in apps:
        await app.close()
    return {"idle_transactions_per_s": (after[0] - before[0]) / (time.monotonic() - began)}


async def runs(open_: Any, counted: Counted) -> dict[str, float]:
    """Many runs at once."""
    async with open_(lambda _: None) as app:
        before = await asyncio.to_thread(counted.counts)
        used, began = time.process_time(), time.monotonic()
        for n in range(RUNS):
            await app.chat(f"run{n}").start()
        await ended(app, [f"run{n}" for n in range(RUNS)])
        took, used = time.monotonic() - began, time.process_time() - used
        after = await asyncio.to_thread(counted.counts)
    turns = RUNS * (STEPS + 2)
    return {
        "turns_per_s": turns / took,
        "transactions_per_turn": (after[0] - before[0]) / turns,
        "log_kb_per_turn": (after[1] - before[1]) / turns / 1000,
        "processor_ms_per_turn": used / turns * 1e3,
    }


async def one_by_one(open_: Any) -> dict[str, float]:
    """How late a timer fires, and how long after its turn a delivery arrives, without other work."""
    delivered = list[float]()
    late = list[float]()

    async def receive(one: tw.Delivery) -> None:
        delivered.append(time.time() * 1000 - one.at_ms)

    async with open_(receive) as app:
        for n in range(ONE_BY_ONE):
            await app.chat(f"one{n}").start()
            await ended(app, [f"one{n}"])
            entries = await app.runtime.store.entries(f"one{n}")
            late += [one.at_ms - one.event.due_ms for one in entries if isinstance(one.event, TimerFired)]
        await asyncio.sleep(2)
        seconds = sum([(await _took_ms(app, f"one{n}")) for n in range(ONE_BY_ONE)]) / ONE_BY_ONE
    return {
        "timer_late_ms": median(late),
        "timer_late_max_ms": max(late),
        "delivered_after_ms": median(delivered),
        "step_ms": seconds / STEPS,
    }


async def _took_ms(app: tw.App, name: str) -> int:
    """From the timer of a run to its end."""
    entries = await app.runtime.store.entries(name)
    first = next(one.at_ms for one in entries if isinstance(one.event, TimerFired))
    return entries[-1].at_ms - first


async def blocked(open_: Any, counted: Counted, name: str) -> dict[str, bool]:
    """Whether others take a replica for dead whose event loop is blocked, by the rows that the engine judges by."""
    sql = {
        "local": "SELECT bool_and(until > clock_timestamp()) FROM process WHERE until <> '-infinity'",
        "jobs": "SELECT bool_and(last_heartbeat > now() - interval '1 second') FROM procrastinate_workers",
    }[name]
    async with open_(lambda _: None) as app:
        await app.chat("blocked").start()
        await asyncio.sleep(1)
        looking = asyncio.create_task(asyncio.to_thread(lambda: (time.sleep(BLOCKED_S - 0.5), _one(counted, sql))[1]))
        await asyncio.sleep(0.05)
        time.sleep(BLOCKED_S)  # a tool that computes without await
        alive = await looking
    return {"counts_as_alive_while_blocked": alive}


def _one(counted: Counted, sql: str) -> Any:
    return counted.server.execute(sql, counted.name)[0][0]


async def ended(app: tw.App, names: list[str]) -> None:
    """Wait until runs have ended."""
    for name in names:
        while not isinstance((await app.chat(name).state()).status, Ended):
            await asyncio.sleep(0.01)


async def measure(name: str) -> dict[str, Any]:
    """All of it."""
    counted = Counted()
    if name == "jobs":
        from jobs import prepare

        prepare(read_address(counted.address).conninfo)
    open_ = partial(opened, name, counted.address)
    found: dict[str, Any] = {"engine": name}
    found |= await one_by_one(open_)
    found |= await idle(open_, counted)
    found |= await runs(open_, counted)
    found |= await blocked(open_, counted, name)
    counted.server.remove()
    return {key: round(value, 2) if isinstance(value, float) else value for key, value in found.items()}


if __name__ == "__main__":
    logging.disable()
    print(json.dumps(asyncio.run(measure(sys.argv[1]))))
