"""A conversation with schedules whose clock the test moves, as local times of a zone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

import turnwise as tw
from turnwise.core.state import State
from turnwise.core.state import events as e
from turnwise.runner.ports import Store
from turnwise.stores.memory import MemoryStore

Result = TypeVar("Result")


def moment(local: str, zone: str = "UTC") -> int:
    """Return a local time of a zone, `2026-11-10 18:00`, in milliseconds since 1970."""
    return round(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


class Clocked:
    """The conversation `main` of a flow, whose clock moves by `at`. `zone` is that of the times."""

    def __init__(
        self, text: str, begins: str, zone: str = "UTC", *, model: int = 50, store: Store | None = None
    ) -> None:
        self.zone = zone
        self.clock = tw.ManualClock(moment(begins, zone))
        self.model = tw.ScriptedModel([f"reply {number}" for number in range(1, model + 1)])
        self.app = tw.open(tw.loads(text), model=self.model, clock=self.clock, store=store or MemoryStore())
        self.chat = self.app.chat("main")

    async def at(self, local: str) -> list[str]:
        """Move the clock to a local time, fire what is due until nothing more is, and return what was said."""
        self.clock.set_ms(moment(local, self.zone))
        before = await self.seq()
        while await self.app.tick():
            pass
        return [
            one.event.text for one in await self.chat.journal() if one.seq > before and isinstance(one.event, e.Said)
        ]

    async def seq(self) -> int:
        """Return the last position of the journal, 0 before the conversation began."""
        try:
            return (await self.chat.state()).seq
        except tw.UnknownConversation:
            return 0

    async def fired(self) -> list[e.ScheduleFired]:
        """Return all firings so far."""
        return [one.event for one in await self.chat.journal() if isinstance(one.event, e.ScheduleFired)]

    async def firings(self) -> list[str]:
        """Return when each firing happened, as a local time, with its schedule and what it did."""
        found = [(one.at_ms, one.event) for one in await self.chat.journal()]
        kinds = e.ScheduleFired
        return [f"{self.local(at)} {one.schedule} {one.did}" for at, one in found if isinstance(one, kinds)]

    def local(self, at_ms: int) -> str:
        """Return a moment as a local time of the zone."""
        return f"{datetime.fromtimestamp(at_ms / 1000, ZoneInfo(self.zone)):%Y-%m-%d %H:%M}"

    async def due(self, schedule: str) -> str:
        """Return when a schedule fires next, as a local time; empty if it does not."""
        state: State = await self.chat.state()
        armed = state.schedules.find(schedule) if state.schedules is not None else None
        return self.local(armed.at_ms) if armed is not None and armed.at_ms else ""


def played(
    text: str, begins: str, steps: Callable[[Clocked], Awaitable[Result]], zone: str = "UTC", store: Store | None = None
) -> Result:
    """Play steps of a conversation, and check that its journal runs again to the same."""

    async def run() -> Result:
        clocked = Clocked(text, begins, zone, store=store)
        try:
            found = await steps(clocked)
            assert (await clocked.chat.rerun()).agrees
            return found
        finally:
            await clocked.app.close()

    return asyncio.run(run())
