"""Measures turns with a tool call in long conversations, and the first piece of a reply; `figures.py` runs these."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common as c
from promises import TOOLED

Samples = dict[str, list[float]]

EARLY = 100
"""The turn from which on early turns are measured; the window of the transcript is full by then."""
BLOCK = 50
"""How many turns of each side are played before the other's."""


def time_turn_late(repeats: int, turns: int = TOOLED, early: int = EARLY, block: int = BLOCK) -> Samples:
    """Turns from the 3000th on of one conversation beside those from the 100th on of others, in time of the processor;
    and the long one made ready by a process that has not served it.
    """
    return asyncio.run(_late(repeats, turns, early, block))


async def _late(repeats: int, turns: int, early: int, block: int) -> Samples:
    from adapters.turnwise import Adapter

    found: Samples = {"turn_late": [], "turn_ready": []}
    with TemporaryDirectory() as folder:
        adapter = Adapter("sqlite", Path(folder))
        await adapter.open()
        await adapter.seed("late", turns)
        for number in range(repeats):
            await adapter.seed(f"early{number}", early)
            used = [await _used(adapter, name, block) for name in (f"early{number}", "late")]
            found["turn_late"].append(used[1] / used[0])
        await adapter.close()
        for _ in range(repeats):
            adapter = Adapter("sqlite", Path(folder))
            await adapter.open()
            start = time.perf_counter()
            assert await adapter.load("late")
            found["turn_ready"].append((time.perf_counter() - start) * 1e3)
            await adapter.close()
    return found


async def _used(adapter: c.Adapter, name: str, turns: int) -> float:
    """Seconds of the processor for some turns, every reply asserted."""
    start = time.process_time()
    for _ in range(turns):
        assert await adapter.turn(name, c.USER_TEXT) == c.REPLY
    return time.process_time() - start


# the first piece ---------------------------------------------------------------------------------


class Streaming:
    """A provider that says its reply in pieces, the first one at once; it notes when it does."""

    def __init__(self) -> None:
        self.said_at = 0.0

    async def stream(self, request: Any) -> AsyncIterator[Any]:
        """The reply, word by word."""
        from turnwise.runner.model_port import TextDelta

        for place, word in enumerate(c.REPLY.split(" ")):
            if not place:
                self.said_at = time.perf_counter()
            yield TextDelta(f" {word}" if place else word)
            await asyncio.sleep(0)


def time_delta(repeats: int, conversations: int = 20) -> Samples:
    """From a message to the first piece of the reply, on SQLite, where the provider itself takes no time; and how much
    of that comes after the provider has said it. The slowest of some conversations.
    """
    return asyncio.run(_delta(repeats, conversations))


async def _delta(repeats: int, conversations: int) -> Samples:
    import turnwise as tw

    found: Samples = {"delta": [], "delta_after": []}
    model = Streaming()
    flow = tw.Flow("talk", start="talk", nodes=[tw.Node("talk", prompt="Talk.")])
    with TemporaryDirectory() as folder:
        app = tw.open(flow, store=f"sqlite:///{folder}/talk.db", model=model)
        await app.chat("warm").say(c.USER_TEXT)
        for number in range(repeats):
            waits: list[tuple[float, float]] = []
            for one in range(conversations):
                waits.append(await _first(app, model, f"c{number}-{one}"))
            whole, after = zip(*waits, strict=True)
            found["delta"].append(sorted(whole)[len(whole) // 2] * 1e3)
            found["delta_after"].append(sorted(after)[len(after) // 2] * 1e3)
        await app.close()
    return found


async def _first(app: Any, model: Streaming, name: str) -> tuple[float, float]:
    """Seconds from a message to the first piece, and from the provider's saying it."""
    start, first, said = time.perf_counter(), 0.0, ""
    async for piece in app.chat(name).stream(c.USER_TEXT):
        first = first or time.perf_counter()
        said += getattr(piece, "text", "") if not hasattr(piece, "entries") else ""
    assert said == c.REPLY, said
    return first - start, first - model.said_at
