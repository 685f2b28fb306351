"""The port for what an operator does with a store that lasts: count its content, list it, and release its room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from msgspec import Struct

from turnwise.runner.outbox_port import StoredDelivery
from turnwise.runner.ports import Progress, Receipt, Setting


class StoreInfo(Struct, frozen=True):
    """Figures about a store. `bytes` are by kind; with `overhead`, which is the database's own, and `free`, which new
    rows fill first, they add up to `file_bytes`. Times are in milliseconds since 1970.
    """

    file: str
    file_bytes: int
    log_bytes: int
    """The size of the write-ahead log."""
    conversations: int
    open_turns: int
    """How many turns are in progress."""
    oldest_ms: int | None
    """When the oldest entry was written."""
    newest_ms: int | None
    """When the newest entry was written."""
    entries: int
    """How many entries all journals have."""
    erased: int
    """How many of them retention has erased."""
    bytes: dict[str, int]


class ListedConversation(Struct, frozen=True):
    """A conversation in a list. Times are in milliseconds since 1970; `entries` are up to its last whole turn, and
    so is its `status`: `waiting`, `ended` with an `outcome`, or `failed`.
    """

    conversation: str
    flow: str
    fingerprint: str
    began_ms: int
    last_ms: int
    entries: int
    is_open: bool
    """True while a turn is in progress."""
    status: Literal["waiting", "ended", "failed"] = "waiting"
    outcome: str = ""


class ConnectionLoad(NamedTuple):
    """The connections with which a store reads: how many there may be, how many are used, how many queries wait."""

    most: int = 0
    in_use: int = 0
    waiting: int = 0


@runtime_checkable
class HasConnections(Protocol):
    """A store that reads with a limited number of connections."""

    @property
    def connection_load(self) -> ConnectionLoad:
        """How its connections are used now."""
        ...


@runtime_checkable
class StoreUpkeep(Protocol):
    """What a store that lasts offers beside `Store`."""

    @property
    def address(self) -> str:
        """The address by which another process opens it, such as `sqlite:////data/chats.db`; it has no password."""
        ...

    async def info(self, progress: Progress | None = None) -> StoreInfo:
        """Count what the store contains."""
        ...

    async def listed(self) -> tuple[ListedConversation, ...]:
        """List the conversations, in the order of their beginning."""
        ...

    async def vacuum(self) -> int:
        """Release the room of what was erased, so that no trace of it is left; return the bytes given back."""
        ...


@runtime_checkable
class StoreCopy(Protocol):
    """What a store offers so that all that it has can be copied to another. What is there already is left as it is."""

    async def receipts(self, conversation: str) -> tuple[Receipt, ...]:
        """Return the receipts of all keys of a conversation, in order of their turns."""
        ...

    async def keep_receipts(self, conversation: str, receipts: Sequence[Receipt]) -> None:
        """Add receipts of a conversation that is there."""
        ...

    async def keep_deliveries(self, deliveries: Sequence[StoredDelivery]) -> None:
        """Add deliveries of conversations that are there."""
        ...

    async def all_settings(self) -> tuple[Setting, ...]:
        """Return everything that was set for any flow, in the order in which it was set."""
        ...

    async def keep_settings(self, settings: Sequence[Setting]) -> None:
        """Add what was set, in this order."""
        ...
