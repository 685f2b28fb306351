"""Following a journal: what is there, then what comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from turnwise.core.events import Entry
from turnwise.runner.ports import Store

POLL_S = 0.5
"""How often the journal is read for what other processes wrote."""


class Listeners:
    """Those who follow conversations in this process."""

    def __init__(self) -> None:
        self._queues: dict[str, set[asyncio.Queue[Entry]]] = {}

    def tell(self, conversation: str, entries: Sequence[Entry]) -> None:
        """Pass on what is durable now."""
        for queue in self._queues.get(conversation, ()):
            for entry in entries:
                queue.put_nowait(entry)

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
