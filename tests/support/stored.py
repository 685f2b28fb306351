"""Conversations in SQLite files, for tests that ask them later."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from support.chats import NOON_MS, OneSyncChat, flow_of
from turnwise.api.open import open_archive
from turnwise.archive import Archive
from turnwise.flow.model import Flow
from turnwise.runner.clocks import ManualClock

T = TypeVar("T")

INTAKE = """
flow: intake
start: ask
records:
  user:
    name: {type: string}
    age: {type: integer, min: 0, max: 120}
    plan: {type: choice, options: [Basic, Plus, Gone]}
nodes:
  ask:
    form:
      fields:
        - {field: user.name, ask: "What is your name?"}
        - {field: user.age, ask: "How old are you?"}
        - {field: user.plan, ask: "Which plan?"}
      confirm: {}
    transitions:
      - {id: young, at: before, when: user.age < 18, because: under 18, to: refused}
      - {id: done, at: after, when: 'form.status == "confirmed"', to: served}
      - {id: reminder, at: timer, in: 30m, to: refused}
  refused: {say: "You are too young.", end: refused}
  served: {say: "Thank you, {{ user.name }}.", once: bye}
  bye: {say: Goodbye., end: completed}
"""


def stored(path: Path, flow: str | Flow | Path = INTAKE, *guards: Any, **more: Any) -> OneSyncChat:
    """A chat over a file; its clock stands at noon."""
    of = flow_of(flow) if isinstance(flow, str) else flow
    settings = {"clock": ManualClock(NOON_MS), **more}
    return OneSyncChat(of, store=f"sqlite:///{path}", guards=guards, **settings)


def asked(path: Path, work: Callable[[Archive], Awaitable[T]], *guards: Any) -> T:
    """Ask a file, with no flow at hand."""

    async def run() -> T:
        archive = open_archive(f"sqlite:///{path}", guards=guards)
        try:
            return await work(archive)
        finally:
            await archive.store.close()

    return asyncio.run(run())


def reads_of(store: Any) -> list[str]:
    """Return a list that grows by the name of a conversation each time that its entries are read from a store."""
    reads: list[str] = []
    of_store = store.entries

    async def entries(name: str, *more: Any) -> Any:
        reads.append(name)
        return await of_store(name, *more)

    store.entries = entries
    return reads
