"""What the runner needs of the world, as protocols: small, so that little has to be written for a new one.

`Host` and `Engine` are the two ports of a durable turn; store, clock, model and understanding are
what the local engine is made of.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Protocol

from msgspec import Struct

from turnwise.core.commands import AnyCommand
from turnwise.core.effects import AnyEffect
from turnwise.core.events import Entry, OutsideEvent, ResultEvent
from turnwise.core.exposure import Exposed
from turnwise.core.prompts import ModelRequest
from turnwise.core.state import State
from turnwise.core.turn import Refusal, Step

Understand = Callable[[str, Exposed], Sequence[AnyCommand] | Awaitable[Sequence[AnyCommand]]]
"""The user's own understanding: a message and what is exposed go in, commands come out."""


class Clock(Protocol):
    """Tells the time."""

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        ...


class ModelReply(Struct, frozen=True):
    """What a model said, which model it was, and what it cost in tokens."""

    text: str
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


class Model(Protocol):
    """Reaches a model. Raises `ProviderFailed` where that fails."""

    async def reply(self, request: ModelRequest) -> ModelReply:
        """The model's answer to one request."""
        ...


class Receipt(Struct, frozen=True):
    """What is kept of an idempotency key: a hash of the event that it came with, and its turn."""

    key: str
    body: str
    turn: int


class Commit(Struct, frozen=True):
    """What is written at once: entries in order, the receipt of the event, the state at a turn's end."""

    entries: tuple[Entry, ...]
    state: State | None = None
    receipt: Receipt | None = None


class Store(Protocol):
    """Keeps journals, latest states and receipts."""

    async def load(self, conversation: str) -> State | None:
        """The state that the last entry leads to, `None` where there is no such conversation."""
        ...

    async def commit(self, conversation: str, commit: Commit) -> None:
        """Write all of a commit or nothing. Raises `Conflict` if the first entry does not follow the last."""
        ...

    async def receipt(self, conversation: str, key: str) -> Receipt | None:
        """What is kept of a key."""
        ...

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """The entries after a position, in order, up to another."""
        ...

    async def at(self, conversation: str, positions: Sequence[int]) -> dict[int, Entry]:
        """The entries at some positions."""
        ...

    async def window(self, conversation: str, after: int, limit: int) -> tuple[Entry, ...]:
        """The last `limit` entries after a position that hold something said, in order."""
        ...

    async def conversations(self) -> tuple[str, ...]:
        """The ids of all conversations."""
        ...


class Host(Protocol):
    """One turn of one conversation, as the loop sees it."""

    async def load(self) -> State | None:
        """The state before the turn, `None` for a conversation that begins."""
        ...

    async def perform(self, effect: AnyEffect, state: State) -> ResultEvent:
        """Do the work, or give back the result that is recorded for this effect."""
        ...

    async def commit(self, step: Step) -> None:
        """Make a step durable, before anything that follows from it is done."""
        ...


class Accepted(Struct, frozen=True):
    """An event was taken: the entries of its turn, and the state after it."""

    entries: tuple[Entry, ...]
    state: State


class Duplicate(Struct, frozen=True):
    """The same key came before: the entries of that turn, and the state as it is now."""

    entries: tuple[Entry, ...]
    state: State


class Engine(Protocol):
    """Takes events for any number of conversations, and gives each its turn."""

    async def submit(
        self, conversation: str, event: OutsideEvent | None, key: str = ""
    ) -> Accepted | Duplicate | Refusal:
        """Take an event in; `None` only starts the conversation. The same key is one turn."""
        ...

    def events(self, conversation: str, after: int = 0) -> AsyncIterator[Entry]:
        """The entries after a position, then those to come."""
        ...

    async def drain(self) -> None:
        """Take nothing new, and wait for the turns that are under way."""
        ...
