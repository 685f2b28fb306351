"""The local engine: every conversation takes its turns one after another, in this process (law 3.10)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256

from msgspec.json import encode

from turnwise.core.effects import AnyEffect
from turnwise.core.events import Entry, OutsideEvent, ResultEvent, TurnEnded
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.turn import Refusal, Step
from turnwise.errors import TurnwiseError, UnknownConversation
from turnwise.runner.loop import finish_turn, run_turn
from turnwise.runner.perform import Performer
from turnwise.runner.ports import Accepted, Clock, Commit, Duplicate, Receipt, Store


class _Lane:
    """The queue of one conversation: a lock, and how many are in it or wait for it."""

    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class LocalEngine:
    """Takes events and gives each its turn; waiting messages are served in order, or refused, by flow."""

    def __init__(self, machine: Machine, store: Store, performer: Performer, clock: Clock) -> None:
        self.machine = machine
        self.store = store
        self.performer = performer
        self.clock = clock
        self._lanes: dict[str, _Lane] = {}
        self._heard: dict[str, set[asyncio.Queue[Entry]]] = {}
        self._is_draining = False

    async def submit(
        self, conversation: str, event: OutsideEvent | None, key: str = "", *, time_zone: str = ""
    ) -> Accepted | Duplicate | Refusal:
        """Take an event in; `None` only starts the conversation. The same key is one turn."""
        if self._is_draining:
            raise TurnwiseError("the engine is draining and takes no more events")
        lane = self._lanes.get(conversation)
        if lane is None:
            lane = self._lanes[conversation] = _Lane()
        elif self.machine.flow.busy == "reject":
            return Refusal("busy", self.machine.language.text("busy"))
        lane.users += 1
        try:
            async with lane.lock:
                return await self._serve(conversation, event, key, time_zone)
        finally:
            lane.users -= 1
            if not lane.users:
                del self._lanes[conversation]

    async def _serve(
        self, conversation: str, event: OutsideEvent | None, key: str, time_zone: str
    ) -> Accepted | Duplicate | Refusal:
        state = await self._recovered(conversation, await self.store.load(conversation))
        body = sha256(encode(event)).hexdigest()[:16] if key else ""
        if key:
            known = await self._known(conversation, key, body, state)
            if known is not None:
                return known
        if event is None and state is not None:
            return Duplicate((), state)
        turn = state.turn + 1 if state is not None else 1
        host = _Turn(self, conversation, state, Receipt(key, body, turn) if key else None)
        done = await run_turn(self.machine, host, self.clock, event, time_zone=time_zone)
        return done if isinstance(done, Refusal) else Accepted(tuple(done[1]), done[0])

    async def _recovered(self, conversation: str, state: State | None) -> State | None:
        """A turn that was cut off goes on first, from the effect that it waited for."""
        if state is None or state.doing is None:
            return state
        return await finish_turn(self.machine, _Turn(self, conversation, state, None), self.clock, state)

    async def _known(self, conversation: str, key: str, body: str, state: State | None) -> Duplicate | Refusal | None:
        """The same key returns the same events and does nothing; with another body it is refused."""
        receipt = await self.store.receipt(conversation, key)
        if receipt is None or state is None:
            return None
        if receipt.body != body:
            return Refusal("key_reused", f"the key {key!r} came before with another event")
        entries = await self.store.entries(conversation)
        return Duplicate(tuple(entry for entry in entries if entry.turn == receipt.turn), state)

    async def state(self, conversation: str) -> State:
        """The state of a conversation. Raises `UnknownConversation`."""
        state = await self.store.load(conversation)
        if state is None:
            raise UnknownConversation(conversation)
        return state

    async def events(self, conversation: str, after: int = 0) -> AsyncIterator[Entry]:
        """The entries after a position, then those to come."""
        queue: asyncio.Queue[Entry] = asyncio.Queue()
        listeners = self._heard.setdefault(conversation, set())
        listeners.add(queue)
        try:
            for entry in await self.store.entries(conversation, after):
                after = entry.seq
                yield entry
            while True:
                entry = await queue.get()
                if entry.seq > after:
                    after = entry.seq
                    yield entry
        finally:
            listeners.discard(queue)

    async def drain(self) -> None:
        """Take nothing new, and wait for the turns that are under way."""
        self._is_draining = True
        for lane in list(self._lanes.values()):
            async with lane.lock:
                pass

    async def commit(self, conversation: str, commit: Commit) -> None:
        """Write a commit and tell those who listen."""
        await self.store.commit(conversation, commit)
        for queue in self._heard.get(conversation, ()):
            for entry in commit.entries:
                queue.put_nowait(entry)


class _Turn:
    """One turn, as the loop sees it."""

    def __init__(self, engine: LocalEngine, conversation: str, state: State | None, receipt: Receipt | None) -> None:
        self.engine = engine
        self.conversation = conversation
        self.before = state
        self.receipt = receipt

    async def load(self) -> State | None:
        return self.before

    async def perform(self, effect: AnyEffect, state: State) -> ResultEvent:
        return await self.engine.performer.perform(self.conversation, effect, state)

    async def commit(self, step: Step) -> None:
        """Law 3.8: the event and its key first, the state only at the end."""
        is_end = isinstance(step.entries[-1].event, TurnEnded)
        receipt, self.receipt = self.receipt, None
        await self.engine.commit(self.conversation, Commit(step.entries, step.state if is_end else None, receipt))
