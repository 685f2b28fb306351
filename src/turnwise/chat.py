"""The façade's chat: conversations of one flow, and what can be asked about them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Self, TypeVar

from turnwise import arguments as given
from turnwise.archive import Archive
from turnwise.archive.asking import WhatIf
from turnwise.archive.migrating import Migration
from turnwise.archive.questions import Questions
from turnwise.archive.replaying import Replayed
from turnwise.arguments import DEFAULT, chosen, commanded, fired, named, said, undone, used
from turnwise.core import events as e
from turnwise.core.commands import AnyCommand
from turnwise.core.explain.history import Edge
from turnwise.core.machine import Machine
from turnwise.core.migration.verdict import Renaming
from turnwise.core.retain import Retention
from turnwise.core.state import State
from turnwise.core.trace import Decision
from turnwise.core.turn import Refusal
from turnwise.errors import TurnwiseError
from turnwise.runner.engine import LocalEngine
from turnwise.runner.machines import Machines
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Accepted, AnyModel, Clock, Delta, Duplicate, Progress, Retained, Store, Understand
from turnwise.runner.result import Turn
from turnwise.runner.stream import streamed
from turnwise.runner.timers import Timers
from turnwise.runner.upkeep import run_retention
from turnwise.runner.waiting import OwnLoop
from turnwise.supplying import NO_TOOLS, Supplied
from turnwise.watching import seen

Result = TypeVar("Result")


class Chat(Questions):
    """Conversations of one flow, told apart by their name (`conversation`); the first event begins one.

    What can happen gives a `Turn`; an event that is refused gives one too, with its `refused` code. With a
    `key` an event counts once: the same key again gives the same turn and does nothing. Events of one
    conversation are served in their order, those of different ones side by side.

    `async with` it for work that goes on by itself: turns that were cut off by a crash are finished,
    timers fire, and at the end everything is written. After that every call raises `TurnwiseError`. A
    conversation that somebody else forgets in the middle of a turn raises `UnknownConversation` there.
    """

    def __init__(
        self,
        machines: Machines,
        store: Store,
        understand: Understand | None,
        model: AnyModel,
        clock: Clock,
        retention: Retention | None = None,
        tools: Supplied = NO_TOOLS,
    ) -> None:
        self.machine: Machine = machines.current
        self.machines = machines
        self.store = store
        self.clock = clock
        self.engine = LocalEngine(machines, store, Performer(store, model, understand, clock, tools.runners), clock)
        self._tools = tools
        self._answers = Archive(store, machines, clock)
        self.recall = self._answers.recall
        self.timers = Timers(self.engine)
        self.retention = retention
        self.also_closes: list[Any] = []
        """What was opened for this chat alone, and has a `close()` to await."""
        self._watches: list[asyncio.Task[None]] = []
        self._is_closed = False

    @property
    def _archive(self) -> Archive:
        """What is asked of the store. Raises `TurnwiseError` after closing."""
        self._check_open()
        return self._answers

    def _check_open(self) -> None:
        if self._is_closed:
            raise TurnwiseError("this chat is closed; open another one with `tw.open`")

    # what can happen -------------------------------------------------------------------------

    async def start(self, conversation: str = DEFAULT, *, key: str = "", time_zone: str = "") -> Turn:
        """Begin a conversation without a message; one that has begun is left as it is."""
        return await self._submit(conversation, None, key, time_zone)

    async def say(self, text: str, conversation: str = DEFAULT, *, key: str = "") -> Turn:
        """The user says something. The first message begins the conversation, with one reply."""
        return await self._submit(conversation, said(text), key)

    async def choose(
        self, button: str | e.Button, conversation: str = DEFAULT, *, position: int | None = None, key: str = ""
    ) -> Turn:
        """The user presses a button, named by its value or label; `position` is the turn's that offered it."""
        return await self._submit(conversation, chosen(button, position), key)

    async def commands(self, commands: Iterable[AnyCommand], conversation: str = DEFAULT, *, key: str = "") -> Turn:
        """Commands from elsewhere: importers, tests, another understanding."""
        return await self._submit(conversation, commanded(commands), key)

    async def tool_used(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        result: Any = None,
        conversation: str = DEFAULT,
        *,
        key: str = "",
    ) -> Turn:
        """The host's own code used a tool of the flow; what it tells of that is checked as a model's call is."""
        event = self.engine.turns.performer.used(used(tool, arguments, result))
        return await self._submit(conversation, event, key)

    async def fire(self, timer: str, conversation: str = DEFAULT, *, visit: int | None = None, key: str = "") -> Turn:
        """A timer comes due, named by its transition."""
        return await self._submit(conversation, fired(timer, visit), key)

    async def run(self, conversation: str = DEFAULT, *, key: str = "", time_zone: str = "") -> tuple[Turn, ...]:
        """Begin a conversation with an autonomous flow, and wait until it is at its end or needs somebody (law
        2.8); gives all its turns. Of one that has begun it gives the turns that end after this call, maybe none.
        """
        first = await self.start(conversation, key=key, time_zone=time_zone)
        if first.refused or first.state is None:
            return (first,)
        return await self.following(first) if first.events else await self._since(conversation, first.state.turn)

    async def following(self, turn: Turn) -> tuple[Turn, ...]:
        """A turn, and those that an autonomous flow took by itself behind it, when it has come to rest."""
        return (turn, *await self._since(turn.conversation, turn.number))

    async def _since(self, conversation: str, number: int) -> tuple[Turn, ...]:
        """The turns after one, when the conversation has come to rest."""
        await self.engine.wait(conversation)
        last = await self.turn(None, conversation)
        return tuple([await self.turn(later, conversation) for later in range(number + 1, last.number + 1)])

    async def undo(self, conversation: str = DEFAULT, *, to: int | None = None, key: str = "") -> Turn:
        """Take the last turn back, or all turns after `to`; what was performed stays."""
        return await self._submit(conversation, undone(to), key)

    def stream(
        self, text: str | e.Button, conversation: str = DEFAULT, *, key: str = ""
    ) -> AsyncIterator[Delta | Turn]:
        """The user says something, or presses a button that is given: each piece of text while a model says it in
        this turn, and at the end the turn. Who stops listening does not stop the turn; the next one reports it.
        """
        self._check_open()
        named(conversation, key)
        event = chosen(text, None) if isinstance(text, e.Button) else said(text)
        submit = partial(self.engine.submit, conversation, event, key)
        return streamed(submit, partial(self._turn_of, conversation), partial(self.engine.missed, conversation))

    # what can be asked -----------------------------------------------------------------------

    def events(self, conversation: str = DEFAULT, after: int = 0) -> AsyncIterator[e.Entry]:
        """The events after a position, then those to come."""
        self._check_open()
        return self.engine.events(given.followed(conversation, after), after)

    # conversations as a whole ----------------------------------------------------------------

    async def migrate(
        self,
        renaming: Renaming | None = None,
        *,
        conversation: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Migration:
        """Move waiting conversations of older versions to this flow, or one; those that do not fit stay where
        they are (law 6.8). With `dry_run` it is only told.
        """
        return await self._archive.migrate(
            self.machine, renaming, conversation=conversation, dry_run=dry_run, progress=progress
        )

    # its life --------------------------------------------------------------------------------

    async def forget(self, conversation: str = DEFAULT) -> bool:
        """Delete all that is kept of a conversation, after its turn; false where there is none."""
        self._check_open()
        found = await self.engine.forget(named(conversation))
        self.recall.drop(conversation)
        return found

    async def retain(self, retention: Retention, progress: Progress | None = None) -> Retained:
        """Erase and trim what is older than this, now; gives how many events and decisions."""
        self._check_open()
        given.told(progress)
        return await self.store.retain(given.kept_for(retention), self.clock.now_ms(), progress)

    async def tick(self) -> int:
        """Fire the timers that are due by the clock; gives how many. A chat that was entered does so by itself."""
        self._check_open()
        return await self.timers.fire_due()

    async def __aenter__(self) -> Self:
        self._check_open()
        await self.machines.keep_current()
        await self.engine.start()
        self._watches.append(asyncio.create_task(self.timers.run(), name="turnwise-timers"))
        if self.retention is not None:
            upkeep = run_retention(self.store, self.clock, self.retention)
            self._watches.append(asyncio.create_task(upkeep, name="turnwise-upkeep"))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def drain(self) -> None:
        """Take nothing new, and wait for the turns that are under way."""
        await self.engine.drain()

    async def close(self) -> None:
        """Drain, then let go of tools and store."""
        for watch in self._watches:
            watch.cancel()
            with suppress(asyncio.CancelledError):
                await watch
        self._watches.clear()
        await self.drain()
        self._is_closed = True
        await self._tools.close()
        await self.store.close()
        for part in self.also_closes:
            await part.close()

    @property
    def blocking(self) -> BlockingChat:
        """The same, for code without a loop of its own; where a loop is running, `await` the chat itself."""
        return BlockingChat(self)

    async def _submit(self, conversation: str, event: e.OutsideEvent | None, key: str, time_zone: str = "") -> Turn:
        self._check_open()
        named(conversation, key, time_zone)
        done = await self.engine.submit(conversation, event, key, time_zone=time_zone)
        try:
            return await self._turn_of(conversation, done)
        except asyncio.CancelledError:
            self.engine.missed(conversation, done)
            raise

    async def _turn_of(self, conversation: str, done: Accepted | Duplicate | Refusal) -> Turn:
        if isinstance(done, Refusal):
            return seen(await self.recall.refused(conversation, done, self.machine))
        if isinstance(done, Duplicate):
            return seen(await self.recall.again(conversation, done))
        return seen(await self.recall.taken(conversation, done))


class BlockingChat:
    """A chat for code without a loop of its own: each call waits for its turn. Several threads may use it at
    once. Use it in a `with` block: then turns that were cut off are finished, timers fire and old events are
    erased as with `async with`.

    In a notebook or an async server a loop is running: there, and after `close`, a call raises `CannotBlock`.
    Write `await chat.say(…)` there.
    """

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self._loop = OwnLoop()

    def _wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._loop.wait(work)

    def start(self, conversation: str = DEFAULT, **more: Any) -> Turn:
        """Begin a conversation without a message."""
        return self._wait(self.chat.start(conversation, **more))

    def say(self, text: str, conversation: str = DEFAULT, **more: Any) -> Turn:
        """The user says something."""
        return self._wait(self.chat.say(text, conversation, **more))

    def choose(self, button: str | e.Button, conversation: str = DEFAULT, **more: Any) -> Turn:
        """The user presses a button."""
        return self._wait(self.chat.choose(button, conversation, **more))

    def commands(self, commands: Iterable[AnyCommand], conversation: str = DEFAULT, **more: Any) -> Turn:
        """Commands from elsewhere."""
        return self._wait(self.chat.commands(commands, conversation, **more))

    def tool_used(
        self,
        tool: str,
        arguments: Mapping[str, Any] | None = None,
        result: Any = None,
        conversation: str = DEFAULT,
        **more: Any,
    ) -> Turn:
        """The host's own code used a tool."""
        return self._wait(self.chat.tool_used(tool, arguments, result, conversation, **more))

    def fire(self, timer: str, conversation: str = DEFAULT, **more: Any) -> Turn:
        """A timer comes due."""
        return self._wait(self.chat.fire(timer, conversation, **more))

    def run(self, conversation: str = DEFAULT, **more: Any) -> tuple[Turn, ...]:
        """Begin with an autonomous flow, and wait until it rests; all its turns."""
        return self._wait(self.chat.run(conversation, **more))

    def following(self, turn: Turn) -> tuple[Turn, ...]:
        """A turn, and those that the flow took by itself behind it."""
        return self._wait(self.chat.following(turn))

    def undo(self, conversation: str = DEFAULT, **more: Any) -> Turn:
        """Take the last turn back."""
        return self._wait(self.chat.undo(conversation, **more))

    def state(self, conversation: str = DEFAULT) -> State:
        """The state of a conversation."""
        return self._wait(self.chat.state(conversation))

    def explain(self, conversation: str = DEFAULT, **more: Any) -> tuple[Decision, ...]:
        """The decisions of a past turn."""
        return self._wait(self.chat.explain(conversation, **more))

    def turn(self, number: int | None = None, conversation: str = DEFAULT) -> Turn:
        """A past turn."""
        return self._wait(self.chat.turn(number, conversation))

    def journal(self, conversation: str = DEFAULT) -> tuple[e.Entry, ...]:
        """Every event of a conversation, in order."""
        return self._wait(self.chat.journal(conversation))

    def replay(self, conversation: str = DEFAULT) -> bool:
        """True if folding the journal gives exactly the state that is kept."""
        return self._wait(self.chat.replay(conversation))

    def rerun(self, conversation: str = DEFAULT) -> Replayed:
        """The journal folded, run again, and compared."""
        return self._wait(self.chat.rerun(conversation))

    def what_if(self, conversation: str | None = DEFAULT, **more: Any) -> WhatIf:
        """Which decisions would have come out otherwise."""
        return self._wait(self.chat.what_if(conversation, **more))

    def history(self, conversation: str | None = DEFAULT, transition: str = "", **more: Any) -> tuple[Edge, ...]:
        """How often transitions were judged and what came of it."""
        return self._wait(self.chat.history(conversation, transition, **more))

    def fork(self, conversation: str, **more: Any) -> State:
        """A new conversation, from another."""
        return self._wait(self.chat.fork(conversation, **more))

    def export(self, conversation: str = DEFAULT) -> bytes:
        """A conversation as one file."""
        return self._wait(self.chat.export(conversation))

    def import_(self, data: bytes, conversation: str = "", **more: Any) -> str:
        """Take a file in."""
        return self._wait(self.chat.import_(data, conversation, **more))

    def migrate(self, renaming: Renaming | None = None, **more: Any) -> Migration:
        """Move waiting conversations of older versions to this flow."""
        return self._wait(self.chat.migrate(renaming, **more))

    def forget(self, conversation: str = DEFAULT) -> bool:
        """Delete all that is kept of a conversation."""
        return self._wait(self.chat.forget(conversation))

    def retain(self, retention: Retention) -> Retained:
        """Erase and trim what is older than this, now."""
        return self._wait(self.chat.retain(retention))

    def tick(self) -> int:
        """Fire the timers that are due by the clock; gives how many."""
        return self._wait(self.chat.tick())

    def drain(self) -> None:
        """Take nothing new, and wait for the turns that are under way."""
        self._wait(self.chat.drain())

    def close(self) -> None:
        """Write what waits, and give store and loop back."""
        if not self._loop.is_closed:
            try:
                self._wait(self.chat.close())
            finally:
                self._loop.close()

    def __enter__(self) -> Self:
        try:
            self._wait(self.chat.__aenter__())
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
