"""The port for what an operator does with a store that lasts: count its content, list it, and release its room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from msgspec import Struct

from turnwise.runner.outbox_port import StoredDelivery
from turnwise.runner.ports import Progress, Receipt, Setting


class OldestTransaction(Struct, frozen=True):
    """The transaction that has been open for longest in the database of a store: until it ends, the room of what was
    deleted or written anew since is not used again.
    """

    session: int
    """The number of its session, as `pg_terminate_backend` takes it."""
    role: str
    """The role of the session."""
    application: str
    """What the session says that it is."""
    state: str
    """What the session does, such as `idle in transaction`."""
    seconds: float
    """For how long it has been open."""


class StoreInfo(Struct, frozen=True):
    """Figures about a store. `bytes` are by kind; with `overhead`, which is the database's own, and `free`, which new
    rows fill first, they add up to `file_bytes`. Times are in milliseconds since 1970.
    """

    file: str
    """The path of the database."""
    file_bytes: int
    """The size of the database."""
    log_bytes: int
    """The size of the write-ahead log."""
    conversations: int
    """How many conversations the store has."""
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
    """The size of each kind of data; `overhead` is the database's own, `free` is filled first by new rows. Together
    they are `file_bytes`.
    """
    oldest_transaction: OldestTransaction | None = None
    """The transaction that has been open for longest, where others use the database."""


class ListedConversation(Struct, frozen=True):
    """A conversation in a list. Times are in milliseconds since 1970; `entries` are up to its last whole turn, and
    so is its `status`: `waiting`, `ended` with an `outcome`, or `failed`.
    """

    conversation: str
    """Its id."""
    flow: str
    """The name of its flow."""
    fingerprint: str
    """The version of its flow."""
    began_ms: int
    """When it began, in milliseconds since 1970."""
    last_ms: int
    """When it last changed, in milliseconds since 1970."""
    entries: int
    """How many entries it has up to its last whole turn."""
    is_open: bool
    """True while a turn is in progress."""
    status: Literal["waiting", "ended", "failed"] = "waiting"
    """Its status after its last whole turn."""
    outcome: str = ""
    """The outcome with which it ended; empty if it did not."""


class ConnectionLoad(NamedTuple):
    """How much the connections are used with which a store reads."""

    most: int = 0
    """How many connections there may be."""
    in_use: int = 0
    """How many connections are used now."""
    waiting: int = 0
    """How many queries wait for a connection."""


@runtime_checkable
class HasTransactions(Protocol):
    """A store whose database is used by sessions of others, too."""

    async def oldest_transaction(self) -> OldestTransaction | None:
        """Return the transaction that has been open for longest."""
        ...


@runtime_checkable
class HasHints(Protocol):
    """A store whose processes learn of each other's writes by hints."""

    @property
    def hint_lag_s(self) -> float:
        """By how many seconds hints are late now; 0 while this process needs none."""
        ...


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
