"""A process that delivers what a store holds, to a receiver that is slow, blocks the event loop, or is suspended with it.

    python -m support.durable.sender STORE LOG SETTINGS

The receiver writes a line for each message that it accepts: who sent it, and its turn. It ends when nothing is left.
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
from typing import Any

import turnwise as tw
from support.durable.deliveries import FLOW
from turnwise.stores.sqlite import SqliteStore


class Sender:
    """The test's end of the process."""

    def __init__(self, store: Path, log: Path, **settings: Any) -> None:
        sources, tests = Path(tw.__file__).parents[1], Path(__file__).parents[2]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (sources, tests)))}
        program = [sys.executable, "-m", "support.durable.sender", str(store), str(log), json.dumps(settings)]
        self._process = subprocess.Popen(program, env=environment)

    def __enter__(self) -> Sender:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        """Suspend it, and wait until it stands still."""
        self._process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOWAIT)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def wait(self) -> int:
        """Its exit code, when it has ended by itself."""
        return self._process.wait(60)


def accepted(log: Path) -> list[tuple[int, int]]:
    """Who sent what was accepted, and the turns, in order."""
    lines = log.read_text().splitlines() if log.exists() else []
    return [(int(pid), int(turn)) for pid, turn in (line.split() for line in lines)]


async def deliver(
    path: str,
    log: str,
    *,
    claim_timeout_s: float = 10.0,
    blocks_s: float = 0.0,
    answers_after_s: float = 0.0,
    timeout_s: float = 15.0,
) -> None:
    """Deliver until nothing is left. The first message takes the receiver some time, or blocks its event loop."""
    file, is_first = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), True

    async def receive(delivery: tw.Delivery) -> None:
        nonlocal is_first
        os.write(file, f"{os.getpid()} {delivery.turn}\n".encode())
        waits, is_first = is_first, False
        if waits:
            time.sleep(blocks_s)  # noqa: ASYNC251  it is to block the loop
            await asyncio.sleep(answers_after_s)

    store = SqliteStore(path, claim_timeout_s=claim_timeout_s)
    retries = tw.DeliveryRetries(first_pause_s=0.01, longest_pause_s=0.1, give_up_after_s=1e9, timeout_s=timeout_s)
    async with tw.open(FLOW, store=store, deliver=receive, delivery_retries=retries):
        while await store.outbox.count_open("talk", 1):
            await asyncio.sleep(0.02)


if __name__ == "__main__":
    asyncio.run(deliver(sys.argv[1], sys.argv[2], **json.loads(sys.argv[3])))
