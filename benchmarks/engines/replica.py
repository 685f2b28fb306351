"""One replica of the comparison of engines: autonomous runs that a timer begins, with a delivery for each turn."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import turnwise as tw
from turnwise.api import open as opening
from turnwise.api.runtime import Runtime
from turnwise.core.state import Ended
from turnwise.runner.background import LocalBackground
from turnwise.runner.model_port import ModelReply
from turnwise.stores.postgres import PostgresStore

STEPS = 20
FLOW = f"""
    flow: steps
    autonomous: true
    start: rest
    limits: {{run_moves: 500}}
    records: {{r: {{n: {{type: integer, default: 0}}}}}}
    nodes:
      rest: {{say: Waiting., transitions: [{{id: wake, at: timer, in: 100ms, to: work}}]}}
      work:
        prompt: Work.
        transitions:
          - {{id: over, when: r.n >= {STEPS}, to: over}}
          - {{id: again, set: {{r.n: r.n + 1}}, to: work}}
      over: {{say: Done., end: done}}
"""
RETRIES = tw.DeliveryRetries(first_pause_s=0.05, longest_pause_s=0.5, give_up_after_s=1e9, timeout_s=30, at_once=32)
THINKS_S = 0.003


def engine(name: str) -> Callable[..., Any]:
    """What makes the background work of an engine."""
    if name == "local":
        return LocalBackground
    from jobs import JobsBackground

    return JobsBackground


class Thinks:
    """A model that takes a while."""

    async def reply(self, _request: Any) -> ModelReply:
        """The same words each time."""
        await asyncio.sleep(THINKS_S)
        return ModelReply("A step.")


def opened(name: str, address: str, deliver: Any) -> tw.App:
    """The app of a replica."""
    opening.Runtime = partial(Runtime, make_background=engine(name))  # type: ignore[misc]
    store = PostgresStore(address, retry_s=30)
    return tw.open(tw.loads(FLOW), store=store, model=Thinks(), deliver=deliver, delivery_retries=RETRIES)


async def serve(name: str, address: str, log: Path) -> None:
    """Work until the process is killed; write each message that the receiver gets."""
    logging.disable()
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    async def receive(one: tw.Delivery) -> None:
        line = [time.monotonic(), time.time() * 1000 - one.at_ms, one.conversation, one.turn, one.id, os.getpid()]
        os.write(file, f"{json.dumps(line)}\n".encode())
        await asyncio.sleep(THINKS_S)

    async with opened(name, address, receive):
        await asyncio.Event().wait()


async def begin(address: str, at_once: int, until: float, count: int) -> None:
    """Begin conversations, a few more whenever some have ended, until a time or until there are as many."""
    logging.disable()
    app = tw.open(tw.loads(FLOW), store=PostgresStore(address, retry_s=30), model=Thinks(), deliver=lambda _: None)
    open_, begun = set[str](), 0
    while time.monotonic() < until and begun < count:
        for name in tuple(open_):
            if isinstance((await app.chat(name).state()).status, Ended):
                open_.discard(name)
        while len(open_) < at_once and begun < count:
            name, begun = f"c{begun}", begun + 1
            await app.chat(name).start()
            open_.add(name)
        await asyncio.sleep(0.05)
    await app.close()
