"""Streams the entries of a conversation as they are written, and the text of a turn while a model generates it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from itertools import chain
from typing import Any, Protocol, TypeVar

from turnwise.core.state import State
from turnwise.core.state.events import Entry
from turnwise.errors import StoreFailed
from turnwise.runner.model_port import Delta, OnDelta
from turnwise.runner.ports import Change, Store

Done = TypeVar("Done")
"""The type of the result of a submitted event."""
Turn = TypeVar("Turn")
"""The type of a turn as the caller reads it."""

RETRY_S = 0.5
"""How many seconds after an error of the store its changes are watched again."""


class Observer(Protocol):
    """Receives entries and generated texts of all conversations of an app, such as a server with open streams.
    Its methods are called in the event loop, and must neither wait nor raise.
    """

    def committed(self, conversation: str, entries: Sequence[Entry], state: State | None) -> object:
        """Receive durable entries, in order; `state` comes with the last ones of a turn, and is `None` before."""
        ...

    def generated(self, conversation: str, delta: Delta) -> object:
        """Receive a piece of a model's text (`delta`), before it is stored and without secret values."""
        ...


class Listeners:
    """The listeners of conversations in this process; each follows the entries of one."""

    def __init__(self) -> None:
        self.queues: dict[str, set[asyncio.Queue[Entry | Change]]] = {}
        """The queues of the followers of each conversation that has some."""
        self.observers: list[Observer] = []
        """The observers of all conversations."""
        self._watching: asyncio.Task[None] | None = None
        """Watches the changes of the store while a conversation has followers."""

    def are_for(self, conversation: str) -> bool:
        """Return whether a conversation has listeners in this process."""
        return bool(self.observers) or conversation in self.queues

    def notify(self, conversation: str, entries: Sequence[Entry], state: State | None = None) -> None:
        """Send durable entries to the listeners of a conversation; the last ones of a turn with the state after it."""
        for queue in self.queues.get(conversation, ()):
            for entry in entries:
                queue.put_nowait(entry)
        for observer in self.observers:
            observer.committed(conversation, entries, state)

    def receiver_of(self, conversation: str) -> OnDelta | None:
        """Return the function that receives the pieces of a model's text for observers; `None` if there are none."""
        if not self.observers:
            return None

        def send(delta: Delta) -> None:
            for observer in self.observers:
                observer.generated(conversation, delta)

        return send

    async def follow(self, store: Store, conversation: str, after: int) -> AsyncIterator[Entry]:
        """Yield the entries after position `after`, each once, stored ones first, until the conversation is deleted."""
        queue: asyncio.Queue[Entry | Change] = asyncio.Queue()
        begun, found = after, Change()
        listeners = self.queues.setdefault(conversation, set())
        listeners.add(queue)
        try:
            while found != Change(conversation):
                if self._watching is None:
                    self._watching = asyncio.create_task(self._watch(store), name="turnwise-changes")
                for entry in await store.entries(conversation, after):
                    after = entry.seq
                    yield entry
                if after > begun and not await store.at(conversation, [after]):
                    return
                while True:
                    found = await queue.get()
                    if isinstance(found, Entry) and found.seq == after + 1:
                        after = found.seq
                        yield found
                    elif found.seq > after or not found.seq:
                        break
        finally:
            listeners.discard(queue)
            if not listeners:
                self.queues.pop(conversation, None)
            if not self.queues and self._watching is not None:
                self._watching.cancel()

    async def _watch(self, store: Store) -> None:
        """Have followers read the store again where something was written, by whichever process. If the store fails
        they read it too, and raise its error.
        """
        try:
            async for change in store.changes():
                self._tell(change)
        except StoreFailed:
            await asyncio.sleep(RETRY_S)
        finally:
            self._watching = None
            self._tell(Change())

    def _tell(self, change: Change) -> None:
        found = self.queues.values() if change.conversation is None else [self.queues.get(change.conversation, ())]
        for queue in chain.from_iterable(found):
            queue.put_nowait(change)


async def stream_turn(
    submit: Callable[..., Coroutine[Any, Any, Done]],
    turn_of: Callable[[Done], Coroutine[Any, Any, Turn]],
    missed: Callable[[Done], object],
) -> AsyncIterator[Delta | Turn]:
    """Yield the pieces of a turn's text, then the turn. `submit` runs the turn and takes `on_delta`; `turn_of` makes
    the turn of its result. If the caller closes the stream early, an event that waits is withdrawn, a turn that has
    begun continues, and `missed` is called with the result of one that has ended.
    """
    pieces: asyncio.Queue[Delta | None] = asyncio.Queue()
    submitted = asyncio.ensure_future(submit(on_delta=pieces.put_nowait))
    submitted.add_done_callback(lambda _: pieces.put_nowait(None))
    try:
        while (piece := await pieces.get()) is not None:
            yield piece
        turn = await turn_of(submitted.result())
    except BaseException:
        if submitted.cancel():
            await asyncio.wait([submitted])  # soon: the turn goes on without it, and what was missed is recorded
        if not submitted.cancelled() and submitted.exception() is None:
            missed(submitted.result())
        raise
    yield turn
