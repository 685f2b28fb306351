"""Measures how soon turns go on when their replica is killed or drained: `python benchmarks/failing_over.py`.

Three servers over one PostgreSQL are processes. Many turns are under way in one of them when it ends; a client of another
one sees in its stream when each turn has ended there. A turn waits for its model, also when it is done again: that time is
not counted.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(Path(__file__).resolve().parent), str(ROOT / "tests")]
from durable import Samples
from support.postgres import Server, programs
from support.served import events_of

AT_ONCE = 40
"""How many turns are under way when a server ends."""
MODEL_S = 2.0
DRAIN_S = 0.2
"""How long a server that drains waits for its turns, which take longer."""
KILLS, SLOW_KILLS, DRAINS = 5, 2, 3
"""How often a server is killed at a threshold of 1 s, at the default one, and drained."""


class Replica:
    """A server as a process, with a client."""

    def __init__(self, store: str) -> None:
        env = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"}
        limits = (f"drain_s={DRAIN_S}", "requests_per_minute=0")
        command = [sys.executable, "-m", "support.server_program", store, *limits]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()

    def client(self) -> httpx.AsyncClient:
        """A client of this server."""
        limits = httpx.Limits(max_connections=2 * AT_ONCE)
        return httpx.AsyncClient(base_url=self.address, timeout=60, trust_env=False, limits=limits)

    def end(self, number: signal.Signals = signal.SIGKILL) -> None:
        """End it, and wait for that."""
        self.process.send_signal(number)
        self.process.wait(30)


class Watched:
    """The stream of a server that stays: when each conversation showed a message, and the end of a turn."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.asked: dict[str, float] = {}
        self.ended: dict[str, float] = {}
        self.is_open = asyncio.Event()

    async def watch(self, client: httpx.AsyncClient) -> None:
        """Read the stream until all turns have ended."""
        query = "&".join(f"conversation={name}" for name in self.names)
        async with client.stream("GET", f"/api/stream?{query}") as answer:
            self.is_open.set()
            rest = ""
            async for text in answer.aiter_text():
                *blocks, rest = (rest + text).split("\n\n")
                for event in [one for block in blocks for one in events_of(block)]:
                    self._take(event)
                if len(self.ended) == len(self.names):
                    return

    def _take(self, event: dict[str, Any]) -> None:
        name = json.loads(event["data"]).get("conversation", "")
        if event["event"] == "message":
            self.asked.setdefault(name, time.monotonic())
        elif event["event"] == "turn":
            self.ended.setdefault(name, time.monotonic())


async def one_end(leaving: Replica, staying: Replica, number: signal.Signals, prefix: str) -> list[float]:
    """Seconds from the end of a server to the end of each of its turns in the stream of another one."""
    names = [f"{prefix}-{n}" for n in range(AT_ONCE)]
    watched = Watched(names)
    async with leaving.client() as sending, staying.client() as reading:
        for name in names:
            (await reading.post("/api/conversations", json={"flow": "echo", "name": name})).raise_for_status()
        watching = asyncio.ensure_future(watched.watch(reading))
        await watched.is_open.wait()
        path, body = "/api/conversations/{}/turns", {"text": f"wait {MODEL_S}"}
        turns = [asyncio.ensure_future(sending.post(path.format(name), json=body)) for name in names]
        while len(watched.asked) < len(names):
            await asyncio.sleep(0.01)
        begun = time.monotonic() + (DRAIN_S if number == signal.SIGTERM else 0.0)
        await asyncio.to_thread(leaving.end, number)
        await asyncio.gather(*turns, return_exceptions=True)
        await asyncio.wait_for(watching, 60)
    return [watched.ended[name] - begun - MODEL_S for name in names]


async def ends(address: str, number: signal.Signals, times: int) -> list[float]:
    """The seconds of all turns; each time another of three servers ends, and a new one begins."""
    replicas, found = [Replica(address) for _ in range(3)], list[float]()
    try:
        for n in range(times):
            leaving, staying = replicas[n % 3], replicas[(n + 1) % 3]
            found += await one_end(leaving, staying, number, f"{number.name}-{n}")
            replicas[n % 3] = Replica(address)
    finally:
        for one in replicas:
            one.end()
    return found


def measure() -> dict[str, list[float]]:
    """The seconds of each way to end."""
    server = Server(next(iter(programs().values())), fsync="on")
    try:
        return {
            "failover_1s": asyncio.run(ends(server.fresh() + "&dead_after=1s", signal.SIGKILL, KILLS)),
            "failover": asyncio.run(ends(server.fresh(), signal.SIGKILL, SLOW_KILLS)),
            "drain": asyncio.run(ends(server.fresh(), signal.SIGTERM, DRAINS)),
        }
    finally:
        server.remove()


def p99(samples: list[float]) -> float:
    """The 99th percentile."""
    return quantiles(samples, n=100, method="inclusive")[-1]


def time_ends(_repeats: int) -> Samples:
    """The 99th percentiles, in seconds."""
    return {f"{name}_p99": [p99(samples)] for name, samples in measure().items()}


if __name__ == "__main__":
    for way, samples in measure().items():
        print(f"{way}: {len(samples)} turns, median {median(samples):.2f} s, p99 {p99(samples):.2f} s")
