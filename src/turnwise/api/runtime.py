"""What an app and its chats share: the engine, the archive, and whether they are open."""

from __future__ import annotations

from typing import Any

from turnwise.api.tool_resolution import NO_TOOLS, Supplied
from turnwise.archive.archive import Archive
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.errors import TurnwiseError
from turnwise.flow.model import Flow
from turnwise.runner.engine import LocalEngine
from turnwise.runner.event_loop import Home
from turnwise.runner.machines import Machines
from turnwise.runner.perform import Performer
from turnwise.runner.ports import AnyModel, Clock, Store, Understand


class Runtime:
    """The parts of one opened flow. `engine` and `archive` raise `TurnwiseError` after closing."""

    def __init__(
        self,
        machines: Machines,
        store: Store,
        understand: Understand | None,
        model: AnyModel,
        clock: Clock,
        tools: Supplied = NO_TOOLS,
    ) -> None:
        self.machine: Machine = machines.current
        self.machines = machines
        self.store = store
        self.clock = clock
        self.performer = Performer(store, model, understand, clock, tools.runners)
        self.also_closes: list[Any] = []
        """Parts that were opened for this app alone; each has a `close()` to await."""
        self.is_closed = False
        self._tools = tools
        self._engine = LocalEngine(machines, store, self.performer, clock)
        self._archive = Archive(store, machines, clock)
        self.turns = self._archive.turns
        """Builds the turns of events that were served."""
        self.home = Home(self._engine.reset)
        """Where it may be used."""

    @property
    def engine(self) -> LocalEngine:
        """Serves events."""
        self.check_open()
        return self._engine

    @property
    def archive(self) -> Archive:
        """Answers questions from the store."""
        self.check_open()
        return self._archive

    def check_open(self) -> None:
        """Raise `TurnwiseError` after closing, in a second event loop, and in a forked child."""
        self.home.check()
        if self.is_closed:
            raise TurnwiseError("this app is closed; open another one with tw.open")

    def linked(self, flow: Flow | Machine | None) -> Machine | None:
        """Return the flow that a what-if supposes, linked; the archive checks whether it is one."""
        return link(flow, self.machine.code.values()) if isinstance(flow, Flow) else flow

    async def drain(self) -> None:
        """Refuse new events, and wait for the turns that are running."""
        self.home.check()
        await self._engine.drain()

    async def close(self) -> None:
        """Drain, then release tools and store."""
        await self.drain()
        self.is_closed = True
        await self._tools.close()
        await self.store.close()
        for part in self.also_closes:
            await part.close()
