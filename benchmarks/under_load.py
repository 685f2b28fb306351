"""Measures a server under load beside another version of it, in one run: turns that are streamed over new connections,
and readers that take nothing.

    .venv/bin/python benchmarks/under_load.py --beside /path/to/another/checkout

Each version is a process of its own on loopback with a store of its own, both are measured in turns, and the result is
one line of JSON for each. Without `--beside` only this checkout is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parents[1]
SERVE = Path(__file__).resolve().parent / "server" / "serve.py"
FLOW = "coffee"
AT_ONCE = 200
"""How many conversations stream at the same time, each turn over a connection of its own."""
READERS = 900
CHARS = 8_000
TURNS = 60
"""How many large messages are sent to each of the conversations that the readers watch."""
WATCHED = 5


class Version:
    """One version of the server as a process."""

    def __init__(self, checkout: Path, folder: str) -> None:
        self.name = checkout.name
        variables = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        self.process = subprocess.Popen(
            [sys.executable, str(SERVE), f"{folder}/{time.monotonic_ns()}.db"],
            stdout=subprocess.PIPE,
            text=True,
            env=variables,
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def memory_mb(self) -> float:
        """Return the memory that the process has resident."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()


async def request(port: int, method: str, path: str, body: object = None, accept: str = "application/json") -> bytes:
    """Send one request over a new connection; return the whole response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\naccept: {accept}\r\nconnection: close\r\n"
    head += f"content-type: application/json\r\ncontent-length: {len(data)}\r\n\r\n"
    writer.write(head.encode() + data)
    try:
        return await reader.read()
    finally:
        writer.close()


async def begin(port: int, names: list[str]) -> None:
    """Begin conversations that talk with a model."""
    for name in names:
        await request(port, "POST", "/api/conversations", {"flow": FLOW, "name": name})
        await request(port, "POST", f"/api/conversations/{name}/turns", {"text": "talk"})


async def stream_turns(port: int, prefix: str, seconds: float) -> tuple[float, float]:
    """Return the turns a second and the 99th of a hundred in ms, of conversations that stream at once."""
    names = [f"{prefix}{number}" for number in range(AT_ONCE)]
    await begin(port, names)
    took: list[float] = []
    end = time.perf_counter() + seconds

    async def talk(name: str) -> None:
        while time.perf_counter() < end:
            begun = time.perf_counter()
            path = f"/api/conversations/{name}/turns"
            answer = await request(port, "POST", path, {"text": "and then?"}, "text/event-stream")
            assert b"event: turn" in answer, answer[-300:]
            took.append(time.perf_counter() - begun)

    begun = time.perf_counter()
    await asyncio.gather(*(talk(name) for name in names))
    rate = len(took) / (time.perf_counter() - begun)
    return rate, statistics.quantiles(took, n=100)[98] * 1000


async def stall(version: Version, path: str) -> float:
    """Return by how many MB the memory grows, at most, with readers that take nothing of large messages."""
    names = [f"w{number}" for number in range(WATCHED)]
    await begin(version.port, names)
    before = most = version.memory_mb()
    held: list[socket.socket] = []
    for number in range(READERS):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.setblocking(False)
        await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", version.port))
        address = path.format(names[number % WATCHED])
        one.sendall(f"GET {address} HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n".encode())
        held.append(one)
    for _ in range(TURNS):
        for name in names:
            await request(version.port, "POST", f"/api/conversations/{name}/turns", {"text": "x" * CHARS})
        most = max(most, version.memory_mb())
    await asyncio.sleep(2)
    for one in held:
        one.close()
    return max(most, version.memory_mb()) - before


def main() -> None:
    """Measure, and print."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--beside", type=Path)
    reader.add_argument("--seconds", type=float, default=8)
    reader.add_argument("--rounds", type=int, default=3)
    reader.add_argument("--only", choices=("turns", "readers"))
    asked = reader.parse_args()
    checkouts = [HERE, *([asked.beside.resolve()] if asked.beside else [])]
    with TemporaryDirectory() as folder, ExitStack() as closing:
        if asked.only != "readers":
            versions = [Version(checkout, folder) for checkout in checkouts]
            for version in versions:
                closing.callback(version.close)
            found: dict[str, list[tuple[float, float]]] = {version.name: [] for version in versions}
            for number in range(asked.rounds):
                for version in versions if number % 2 else versions[::-1]:
                    found[version.name].append(asyncio.run(stream_turns(version.port, f"r{number}-", asked.seconds)))
            for name, rounds in found.items():
                rates, tails = [rate for rate, _ in rounds], [tail for _, tail in rounds]
                print(json.dumps({"version": name, "turns_s": _median(rates), "p99_ms": _median(tails), "all": rates}))
            closing.close()
        for path in () if asked.only == "turns" else PATHS:
            for checkout in checkouts:
                version = Version(checkout, folder)
                grown = asyncio.run(stall(version, path))
                version.close()
                print(json.dumps({"version": version.name, "stalled": path, "mb": round(grown, 1)}), flush=True)


PATHS = ("/api/conversations/{}/events?after=0", "/api/stream?conversation={}&after=0")


def _median(found: list[float]) -> float:
    return round(statistics.median(found), 1)


if __name__ == "__main__":
    main()
