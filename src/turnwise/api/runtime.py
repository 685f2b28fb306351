"""The shared parts of an app and its chats: the engine, the archive, and whether they are open."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from turnwise.api.tool_resolution import NO_TOOLS, ToolRunners
from turnwise.archive.archive import Archive
from turnwise.core.link import link
from turnwise.core.machine import Machine
from turnwise.errors import ForkedProcess, TurnwiseError, WrongEventLoop
from turnwise.flow.code import PythonGuard
from turnwise.flow.model import Flow
from turnwise.runner.background import LocalBackground
from turnwise.runner.local_engine import LocalEngine
from turnwise.runner.machines import Machines
from turnwise.runner.model_port import AnyModel
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Clock, Store, Understand

if TYPE_CHECKING:
    from turnwise.runner.background import Background, MakeBackground
    from turnwise.runner.deliveries import Deliveries
    from turnwise.runner.engine import Engine, MakeEngine
    from turnwise.runner.meter import Meter
    from turnwise.runner.outbox_port import Deliver, DeliveryRetries


class LoopBinding:
    """Restricts an app to one process and one event loop.
    After the loop was closed another one may use the app; then each of `resets` is called.
    """

    __slots__ = ("_loop", "_pid", "_resets")

    def __init__(self, *resets: Callable[[], object]) -> None:
        self._resets = resets
        self._pid = os.getpid()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def is_forked(self) -> bool:
        """True in a forked child of the process that opened the app."""
        return os.getpid() != self._pid

    def check(self) -> None:
        """Raise `ForkedProcess` in a forked child, `WrongEventLoop` in a second loop."""
        if os.getpid() != self._pid:
            raise ForkedProcess("app")
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        if loop is self._loop:
            return
        if self._loop is not None:
            if not self._loop.is_closed():
                raise WrongEventLoop
            for reset in self._resets:
                reset()
        self._loop = loop


class Runtime:
    """The parts of one opened flow; `engine` and `archive` raise `TurnwiseError` after closing."""

    def __init__(
        self,
        machines: Machines,
        store: Store,
        understand: Understand | None,
        model: AnyModel,
        clock: Clock,
        tools: ToolRunners = NO_TOOLS,
        make_engine: MakeEngine = LocalEngine,
        make_background: MakeBackground = LocalBackground,
    ) -> None:
        self.machine: Machine = machines.current
        self.machines = machines
        self.store = store
        self.clock = clock
        self.performer = Performer(store, model, understand, clock, tools.runners)
        self.also_closes: list[Any] = []
        """Parts that were opened for this app alone; each has a `close()` to await."""
        self.waits_for_recovery = True
        """Whether the app, when it is entered, waits for the turns that were interrupted."""
        self.is_closed = False
        self._tools = tools
        self._replaced: list[ToolRunners] = []
        """The tools of versions that were adopted later."""
        self._engine = make_engine(machines, store, self.performer, clock)
        self.background: Background = make_background(self._engine, machines, store, clock)
        """Does what no caller waits for."""
        self._archive = Archive(store, machines, clock)
        self.performer.answer_why = self._archive.answer_user
        self.turns = self._archive.turns
        """Builds the turns of events that were served."""
        self.deliveries: Deliveries | None = None
        """Sends the messages of turns that the machine began; `None` where nothing is delivered."""
        self.home = LoopBinding(self.reset)
        """Where it may be used."""

    @property
    def engine(self) -> Engine:
        """The engine, which runs turns for events."""
        self.check_open()
        return self._engine

    @property
    def archive(self) -> Archive:
        """The archive, which answers questions from the store."""
        self.check_open()
        return self._archive

    def check_open(self) -> None:
        """Raise `TurnwiseError` after closing, in a second event loop, and in a forked child."""
        self.home.check()
        if self.is_closed:
            raise TurnwiseError("this app is closed; open another one with tw.open")

    def reset(self) -> None:
        """Drop work in progress after its event loop was closed."""
        self._engine.reset()
        self.background.reset()

    def deliver(self, deliver: Deliver, retries: DeliveryRetries) -> None:
        """Begin to send, in the background, the messages of turns for which no caller waits, to the
        receiver `deliver`.
        """
        from turnwise.runner.deliveries import Deliveries

        self.deliveries = Deliveries(self.store, self.clock, self.machine.flow.name, deliver, retries)
        self.deliveries.spans, self.deliveries.meter = self.performer.spans, self.performer.meter
        self.background.deliver(self.deliveries)

    def set_meter(self, meter: Meter) -> None:
        """Have a meter receive measurements of turns and deliveries from now on."""
        self.performer.meter = meter
        if self.deliveries is not None:
            self.deliveries.meter = meter

    def replace_machine(self, machine: Machine, guards: Sequence[PythonGuard], tools: ToolRunners) -> None:
        """Begin new conversations with another version of the flow from now on; `guards` are the Python guards that it
        names. Tools of earlier versions stay available.
        """
        self.check_open()
        self.machines.replace_current(machine, guards)
        self.machine = machine
        self.performer.tools = {**self.performer.tools, **tools.runners}
        self._replaced.append(tools)

    def link_supposed(self, flow: Flow | Machine | None) -> Machine | None:
        """Return the machine of the flow that a what-if supposes; `None` without one. The archive checks its type."""
        return link(flow, self.machine.code.values()) if isinstance(flow, Flow) else flow

    async def drain(self) -> None:
        """Refuse new events, begin no more background work, and wait for the work in progress."""
        self.home.check()
        ending = asyncio.ensure_future(self.background.drain())
        try:
            await self._engine.drain()
            await ending
        finally:
            ending.cancel()

    async def close(self, drain_s: float | None = None) -> None:
        """Drain, for at most `drain_s` seconds, then release store and tools.
        A turn that still runs is cancelled, and goes on in another process as soon as the store has given up its claim.
        """
        try:
            async with asyncio.timeout(drain_s):
                await self.drain()
        except TimeoutError:
            await self._engine.cancel_turns()
        self.is_closed = True
        await self.store.close()
        for tools in (self._tools, *self._replaced):
            await tools.close()
        for part in self.also_closes:
            await part.close()
