"""The pieces of models' texts that replicas send each other: the port `SharedTexts` of a store in PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator

from turnwise.runner.shared_texts import Piece
from turnwise.stores.postgres.changes import Listener
from turnwise.stores.postgres.process import Process
from turnwise.stores.postgres.reader import Reader


class PostgresTexts:
    """Sends pieces of generated texts to other replicas, while there are some."""

    def __init__(self, process: Process, listener: Listener, reader: Reader) -> None:
        self._process = process
        self._listener = listener
        self._reader = reader

    def send(self, piece: Piece) -> None:
        """Send a piece to the other replicas, without waiting."""
        if self._process.alive > 1 and self._process.texts.add(piece):
            self._process.hints.wake()

    def drop(self, conversation: str) -> None:
        """Drop the pieces of a conversation that wait to be sent."""
        self._process.texts.drop(conversation)

    async def received(self) -> AsyncIterator[Piece]:
        """Yield the pieces of other replicas. They send some only if they know of this one."""
        await self._reader.run(self._process.enrol)
        async for piece in self._listener.texts():
            yield piece
