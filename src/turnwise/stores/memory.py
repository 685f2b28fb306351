"""A store in memory, for tests and conversations that need not survive the process."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import AsyncIterator, Collection, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from turnwise.core.prompts.transcript import is_in_transcript
from turnwise.core.state import State
from turnwise.core.state.erased_words import CLOSING_EVENTS, erasure_of_words, without_words, words_due
from turnwise.core.state.events import Entry, Erased, Note, Snapshot, Started
from turnwise.core.state.fold import fold_all
from turnwise.core.state.retention import Retention, erased, trimmed
from turnwise.errors import Conflict, Superseded
from turnwise.runner.ports import (
    Change,
    Claim,
    Commit,
    Progress,
    Queued,
    Receipt,
    Retained,
    Setting,
    Written,
)
from turnwise.runner.search import (
    MOST_SEARCHED,
    ConversationPage,
    ConversationQuery,
    ConversationRow,
    NodeCount,
    Standing,
    cursor,
    find_text,
    has_text,
    node_and_status,
    read_cursor,
)
from turnwise.runner.uses import Uncounted, UseCount, Uses
from turnwise.stores.outbox import OutboxInMemory
from turnwise.stores.settings import SettingsInMemory
from turnwise.stores.timers import TimersInMemory
from turnwise.stores.uses import UsesInMemory

_WRITTEN = Written()


class _Stored:
    """One stored conversation."""

    __slots__ = ("closings", "erased_turn", "fence", "journal", "receipts", "state")

    def __init__(self) -> None:
        self.journal: list[Entry] = []
        self.receipts: dict[str, Receipt] = {}
        self.closings: list[tuple[int, int, int]] = []
        """The positions at which scopes were closed whose words are to be erased."""
        self.state: State | None = None
        self.erased_turn = 0
        """The last turn whose entries are erased."""
        self.fence: int | None = None
        """The fencing token of the turn that is under way; `None` between turns."""

    def retain(self, retention: Retention, now_ms: int) -> Retained:
        """Erase whole turns, and trim the remaining decisions before the state."""
        last = self.state.seq if self.state is not None else 0
        begin = bisect_left(self.journal, 1, key=lambda entry: not isinstance(entry.event, Erased))
        old = bisect_left(self.journal, retention.events_before_ms(now_ms), hi=last, key=_at_ms)
        is_between = old == last or isinstance(self.journal[old].event, Note)
        end = old if is_between else bisect_left(self.journal, self.journal[old].turn, key=_turn_of)
        if end > begin + 1:
            self.journal[begin:end] = erased(self.journal[begin:end], retention.erasure_of_events(now_ms))
            turn = self.erased_turn = self.journal[end - 1].turn
            self.receipts = {key: receipt for key, receipt in self.receipts.items() if receipt.turn > turn}
        decided = bisect_left(self.journal, retention.decisions_before_ms(now_ms), hi=last, key=_at_ms)
        before = self.journal[end:decided]
        by = retention.erasure_of_decisions(now_ms)
        self.journal[end:decided] = [trimmed(entry, by) for entry in before]
        changed = sum(was != now for was, now in zip(before, self.journal[end:decided], strict=True))
        return Retained(max(0, end - begin - 1), changed)

    def erase_words(self, now_ms: int) -> int:
        """Erase the words of the scopes whose time is over; return of how many."""
        last = self.state.seq if self.state is not None else 0
        due = [one for one in self.closings if one[0] <= last and one[2] <= now_ms]
        self.closings = [one for one in self.closings if one not in due]
        return sum(self._erase_words_of(seq, frame, now_ms) for seq, frame, _ in due)

    def _erase_words_of(self, seq: int, frame: int, now_ms: int) -> bool:
        """Erase the words of one scope, unless an undo opened it again: then its next closing counts."""
        closing = self.journal[seq - 1]
        if self.state is None or frame not in [one for one, _ in words_due(closing)]:
            return False
        if any(one.id == frame for one in self.state.frames):
            return False
        for entry in without_words(self.journal[frame - 1 : seq], frame, erasure_of_words(closing, frame, now_ms)):
            self.journal[entry.seq - 1] = entry
        return True

    @property
    def fingerprint(self) -> str:
        """The version of the flow on which its last whole turn left it; of one in its first turn that of its start."""
        first = self.journal[0].event
        return self.state.fingerprint if self.state is not None else getattr(first, "fingerprint", "")

    @property
    def at_ms(self) -> int:
        """When its last whole turn ended; of one in its first turn, when it began."""
        return self.state.at_ms if self.state is not None else self.journal[0].at_ms

    def row(self, name: str) -> ConversationRow:
        """Return it as lists show it."""
        first, is_open, state = self.journal[0], self.fence is not None, self.state
        if state is None:
            begun = first.event
            assert isinstance(begun, Started), "a journal without a state is in its first turn"
            return ConversationRow(name, begun.flow, begun.fingerprint, first.at_ms, first.at_ms, 0, is_open=is_open)
        found = (state.flow, state.fingerprint, first.at_ms, state.at_ms, state.seq)
        return ConversationRow(name, *found, *node_and_status(state), is_open=is_open)

    def matches(self, name: str, query: ConversationQuery) -> bool:
        """Return whether a query finds it, whatever its text."""
        row = self.row(name)
        if not name.startswith(query.prefix) or query.flow not in ("", row.flow) or query.node not in ("", row.node):
            return False
        if query.status and (self.state is None or row.status != query.status):
            return False
        return not query.waits_for or row.waits_for in query.waits_for

    def has_text(self, name: str, text: str) -> bool:
        """Return whether a text stands in its name, its node or a message."""
        text = text.casefold()
        is_named = any(find_text(one.casefold(), text) >= 0 for one in (name, self.row(name).node))
        return not text or is_named or any(has_text(entry.event, text) for entry in self.journal)


class MemoryStore(TimersInMemory):
    """Stores everything as long as the process lives."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[str, _Stored] = {}
        self._flows: dict[str, str] = {}
        self._owned: Counter[str] = Counter()
        """How many conversations each owner has."""
        self._uses = UsesInMemory()
        self._settings = SettingsInMemory()
        self.outbox = OutboxInMemory()
        self._watchers: dict[asyncio.Queue[Change], asyncio.AbstractEventLoop] = {}
        """The queues of those who watch for changes, each with its event loop."""

    def commit(self, conversation: str, commit: Commit) -> Written:
        """Write all of a commit or nothing, at once."""
        kept = self._kept.get(conversation) or _Stored()
        if commit.part == "first" and kept.fence is not None:
            return Written(Conflict(f"{conversation}: a turn is under way"))
        if commit.part == "next" and kept.fence != commit.fence:
            return Written(Superseded(f"{conversation}: another run has the turn, or none is under way"))
        first, last = commit.entries[0].seq, len(kept.journal)
        if first != last + 1:
            kind = Superseded if commit.part == "next" else Conflict
            return Written(kind(f"{conversation}: entry {first} does not follow {last}"))
        if not last:
            self._kept[conversation] = kept
            self._count(conversation, 1)
        kept.journal.extend(commit.entries)
        for entry in commit.entries:
            if type(entry.event) in CLOSING_EVENTS:
                kept.closings += [(entry.seq, *due) for due in words_due(entry)]
        kept.fence = commit.fence if commit.state is None else None
        if commit.receipt is not None:
            kept.receipts[commit.receipt.key] = commit.receipt
        if commit.state is not None:
            self._end_turn(conversation, kept, commit.state, commit.delivery)
        if self._watchers:
            self._report(Change(conversation, commit.entries[-1].seq))
        return _WRITTEN

    def _end_turn(self, conversation: str, kept: _Stored, state: State, delivery: str) -> None:
        kept.state = state
        if state.frame.timers or state.schedules is not None or conversation in self.armed:
            self.set_timers(conversation, state)
        if delivery:
            self.outbox.add(conversation, delivery, state)

    async def load(self, conversation: str) -> State | None:
        """Return the latest state of a conversation, also within a turn; `None` if there is no such conversation."""
        kept = self._kept.get(conversation)
        if kept is None:
            return None
        last = kept.state.seq if kept.state is not None else 0
        return kept.state if last == len(kept.journal) else fold_all(kept.journal[last:], kept.state)

    async def claim(self, conversation: str) -> Claim | None:
        """Return the claim of a conversation's turn in progress, which is this process's; `None` if there is none."""
        kept = self._kept.get(conversation)
        return Claim(is_mine=True, is_alive=True) if kept is not None and kept.fence is not None else None

    async def holds(self, conversation: str, fence: int) -> bool:
        """Return whether the run with the fencing token `fence` has the turn of a conversation."""
        return (kept := self._kept.get(conversation)) is not None and kept.fence == fence

    def is_shared(self) -> bool:
        """Return false: no other process can use a store in memory."""
        return False

    async def changes(self) -> AsyncIterator[Change]:
        """Yield one change for all conversations, then every conversation that is written or deleted, at once."""
        queue: asyncio.Queue[Change] = asyncio.Queue()
        self._watchers[queue] = asyncio.get_running_loop()
        try:
            yield Change()
            while True:
                yield await queue.get()
        finally:
            del self._watchers[queue]

    def _report(self, change: Change) -> None:
        for queue, loop in tuple(self._watchers.items()):
            if not loop.is_closed():
                loop.call_soon_threadsafe(queue.put_nowait, change)

    async def cut_off(self, without: Collection[str] = ()) -> tuple[str, ...]:  # noqa: ARG002  all are of this process
        """Return the ids of the conversations whose turn is in progress."""
        return tuple(name for name, kept in self._kept.items() if kept.fence is not None)

    async def receipt(self, conversation: str, key: str) -> Receipt | None:
        """Return the receipt of an idempotency key; `None` if the conversation has not received it."""
        kept = self._kept.get(conversation)
        return kept.receipts.get(key) if kept is not None else None

    def _journal(self, conversation: str) -> list[Entry]:
        kept = self._kept.get(conversation)
        return kept.journal if kept is not None else []

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """Return the entries after `after` up to and including `until`; positions have no gaps, so they are indexes."""
        return tuple(self._journal(conversation)[after:until])

    async def turn(self, conversation: str, turn: int) -> tuple[Entry, ...]:
        """Return the entries of the turn with this number, in order; turn numbers never decrease."""
        journal = self._journal(conversation)
        begin = bisect_left(journal, turn, key=_turn_of)
        return tuple(journal[begin : bisect_right(journal, turn, lo=begin, key=_turn_of)])

    async def at(self, conversation: str, positions: Sequence[int]) -> dict[int, Entry]:
        """Return the entries at some positions, by position."""
        journal = self._journal(conversation)
        return {seq: journal[seq - 1] for seq in positions if 0 < seq <= len(journal)}

    async def snapshot(self, conversation: str, until: int) -> Entry | None:
        """Return the entry of the newest snapshot at or before position `until`; `None` if there is none."""
        journal = self._journal(conversation)[:until]
        return next((entry for entry in reversed(journal) if isinstance(entry.event, Snapshot)), None)

    async def window(self, conversation: str, after: int, limit: int, frame: int | None = None) -> tuple[Entry, ...]:
        """Return the last `limit` entries with a message or reply after position `after`, of one frame or of all."""
        found: list[Entry] = []
        for entry in reversed(self._journal(conversation)):
            if entry.seq <= after or len(found) == limit:
                break
            if is_in_transcript(entry.event) and frame in (None, entry.frame):
                found.append(entry)
        return tuple(reversed(found))

    async def queue(self) -> tuple[Queued, ...]:
        """Return the conversations that wait for a person or have one in charge, in the order in which they began."""
        states = [(name, kept.state) for name, kept in self._kept.items() if kept.state is not None]
        return tuple(Queued(name, one.flow, one.node, one.person) for name, one in states if one.person is not None)

    async def keep_flow(self, fingerprint: str, document: str) -> None:
        """Store the document of a flow version by its fingerprint."""
        self._flows[fingerprint] = document

    async def versions(self) -> tuple[str, ...]:
        """Return the fingerprints of all flow versions that are stored."""
        return tuple(self._flows)

    async def flow(self, fingerprint: str) -> str | None:
        """Return the stored document of the flow with a fingerprint; `None` if it is not stored."""
        return self._flows.get(fingerprint)

    async def conversations(self, most: int | None = None) -> tuple[str, ...]:
        """Return the ids of all conversations, or of the first `most`, in the order in which they began."""
        return tuple(islice(self._kept, most))

    async def find(self, query: ConversationQuery) -> ConversationPage:
        """Return a page of the conversations that match a query, the one that changed last first."""
        numbered = enumerate(self._kept.items(), 1)
        found = sorted([(k.at_ms, number, n) for number, (n, k) in numbered if k.matches(n, query)], reverse=True)
        place = read_cursor(query.after) if query.after else None
        rest = [one for one in found if place is None or one[:2] < place]
        total, searched = len(found), rest[:MOST_SEARCHED]
        is_complete = not query.text or len(searched) == len(rest)
        if query.text:
            rest = [one for one in searched if self._kept[one[2]].has_text(one[2], query.text)]
            total = len(rest)
        page = rest[: query.limit]
        last = page[-1] if len(rest) > query.limit else None if is_complete else searched[-1]
        rows = tuple([replace(self._kept[name].row(name), number=number) for _, number, name in page])
        return ConversationPage(rows, total, cursor(*last[:2]) if last is not None else "", is_complete)

    async def owned(self, owner: str) -> int:
        """Return how many conversations have an id that begins with `owner` and a colon."""
        return self._owned.get(owner, 0)

    def _count(self, conversation: str, more: int) -> None:
        """Count a conversation that began or was deleted, if it has an owner."""
        owner, colon, _ = conversation.partition(":")
        if colon:
            self._owned[owner] += more
            if not self._owned[owner]:
                del self._owned[owner]

    async def counts(self, flow: str = "") -> tuple[NodeCount, ...]:
        """Return how many conversations are in each node with each status, of one flow or, if empty, of all."""
        rows = [kept.row(name) for name, kept in self._kept.items()]
        keys: list[tuple[str, str, Standing]] = [(r.flow, r.node, r.status) for r in rows if flow in ("", r.flow)]
        found = Counter(keys)
        return tuple([NodeCount(at, node, status, found[at, node, status]) for at, node, status in sorted(found)])

    async def uncounted(self, most: int) -> tuple[Uncounted, ...]:
        """Return up to `most` conversations with ended turns whose uses of nodes, transitions, tools are uncounted."""
        states = [(name, kept.state) for name, kept in self._kept.items() if kept.state is not None]
        return self._uses.uncounted([(name, state.flow, state.seq) for name, state in states], most)

    async def count_uses(self, found: Sequence[Uses]) -> None:
        """Add the uses of entries to the counts, except of entries that another process has counted meanwhile."""
        self._uses.add(one for one in found if one.uncounted.conversation in self._kept)

    async def use_counts(self, flow: str, kind: str = "") -> tuple[UseCount, ...]:
        """Return how often existing conversations used each thing of a flow, of one kind or, if empty, of all."""
        return self._uses.counts(flow, kind)

    async def setting(self, flow: str, name: str) -> Any:
        """Return the value of a setting for all conversations of a flow; `None` if it is not set."""
        found = self._settings.history(flow, name)
        return found[-1].data if found else None

    async def set_setting(self, flow: str, name: str, data: Any, by: str, at_ms: int) -> None:
        """Set a setting of a flow to JSON data, or take it away with `None`, for all its conversations."""
        self._settings.add(Setting(flow, name, data, by, at_ms))

    async def settings(self, flow: str, prefix: str = "") -> tuple[Setting, ...]:
        """Return the settings of a flow that are set now, of all names or of those with a prefix, in order of names."""
        return self._settings.all(flow, prefix)

    async def setting_history(self, flow: str, name: str) -> tuple[Setting, ...]:
        """Return all values that a setting of a flow was set to, in the order in which it was set."""
        return self._settings.history(flow, name)

    async def forget(self, conversation: str) -> bool:
        """Delete a conversation with everything that is counted of it; return false if there is none."""
        found = self._kept.pop(conversation, None) is not None
        if found:
            self._count(conversation, -1)
            self._uses.drop(conversation)
            self.set_timers(conversation, None)
            self.outbox.forget(conversation)
            self._report(Change(conversation))
        return found

    async def retain(self, retention: Retention, now_ms: int, progress: Progress | None = None) -> Retained:
        """Erase events and trim decisions that are older than the retention; return how many."""
        await self.erase_words(now_ms)
        found = Retained()
        for done, (name, kept) in enumerate(self._kept.items(), 1):
            own = kept.retain(retention.of_version(kept.fingerprint), now_ms)
            found = Retained(*map(sum, zip(found, own, strict=True)))
            self.outbox.forget(name, kept.erased_turn)
            if progress is not None:
                progress(done, len(self._kept))
        return found

    async def erase_words(self, now_ms: int, conversation: str | None = None) -> int:
        """Erase the words of closed scopes whose time is over, of one conversation or of all; return how many."""
        kept = self._kept
        some = kept.values() if conversation is None else [kept[conversation]] if conversation in kept else []
        return sum(one.erase_words(now_ms) for one in some)

    async def close(self) -> None:
        """Do nothing: no write waits."""


def _turn_of(entry: Entry) -> int:
    return entry.turn


def _at_ms(entry: Entry) -> int:
    return entry.at_ms
