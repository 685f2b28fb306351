"""The class `PostgresStore`: each operation of a store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any
from weakref import finalize

from turnwise.core.state import State
from turnwise.core.state.events import Entry
from turnwise.core.state.retention import Retention
from turnwise.runner.outbox_port import StoredDelivery
from turnwise.runner.ports import Change, Claim, Commit, Due, Progress, Queued, Receipt, Retained, Setting
from turnwise.runner.search import ConversationPage, ConversationQuery, NodeCount
from turnwise.runner.store_upkeep import ConnectionLoad, ListedConversation, OldestTransaction, StoreInfo
from turnwise.runner.uses import Uncounted, UseCount, Uses
from turnwise.stores import RETRY_S, check_seconds
from turnwise.stores.encoded import document_of, pack, pack_tightly
from turnwise.stores.places import ErasureTimes
from turnwise.stores.postgres import (
    claims,
    closings,
    copied,
    journal,
    retaining,
    rewrite,
    search,
    settings,
    timers,
    upkeep,
    uses,
)
from turnwise.stores.postgres.address import read_address
from turnwise.stores.postgres.changes import Listener
from turnwise.stores.postgres.commit import Prepared, escape_text, unescape_text
from turnwise.stores.postgres.connect import Connection
from turnwise.stores.postgres.hints import NEXT_NUMBER
from turnwise.stores.postgres.leases import Leases
from turnwise.stores.postgres.outbox import PostgresOutbox
from turnwise.stores.postgres.process import Process
from turnwise.stores.postgres.reader import Reader
from turnwise.stores.postgres.schema import TIGHT, prepare
from turnwise.stores.postgres.shared_texts import PostgresTexts
from turnwise.stores.postgres.writer import Writer


class DatabaseClock:
    """The clock of the database server: replicas agree on its time, whatever their machines' clocks show."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return self._process.now_ms()


def _release(writer: Writer, process: Process) -> None:
    """Release what a store holds that was not closed and that nothing refers to any more, without waiting."""
    writer.end()
    process.end()


