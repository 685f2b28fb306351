"""Lives of a process, one after another on the same file, each killed; what they acknowledged is judged after each.

    python -m support.durable.campaign points FOLDER MOST
    python -m support.durable.campaign lives FOLDER COUNT SEED
    python -m support.durable.campaign scopes FOLDER COUNT SEED

This process is the other one: it keeps the ledger and syncs it, forks the lives, and kills those that shall
die at a random time. It prints what is wrong, and at the end a line of JSON with how many were killed where.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import os
import random
import select
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from support.durable.judge import judged
from support.durable.life import Acknowledged, Life, reporting
from support.durable.places import PLACES, Fate, Shared
from support.durable.scopes import SCOPE_PLACES, ScopeFate
from support.durable.script import BOOKING, SCOPES, Play

CONVERSATIONS = 20
LONGEST_LIFE_S = 0.4
"""The latest time at which a life is killed that shall die at a random one."""
LAZY = (
    "concurrent.futures.thread",
    "pydantic.plugin._loader",
    "pydantic.type_adapter",
    "turnwise.authoring.tools",
    "turnwise.core.language.en_answers",
    "turnwise.models.names",
    "turnwise.models.redaction",
    "turnwise.runner.model_calls",
    "turnwise.runner.tool_execution",
    "turnwise.tools.functions",
    "turnwise.understanding",
)
"""What each life would load by itself, half of its time: it is loaded before they are forked."""
END_S = 120.0
"""How long a life may take that is not killed."""


class Ledger:
    """What was acknowledged, in a file that is synced before anything else is done."""

    def __init__(self, path: Path) -> None:
        self.file = path.open("ab")
        self.acknowledged: dict[str, list[Acknowledged]] = {}
        self.wrong: list[str] = []
        self.touched: set[str] = set()
        self.seen: dict[str, int] = {}
        self.left = 0
        """How many callers left before they had their answer."""
        self._rest = b""

    def take(self, data: bytes) -> None:
        """Keep what came through the pipe; a line that was cut does not count."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        self.file.write(b"".join(line + b"\n" for line in lines))
        self.file.flush()
        os.fsync(self.file.fileno())
        for line in map(json.loads, lines):
            if "wrong" in line:
                self.wrong.append(line["wrong"])
            elif "left" in line:
                self.left += line["left"]
            elif "seen" in line:
                self.seen = line["seen"]
            else:
                self.acknowledged.setdefault(line["conversation"], []).append(Acknowledged(*line["acknowledged"]))
                self.touched.add(line["conversation"])

    def cut(self) -> None:
        """Note that the reporting process is dead."""
        self._rest = b""


class Campaign:
    """Lives on one file."""

    def __init__(self, folder: Path, name: str, play: Play = BOOKING, slots: int = CONVERSATIONS) -> None:
        self.play, self.slots = play, slots
        self.path = folder / f"{name}.db"
        self.ledger = Ledger(folder / f"{name}.ledger")
        self.turns = 0

    def live(self, conversations: list[str], fate: Fate, seed: int, die_at_s: float = 0.0, *, continues: bool) -> bool:
        """One life; true if it was killed."""
        acknowledged = {name: list(self.ledger.acknowledged.get(name, ())) for name in conversations}

        def life(pipe: int) -> Coroutine[Any, Any, None]:
            made = Life(self.path, acknowledged, reporting(pipe), fate, seed, play=self.play, continues=continues)
            return made.live(conversations)

        before = sum(map(len, self.ledger.acknowledged.values()))
        status = _forked(life, self.ledger, die_at_s)
        self.turns += sum(map(len, self.ledger.acknowledged.values())) - before
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            return True
        if status:
            self.ledger.wrong.append(f"a life ended with {status}")
        return False

    def judge(self, conversations: list[str], *, are_over: bool) -> None:
        """Judge some conversations in a process of their own, so that this one has never a thread."""
        acknowledged = {name: self.ledger.acknowledged.get(name, []) for name in conversations}

        def judging(pipe: int) -> Coroutine[Any, Any, None]:
            return _judged(self.path, acknowledged, pipe, self.play, are_over=are_over)

        if _forked(judging, self.ledger, 0.0):
            self.ledger.wrong.append("the judge failed")

    def open_conversations(self) -> list[str]:
        """Of each slot the conversation that is under way, or the next."""
        return [self._open_one(slot) for slot in range(self.slots)]

    def _open_one(self, slot: int) -> str:
        generation = 0
        while len(self.ledger.acknowledged.get(f"{slot}.{generation}", ())) == len(self.play.lines):
            generation += 1
        return f"{slot}.{generation}"


async def _judged(
    path: Path, acknowledged: dict[str, list[Acknowledged]], pipe: int, play: Play, *, are_over: bool
) -> None:
    verdict = await judged(path, acknowledged, play, are_over=are_over)
    for fault in verdict.faults:
        reporting(pipe)({"wrong": fault})
    reporting(pipe)({"seen": verdict.seen})


