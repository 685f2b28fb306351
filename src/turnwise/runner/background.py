"""The port of background work, which no caller waits for, and an implementation with tasks of this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from turnwise.core.state.retention import Retention
from turnwise.flow.model import Keep
from turnwise.runner.engine import Engine
from turnwise.runner.machines import Machines
from turnwise.runner.ports import Clock, Store

if TYPE_CHECKING:
    from turnwise.runner.deliveries import Deliveries


class Background(Protocol):
    """Does the background work of an app: interrupted turns, autonomous runs, timers, schedules, deliveries, retention.
    There is one per app; several processes over one store share the work.
    """

    async def start(self, *, retention: Retention | None, waits: bool) -> None:
        """Finish interrupted turns, before this returns if `waits`; from then on do all background work.
        `retention` holds beside the `keep` of the flow versions in the store.
        """
        ...

    async def tick(self) -> int:
        """Fire due timers and schedules, and send due deliveries; return how many timers and schedules fired.
        It works whether the background work was started or not.
        """
        ...

    async def drain(self) -> None:
        """Begin no more background work, and wait for the deliveries that are being sent.
        Turns that have begun are not cancelled; `Engine.drain` waits for them. What is left is done by another process,
        or after another start.
        """
        ...

    def deliver(self, deliveries: Deliveries) -> None:
        """From now on send, by `deliveries`, the messages of turns that no caller waits for."""
        ...

    def wake(self) -> None:
        """Look for due deliveries now: one was queued, or is to be sent again."""
        ...

    def reset(self) -> None:
        """Drop work in progress after its event loop was closed; the background work must be started again."""
        ...


class LocalBackground:
    """Does the work in tasks of this process: one for turns and timers, one for deliveries, one for retention."""

    def __init__(self, engine: Engine, machines: Machines, store: Store, clock: Clock) -> None:
        self._engine = engine
        self._machines = machines
        self._store = store
        self._clock = clock
        self._deliveries: Deliveries | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, *, retention: Retention | None, waits: bool) -> None:
        """Finish the turns that were interrupted, before this returns if `waits`, and begin the tasks; `retention` as
        in `Background.start`.
        """
        await self._engine.recover(waits=waits)
        self._begin(self._engine.run(), "timers")
        if self._deliveries is not None:
            self._begin(self._deliveries.run(), "deliveries")
        if retention is not None or await self._erases():
            from turnwise.runner.retention import run_retention

            self._begin(run_retention(self._store, self._clock, retention or Retention()), "upkeep")

    def _begin(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._tasks.append(asyncio.create_task(work, name=f"turnwise-{name}"))

    async def _erases(self) -> bool:
        """Return whether anything is to be erased: the flow says so, or another version in the store may."""
        machine = self._machines.current
        is_said = machine.erases_words or machine.flow.keep != Keep()
        return is_said or len(await self._store.versions()) > 1

    async def tick(self) -> int:
        """Fire due timers and schedules, and send due deliveries; return how many timers and schedules fired."""
        fired = await self._engine.fire_due()
        if self._deliveries is not None:
            await self._deliveries.send_due()
        return fired

    async def drain(self) -> None:
        """End the tasks, and wait for the deliveries that are being sent."""
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        self._tasks.clear()
        if self._deliveries is not None:
            await self._deliveries.drain()

    def deliver(self, deliveries: Deliveries) -> None:
        """From now on send, by `deliveries`, the messages of turns that no caller waits for."""
        self._deliveries = deliveries
        self._engine.deliver_turns(self.wake)

    def wake(self) -> None:
        """Look for due deliveries now."""
        if self._deliveries is not None:
            self._deliveries.wake()

    def reset(self) -> None:
        """Drop the tasks of an event loop that was closed."""
        self._tasks.clear()
        if self._deliveries is not None:
            self._deliveries.reset()


MakeBackground = Callable[[Engine, Machines, Store, Clock], Background]
"""A function that makes the background work of an app."""