class PostgresStore:
    """Stores conversations in a PostgreSQL database, for any number of replicas.

    `address`: such as `postgresql://user@host/database`; `?dead_after=1s` sets after how long without a heartbeat the
    turns of a replica go on elsewhere (10 s), `?readers=4` how many connections read at once (8). `retry_s`: how long
    what may pass is retried before a turn is refused. `may_only_read`: no tables are made, so that a server that is
    read-only can be asked. Raises `StoreFailed` if the database cannot be used.
    """

    def __init__(self, address: str, *, retry_s: float = RETRY_S, may_only_read: bool = False) -> None:
        check_seconds("retry_s", retry_s)
        self._address = read_address(address)
        self.retry_s = retry_s
        self._may_only_read = may_only_read
        self.process = Process(self._address)
        found = prepare(self._address, self.process.measure, may_only_read=may_only_read)
        self.clock = DatabaseClock(self.process)
        self.reader = Reader(self._address, retry_s, self.process)
        self.leases = Leases(self.process)
        self.outbox = PostgresOutbox(self.reader, self.process)
        self._listener = Listener(self._address, self.process)
        self.texts = PostgresTexts(self.process, self._listener, self.reader)
        self._writer = Writer(self._address, retry_s, self.process)
        self._pack = pack_tightly if found.least >= TIGHT else pack
        self._released = finalize(self, _release, self._writer, self.process)
        self._released.atexit = False

    @property
    def address(self) -> str:
        """The address by which another process opens the database; it has no password."""
        return self._address.shown

    @property
    def connection_load(self) -> ConnectionLoad:
        """How many connections for reading the store has, how many are in use, and how many queries wait for one."""
        return self.reader.load

    @property
    def hint_lag_s(self) -> float:
        """The delay of hints now, in seconds; 0 while this replica does not listen."""
        return self.process.hints.lag.seconds

    @property
    def round_trips(self) -> int:
        """How often this store has waited for an answer of the server, except for heartbeats and hints."""
        return self._writer.round_trips + self.reader.round_trips

    # writing ---------------------------------------------------------------------------------

    def commit(self, conversation: str, commit: Commit) -> asyncio.Future[None]:
        """Queue a commit, of which all or nothing is written; awaiting the result waits until it is durable."""
        return self._writer.put(Prepared(conversation, commit, self._pack))

    async def keep_flow(self, fingerprint: str, document: str) -> None:
        """Store the document of a flow version by its fingerprint."""
        if await self.flow(fingerprint) is None:
            row = (escape_text(fingerprint), pack(document.encode()))
            sql = "INSERT INTO flow VALUES (%s, %b) ON CONFLICT DO NOTHING"
            await self.reader.write(lambda db: db.execute(sql, row))

    async def forget(self, conversation: str) -> bool:
        """Delete a conversation with everything that is counted of it; return false if there is none."""

        def work(db: Connection) -> int | None:
            if not rewrite.delete(db, conversation):
                return None
            row = db.execute(NEXT_NUMBER).fetchone()
            return int(row[0]) if row is not None else None

        number = await self.reader.write(work)
        if number is not None:
            await self.reader.run(self.process.enrol)
            self.process.hints.add(number, {conversation: 0})
        return number is not None

    async def retain(self, retention: Retention, now_ms: int, progress: Progress | None = None) -> Retained:
        """Erase events and trim decisions that are older than the retention; return how many."""
        await self.erase_words(now_ms)
        return await retaining.retain(self.reader, ErasureTimes(retention, now_ms), progress)

    async def erase_words(self, now_ms: int, conversation: str | None = None) -> int:
        """Erase the words of closed scopes whose time is over, of one conversation or of all; return how many."""
        return await closings.erase_words(self.reader, now_ms, conversation)

    async def count_uses(self, found: Sequence[Uses]) -> None:
        """Add the uses of entries to the counts, except of entries that another process has counted meanwhile."""
        await self.reader.write(lambda db: uses.add(db, found))

    async def set_setting(self, flow: str, name: str, data: Any, by: str, at_ms: int) -> None:
        """Set a setting of a flow to JSON data, or take it away with `None`, for all its conversations."""
        await settings.add(self.reader, Setting(flow, name, data, by, at_ms))

    async def vacuum(self) -> int:
        """Write the tables anew without erased and deleted data; return how many bytes this released."""
        return await upkeep.vacuum(self.reader)

    async def close(self) -> None:
        """Write queued commits, and close the connections. Does nothing in a forked child."""
        if self.process.is_forked:
            return  # the connections are the parent's
        self._released.detach()
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self.process.leave()  # before anything that may take a while
        self._writer.close()
        self.reader.close()
        self.process.close()
        self._listener.close()

    # reading ---------------------------------------------------------------------------------

    async def load(self, conversation: str) -> State | None:
        """Return the latest state of a conversation, also within a turn; `None` if there is no such conversation."""
        return await journal.load(self.reader, conversation)

    async def claim(self, conversation: str) -> Claim | None:
        """Return which process runs a turn of a conversation now; `None` if no turn is in progress."""
        return await claims.claim(self.reader, self.process.n, conversation)

    async def holds(self, conversation: str, fence: int) -> bool:
        """Return whether the run with the fencing token `fence` certainly has the turn of a conversation."""
        return await claims.holds(self.reader, self.process, conversation, fence)

    def is_shared(self) -> bool:
        """Return true: another replica may come at any time."""
        return True

    async def oldest_transaction(self) -> OldestTransaction | None:
        """Return the transaction of the database that has been open for longest; `None` if none is open."""
        return await upkeep.oldest_transaction(self.reader)

    def changes(self) -> AsyncIterator[Change]:
        """Yield one change for all conversations, then every conversation that any replica writes or deletes."""
        return self._listener.changes()

    async def cut_off(self, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return the conversations whose turn is in progress in a dead replica (then leased), or was in this one.
        Those of dead replicas that are in `without` are left out.
        """
        return await claims.cut_off(self.reader, self.leases, without)

    async def receipt(self, conversation: str, key: str) -> Receipt | None:
        """Return the receipt of an idempotency key; `None` if the conversation has not received it."""
        return await journal.receipt(self.reader, conversation, key)

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """Return the entries after position `after` up to and including `until` (`None`: up to the last), in order."""
        return await journal.entries(self.reader, conversation, after, until)

    async def turn(self, conversation: str, turn: int) -> tuple[Entry, ...]:
        """Return the entries of the turn with this number, in order."""
        return await journal.turn(self.reader, conversation, turn)

    async def at(self, conversation: str, positions: Sequence[int]) -> dict[int, Entry]:
        """Return the entries at some positions, by position."""
        return await journal.at(self.reader, conversation, positions)

    async def snapshot(self, conversation: str, until: int) -> Entry | None:
        """Return the entry of the newest snapshot at or before position `until`; `None` if there is none."""
        return await journal.snapshot(self.reader, conversation, until)

    async def window(self, conversation: str, after: int, limit: int, frame: int | None = None) -> tuple[Entry, ...]:
        """Return the last `limit` entries with a message or reply after position `after`, of one frame or of all."""
        return await journal.window(self.reader, conversation, after, limit, frame)

    async def due(self, flow: str, now_ms: int, limit: int, without: Collection[str] = ()) -> tuple[Due, ...]:
        """Return the due timers of a flow, the oldest first, but none of the versions with the fingerprints `without`,
        and lease them.
        """
        return await timers.due(self.reader, None if self._may_only_read else self.leases, flow, now_ms, limit, without)

    async def next_due(self, flow: str, without: Collection[str] = ()) -> int | None:
        """Return when the next timer of a flow is due, in milliseconds since 1970; `None` if there is no timer.
        Versions with the fingerprints `without` are left out.
        """
        return await timers.next_due(self.reader, flow, without)

    async def queue(self) -> tuple[Queued, ...]:
        """Return the conversations that wait for a person or have one in charge, in the order in which they began."""
        return await search.queued(self.reader)

    async def versions(self) -> tuple[str, ...]:
        """Return the fingerprints of all flow versions that are stored."""
        return tuple([unescape_text(one) for (one,) in await self.reader.all("SELECT fingerprint FROM flow")])

    async def flow(self, fingerprint: str) -> str | None:
        """Return the stored document of the flow with a fingerprint; `None` if it is not stored."""
        found = await self.reader.one("SELECT document FROM flow WHERE fingerprint = %s", escape_text(fingerprint))
        return self.reader.decode(document_of, found[0]) if found is not None else None

    async def setting(self, flow: str, name: str) -> Any:
        """Return the value of a setting for all conversations of a flow; `None` if it is not set."""
        return await settings.latest(self.reader, flow, name)

    async def settings(self, flow: str, prefix: str = "") -> tuple[Setting, ...]:
        """Return the settings of a flow that are set now, of all names or of those with a prefix, in order of names."""
        return await settings.current(self.reader, flow, prefix)

    async def setting_history(self, flow: str, name: str) -> tuple[Setting, ...]:
        """Return all values that a setting of a flow was set to, in the order in which it was set."""
        return await settings.history(self.reader, flow, name)

    async def conversations(self, most: int | None = None) -> tuple[str, ...]:
        """Return the ids of all conversations, or of the first `most`, in the order in which they began."""
        found = await self.reader.all("SELECT id FROM conversation ORDER BY n LIMIT %s", most, is_long=most is None)
        return tuple([unescape_text(name) for (name,) in found])

    async def owned(self, owner: str) -> int:
        """Return how many conversations have an id that begins with `owner` and a colon; sums are stored."""
        return await search.owned(self.reader, owner)

    async def find(self, query: ConversationQuery) -> ConversationPage:
        """Return a page of the conversations that match a query, the one that changed last first."""
        return await search.find(self.reader, query)

    async def counts(self, flow: str = "") -> tuple[NodeCount, ...]:
        """Return how many conversations are in each node with each status, of one flow or, if empty, of all."""
        return await search.counts(self.reader, flow)

    async def uncounted(self, most: int) -> tuple[Uncounted, ...]:
        """Return up to `most` conversations with ended turns whose uses of nodes, transitions, tools are uncounted."""
        return await uses.uncounted(self.reader, most)

    async def use_counts(self, flow: str, kind: str = "") -> tuple[UseCount, ...]:
        """Return how often existing conversations used each thing of a flow, of one kind or, if empty, of all."""
        return await uses.counts(self.reader, flow, kind)

    async def info(self, progress: Progress | None = None) -> StoreInfo:
        """Return figures about the database: its size, and how many conversations, turns and entries it has."""
        return await upkeep.info(self.reader, progress)

    async def listed(self) -> tuple[ListedConversation, ...]:
        """Return a summary of every conversation, in the order in which they began."""
        return await upkeep.listed(self.reader)

    # copying ---------------------------------------------------------------------------------

    async def receipts(self, conversation: str) -> tuple[Receipt, ...]:
        """Return the receipts of all idempotency keys of a conversation, in order of their turns."""
        return await copied.receipts(self.reader, conversation)

    async def keep_receipts(self, conversation: str, receipts: Sequence[Receipt]) -> None:
        """Add receipts of a conversation that is in this store, except those that the store has already."""
        await self.reader.write(lambda db: copied.keep_receipts(db, conversation, receipts))

    async def keep_deliveries(self, deliveries: Sequence[StoredDelivery]) -> None:
        """Add deliveries of conversations that are in this store, except those that the store has already."""
        await self.reader.write(lambda db: copied.keep_deliveries(db, deliveries))

    async def all_settings(self) -> tuple[Setting, ...]:
        """Return every setting of any flow with its history, in the order in which they were set."""
        return await copied.all_settings(self.reader)

    async def keep_settings(self, settings: Sequence[Setting]) -> None:
        """Add settings of flows with their history, in this order."""
        await self.reader.write(lambda db: copied.keep_settings(db, settings))
