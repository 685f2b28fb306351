"""Measures the server: conversations at once over HTTP, each with an open stream, beside uvicorn alone.

`figures.py` runs these. Server, client and the bare server are processes of their own on loopback; both servers have a
client of the same kind, and blocks of turns of one and of the other are played in turns.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import venvs
from promises import SERVED

PARTS = Path(__file__).resolve().parent / "server"
AT_ONCE = 200
"""How many conversations talk at the same time, each with a stream of its own."""
RATE = 1000
"""Turns per second in the measurement of latency."""
WARM = 10_000
"""The turns after which the memory is taken for the first time: caches are full by then."""

Samples = dict[str, list[float]]
Found = dict[str, float]


class Part:
    """A process of the measurement: it prints its port or that it is ready, and then answers commands."""

    def __init__(self, script: str, *arguments: object, python: Path | None = None) -> None:
        command = [str(python or venvs.python("server")), str(PARTS / script), *map(str, arguments)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=venvs.variables("server")
        )
        self.first = self.answer()

    def do(self, **command: Any) -> Found:
        """Send a command; return its result."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self) -> Any:
        """Return the next line. Raises `RuntimeError` if the process has ended."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"a process of the measurement ended: {' '.join(map(str, self.process.args))}")
        return json.loads(line)

    def seconds(self) -> float:
        """Return the time of the processor that the process has used."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9

    def memory_mb(self) -> float:
        """Return the memory that the process holds."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


class Side:
    """A server with its client."""

    def __init__(self, server: Part, conversations: int, streamed: str) -> None:
        self.server = server
        self.client = Part("load.py", server.first, conversations, streamed)

    def block(self, each: int) -> Found:
        """Let every conversation take so many turns, as fast as they can; add the time of the server's processor."""
        before = self.server.seconds()
        found = self.client.do(do="closed", each=each)
        return {**found, "cpu_us": (self.server.seconds() - before) / found["turns"] * 1e6}

    def close(self) -> None:
        """End both."""
        self.client.close()
        self.server.close()


@contextmanager
def served(conversations: int, streamed: str = "chat") -> Iterator[Side]:
    """The server of turnwise, with conversations in a file on disk; what is streamed: `STREAMS` in `load.py`."""
    with TemporaryDirectory(dir=os.environ.get("BENCH_TMP")) as folder, ExitStack() as opened:
        side = Side(Part("serve.py", f"sqlite:///{folder}/served.db"), conversations, streamed)
        opened.callback(side.close)
        yield side


@contextmanager
def bare(conversations: int, like: Found, *, is_joined: bool = False) -> Iterator[Side]:
    """Uvicorn alone, with answers and events as long as those that were measured, and as many of them; `is_joined`: all
    events of a turn in one write.
    """
    events = 1 if is_joined else max(1, round(like["stream_events"]))
    server = Part("bare.py", round(like["answer_bytes"]), events, round(like["stream_bytes"]))
    side = Side(server, conversations, "bare")
    try:
        yield side
    finally:
        side.close()


def time_server(repeats: int, conversations: int = AT_ONCE, each: int = 20, seconds: float = 5.0) -> Samples:
    """Turns per second through HTTP and streams, also as a share of what uvicorn alone does; and latencies."""
    found: Samples = {name: [] for name in SERVED}
    with served(conversations) as ours:
        like = ours.block(each)
        with bare(conversations, like) as apart, bare(conversations, like, is_joined=True) as joined:
            for _ in range(repeats):
                mine, alone, together = (side.block(each) for side in (ours, apart, joined))
                found["server_rate"].append(mine["rate"])
                found["server_bare_rate"].append(alone["rate"])
                found["server_ratio"].append(mine["rate"] / alone["rate"])
                found["server_joined_ratio"].append(mine["rate"] / together["rate"])
                found["server_cpu_us"].append(mine["cpu_us"])
                paced = ours.client.do(do="paced", rate=RATE, seconds=seconds)
                for part in ("p50", "p99"):
                    worse = max(paced[f"answer_{part}_ms"], paced[f"stream_{part}_ms"])
                    found[f"server_{part}"].append(worse)
    return found


def time_server_streams(repeats: int, conversations: int = AT_ONCE, each: int = 20) -> Samples:
    """The same with streams of all entries of the journal, and of all that the debug panel shows."""
    found: Samples = {}
    for streamed in ("journal", "debug"):
        found[f"server_{streamed}_rate"], found[f"server_{streamed}_ratio"] = [], []
        with served(conversations, streamed) as ours:
            like = ours.block(each)
            with bare(conversations, like) as apart:
                for _ in range(repeats):
                    mine, alone = (side.block(each) for side in (ours, apart))
                    found[f"server_{streamed}_rate"].append(mine["rate"])
                    found[f"server_{streamed}_ratio"].append(mine["rate"] / alone["rate"])
    return found


def time_server_memory(
    repeats: int, conversations: int = AT_ONCE, turns: int = 50_000, warm: int = WARM, each: int = 25
) -> Samples:
    """The memory of the server after so many turns ÷ after the first ones. Some streams come and go meanwhile, and one
    client reads nothing.
    """
    found: Samples = {"server_memory": [], "server_memory_mb": []}
    for _ in range(repeats):
        with served(conversations) as ours:
            ours.client.do(do="stall")
            taken, first_mb = 0, 0.0
            while taken < turns:
                taken += int(ours.block(each)["turns"])
                ours.client.do(do="reopen", streams=max(1, conversations // 10))
                if not first_mb and taken >= warm:
                    first_mb = ours.server.memory_mb()
            found["server_memory"].append(ours.server.memory_mb() / first_mb)
            found["server_memory_mb"].append(ours.server.memory_mb())
    return found
