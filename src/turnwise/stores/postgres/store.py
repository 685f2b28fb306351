"""The class `PostgresStore`: each operation of a store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

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
    """The time of the database: replicas agree on it, whatever their machines say."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def now_ms(self) -> int:
        """Milliseconds since 1970, UTC."""
        return self._process.now_ms()


class PostgresStore:
    """Conversations in a PostgreSQL database, for any number of replicas.

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

    @property
    def address(self) -> str:
        """The address by which another process opens the database; it has no password."""
        return self._address.shown

    @property
    def connection_load(self) -> ConnectionLoad:
        """How many connections read, and how many queries use one or wait for one."""
        return self.reader.load

    @property
    def hint_lag_s(self) -> float:
        """By how many seconds hints are late now; 0 while this replica does not listen."""
        return self.process.hints.lag.seconds

    @property
    def round_trips(self) -> int:
        """How often the server was waited for, but for heartbeats and hints."""
        return self._writer.round_trips + self.reader.round_trips

    # writing ---------------------------------------------------------------------------------

    def commit(self, conversation: str, commit: Commit) -> asyncio.Future[None]:
        """Write all of a commit or nothing; it is encoded and queued at once."""
        return self._writer.put(Prepared(conversation, commit, self._pack))

    async def keep_flow(self, fingerprint: str, document: str) -> None:
        """Store a flow."""
        if await self.flow(fingerprint) is None:
            row = (escape_text(fingerprint), pack(document.encode()))
            sql = "INSERT INTO flow VALUES (%s, %b) ON CONFLICT DO NOTHING"
            await self.reader.write(lambda db: db.execute(sql, row))

    async def forget(self, conversation: str) -> bool:
        """Delete a conversation."""

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
        """Erase events and trim decisions that are older than the retention."""
        await self.erase_words(now_ms)
        return await retaining.retain(self.reader, ErasureTimes(retention, now_ms), progress)

    async def erase_words(self, now_ms: int, conversation: str | None = None) -> int:
        """Erase the words of closed scopes."""
        return await closings.erase_words(self.reader, now_ms, conversation)

    async def count_uses(self, found: Sequence[Uses]) -> None:
        """Add what uncounted entries use."""
        await self.reader.write(lambda db: uses.add(db, found))

    async def set_setting(self, flow: str, name: str, data: Any, by: str, at_ms: int) -> None:
        """Set a name for all conversations of a flow."""
        await settings.add(self.reader, Setting(flow, name, data, by, at_ms))

    async def vacuum(self) -> int:
        """Write the tables anew without what was erased or deleted; return the bytes that this released."""
        return await upkeep.vacuum(self.reader)

    async def close(self) -> None:
        """Write what waits, and close the connections. Does nothing in a forked child."""
        if self.process.is_forked:
            return  # the connections are the parent's
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self.process.leave()  # before anything that may take a while
        self._writer.close()
        self.reader.close()
        self.process.close()
        self._listener.close()

    # reading ---------------------------------------------------------------------------------

    async def load(self, conversation: str) -> State | None:
        """Return the latest state; after a turn that was cut off, the one that its entries lead to."""
        return await journal.load(self.reader, conversation)

    async def claim(self, conversation: str) -> Claim | None:
        """Return who runs a turn of this conversation now."""
        return await claims.claim(self.reader, self.process.n, conversation)

    async def holds(self, conversation: str, fence: int) -> bool:
        """Return whether a run certainly has its turn."""
        return await claims.holds(self.reader, self.process, conversation, fence)

    def is_shared(self) -> bool:
        """Return true: another replica may come at any time."""
        return True

    async def oldest_transaction(self) -> OldestTransaction | None:
        """Return the transaction of the database that has been open for longest."""
        return await upkeep.oldest_transaction(self.reader)

    def changes(self) -> AsyncIterator[Change]:
        """Yield the conversations that any replica writes or deletes."""
        return self._listener.changes()

    async def cut_off(self, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return the conversations whose turn is under way in a dead replica, or was in this one."""
        return await claims.cut_off(self.reader, self.leases, without)

    async def receipt(self, conversation: str, key: str) -> Receipt | None:
        """Return the receipt of a key."""
        return await journal.receipt(self.reader, conversation, key)

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """Return the entries between two positions, in order."""
        return await journal.entries(self.reader, conversation, after, until)

    async def turn(self, conversation: str, turn: int) -> tuple[Entry, ...]:
        """Return the entries of a turn."""
        return await journal.turn(self.reader, conversation, turn)

    async def at(self, conversation: str, positions: Sequence[int]) -> dict[int, Entry]:
        """Return the entries at some positions."""
        return await journal.at(self.reader, conversation, positions)

    async def snapshot(self, conversation: str, until: int) -> Entry | None:
        """Return the newest snapshot at or before a position."""
        return await journal.snapshot(self.reader, conversation, until)

    async def window(self, conversation: str, after: int, limit: int, frame: int | None = None) -> tuple[Entry, ...]:
        """Return the last entries that hold something said."""
        return await journal.window(self.reader, conversation, after, limit, frame)

    async def due(self, flow: str, now_ms: int, limit: int, without: Collection[str] = ()) -> tuple[Due, ...]:
        """Return the timers that are due, the oldest first, and lease them."""
        return await timers.due(self.reader, None if self._may_only_read else self.leases, flow, now_ms, limit, without)

    async def next_due(self, flow: str, without: Collection[str] = ()) -> int | None:
        """Return when the next timer is due."""
        return await timers.next_due(self.reader, flow, without)

    async def queue(self) -> tuple[Queued, ...]:
        """Return the conversations that wait for a person or have one."""
        return await search.queued(self.reader)

    async def versions(self) -> tuple[str, ...]:
        """Return the fingerprints of the flows that are kept."""
        return tuple([unescape_text(one) for (one,) in await self.reader.all("SELECT fingerprint FROM flow")])

    async def flow(self, fingerprint: str) -> str | None:
        """Return the flow of a fingerprint."""
        found = await self.reader.one("SELECT document FROM flow WHERE fingerprint = %s", escape_text(fingerprint))
        return self.reader.decode(document_of, found[0]) if found is not None else None

    async def setting(self, flow: str, name: str) -> Any:
        """Return what a name is set to for a flow."""
        return await settings.latest(self.reader, flow, name)

    async def settings(self, flow: str, prefix: str = "") -> tuple[Setting, ...]:
        """Return what is set for a flow now."""
        return await settings.current(self.reader, flow, prefix)

    async def setting_history(self, flow: str, name: str) -> tuple[Setting, ...]:
        """Return what a name was set to."""
        return await settings.history(self.reader, flow, name)

    async def conversations(self, most: int | None = None) -> tuple[str, ...]:
        """Return the ids of all conversations, or of the first so many, in the order in which they began."""
        found = await self.reader.all("SELECT id FROM conversation ORDER BY n LIMIT %s", most, is_long=most is None)
        return tuple([unescape_text(name) for (name,) in found])

    async def owned(self, owner: str) -> int:
        """Return how many conversations an owner has; sums are kept."""
        return await search.owned(self.reader, owner)

    async def find(self, query: ConversationQuery) -> ConversationPage:
        """Return a page of the conversations that match."""
        return await search.find(self.reader, query)

    async def counts(self, flow: str = "") -> tuple[NodeCount, ...]:
        """Return how many conversations are in each node, of one flow or of all."""
        return await search.counts(self.reader, flow)

    async def uncounted(self, most: int) -> tuple[Uncounted, ...]:
        """Return conversations with entries that are not counted."""
        return await uses.uncounted(self.reader, most)

    async def use_counts(self, flow: str, kind: str = "") -> tuple[UseCount, ...]:
        """Return how often each thing of a flow was used, of one kind or of all."""
        return await uses.counts(self.reader, flow, kind)

    async def info(self, progress: Progress | None = None) -> StoreInfo:
        """Return figures about the database."""
        return await upkeep.info(self.reader, progress)

    async def listed(self) -> tuple[ListedConversation, ...]:
        """Return all conversations, in the order in which they began, for a list."""
        return await upkeep.listed(self.reader)

    # copying ---------------------------------------------------------------------------------

    async def receipts(self, conversation: str) -> tuple[Receipt, ...]:
        """Return the receipts of all keys of a conversation."""
        return await copied.receipts(self.reader, conversation)

    async def keep_receipts(self, conversation: str, receipts: Sequence[Receipt]) -> None:
        """Add receipts of a conversation that is there."""
        await self.reader.write(lambda db: copied.keep_receipts(db, conversation, receipts))

    async def keep_deliveries(self, deliveries: Sequence[StoredDelivery]) -> None:
        """Add deliveries of conversations that are there."""
        await self.reader.write(lambda db: copied.keep_deliveries(db, deliveries))

    async def all_settings(self) -> tuple[Setting, ...]:
        """Return everything that was set for any flow."""
        return await copied.all_settings(self.reader)

    async def keep_settings(self, settings: Sequence[Setting]) -> None:
        """Add what was set, in this order."""
        await self.reader.write(lambda db: copied.keep_settings(db, settings))
