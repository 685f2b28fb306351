"""Measures what turns spend in figures without noise: calls of our functions, commits, bytes, memory.

As a program it prints all of them as JSON. `test_budgets` runs it so, for other tests fill the caches of a process.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import tracemalloc
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

from msgspec.json import encode

import turnwise as tw
from turnwise.core.state.codec import encode_state
from turnwise.runner.ports import Commit, Written
from turnwise.stores.encoded import pack
from turnwise.stores.memory import MemoryStore

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "tests")]

import common  # noqa: E402
import listed  # noqa: E402
from adapters import turnwise as adapter  # noqa: E402

from support.served import served  # noqa: E402

OURS = str(Path(tw.__file__).parent)
TURNS = 10
"""The turns of a conversation: each figure is that of all of them."""
WARM = 4
"""Conversations before the one that is measured: by then all that is made once has been made."""
START_MS = 1_795_000_000_000
ASKED = """
flow: intake
start: ask
language: en
records:
  case:
    known: {type: choice, options: ["Yes", "No", Unknown], about: whether it is known}
    purpose: {type: choice, options: [Referral, Billing], about: the purpose}
nodes:
  ask:
    form:
      fields:
        - {field: case.known, ask: "Is it known?"}
        - {field: case.purpose, ask: "What is it for?"}
      confirm: {}
    transitions:
      - {id: expert, at: before, when: case.purpose == "Referral", because: a referral needs an expert, to: expert}
      - {id: done, at: after, when: form.status == "confirmed", because: it was confirmed, to: done}
  expert: {say: An expert looks at it., end: expert}
  done: {say: Thank you., end: done}