def _forked(work: Callable[[int], Coroutine[Any, Any, None]], ledger: Ledger, die_at_s: float) -> int:
    """Do work in a child; keep what it tells until it has ended, and kill it when it is time. Its status."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reading)
        _be_child(work, writing)
    os.close(writing)
    until = time.monotonic() + (die_at_s or END_S)
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            os.kill(pid, signal.SIGKILL if die_at_s else signal.SIGABRT)
            until = time.monotonic() + END_S
            continue
        data = os.read(reading, 1 << 16)
        if not data:
            break
        ledger.take(data)
    os.close(reading)
    ledger.cut()
    return os.waitpid(pid, 0)[1]


def _be_child(work: Callable[[int], Coroutine[Any, Any, None]], pipe: int) -> None:
    code = 1
    try:

        async def run() -> None:
            await work(pipe)

        asyncio.run(run())
        code = 0
    except BaseException:  # noqa: BLE001  the child must not go on as its parent
        traceback.print_exc()
    finally:
        os._exit(code)


def points(folder: Path, most: int) -> dict[str, Any]:
    """Die once at every place of a conversation, of each kind at no more than `most`, evenly chosen; each time, the next
    life brings it to its end. A busy machine may take fewer turns through a place: such a conversation is tried again.
    """
    one, shared, killed = Campaign(folder, "points"), Shared(), Counter[str]()
    one.live(["whole"], Fate(shared=shared), 1, continues=False)
    for place in PLACES:
        for at in range(1, shared.count(place) + 1, -(-shared.count(place) // most)):
            for attempt in range(3):
                name = f"{place} {at} {attempt}"
                died = one.live([name], Fate(place, at), 1, continues=False)
                one.live([name], Fate(), 2, continues=False)
                if died:
                    killed[place] += 1
                    break
    one.judge(list(one.ledger.acknowledged), are_over=True)
    return {"killed": killed, "places": shared.counts, "seen": one.ledger.seen, "wrong": one.ledger.wrong}


def lives(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Die again and again under load, at random times and at random places; at the end all go to their end."""
    chance = random.Random(seed)
    one, killed = Campaign(folder, "lives"), Counter[str]()
    began = time.monotonic()
    for number in range(count):
        place = PLACES[number // 2 % len(PLACES)] if number % 2 else "at a random time"
        open_ = one.open_conversations()
        if number % 2:
            died = one.live(open_, Fate(place, chance.randint(1, 60)), number, continues=True)
        else:
            died = one.live(open_, Fate(), number, chance.uniform(0.005, LONGEST_LIFE_S), continues=True)
        killed[place] += died
        touched = sorted({*open_, *one.ledger.touched})
        one.ledger.touched.clear()
        one.judge(touched, are_over=False)
        if sys.stderr.isatty() or (number + 1) % 100 == 0:
            progress = f"{number + 1}/{count} lives, {one.turns} turns, {time.monotonic() - began:.0f} s"
            print(f"\r{progress}", end="" if sys.stderr.isatty() else "\n", file=sys.stderr)
        if one.ledger.wrong:
            break
    one.live(one.open_conversations(), Fate(), count, continues=False)
    one.judge(list(one.ledger.acknowledged), are_over=True)
    return {
        "killed": killed,
        "turns": one.turns,
        "conversations": len(one.ledger.acknowledged),
        "left": one.ledger.left,
        "seen": one.ledger.seen,
        "wrong": one.ledger.wrong,
    }


def scopes(folder: Path, count: int, seed: int) -> dict[str, Any]:
    """Die again and again where a scope is opened or closed; at the end all conversations go to their end."""
    chance = random.Random(seed)
    one, killed = Campaign(folder, "scopes", SCOPES, slots=2), Counter[str]()
    for number in range(count):
        place = SCOPE_PLACES[number % len(SCOPE_PLACES)]
        open_ = one.open_conversations()
        killed[place] += one.live(open_, ScopeFate(place, chance.randint(1, 4)), number, continues=True)
        touched = sorted({*open_, *one.ledger.touched})
        one.ledger.touched.clear()
        one.judge(touched, are_over=False)
        if one.ledger.wrong:
            break
    one.live(one.open_conversations(), Fate(), count, continues=False)
    one.judge(list(one.ledger.acknowledged), are_over=True)
    return {
        "killed": killed,
        "turns": one.turns,
        "conversations": len(one.ledger.acknowledged),
        "seen": one.ledger.seen,
        "wrong": one.ledger.wrong,
    }


def main() -> int:
    """Run one; 1 if anything is wrong."""
    what, folder, *rest = sys.argv[1:]
    for name in LAZY:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    done = {"points": points, "lives": lives, "scopes": scopes}[what](Path(folder), *map(int, rest))
    for fault in done["wrong"]:
        print(fault)
    print(json.dumps(done))
    return 1 if done["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
