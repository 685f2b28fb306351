"""The port for what an operator does with a store that lasts: count its content, list it, and release its room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from msgspec import Struct

from turnwise.runner.outbox_port import StoredDelivery
from turnwise.runner.ports import Progress, Receipt, Setting


class OldestTransaction(Struct, frozen=True):
    """The transaction that has been open for longest in a store's database.
    Until it ends, the space of what was deleted or written anew since is not used again.
    """

    session: int
    """The number of the transaction's database session, as `pg_terminate_backend` takes it."""
    role: str
    """The database role of the session."""
    application: str
    """The name that the session's program gave itself."""
    state: str
    """The state of the session in the database, such as `idle in transaction`."""
    seconds: float
    """For how many seconds the transaction has been open."""


class StoreInfo(Struct, frozen=True):
    """Figures about a store: its size, and how many conversations, turns and entries it has.
    `bytes` are by kind; with `overhead`, which is the database's own, and `free`, which new rows fill first, they add
    up to `file_bytes`. Times are in milliseconds since 1970.
    """

    file: str
    """The path or address of the database."""
    file_bytes: int
    """The size of the database in bytes."""
    log_bytes: int
    """The size of the write-ahead log in bytes."""
    conversations: int
    """How many conversations the store has."""
    open_turns: int
    """How many turns are in progress."""
    oldest_ms: int | None
    """When the oldest entry was written, in milliseconds since 1970; `None` where there is none."""
    newest_ms: int | None
    """When the newest entry was written, in milliseconds since 1970; `None` where there is none."""
    entries: int
    """How many entries all journals have."""
    erased: int
    """How many of the entries retention has erased."""
    bytes: dict[str, int]
    """The size in bytes of each kind of data; `overhead` is the database's own, `free` is filled first by new rows.
    Together they are `file_bytes`."""
    oldest_transaction: OldestTransaction | None = None
    """The transaction that has been open for longest; `None` where none is open, or the store has none."""


class ListedConversation(Struct, frozen=True):
    """A conversation in a list of a store: when it began and last changed, its size and its status.
    Times are in milliseconds since 1970; `entries` are up to its last whole turn, and so is its `status`: `waiting`,
    `ended` with an `outcome`, or `failed`.
    """

    conversation: str
    """The id of the conversation."""
    flow: str
    """The name of the conversation's flow."""
    fingerprint: str
    """The hash that identifies the version of the flow."""
    began_ms: int
    """When the conversation began, in milliseconds since 1970."""
    last_ms: int
    """When the conversation last changed, in milliseconds since 1970."""
    entries: int
    """How many entries the conversation has up to its last ended turn."""
    is_open: bool
    """True while a turn is in progress."""
    status: Literal["waiting", "ended", "failed"] = "waiting"
    """The status of the conversation after its last ended turn."""
    outcome: str = ""
    """The outcome with which the conversation ended; empty if it has not ended."""


class ConnectionLoad(NamedTuple):
    """How many of a store's connections for reading are in use."""

    most: int = 0
    """How many connections there may be at most."""
    in_use: int = 0
    """How many connections are used now."""
    waiting: int = 0
    """How many queries wait for a connection."""


@runtime_checkable
class HasTransactions(Protocol):
    """A store whose database other programs use, too."""

    async def oldest_transaction(self) -> OldestTransaction | None:
        """Return the transaction that has been open for longest; `None` if none is open."""
        ...


@runtime_checkable
class HasHints(Protocol):
    """A store whose processes learn of each other's writes by hints."""

    @property
    def hint_lag_s(self) -> float:
        """The delay of hints now, in seconds; 0 while this process needs none."""
        ...


@runtime_checkable
class HasConnections(Protocol):
    """A store that reads with a limited number of connections."""

    @property
    def connection_load(self) -> ConnectionLoad:
        """How many of the store's connections for reading are in use."""
        ...


@runtime_checkable
class StoreUpkeep(Protocol):
    """Operations for the upkeep of a durable store, beside those of `Store`."""

    @property
    def address(self) -> str:
        """The address by which another process opens the store, such as `sqlite:////data/chats.db`; no password."""
        ...

    async def info(self, progress: Progress | None = None) -> StoreInfo:
        """Return figures about what the store contains, by counting."""
        ...

    async def listed(self) -> tuple[ListedConversation, ...]:
        """List the conversations, in the order of their beginning."""
        ...

    async def vacuum(self) -> int:
        """Release the space of erased data, so that no trace of it is left; return how many bytes were released."""
        ...


@runtime_checkable
class StoreCopy(Protocol):
    """Operations that copy all data of a store into another one. Data that exists there already stays unchanged."""

    async def receipts(self, conversation: str) -> tuple[Receipt, ...]:
        """Return the receipts of all keys of a conversation, in order of their turns."""
        ...

    async def keep_receipts(self, conversation: str, receipts: Sequence[Receipt]) -> None:
        """Add receipts of a conversation that is in this store, except those that the store has already."""
        ...

    async def keep_deliveries(self, deliveries: Sequence[StoredDelivery]) -> None:
        """Add deliveries of conversations that are in this store, except those that the store has already."""
        ...

    async def all_settings(self) -> tuple[Setting, ...]:
        """Return every setting of any flow with its history, in the order in which they were set."""
        ...

    async def keep_settings(self, settings: Sequence[Setting]) -> None:
        """Add settings of flows, in this order."""
        ...
