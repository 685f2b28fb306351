"""Following a journal: what is there, then what comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from contextlib import contextmanager

from turnwise.core.events import Entry
from turnwise.runner.ports import Delta, Store

Hear = Callable[[Delta], object]
"""Is told each piece of text that a model says."""

POLL_S = 0.5
"""How often the journal is read for what other processes wrote."""


class Listeners:
    """Those who follow conversations in this process."""

    def __init__(self) -> None:
        self._queues: dict[str, set[asyncio.Queue[Entry]]] = {}
        self._hearing: dict[str, list[Hear]] = {}

    def tell(self, conversation: str, entries: Sequence[Entry]) -> None:
        """Pass on what is durable now."""
        for queue in self._queues.get(conversation, ()):
            for entry in entries:
                queue.put_nowait(entry)

    def stream(self, conversation: str, delta: Delta) -> None:
        """Pass on a piece of text that a model is saying."""
        for hear in self._hearing.get(conversation, ()):
            hear(delta)

    @contextmanager
    def hearing(self, conversation: str, hear: Hear) -> Generator[None]:
        """While this is entered, each piece of text that a model says in a conversation goes to `hear`."""
        listening = self._hearing.setdefault(conversation, [])
        listening.append(hear)
        try:
            yield
        finally:
            listening.remove(hear)
            if not listening:
                self._hearing.pop(conversation, None)

    def has(self, conversation: str) -> bool:
        """True if anybody follows a conversation."""
        return conversation in self._queues

    async def follow(self, store: Store, conversation: str, after: int) -> AsyncIterator[Entry]:
        """The entries after a position, without a gap and each once: from the store, then live."""
        queue: asyncio.Queue[Entry] = asyncio.Queue()
        listeners = self._queues.setdefault(conversation, set())
        listeners.add(queue)
        try:
            while True:
                for entry in await store.entries(conversation, after):
                    after = entry.seq
                    yield entry
                while (entry := await _next(queue)) is not None:
                    if entry.seq == after + 1:
                        after = entry.seq
                        yield entry
                    elif entry.seq > after:
                        break
        finally:
            listeners.discard(queue)
            if not listeners:
                self._queues.pop(conversation, None)


async def _next(queue: asyncio.Queue[Entry]) -> Entry | None:
    """The next entry of this process, `None` where it is time to look for those of others."""
    try:
        return await asyncio.wait_for(queue.get(), POLL_S)
    except TimeoutError:
        return None
