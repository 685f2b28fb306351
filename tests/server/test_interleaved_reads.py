"""A request reads the store several times; between two of its reads anything may happen to the conversation."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import pytest
from httpx import Response

import turnwise as tw
from support.chats import NOON_MS, machine_of
from support.served import in_loop, served
from turnwise.core.machine import Machine
from turnwise.core.state.retention import Retention
from turnwise.stores.memory import MemoryStore

FLOW = """
flow: intake
start: ask
records:
  user: {name: {type: string}, pin: {type: integer, secret: true}, age: {type: integer, min: 0, max: 120}}
nodes:
  ask:
    form:
      fields:
        - {field: user.name, ask: "What is your name?"}
        - {field: user.pin, ask: "Your pin?"}
        - {field: user.age, ask: "How old are you?"}
    transitions:
      - {id: young, at: before, when: user.age < 18, because: under 18, to: refused}
      - {id: done, at: after, to: served}
      - {id: reminder, at: timer, in: 30m, to: refused}
  refused: {say: "You are too young.", end: refused}
  served: {say: "Thank you."}
"""
_READS = ("load", "receipt", "entries", "turn", "at", "snapshot", "window", "flow", "conversations", "find", "counts")
POSTED: dict[str, Any] = {
    "/dry-run": {"text": "30"},
    "/what-if": {"values": {"user.age": 12}},
    "/fork": {"name": "copy", "turn": 2},
}
"""The bodies of requests that are posted. Turns are not among them: nothing changes a conversation while one runs."""
PATHS = (
    *POSTED,
    "",
    "/transcript",
    "/transcript?after=6",
    "/transcript?after={end}",
    "/trace",
    "/trace?turn=2",
    "/timeline",
    "/edges",
    "/state",
    "/state?turn=2",
    "/prompt",
    "/prompt?turn=2",
    "/decisions",
    "/decisions?turn=2",
    "/decisions?turn=2&transition=young",
    "/why",
    "/why?subject=user.age",
    "/why?subject=user.age&turn=2",
    "/why?subject=young&usual=true",
    "/why?subject=end",
    "/why?against=x&against_turn=2",
    "/why?against=other",
    "/why?to=refused",
    "/records",
    "/artefacts",
    "/timers",
    "/events",
    "/events?after=6",
    "/turns/2",
    "/export",
    "/scenario",
)


LATER_S = 3 * 86_400


class InterleavedStore(MemoryStore):
    """Runs an act before the read of a number, once."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0
        self.before = 0
        self.act: Callable[[], Awaitable[object]] | None = None

    def watch(self, before: int, act: Callable[[], Awaitable[object]]) -> None:
        """Count reads from now on, and run `act` before the read `before`."""
        self.reads, self.before, self.act = 0, before, act


def _interleaved(name: str) -> Callable[..., Awaitable[Any]]:
    async def read(self: InterleavedStore, *args: Any) -> Any:
        self.reads += 1
        if self.act is not None and self.reads >= self.before:
            act, self.act = self.act, None
            await act()
        return await getattr(MemoryStore, name)(self, *args)

    return read


for _name in _READS:
    setattr(InterleavedStore, _name, _interleaved(_name))


@cache
def _flow() -> Machine:
    return machine_of(FLOW)


async def _played(app: tw.App, name: str, *said: str) -> None:
    chat = app.chat(name)
    await chat.start()
    for one in said:
        await chat.say(one)


@cache
def _kept() -> bytes:
    """The store before the request, as it is copied for each."""

    async def play() -> bytes:
        store, clock = InterleavedStore(), tw.ManualClock(NOON_MS)
        async with tw.open(_flow(), store=store, clock=clock) as app:
            await _played(app, "x", "my name is Ada", "1234")
            await _played(app, "other", "my name is Bob")
            clock.move_s(LATER_S)
            await app.chat("x").say("hm")
        return pickle.dumps(store)

    with ThreadPoolExecutor(1) as other:  # a test runs in the loop of this thread
        return other.submit(asyncio.run, play()).result()


async def _asked_between(path: str, before: int, act: str) -> tuple[Response, bool]:
    """Return the answer, and whether the act came before its last read."""
    store, clock = pickle.loads(_kept()), tw.ManualClock(NOON_MS + 1000 * LATER_S)
    app = tw.open(_flow(), store=store, clock=clock)
    async with served(app, clock=clock) as client:

        async def born_again() -> None:
            await app.chat("x").forget()
            await _played(app, "x", "my name is Eve")

        acts: dict[str, Callable[[], Awaitable[object]]] = {
            "a turn": lambda: app.chat("x").say("30"),
            "an undo": lambda: app.chat("x").undo(),
            "retention": lambda: app.retain(Retention(events_days=1)),
            "deletion": lambda: app.chat("x").forget(),
            "another life": born_again,
        }
        end = len(await store.entries("x"))
        store.watch(before, acts[act])
        url = f"/api/conversations/x{path.format(end=end)}"
        answer = await (client.post(url, json=POSTED[path]) if path in POSTED else client.get(url))
        return answer, store.act is None


@pytest.mark.parametrize("act", ["a turn", "an undo", "retention", "deletion", "another life"])
@pytest.mark.parametrize("path", PATHS)
@in_loop
async def test_what_happens_between_two_reads_gives_an_answer_or_a_clear_error(path: str, act: str) -> None:
    for before in range(1, 60):
        answer, has_acted = await _asked_between(path, before, act)
        assert answer.status_code < 500 and answer.status_code != 422, (before, answer.text)
        if not has_acted:
            assert before > 1, "the request reads nothing"
            return
    raise AssertionError("more reads than expected")
