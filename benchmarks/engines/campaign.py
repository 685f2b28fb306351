"""Replicas with one of two engines are killed, stopped and cut off: `campaign.py local|jobs THREATS SEED [SECONDS]`.

Autonomous runs of 20 steps go on meanwhile, and each turn is delivered. At the end all runs are awaited and judged: each
has its steps once and in order, each delivery has arrived in order, and one arrived twice only where its sender was
threatened. It prints a line of JSON; the exit code is 1 if anything was wrong.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
import random
import signal
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Coroutine
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tests")]
import psycopg
from replica import STEPS, begin, serve
from support.postgres import Server, dies_with_parent, programs
from turnwise.core.state import Ended
from turnwise.core.state import events as e
from turnwise.stores.postgres import PostgresStore
from turnwise.stores.postgres.address import read_address

REPLICAS = 3
OPEN = 30
"""How many runs are under way."""
THREATS = ("kill", "kill", "stop", "cut")
STOPPED_S = 1.6
"""Longer than the threshold of one second: the process is taken for dead and wakes up late."""
ENDS_S = 90.0


def forked(work: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """Do work in a child that ends with this process; its number."""
    pid = os.fork()
    if not pid:
        code = 1
        try:
            dies_with_parent()
            asyncio.run(work())
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return pid


def cut(conninfo: str, chance: random.Random) -> None:
    """Let the server end half of its sessions."""
    with psycopg.connect(conninfo, autocommit=True) as db:
        sql = (
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        found = db.execute(sql).fetchall()
        for (pid,) in chance.sample(found, (len(found) + 1) // 2):
            db.execute("SELECT pg_terminate_backend(%s)", (pid,))


def campaign(name: str, threats: int, seed: int, folder: Path) -> dict[str, Any]:
    """Threaten the replicas, and judge."""
    server = Server(next(iter(programs().values())), autovacuum="on", max_connections="200")
    address = server.fresh() + "&dead_after=1s&readers=2"
    conninfo = read_address(address).conninfo
    if name == "jobs":
        from jobs import prepare

        prepare(conninfo)
    chance, log, done = random.Random(seed), folder / "received", Counter[str]()
    threatened: dict[int, float] = {}
    running = [forked(lambda: serve(name, address, log)) for _ in range(REPLICAS)]
    beginning = forked(lambda: begin(address, OPEN, time.monotonic() + threats * 0.9, 10**9))
    for n in range(threats):
        threat, place = THREATS[n % len(THREATS)], chance.randrange(REPLICAS)
        pid = running[place]
        time.sleep(chance.uniform(0.1, 1.2))
        threatened.setdefault(pid, time.monotonic())
        if threat == "kill":
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            running[place] = forked(lambda: serve(name, address, log))
        elif threat == "stop":
            os.kill(pid, signal.SIGSTOP)
            time.sleep(STOPPED_S)
            os.kill(pid, signal.SIGCONT)
        else:
            for one in running:
                threatened.setdefault(one, time.monotonic())
            cut(conninfo, chance)
        done[threat] += 1
    os.waitpid(beginning, 0)
    found = asyncio.run(judged(address, log, threatened))
    for pid in running:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    if name == "jobs":
        rows = server.execute("SELECT status::text, count(*) FROM procrastinate_jobs GROUP BY 1", _name(address))
        found["jobs left"] = dict(rows)
    server.remove()
    return {"engine": name, "threats": done, **found}


def _name(address: str) -> str:
    return address.partition("@/")[2].partition("?")[0]


async def judged(address: str, log: Path, threatened: dict[int, float]) -> dict[str, Any]:
    """Wait until all runs have ended and all is delivered, and judge them."""
    store, wrong = PostgresStore(address), list[str]()
    began = time.monotonic()
    while time.monotonic() < began + ENDS_S and (left := await _open(store)):
        await asyncio.sleep(0.2)
    if left:
        wrong.append(f"{left} runs or deliveries have not ended")
    names = [name for (name,) in await store.reader.all("SELECT id FROM conversation ORDER BY n")]
    received = defaultdict[str, list[tuple[int, float, int]]](list)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    for at_s, _, conversation, turn, _, pid in lines:
        received[conversation].append((turn, at_s, pid))
    silences, seen = list[float](), Counter[str]()
    for name in names:
        entries = await store.entries(name)
        state = await store.load(name)
        assert state is not None
        silences.append(max(b.at_ms - a.at_ms for a, b in itertools.pairwise(entries)) / 1000)
        turns = [entry.turn for entry in entries if isinstance(entry.event, e.ModelReplied)]
        if not isinstance(state.status, Ended) or len(turns) != STEPS + 1 or len(set(turns)) != len(turns):
            wrong.append(f"{name}: {len(turns)} steps, {state.status}")
        if [entry.seq for entry in entries] != list(range(1, len(entries) + 1)):
            wrong.append(f"{name}: positions have gaps")
        seen["restarted"] += sum(isinstance(entry.event, e.TurnRestarted) for entry in entries)
        wrong += _delivered(name, turns, received[name], threatened, seen)
    await store.close()
    return {
        "runs": len(names),
        "turns": len(names) * (STEPS + 1),
        "seen": seen,
        "silence_s": _spread(silences),
        "delivered_after_ms": _spread([line[1] for line in lines]),
        "wrong": len(wrong),
        "first": wrong[:5],
    }


async def _open(store: PostgresStore) -> int:
    sql = (
        "SELECT (SELECT count(*) FROM conversation WHERE status IS DISTINCT FROM 'ended')"
        " + (SELECT count(*) FROM delivery WHERE status <> 'delivered')"
    )
    row = await store.reader.one(sql)
    return row[0] if row is not None else 0


def _delivered(
    name: str,
    turns: list[int],
    received: list[tuple[int, float, int]],
    threatened: dict[int, float],
    seen: Counter[str],
) -> list[str]:
    """What is wrong with the deliveries of a run."""
    wrong = list[str]()
    if missing := set(turns) - {turn for turn, *_ in received}:
        wrong.append(f"{name}: the turns {sorted(missing)} were never delivered")
    first = dict[int, set[int]]()
    for turn, at_s, sender in received:
        if turn not in first:
            if any(later > turn for later in first):
                wrong.append(f"{name}: turn {turn} was delivered for the first time after a later one")
            first[turn] = {sender}
            continue
        seen["delivered twice"] += 1
        first[turn].add(sender)
        if not any(threatened.get(one, at_s) < at_s for one in first[turn]):
            wrong.append(f"{name}: turn {turn} was delivered twice, and no sender of it was threatened")
    return wrong


def _spread(values: list[float]) -> dict[str, float]:
    """The median, the 99th of a hundred, and the greatest."""
    return {
        "p50": round(median(values), 2),
        "p99": round(quantiles(values, n=100)[98], 2),
        "max": round(max(values), 2),
    }


if __name__ == "__main__":
    logging.disable()
    with TemporaryDirectory() as place:
        result = campaign(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(place))
    print(json.dumps(result))
    raise SystemExit(1 if result["wrong"] else 0)
