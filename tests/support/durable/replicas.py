"""Several processes on one database, killed, stopped and cut off again and again; what they acknowledged is judged.

    python -m support.durable.replicas FOLDER COUNT SEED REPLICAS

The address of the database stands in `FOLDER/replicas.address`. As in `campaign`, this process keeps the ledger. Each
replica sends to conversations of its own, and finishes the turns of others that die.

"""

from __future__ import annotations

import gc
import importlib
import json
import os
import random
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from support.durable.campaign import LAZY, Campaign, _be_child
from support.durable.life import Life, reporting
from support.durable.places import PLACES, Fate
from support.postgres import dies_with_parent
from turnwise.stores.postgres.address import read_address

SLOTS = 6
"""How many conversations each replica plays at once."""
THREATS = ("kill", "kill", "kill at a place", "stop", "cut")
LONGEST_LIFE_S = 1.2
STOPPED_S = 1.6
"""For how long a process is stopped: longer than the threshold, so that it is taken for dead and wakes up late."""


class Replica(NamedTuple):
    """A process under way, and what comes from it."""

    pid: int
    pipe: int
    number: int


class Replicas(Campaign):
    """Processes on one database."""

    def __init__(self, folder: Path, count: int) -> None:
        super().__init__(folder, "replicas", slots=SLOTS * count)
        self.count = count
        self.running: dict[int, Replica] = {}
        """By the number of a replica."""
        self._rests: dict[int, bytes] = {}

    def mine(self, number: int) -> list[str]:
        """The conversations that are under way of a replica."""
        return [self._open_one(slot) for slot in range(number, self.slots, self.count)]

    def begin(self, number: int, fate: Fate, seed: int, *, continues: bool) -> None:
        """Begin a life of a replica."""
        names = self.mine(number)
        acknowledged = {name: list(self.ledger.acknowledged.get(name, ())) for name in names}

        def life(pipe: int) -> Coroutine[Any, Any, None]:
            made = Life(self.path, acknowledged, reporting(pipe), fate, seed, play=self.play, continues=continues)
            return made.live(names)

        reading, writing = os.pipe()
        pid = os.fork()
        if not pid:
            dies_with_parent()
            os.close(reading)
            for other in self.running.values():
                os.close(other.pipe)
            _be_child(life, writing)
        os.close(writing)
        self.running[number] = Replica(pid, reading, number)

    def listen(self, until: float) -> list[int]:
        """Keep what comes until a time, or until a replica has ended; the numbers of those that have."""
        ended: list[int] = []
        while not ended:
            pipes = {one.pipe: one for one in self.running.values()}
            ready, _, _ = select.select(list(pipes), [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return []
            for pipe in ready:
                data = os.read(pipe, 1 << 16)
                if data:
                    self._take(pipes[pipe].number, data)
                else:
                    ended.append(pipes[pipe].number)
        return ended

    def _take(self, number: int, data: bytes) -> None:
        """Keep whole lines of one replica."""
        whole, _, self._rests[number] = (self._rests.get(number, b"") + data).rpartition(b"\n")
        if whole:
            self.ledger.take(whole + b"\n")

    def end(self, number: int) -> int:
        """Wait until a replica has ended; its status."""
        one = self.running.pop(number)
        while data := os.read(one.pipe, 1 << 16):
            self._take(number, data)
        os.close(one.pipe)
        self._rests.pop(number, None)
        return os.waitpid(one.pid, 0)[1]

    def cut_connections(self, chance: random.Random) -> None:
        """Let the server end some of its sessions."""
        with psycopg.connect(
            read_address(self.path.with_suffix(".address").read_text()).conninfo, autocommit=True
        ) as db:
            found = db.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND backend_type = 'client backend'"
            ).fetchall()
            for (pid,) in chance.sample(found, (len(found) + 1) // 2):
                db.execute("SELECT pg_terminate_backend(%s)", (pid,))


def campaign(folder: Path, threats: int, seed: int, count: int) -> dict[str, Any]:
    """Threaten the replicas again and again; at the end all conversations go to their end."""
    chance, one, done = random.Random(seed), Replicas(folder, count), Counter[str]()
    for number in range(count):
        one.begin(number, Fate(), seed + number, continues=True)
    for n in range(threats):
        threat = THREATS[n % len(THREATS)]
        victim = chance.randrange(count)
        ended = one.listen(time.monotonic() + chance.uniform(0.05, LONGEST_LIFE_S))
        pid = one.running[victim].pid
        fate = Fate()
        if victim in ended:
            pass  # it died at its place
        elif threat == "stop":
            os.kill(pid, signal.SIGSTOP)
            one.listen(time.monotonic() + STOPPED_S)
            os.kill(pid, signal.SIGCONT)
        elif threat == "cut":
            one.cut_connections(chance)
        else:
            os.kill(pid, signal.SIGKILL)
            ended.append(victim)
            if threat == "kill at a place":
                fate = Fate(chance.choice(PLACES), chance.randint(1, 60))
        done[threat] += 1
        for number in dict.fromkeys(ended):
            status = one.end(number)
            if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
                one.ledger.wrong.append(f"a life ended with {status}")
            one.begin(number, fate if number == victim else Fate(), seed + 1000 * n + number, continues=True)
        if one.ledger.wrong:
            break
    return finished(one, done)


def finished(one: Replicas, done: Counter[str]) -> dict[str, Any]:
    """End all replicas, bring every conversation to its end, and judge."""
    for number in list(one.running):
        os.kill(one.running[number].pid, signal.SIGKILL)
        one.end(number)
    one.live(one.open_conversations(), Fate(), 1, continues=False)
    one.judge(list(one.ledger.acknowledged), are_over=True)
    turns = sum(map(len, one.ledger.acknowledged.values()))
    return {
        "done": done,
        "turns": turns,
        "conversations": len(one.ledger.acknowledged),
        "seen": one.ledger.seen,
        "wrong": one.ledger.wrong,
    }


def main() -> int:
    """Run it; 1 if anything is wrong."""
    folder, *rest = sys.argv[1:]
    for name in (*LAZY, "turnwise.stores.postgres.store"):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    done = campaign(Path(folder), *map(int, rest))
    for fault in done["wrong"]:
        print(fault)
    print(json.dumps(done))
    return 1 if done["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
