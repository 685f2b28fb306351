"""Measures turns of a conversation that has a long list of records, beside the same turns with a short one."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import worker
from durable import Samples

FLOW = """
flow: shop
start: cart
records:
  pizza: {kind: string, size: {type: choice, options: [Small, Large]}, count: {type: integer, default: 1}}
  order: {items: {type: list, of: pizza}, note: string}
nodes:
  cart:
    prompt: You sell pizza.
    collect: [order.note]
    transitions:
      - {id: early, at: before, when: 'GUARD', to: done}
      - {id: late, at: after, when: 'GUARD', to: done}
  done: {say: Bye., end: done}
"""
GUARDS = {
    "items": 'order.note == "never"',
    "items_read": 'order.items.exists(i, i.kind == "never") && order.note == "never"',
}
"""The guard that is judged twice in each turn, by the figure: one reads the list, and one does not."""
FIGURES = ("memory", "disk", "written")
"""What is measured of each: the time in memory, on SQLite, and the bytes that are written there."""
FEW, MANY = 2, 200
TURNS = 40
"""The turns of a conversation of which the median counts; twice as many fill the caches before."""


class Talking:
    """A model that always says the same."""

    async def reply(self, _request: Any) -> Any:
        """Say something."""
        import turnwise as tw

        return tw.ModelReply("Well, let us go on with that.")


def flow(guard: str) -> Any:
    """Return the flow with a guard."""
    import turnwise as tw

    return tw.loads(FLOW.replace("GUARD", guard))


def changed(message: str, _allowed: object) -> tuple[Any, ...]:
    """Understand a number as another count of the first item."""
    from turnwise.core.state import commands as c

    return (c.Change(field="order.items", item=1, name="count", value=int(message)),)


async def filled(app: Any, name: str, count: int) -> Any:
    """Return a chat of so many items."""
    from turnwise.core.state import commands as c

    items = [{"kind": f"Pizza number {number}", "size": "Large", "count": 1} for number in range(count)]
    chat = app.chat(name)
    await chat.commands([c.Set(field="order.items", value=items)])
    return chat


def time_items(repeats: int) -> Samples:
    """A turn that changes one item of 200 ÷ one of 2, in turns: its time in memory and on SQLite, and what it writes."""
    found: Samples = {}
    for name, guard in GUARDS.items():
        ratios = [asyncio.run(_ratios(guard)) for _ in range(repeats)]
        for figure in ratios[0]:
            found[f"{name}_{figure}"] = [one[figure] for one in ratios]
    return found


async def _ratios(guard: str) -> Mapping[str, float]:
    with TemporaryDirectory() as folder:
        disk = [f"sqlite:///{folder}/{count}.db" for count in (FEW, MANY)]
        memory, of_disk = await _of_stores(guard, ["memory://"] * 2), await _of_stores(guard, disk)
    return dict(zip(FIGURES, (memory[0], *of_disk), strict=True))


async def _of_stores(guard: str, stores: list[str]) -> tuple[float, float]:
    """Return the time of the processor, and the bytes that this process writes: with many items ÷ with few. Each list is
    in a store of its own.
    """
    import turnwise as tw

    apps = [tw.open(flow(guard), store=store, model=Talking(), understand=changed) for store in stores]
    chats = [await filled(app, "items", count) for app, count in zip(apps, (FEW, MANY), strict=True)]
    for number in range(2 * TURNS):
        for chat in chats:
            await chat.say(str(number + 2))
    times: tuple[list[float], list[float]] = ([], [])
    written = [0.0, 0.0]
    for number in range(TURNS):
        for at, chat in enumerate(chats):
            before, start = worker.io_now(), time.process_time()
            await chat.say(str(number + 200))
            times[at].append(time.process_time() - start)
            written[at] += worker.io_between(before, worker.io_now(), "wchar", 1)
    for app in apps:
        await app.close()
    few, many = map(statistics.median, times)
    return many / few, written[1] / written[0] if written[0] else 1.0
