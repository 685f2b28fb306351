"""Measures schedules: a turn that arms them, the start with many armed, and many due at one moment.

python benchmarks/scheduled.py [CONVERSATIONS]
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import sqlite3
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from durable import Samples
from promises import DUE as CONVERSATIONS
from promises import PARKED

PLAIN = """
flow: tutor
start: chat
time_zone: Europe/Berlin
records: {feedback: {mood: string}}
nodes:
  chat: {say: Hello., transitions: [{id: on, at: before, when: "message.text == 'on'", to: other}]}
  other: {say: Well., transitions: [{id: back, at: before, when: "message.text == 'back'", to: chat}]}
  survey:
    scope: {returns: feedback}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
"""
SCHEDULES = """
schedules:
  tuesday: {cron: "0 18 * * 2#2", call: survey, quiet: "22:00-08:00"}
  evening: {at: "20:00", instruct: Ask for a word.}
"""
DUE = "schedules: {due: {at: '18:00', call: survey}}\n"
DUE_AT_MS = 1_794_330_000_000
"""10 November 2026, 18:00 in Berlin."""
TURNS = 300
LOOKS = 20
AT_ONCE = 100
"""How many ordinary turns run at once, as many as the runner fires."""


def time_arming(repeats: int) -> Samples:
    """A turn of a flow with schedules ÷ the same turn without."""
    found: Samples = {"schedule_turn": []}
    for _ in range(repeats):
        plain, armed = (asyncio.run(_turns(text)) for text in (PLAIN, PLAIN + SCHEDULES))
        found["schedule_turn"].append(armed / plain)
    return found


async def _turns(text: str) -> float:
    """The median time of a turn on SQLite, of the processor, all threads."""
    import turnwise as tw

    with TemporaryDirectory() as folder:
        app = tw.open(tw.loads(text), store=f"sqlite:///{folder}/s.db", clock=tw.ManualClock(DUE_AT_MS))
        chat, times = app.chat("one"), list[float]()
        await chat.start()
        for number in range(TURNS):
            start = time.process_time()
            await chat.say("back" if number % 2 else "on")
            times.append(time.process_time() - start)
        await app.close()
    return statistics.median(times)


def time_due(repeats: int, conversations: int = CONVERSATIONS) -> Samples:
    """The rate at which conversations are served that are due at one moment ÷ the rate of ordinary turns, in one process
    and in two on one file; and how long a user waits meanwhile, in ms.
    """
    found: Samples = {"schedule_rate": [], "schedule_rate_two": [], "schedule_wait": []}
    for _ in range(repeats):
        for name, processes in (("schedule_rate", 1), ("schedule_rate_two", 2)):
            with TemporaryDirectory() as folder:
                path = Path(folder) / "due.db"
                ordinary = asyncio.run(_begin(path, conversations))
                began = time.perf_counter()
                found["schedule_wait"].append(_served(path, processes))
                seconds = time.perf_counter() - began
                _check(path, conversations)
                found[name].append(conversations / seconds / ordinary)
    return found


async def _begin(path: Path, conversations: int) -> float:
    """Begin conversations, and send each a message; return the rate of these messages."""
    import turnwise as tw

    clock = tw.ManualClock(DUE_AT_MS - 3_600_000)
    app = tw.open(tw.loads(PLAIN + DUE), store=f"sqlite:///{path}", clock=clock)
    await _all(app, conversations, lambda chat: chat.start())
    start = time.perf_counter()
    await _all(app, conversations, lambda chat: chat.say("on"))
    seconds = time.perf_counter() - start
    await app.close()
    return conversations / seconds


async def _all(app: Any, conversations: int, act: Any) -> None:
    numbers = iter(range(conversations))

    async def some() -> None:
        for number in numbers:
            await act(app.chat(f"c{number}"))

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))


def time_looks(repeats: int, conversations: int = PARKED) -> Samples:
    """The start with all conversations armed, in seconds; and a look for what is due while all of them are overdue and
    have a flow that no process serves, in ms.
    """
    found: Samples = {"schedule_start": [], "schedule_look": []}
    for flow, measure in (("tutor", _start), ("other", _look)):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "armed.db"
            asyncio.run(_arm(path, PLAIN.replace("flow: tutor", f"flow: {flow}"), conversations))
            for _ in range(repeats):
                name = "schedule_start" if measure is _start else "schedule_look"
                found[name].append(asyncio.run(measure(path)))
    return found


async def _arm(path: Path, text: str, conversations: int) -> None:
    """Begin a conversation, and copy its rows: the same file as if all had begun, in a hundredth of the time."""
    import turnwise as tw

    app = tw.open(tw.loads(text + DUE), store=f"sqlite:///{path}", clock=tw.ManualClock(DUE_AT_MS - 3_600_000))
    await app.chat("c0").start()
    await app.close()
    db = sqlite3.connect(path)
    for table, key in (("conversation", "n"), ("timer", "conversation"), ("event", "conversation")):
        columns: list[str] = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        values = [{key: f"{key} + ?1", "id": "'c' || ?1"}.get(name) or name for name in columns]
        copied = f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {table} WHERE {key} = 1"
        db.executemany(copied, [(number,) for number in range(1, conversations)])
    db.commit()
    assert db.execute("SELECT count(*) FROM timer").fetchone() == (conversations,)
    db.close()


async def _start(path: Path) -> float:
    """How long an app takes until it looks for what is due, with all conversations armed, in seconds."""
    import turnwise as tw

    flow = tw.loads(PLAIN + DUE)
    start = time.process_time()
    app = tw.open(flow, store=f"sqlite:///{path}", clock=tw.ManualClock(DUE_AT_MS - 1))
    async with app:
        await app.tick()
        return time.process_time() - start


async def _look(path: Path) -> float:
    """How long a look for what is due takes, and when something is next, in ms."""
    import turnwise as tw

    app = tw.open(tw.loads(PLAIN + DUE), store=f"sqlite:///{path}", clock=tw.ManualClock(DUE_AT_MS))
    store, start = app.runtime.store, time.process_time()
    for _ in range(LOOKS):
        await store.due("tutor", DUE_AT_MS, AT_ONCE)
        await store.next_due("tutor")
    seconds = time.process_time() - start
    await app.close()
    return seconds / LOOKS * 1000


def _served(path: Path, processes: int) -> float:
    """Let processes serve all that is due; return how long a user of one waited for a reply, at the 99th percentile."""
    context = multiprocessing.get_context("fork")
    waits: Any = context.SimpleQueue()
    workers = [context.Process(target=_serve, args=(path, waits)) for _ in range(processes)]
    for worker in workers:
        worker.start()
    found = [waits.get() for _ in workers]
    for worker in workers:
        worker.join()
    return max(found)


def _serve(path: Path, waits: Any) -> None:
    async def serve() -> None:
        import turnwise as tw

        app = tw.open(tw.loads(PLAIN + DUE), store=f"sqlite:///{path}", clock=tw.ManualClock(DUE_AT_MS))
        async with app:
            user, times = app.chat(f"user{os.getpid()}"), list[float]()
            await user.start()
            while await app.runtime.store.due("tutor", DUE_AT_MS, 1):
                start = time.perf_counter()
                await user.say("back" if len(times) % 2 else "on")
                times.append((time.perf_counter() - start) * 1000)
                await asyncio.sleep(0.02)
        waits.put(sorted(times)[len(times) * 99 // 100])

    asyncio.run(serve())


def _check(path: Path, conversations: int) -> None:
    """Check that each conversation was served once."""
    db = sqlite3.connect(path)
    served = db.execute(
        "SELECT count(*), count(DISTINCT conversation) FROM inbox WHERE key LIKE 'schedule/%'"
    ).fetchone()
    of_all = "SELECT max(turn) AS n FROM event JOIN conversation c ON c.n = conversation WHERE c.id LIKE 'c%'"
    turns = db.execute(f"SELECT min(n), max(n) FROM ({of_all} GROUP BY conversation)").fetchone()
    db.close()
    if served != (conversations, conversations) or turns != (3, 3):
        raise RuntimeError(f"{served} of {conversations} were served, in turns {turns}")


if __name__ == "__main__":
    print(json.dumps(time_arming(3)))
    print(json.dumps(time_looks(2)))
    print(json.dumps(time_due(1, int(sys.argv[1]) if len(sys.argv) > 1 else CONVERSATIONS)))
