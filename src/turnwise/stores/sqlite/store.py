"""The class `SqliteStore`: each operation of a store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from weakref import finalize

from turnwise.core.state import State
from turnwise.core.state.events import Entry
from turnwise.core.state.fold import fold_all
from turnwise.core.state.retention import Retention
from turnwise.runner.outbox_port import StoredDelivery
from turnwise.runner.ports import MOST_LEASED, Change, Claim, Commit, Due, Progress, Queued, Receipt, Retained, Setting
from turnwise.runner.search import ConversationPage, ConversationQuery, NodeCount
from turnwise.runner.store_upkeep import ListedConversation, StoreInfo
from turnwise.runner.uses import Uncounted, UseCount, Uses
from turnwise.stores import RETRY_S, encoded
from turnwise.stores.places import ErasureTimes, Places
from turnwise.stores.sqlite import closings, copied, leases, rows, search, settings, timers, uses
from turnwise.stores.sqlite.changes import changes
from turnwise.stores.sqlite.connect import Sync, check_settings, prepare
from turnwise.stores.sqlite.outbox import SqliteOutbox
from turnwise.stores.sqlite.process import Process
from turnwise.stores.sqlite.reader import Reader
from turnwise.stores.sqlite.upkeep import info, listed, retain, vacuum
from turnwise.stores.sqlite.writer import NoWriter, Work, Writer

CLAIM_TIMEOUT_S = 10.0
"""After how many seconds without a sign of life another process may take over a turn."""
LOOK_AGAIN_S = 0.05
"""For how many seconds the store does not look for other processes after it found none. One that comes meanwhile finds
what is written, or is refused as always: only work for a turn that another process wrote first can be lost."""
READ_INLINE_ENTRIES = 64
"""How many entries are read in the event loop at most: that is sooner than another thread begins to read them."""

_LAST = 2**62
_NUMBER = "(SELECT n FROM conversation WHERE id = ?)"
_CLAIMS = (
    "SELECT host, pid, token, beat_s, conversation.n, conversation.id FROM claim"
    " JOIN process ON process.n = claim.process JOIN conversation ON conversation.n = claim.conversation"
)
_SAID = (
    f"SELECT {encoded.ENTRY_COLUMNS} FROM event WHERE conversation = {_NUMBER} AND seq > ? AND seq < ?"
    f" AND kind = {encoded.SAID} ORDER BY seq DESC LIMIT ?"
)
_UNDONE = (
    f"SELECT seq FROM event WHERE conversation = {_NUMBER} AND seq < ?"
    f" AND kind = {encoded.UNDONE} ORDER BY seq DESC LIMIT 1"
)


def _release(writer: Writer | NoWriter, process: Process) -> None:
    """Release what a store holds that was not closed and that nothing refers to any more, without waiting."""
    writer.end()
    process.close()


class SqliteStore:
    """Stores conversations in one SQLite file.

    `sync`: `full` (the default) survives a loss of power, `normal` only a crash of the program. `retry_s`: how long a
    locked file or a full disk is retried before a turn is refused. `claim_timeout_s`: after how long without a beat
    another process may take over a turn. `may_only_read`: a file that cannot be written is opened for reading; writing
    then raises `StoreFailed`. Raises `StoreFailed` if the file cannot be used, `WrongArgument`.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        sync: Sync = "full",
        retry_s: float = RETRY_S,
        claim_timeout_s: float = CLAIM_TIMEOUT_S,
        may_only_read: bool = False,
    ) -> None:
        check_settings(path, sync, retry_s, claim_timeout_s)
        self.path = Path(path)
        self.retry_s = retry_s
        db = prepare(self.path, sync, retry_s, may_only_read=may_only_read)
        self.reader = Reader(self.path, retry_s, is_unwritable=db is None)
        self.reader.one("SELECT n FROM conversation LIMIT 0")  # so that no turn waits until the tables are known
        self.process = Process(claim_timeout_s, can_write=db is not None)
        self._may_only_read = may_only_read
        self._alone_until_s = 0.0
        self._proof: asyncio.Future[None] | None = None
        self._unwritable = uses.UsesOfUnwritable(self.reader) if db is None else None
        self.outbox = SqliteOutbox(self.reader, self.write, self.process)
        self._writer = Writer(self.path, db, retry_s, self.process) if db is not None else NoWriter(self.path)
        self._released = finalize(self, _release, self._writer, self.process)
        self._released.atexit = False

    # writing ---------------------------------------------------------------------------------

    def commit(self, conversation: str, commit: Commit) -> asyncio.Future[None]:
        """Queue a commit, of which all or nothing is written; awaiting the result waits until it is durable."""
        return self._writer.put(rows.Prepared(conversation, commit, self.process))

    async def keep_flow(self, fingerprint: str, document: str) -> None:
        """Store the document of a flow version by its fingerprint."""
        if await self.flow(fingerprint) is None:
            row = (fingerprint, encoded.pack(document.encode()))
            await self._writer.put(lambda db: db.execute("INSERT OR IGNORE INTO flow VALUES (?, ?)", row))

    async def forget(self, conversation: str) -> bool:
        """Delete a conversation with everything that is counted of it; return false if there is none."""
        return await self._writer.put(lambda db: rows.forget(db, conversation))

    async def retain(self, retention: Retention, now_ms: int, progress: Progress | None = None) -> Retained:
        """Erase events and trim decisions that are older than the retention; return how many."""
        await self.erase_words(now_ms)
        return await retain(self.reader, self.write, ErasureTimes(retention, now_ms), progress)

    async def erase_words(self, now_ms: int, conversation: str | None = None) -> int:
        """Erase the words of closed scopes whose time is over, of one conversation or of all; return how many."""
        return await closings.erase_words(self.reader, self.write, now_ms, conversation)

    @property
    def address(self) -> str:
        """The address by which another process opens the file."""
        return f"sqlite:///{self.path.absolute()}"

    async def info(self, progress: Progress | None = None) -> StoreInfo:
        """Return figures about the file: its size, conversations, turns and entries, counted in another thread."""
        return await asyncio.to_thread(info, self.reader, progress)

    async def listed(self) -> tuple[ListedConversation, ...]:
        """Return a summary of every conversation, in the order in which they began."""
        return await asyncio.to_thread(listed, self.reader)

    async def owned(self, owner: str) -> int:
        """Return how many conversations have an id that begins with `owner` and a colon; the file keeps the number."""
        return search.owned(self.reader, owner)

    async def find(self, query: ConversationQuery) -> ConversationPage:
        """Return a page of the conversations that match a query; another thread reads it, as a search may take long."""
        return await asyncio.to_thread(search.find, self.reader, query)

    async def counts(self, flow: str = "") -> tuple[NodeCount, ...]:
        """Return how many conversations are in each node with each status, of one flow or, if empty, of all."""
        return await asyncio.to_thread(search.counts, self.reader, flow)

    async def uncounted(self, most: int) -> tuple[Uncounted, ...]:
        """Return up to `most` conversations with ended turns whose uses of nodes, transitions, tools are uncounted."""
        if self._unwritable is not None:
            return await asyncio.to_thread(self._unwritable.of_file, most)
        return uses.uncounted(self.reader, most)

    async def count_uses(self, found: Sequence[Uses]) -> None:
        """Add the uses of entries to the counts, except of entries that another process has counted meanwhile."""
        if self._unwritable is not None:
            self._unwritable.add(found)
        else:
            await self._writer.put(lambda db: uses.add(db, found))

    async def use_counts(self, flow: str, kind: str = "") -> tuple[UseCount, ...]:
        """Return how often existing conversations used each thing of a flow, of one kind or, if empty, of all."""
        if self._unwritable is not None:
            return self._unwritable.counts(flow, kind)
        return await asyncio.to_thread(uses.counts, self.reader, flow, kind)

    async def set_setting(self, flow: str, name: str, data: Any, by: str, at_ms: int) -> None:
        """Set a setting of a flow to JSON data, or take it away with `None`, for all its conversations."""
        await self._writer.put(lambda db: settings.add(db, Setting(flow, name, data, by, at_ms)))

    async def vacuum(self) -> int:
        """Rewrite the file without erased and deleted data; return how many bytes this released.
        Turns wait meanwhile, and are refused if it takes longer than `retry_s`.
        """
        return await asyncio.to_thread(vacuum, self.path, self.retry_s)

    async def write(self, work: Work) -> Any:
        """Have the writer do other work on the file, in a transaction; return the result of the work."""
        return await self._writer.put(work)

    async def close(self) -> None:
        """Write queued commits, and close the file. Does nothing in a forked child."""
        if self.process.is_forked:
            return  # the connections are the parent's
        self._released.detach()
        await asyncio.to_thread(self._writer.close)
        self.process.close()
        self.reader.close()

    # reading ---------------------------------------------------------------------------------

    async def load(self, conversation: str) -> State | None:
        """Return the latest state of a conversation, also within a turn; `None` if there is no such conversation."""
        found = self.reader.one("SELECT n, seq, state FROM conversation WHERE id = ?", conversation)
        if found is None:
            return None
        n, seq, blob = found
        state = self.reader.decode(encoded.state_of, blob) if blob is not None else None
        later = self.reader.all(
            f"SELECT {encoded.ENTRY_COLUMNS} FROM event WHERE conversation = ? AND seq > ? ORDER BY seq", n, seq
        )
        return fold_all(self.reader.decode(encoded.entries_of, later), state)

    async def claim(self, conversation: str) -> Claim | None:
        """Return which process runs a turn of a conversation now; `None` if no turn is in progress."""
        found = self.reader.one(f"{_CLAIMS} WHERE conversation.id = ?", conversation)
        claim = self._claim(found[:4]) if found is not None else None
        self._look_closer()
        return claim

    async def holds(self, conversation: str, fence: int) -> bool:  # noqa: ARG002  no other turn has the fencing token
        """Return whether the run with the fencing token `fence` has the turn; asks the file if the last beat is old."""
        while not self.process.certainly_holds(fence):
            if not await self._writer.put(lambda db: self.process.confirms(db, fence)):
                return False
        return True

    def is_shared(self) -> bool:
        """Return whether another process worked on the file lately, or may not see this one yet."""
        if not self.process.is_visible:
            return True
        now_s = time.monotonic()
        if now_s < self._alone_until_s:
            return False
        others = self.reader.all("SELECT host, pid, token, beat_s FROM process WHERE n <> ?", self.process.n)
        is_shared = any(self.process.may_come_back(*other) for other in others)
        self._alone_until_s = 0.0 if is_shared else now_s + LOOK_AGAIN_S
        return is_shared

    def changes(self) -> AsyncIterator[Change]:
        """Yield one change for all conversations, then every conversation that any process writes or deletes.
        The file is looked at twice a second.
        """
        return changes(self.reader)

    async def cut_off(self, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return the conversations whose turn was in progress in this process, or is in a dead one (then leased).
        Those of dead processes that are in `without` are left out.
        """
        found = [(n, name, self._claim(row)) for *row, n, name in self.reader.all(_CLAIMS)]
        self._look_closer()
        dead: list[leases.Row] = [(n, name) for n, name, claim in found if not claim.is_alive and name not in without]
        if dead:
            dead = await leases.lease_found(
                self.write,
                self.process,
                lambda _db, taken: [one for one in dead if one[0] not in taken][:MOST_LEASED],
            )
        mine = [(n, name) for n, name, claim in found if claim.is_mine]
        return tuple([name for _, name in sorted([*mine, *dead])])

    def _claim(self, found: Sequence[Any]) -> Claim:
        host, pid, token, beat_s = found
        is_mine = token == self.process.token
        return Claim(is_mine, is_mine or self.process.is_alive(host, pid, token, beat_s))

    def _look_closer(self) -> None:
        """Write the file, without changing it, where another process may be silent or only unable to write it."""
        if self.process.has_doubts and (self._proof is None or self._proof.done()):
            self._proof = self._writer.put(lambda _db: None)
            self._proof.add_done_callback(lambda written: written.exception())  # a failure is no proof

    async def receipt(self, conversation: str, key: str) -> Receipt | None:
        """Return the receipt of an idempotency key; `None` if the conversation has not received it."""
        sql = f"SELECT key, body, turn FROM inbox WHERE conversation = {_NUMBER} AND key = ?"
        found = self.reader.one(sql, conversation, key)
        return Receipt(*found) if found is not None else None

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """Return the entries after `after` up to and including `until`; another thread reads them if they are many."""
        columns = encoded.ENTRY_COLUMNS
        sql = f"SELECT {columns} FROM event WHERE conversation = {_NUMBER} AND seq > ? AND seq <= ? ORDER BY seq"
        last = until if until is not None else _LAST
        if last - after <= READ_INLINE_ENTRIES:
            return self._entries(sql, conversation, after, last)
        return await asyncio.to_thread(self._entries, sql, conversation, after, last)

    async def turn(self, conversation: str, turn: int) -> tuple[Entry, ...]:
        """Return the entries of the turn with this number; numbers never decrease, so a binary search finds it."""
        found = self.reader.one("SELECT n FROM conversation WHERE id = ?", conversation)
        if found is None:
            return ()
        (n,) = found
        (last,) = self.reader.all("SELECT max(seq) FROM event WHERE conversation = ?", n)[0]
        places = Places(self.reader.one, n, last)
        begin, end = places.turn_begins(turn), places.turn_ends(turn)
        sql = f"SELECT {encoded.ENTRY_COLUMNS} FROM event WHERE conversation = ? AND seq > ? AND seq <= ? ORDER BY seq"
        return self._entries(sql, n, begin, end)

    def _entries(self, sql: str, *parameters: object) -> tuple[Entry, ...]:
        return self.reader.decode(encoded.entries_of, self.reader.all(sql, *parameters))

    async def at(self, conversation: str, positions: Sequence[int]) -> dict[int, Entry]:
        """Return the entries at some positions, by position."""
        if not positions:
            return {}
        sql = f"SELECT {encoded.ENTRY_COLUMNS} FROM event WHERE conversation = {_NUMBER} AND seq = ?"
        found = [self.reader.one(sql, conversation, seq) for seq in set(positions)]
        return {row[0]: self.reader.decode(encoded.entry_of, row) for row in found if row is not None}

    async def snapshot(self, conversation: str, until: int) -> Entry | None:
        """Return the entry of the newest snapshot at or before position `until`; `None` if there is none."""
        sql = (
            f"SELECT {encoded.ENTRY_COLUMNS} FROM event WHERE conversation = {_NUMBER} AND seq <= ?"
            f" AND kind = {encoded.SNAPSHOT} ORDER BY seq DESC LIMIT 1"
        )
        found = self.reader.one(sql, conversation, until)
        return self.reader.decode(encoded.entry_of, found) if found is not None else None

    async def window(self, conversation: str, after: int, limit: int, frame: int | None = None) -> tuple[Entry, ...]:
        """Return the last `limit` entries with a message or reply after position `after`, of one frame or of all.
        Entries of frames inside that one are skipped in whole ranges, each from where a frame was opened, or where an
        undo went back into it.
        """
        found: list[tuple[Any, ...]] = []
        until = _LAST
        while until:
            most = limit - len(found)
            read = self.reader.all(_SAID, conversation, after, until, most)
            inner = next((row for row in read if frame is not None and row[-1] > frame), None)
            found += [row for row in read[: read.index(inner) if inner else None] if frame in (None, row[-1])]
            if inner is not None:
                undone = self.reader.one(_UNDONE, conversation, inner[0])
                until = max(inner[-1], undone[0] if undone is not None else 0)
            else:
                until = read[-1][0] if len(read) == most > 0 and len(found) < limit else 0
        return self.reader.decode(encoded.entries_of, found)[::-1]

    async def due(self, flow: str, now_ms: int, limit: int, without: Collection[str] = ()) -> tuple[Due, ...]:
        """Return the due timers of a flow, the oldest first, but none of the versions with the fingerprints `without`.
        An index finds those of each version of the flow. They are leased where another process may fire them, too.
        """
        is_leased = not self._may_only_read and self.is_shared()
        lease = partial(leases.lease_found, self.write, self.process) if is_leased else None
        return await timers.due(self.reader, lease, flow, now_ms, limit, without)

    async def next_due(self, flow: str, without: Collection[str] = ()) -> int | None:
        """Return when the next timer of a flow is due, in milliseconds since 1970; `None` if there is no timer.
        Versions with the fingerprints `without` are left out.
        """
        return timers.next_due(self.reader, flow, without)

    async def queue(self) -> tuple[Queued, ...]:
        """Return the conversations that wait for a person or have one in charge, in order of beginning."""
        return await asyncio.to_thread(search.queued, self.reader)

    async def versions(self) -> tuple[str, ...]:
        """Return the fingerprints of all flow versions that are stored."""
        return tuple([one for (one,) in self.reader.all("SELECT fingerprint FROM flow")])

    async def flow(self, fingerprint: str) -> str | None:
        """Return the stored document of the flow with a fingerprint; `None` if it is not stored."""
        found = self.reader.one("SELECT document FROM flow WHERE fingerprint = ?", fingerprint)
        return self.reader.decode(encoded.document_of, found[0]) if found is not None else None

    async def setting(self, flow: str, name: str) -> Any:
        """Return the value of a setting for all conversations of a flow; `None` if it is not set."""
        return settings.latest(self.reader, flow, name)

    async def settings(self, flow: str, prefix: str = "") -> tuple[Setting, ...]:
        """Return the settings of a flow that are set now, of all names or of those with a prefix, in order of names."""
        return settings.current(self.reader, flow, prefix)

    async def setting_history(self, flow: str, name: str) -> tuple[Setting, ...]:
        """Return all values that a setting of a flow was set to, in the order in which it was set."""
        return settings.history(self.reader, flow, name)

    async def conversations(self, most: int | None = None) -> tuple[str, ...]:
        """Return the ids of all conversations, or of the first `most`, in the order in which they began."""
        limit = -1 if most is None else most
        return tuple(name for (name,) in self.reader.all("SELECT id FROM conversation ORDER BY n LIMIT ?", limit))

    # copying ---------------------------------------------------------------------------------

    async def receipts(self, conversation: str) -> tuple[Receipt, ...]:
        """Return the receipts of all idempotency keys of a conversation, in order of their turns."""
        return copied.receipts(self.reader, conversation)

    async def keep_receipts(self, conversation: str, receipts: Sequence[Receipt]) -> None:
        """Add receipts of a conversation that is in this store, except those that the store has already."""
        await self.write(lambda db: copied.keep_receipts(db, conversation, receipts))

    async def keep_deliveries(self, deliveries: Sequence[StoredDelivery]) -> None:
        """Add deliveries of conversations that are in this store, except those that the store has already."""
        await self.write(lambda db: copied.keep_deliveries(db, deliveries))

    async def all_settings(self) -> tuple[Setting, ...]:
        """Return every setting of any flow with its history, in the order in which they were set."""
        return copied.all_settings(self.reader)

    async def keep_settings(self, settings: Sequence[Setting]) -> None:
        """Add settings of flows with their history, in this order."""
        await self.write(lambda db: copied.keep_settings(db, settings))
