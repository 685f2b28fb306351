"""Lives of a process that fires schedules, one after another on the same file, each killed around a commit.

    python -m support.durable.firing FOLDER COUNT SEED
    python -m support.durable.firing FOLDER both ROUNDS

It prints what is wrong, and at the end a line of JSON with how many were killed, and what fired.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections import Counter
from itertools import takewhile
from pathlib import Path
from typing import Any

import turnwise as tw
from turnwise.core.recurrence.times import times_after
from turnwise.core.state import events as e
from turnwise.core.zones import zone_or_utc
from turnwise.runner.ports import Commit, Writing

BEGIN_MS = 1_774_600_000_000
"""27 March 2026: the clocks of Europe change two days later."""
HOUR_MS = 3_600_000
CONVERSATIONS = 3
FLOW = """
flow: firing
start: chat
time_zone: Europe/Berlin
records: {feedback: {mood: string}}
nodes:
  chat: {say: Hello., transitions: [{at: before, when: 'false', to: chat}]}
  survey:
    scope: {returns: feedback}
    form: {fields: [{field: feedback.mood, ask: How was it?}]}
schedules:
  each: {at: ["02:30", "08:00", "18:00"], missed: each, call: survey, pause: 1m}
  once: {cron: "0 */5 * * *", instruct: Ask., interrupt: true}
  offered: {at: "12:00", offer: survey, opener: A minute for a survey?}
"""


class Fate:
    """Kills the process before or after the commit of a number."""

    def __init__(self, at: int, *, is_after: bool) -> None:
        self.left, self.is_after = at, is_after

    def watch(self, app: tw.App) -> None:
        """Watch the commits of an app."""
        store = app.runtime.store
        commit = store.commit

        def watched(conversation: str, written: Commit) -> Writing:
            self.left -= 1
            if self.left == 0 and not self.is_after:
                os.kill(os.getpid(), signal.SIGKILL)
            writing = commit(conversation, written)
            if self.left == 0:
                writing.add_done_callback(lambda _: os.kill(os.getpid(), signal.SIGKILL))
            return writing

        store.commit = watched  # type: ignore[method-assign]


async def live(path: Path, at_ms: int, fate: Fate | None) -> None:
    """Fire what is due at a time, and answer what is asked, until nothing more is due."""
    clock = tw.ManualClock(at_ms)
    app = tw.open(tw.loads(FLOW), store=f"sqlite:///{path}", clock=clock)
    if fate is not None:
        fate.watch(app)
    chats = [app.chat(str(number)) for number in range(CONVERSATIONS)]
    for chat in chats:
        await chat.start()
    for _ in range(200):
        fired = await app.tick()
        for chat in chats:
            if (await chat.state()).outer:
                await chat.say("good")
                fired += 1
        clock.move_s(61)
        if not fired:
            break
    await app.close()


async def judge(path: Path) -> tuple[list[str], Counter[str]]:
    """Return what is wrong with the conversations, and what fired."""
    app = tw.open(tw.loads(FLOW), store=f"sqlite:///{path}", clock=tw.ManualClock(BEGIN_MS))
    wrong: list[str] = []
    count: Counter[str] = Counter()
    for number in range(CONVERSATIONS):
        chat = app.chat(str(number))
        journal, state = await chat.journal(), await chat.state()
        for name, schedule in app.machine.schedules.items():
            fired = [(one.at_ms, one.event) for one in journal if isinstance(one.event, e.ScheduleFired)]
            mine = [(at_ms, one) for at_ms, one in fired if one.schedule == name and one.did != "put_off"]
            due = [one.due_ms for _, one in mine]
            times = times_after(schedule.plan, zone_or_utc("Europe/Berlin"), journal[0].at_ms)
            expected = list(takewhile(lambda one, last=state.at_ms: one <= last, times))
            handled = sum(1 + one.missed for _, one in mine)
            waits = state.schedules.find(name) if state.schedules is not None else None
            late = len([one for one in expected if waits is not None and 0 < waits.due_ms <= one])
            wrong += [f"{number} {name}: a time twice"] * (due != sorted(set(due)))
            wrong += [f"{number} {name}: a wrong time"] * (not set(due) <= set(expected))
            wrong += [f"{number} {name}: early"] * any(at_ms < one.due_ms for at_ms, one in mine)
            wrong += [f"{number} {name}: {handled} of {len(expected) - late} handled"] * (
                handled != len(expected) - late
            )
            count[name] += len(mine)
        called = sum(isinstance(one.event, e.ScheduleFired) and one.event.did == "called" for one in journal)
        opened = sum(isinstance(one.event, e.ScopeOpened) for one in journal)
        offers = sum(isinstance(one.event, e.ScheduleFired) and one.event.did == "offered" for one in journal)
        proposed = sum(isinstance(one.event, e.Offered) for one in journal)
        wrong += [f"{number}: {offers} offers, {proposed} proposals"] * (offers != proposed)
        wrong += [f"{number}: {called} calls, {opened} openings"] * (called != opened)
        wrong += [f"{number}: another run differs"] * (not (await chat.rerun()).agrees)
    await app.close()
    return wrong, count


def campaign(folder: Path, lives: int, seed: int) -> dict[str, Any]:
    """Die again and again around a commit; at the end a last life brings all to rest."""
    chance, killed = random.Random(seed), 0
    path = folder / "firing.db"
    asyncio.run(live(path, BEGIN_MS, None))
    for number in range(lives):
        fate = Fate(chance.randint(1, 12), is_after=bool(number % 2))
        pid = os.fork()
        if not pid:
            try:
                asyncio.run(live(path, BEGIN_MS + number * 4 * HOUR_MS, fate))
            finally:
                os._exit(0)
        killed += os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    asyncio.run(live(path, BEGIN_MS + lives * 4 * HOUR_MS, None))
    wrong, fired = asyncio.run(judge(path))
    return {"killed": killed, "fired": fired, "wrong": wrong}


def side_by_side(folder: Path, rounds: int) -> dict[str, Any]:
    """Let two processes fire on one file at once, again and again."""
    path = folder / "both.db"
    asyncio.run(live(path, BEGIN_MS, None))
    status: list[int] = []
    for number in range(1, rounds + 1):
        pids: list[int] = []
        for _ in range(2):
            pid = os.fork()
            if not pid:
                code = 1
                try:
                    asyncio.run(live(path, BEGIN_MS + number * 6 * HOUR_MS, None))
                    code = 0
                finally:
                    os._exit(code)
            pids.append(pid)
        status += [os.waitpid(pid, 0)[1] for pid in pids]
    asyncio.run(live(path, BEGIN_MS + (rounds + 1) * 6 * HOUR_MS, None))
    wrong, fired = asyncio.run(judge(path))
    return {"failed": sum(map(bool, status)), "fired": fired, "wrong": wrong}


if __name__ == "__main__":
    if sys.argv[2] == "both":
        print(json.dumps(side_by_side(Path(sys.argv[1]), int(sys.argv[3]))))
    else:
        print(json.dumps(campaign(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