"""
"""The flow whose field is asked about."""

Talk = Callable[[str], Awaitable[None]]
"""Plays one conversation of `TURNS` turns, by its name."""
Spent = dict[str, int]


class CountingStore(MemoryStore):
    """A store that counts commits, and the bytes that a file would be given."""

    def __init__(self) -> None:
        super().__init__()
        self.commits = 0
        self.bytes = 0

    def commit(self, conversation: str, commit: Commit) -> Written:
        """Write all of a commit or nothing."""
        self.commits += 1
        self.bytes += sum(len(encode(entry.event)) for entry in commit.entries)
        self.bytes += len(encode_state(commit.state)) if commit.state is not None else 0
        return super().commit(conversation, commit)


class PackingStore(MemoryStore):
    """A store that counts the bytes of entries, and those of entries and states as an SQLite file has them, which
    compresses what is long.
    """

    def __init__(self) -> None:
        super().__init__()
        self.begin()

    def begin(self) -> None:
        """Count from here."""
        self.entry_bytes = self.packed_bytes = 0

    def commit(self, conversation: str, commit: Commit) -> Written:
        """Write all of a commit or nothing."""
        entries = [encode(entry.event) for entry in commit.entries]
        state = [encode_state(commit.state)] if commit.state is not None else []
        self.entry_bytes += sum(map(len, entries))
        self.packed_bytes += sum(len(pack(one)) for one in entries + state)
        return super().commit(conversation, commit)


def spent_by_form() -> Spent:
    """Return what ten turns of a form spend, each answered by an option."""
    return asyncio.run(_spent_by(adapter.form_flow(), None, common.OPTIONS[0], begins=True))


def spent_by_tool() -> Spent:
    """Return what ten turns spend in which a model calls a tool."""
    return asyncio.run(_spent_by(adapter.order_flow(), adapter.FakeModel(), common.USER_TEXT, begins=False))


async def _spent_by(flow: Any, model: Any, text: str, *, begins: bool) -> Spent:
    store = CountingStore()
    async with tw.open(flow, store=store, model=model, clock=tw.ManualClock(START_MS)) as app:

        async def talk(name: str) -> None:
            if begins:
                await app.chat(name).start()
            for _turn in range(TURNS):
                await app.chat(name).say(text)

        return await _spent(talk, store)


def spent_by_why() -> Spent:
    """Return what the first answer about a field spends in a process that has taken turns, with all that it imports,
    and the same one asked again.
    """
    return asyncio.run(_spent_by_why())


async def _spent_by_why() -> Spent:
    async with tw.open(tw.loads(ASKED), clock=tw.ManualClock(START_MS)) as app:
        chat = app.chat("a")
        await chat.say("hello")
        await chat.say("No")

        async def ask(_name: str) -> None:
            answer = await chat.why("case.known")
            assert answer.line == "case.known was set to No, answered by the user"

        return {"first_calls": await _calls(ask), "again_calls": await _calls(ask)}


def spent_by_http() -> Spent:
    """Return what ten turns of a form spend that come over HTTP, without the memory that they leave behind: buffers of
    connections are in it, which depend on how busy the machine is.
    """
    return asyncio.run(_spent_by_http())


async def _spent_by_http() -> Spent:
    store, clock = CountingStore(), tw.ManualClock(START_MS)
    app = tw.open(adapter.form_flow(), store=store, clock=clock)
    async with served(app, clock=clock) as client:

        async def talk(name: str) -> None:
            await client.post("/api/conversations", json={"flow": "form", "name": name})
            for _turn in range(TURNS):
                answer = await client.post(f"/api/conversations/{name}/turns", json={"text": common.OPTIONS[0]})
                assert answer.status_code == 200, answer.text

        return await _spent(talk, store, is_kept_counted=False)


def spent_by_items() -> Spent:
    """Return what ten turns write that change an item of a list that two guards read: with 2 items, and with 200."""
    found = {count: asyncio.run(_written_with_items(count)) for count in (listed.FEW, listed.MANY)}
    return {f"{what}_{count}": value for count, one in found.items() for what, value in one.items()}


async def _written_with_items(count: int) -> Spent:
    store = PackingStore()
    flow, clock = listed.flow(listed.GUARDS["items_read"]), tw.ManualClock(START_MS)
    async with tw.open(flow, store=store, model=listed.Talking(), understand=listed.changed, clock=clock) as app:
        chat = await listed.filled(app, "items", count)
        store.begin()
        for turn in range(TURNS):
            await chat.say(str(turn + 2))
        return {"entries": store.entry_bytes, "packed": store.packed_bytes}


async def _spent(talk: Talk, store: CountingStore, *, is_kept_counted: bool = True) -> Spent:
    """Return what a conversation spends, after some others."""
    for number in range(WARM):
        await talk(f"warm{number}")
    calls = await _calls(talk)
    store.commits = store.bytes = 0
    await talk("written")
    written = {"commits": store.commits, "bytes": store.bytes}
    kept = {"kept": await _kept(talk)} if is_kept_counted else {}
    return {"calls": calls, **written, **kept, "peak": await _peak(talk)}


async def _calls(talk: Talk) -> int:
    """Return how often our functions are called; a generator counts whenever it goes on."""
    calls = 0

    def count(frame: FrameType, event: str, _arg: object) -> None:
        nonlocal calls
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            calls += 1

    sys.setprofile(count)
    try:
        await talk("called")
    finally:
        sys.setprofile(None)
    return calls


async def _kept(talk: Talk) -> int:
    """Return how many blocks of memory a conversation leaves behind, with its journal in the store: the median, for
    now and then a table grows.
    """
    kept: list[int] = []
    for number in range(9):
        gc.collect()
        before = sys.getallocatedblocks()
        await talk(f"kept{number}")
        gc.collect()
        kept.append(sys.getallocatedblocks() - before)
    return int(median(kept))


async def _peak(talk: Talk) -> int:
    """Return how many bytes of memory a conversation holds at most."""
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        await talk("peak")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        gc.enable()


WORKS: dict[str, Callable[[], Spent]] = {
    "why": spent_by_why,  # the first: nothing else has loaded its parts
    "form": spent_by_form,
    "tool": spent_by_tool,
    "http": spent_by_http,
    "items": spent_by_items,
}
"""What is measured, by the name of its budget."""

if __name__ == "__main__":
    json.dump({name: measure() for name, measure in WORKS.items()}, sys.stdout)
