"""Replicas of `turnwise serve` on one database, as processes on fixed ports, and what is done to them meanwhile."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.request import urlopen

import psycopg

from support.postgres import Server, dies_with_parent
from support.shell import environment, start
from turnwise.stores.postgres.address import read_address
from turnwise.testing.deployment.soak import FLOW_FILE

READY_S = 90.0
ASKED_S = 20.0
"""How long a replica may take to say that it is ready: on a busy machine it is slow, and not away."""
PRINTED = 4_000
"""How many bytes of what a replica printed a failure shows."""
STOPPED_S = 1.6
"""For how long a replica is stopped: longer than the threshold of one second."""
THREATS = ("kill", "stop", "cut", "kill")
LIMITS = ("requests_per_minute=0", "open_streams=1000", "leave_s=3")
"""`leave_s` is longer than a balancer needs to notice, also on a busy machine."""
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


PORTS = range(11_000, 32_000)
"""Below the ports that systems give to clients, one of which would take the port of a replica while it is down."""


def free_port() -> int:
    """A port that nothing listens at now."""
    while True:
        with suppress(OSError), socket.create_server(("127.0.0.1", random.choice(PORTS))) as taken:
            return taken.getsockname()[1]


class HasAddress(Protocol):
    """A replica, or what stands before several."""

    @property
    def address(self) -> str: ...


class Replica:
    """One process that serves, and is begun again at the same port. `package` is the folder of an
    earlier turnwise.
    """

    def __init__(self, store: str, hook: int, package: Path | None = None, flow: Path = FLOW_FILE) -> None:
        self.port = free_port()
        deliver = ("--deliver", f"http://127.0.0.1:{hook}/", "--deliver-secret-env", "HOOK_SECRET") if hook else ()
        allowed = ("--deliver-private", "--deliver-http") if hook else ()
        limits = [f"--limit={one}" for one in LIMITS]
        self._arguments = ("serve", str(flow), "--store", store, f"--port={self.port}", *deliver, *allowed, *limits)
        self.package = package
        self._process: Any = None
        self._reader: threading.Thread
        self._printed = b""
        self.begin()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self) -> None:
        """Start the process."""
        if self.package is None:
            self._process = start(*self._arguments, HOOK_SECRET=SECRET)
        else:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "turnwise", *self._arguments],
                env=environment(PYTHONPATH=str(self.package), HOOK_SECRET=SECRET),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                bufsize=0,
                preexec_fn=dies_with_parent,  # noqa: PLW1509  it only calls the system
            )
        self._reader = threading.Thread(target=self._drain, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    def _drain(self, output: Any) -> None:
        """Read what a process prints, so that it never waits for a reader, and keep its end."""
        with output:
            while read := output.read(65_536):
                self._printed = (self._printed + read)[-PRINTED:]

    def is_ready(self) -> bool:
        """Whether it takes turns, as a load balancer asks."""
        with suppress(OSError), urlopen(f"{self.address}/api/ready", timeout=ASKED_S) as answer:
            return answer.status == 200
        return False

    def wait(self) -> None:
        """Wait until it takes turns."""
        until = time.monotonic() + READY_S
        while not self.is_ready():
            assert time.monotonic() < until, (
                f"the replica at port {self.port} is not ready; it printed: {self._printed.decode(errors='replace')}"
            )
            time.sleep(0.05)

    def send(self, number: int) -> None:
        os.kill(self._process.pid, number)

    def end(self, number: int = signal.SIGKILL) -> int:
        """End it, and wait until it is gone; its exit code."""
        with suppress(ProcessLookupError):
            self.send(signal.SIGCONT)
            self.send(number)
        code = self._process.wait(READY_S)
        self._reader.join()
        return code


def cut(store: str, chance: random.Random) -> None:
    """Let the server of the database end half of its sessions."""
    with psycopg.connect(read_address(store).conninfo, autocommit=True) as db:
        found = db.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        ).fetchall()
        for (pid,) in chance.sample(found, (len(found) + 1) // 2):
            db.execute("SELECT pg_terminate_backend(%s)", (pid,))


class Threats(threading.Thread):
    """Kills, stops and cuts off replicas until `count` was done, or the test has ended."""

    def __init__(self, replicas: Sequence[Replica], store: str, count: int, seed: int) -> None:
        super().__init__(daemon=True)
        self._replicas = replicas
        self._store = store
        self._count = count
        self._chance = random.Random(seed)
        self.ends = threading.Event()
        self.done = Counter[str]()

    def run(self) -> None:
        for n in range(self._count):
            if self.ends.wait(self._chance.uniform(0.2, 1.2)):
                return
            threat, replica = THREATS[n % len(THREATS)], self._chance.choice(self._replicas)
            if threat == "kill":
                replica.end()
                replica.begin()
            elif threat == "stop":
                replica.send(signal.SIGSTOP)
                self.ends.wait(STOPPED_S)
                replica.send(signal.SIGCONT)
            else:
                cut(self._store, self._chance)
            self.done[threat] += 1


def soak(replicas: Sequence[HasAddress], ledger: Path, hook: int, *options: str) -> subprocess.Popen[str]:
    """Begin the checker, as anybody runs it."""
    addresses = [one.address for one in replicas]
    receive = ("--receive", f"127.0.0.1:{hook}") if hook else ()
    program = [sys.executable, "-m", "turnwise", "soak", *addresses, *receive, "--ledger", str(ledger), "--json"]
    return subprocess.Popen([*program, *options], stdout=subprocess.PIPE, text=True)


def database(server: Server, *, is_empty: bool = False) -> str:
    """The address of a new database, with a short threshold. With `is_empty` the first replica makes its tables."""
    return (server.empty() if is_empty else server.fresh()) + "&dead_after=1s&readers=3"
