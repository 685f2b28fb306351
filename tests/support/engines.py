"""Engines of tests: the local one with its parts, and one that shows that callers know the port only."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import pytest

import turnwise as tw
from turnwise.api import open as opening
from turnwise.api.runtime import Runtime
from turnwise.core.state import State
from turnwise.core.state.events import Entry, Note
from turnwise.runner.engine import Engine
from turnwise.runner.local_engine import LocalEngine
from turnwise.runner.machines import Machines
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Clock, Store
from turnwise.runner.streams import Observer


def local(owner: tw.App | tw.Chat) -> LocalEngine:
    """The local engine of an app or chat, whose parts a test needs."""
    engine = owner.runtime.engine
    assert isinstance(engine, LocalEngine)
    return engine


class ForwardingEngine:
    """An engine with the methods of the port and nothing else; another one does the work, as it would elsewhere."""

    __slots__ = ("__weakref__", "_behind", "calls")

    def __init__(self, machines: Machines, store: Store, performer: Performer, clock: Clock) -> None:
        self._behind: Engine = LocalEngine(machines, store, performer, clock)
        self.calls: list[str] = []

    async def submit(self, conversation: str, event: Any, key: str = "", **more: Any) -> Any:
        self.calls.append("submit")
        return await self._behind.submit(conversation, event, key, **more)

    def record_missed(self, conversation: str, missed: object) -> None:
        self.calls.append("record_missed")
        self._behind.record_missed(conversation, missed)

    async def record_fact(self, conversation: str, fact: Note) -> State | None:
        self.calls.append("record_fact")
        return await self._behind.record_fact(conversation, fact)

    def events(self, conversation: str, after: int = 0) -> AsyncIterator[Entry]:
        self.calls.append("events")
        return self._behind.events(conversation, after)

    def observe(self, observer: Observer) -> None:
        self.calls.append("observe")
        self._behind.observe(observer)

    def deliver_turns(self, wake: Callable[[], None]) -> None:
        self.calls.append("deliver_turns")
        self._behind.deliver_turns(wake)

    async def wait(self, conversation: str) -> None:
        self.calls.append("wait")
        await self._behind.wait(conversation)

    async def forget(self, conversation: str) -> bool:
        self.calls.append("forget")
        return await self._behind.forget(conversation)

    async def recover(self, *, waits: bool = False) -> None:
        self.calls.append("recover")
        await self._behind.recover(waits=waits)

    async def fire_due(self) -> int:
        self.calls.append("fire_due")
        return await self._behind.fire_due()

    async def run(self) -> None:
        self.calls.append("run")
        await self._behind.run()

    async def drain(self) -> None:
        self.calls.append("drain")
        await self._behind.drain()

    async def cancel_turns(self) -> None:
        self.calls.append("cancel_turns")
        await self._behind.cancel_turns()

    def reset(self) -> None:
        self.calls.append("reset")
        self._behind.reset()


def forward_all(patch: pytest.MonkeyPatch) -> list[ForwardingEngine]:
    """Give every app that is opened from now on a `ForwardingEngine`; return these."""
    made: list[ForwardingEngine] = []

    def make(*parts: Any) -> ForwardingEngine:
        made.append(ForwardingEngine(*parts))
        return made[-1]

    patch.setattr(opening, "Runtime", partial(Runtime, make_engine=make))
    return made


@pytest.fixture(params=["local", "another"])
def any_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with the local engine, and with one that has only the methods of the port."""
    if request.param == "another":
        forward_all(monkeypatch)
