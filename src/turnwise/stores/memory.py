"""A store in memory: for tests, for trying out, and for conversations that need not survive."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.events import Entry, Said, UserChose, UserSaid
from turnwise.core.fold import fold_all
from turnwise.core.state import State
from turnwise.errors import Conflict
from turnwise.runner.ports import Commit, Receipt

_SAID = (UserSaid, UserChose, Said)


class _Kept:
    """What is kept of one conversation."""

    __slots__ = ("journal", "receipts", "state")

    def __init__(self) -> None:
        self.journal: list[Entry] = []
        self.receipts: dict[str, Receipt] = {}
        self.state: State | None = None


class MemoryStore:
    """Keeps journals, states and receipts as long as the process lives."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    async def load(self, conversation: str) -> State | None:
        """The latest state; where a turn was cut off, the one that its entries lead to."""
        kept = self._kept.get(conversation)
        if kept is None:
            return None
        last = kept.state.seq if kept.state is not None else 0
        return kept.state if last == len(kept.journal) else fold_all(kept.journal[last:], kept.state)

    async def commit(self, conversation: str, commit: Commit) -> None:
        """Write all of a commit or nothing."""
        kept = self._kept.get(conversation)
        if kept is None:
            kept = self._kept[conversation] = _Kept()
        journal = kept.journal
        last = journal[-1].seq if journal else 0
        if commit.entries[0].seq != last + 1:
            raise Conflict(f"{conversation}: entry {commit.entries[0].seq} does not follow {last}")
        journal.extend(commit.entries)
        if commit.receipt is not None:
            kept.receipts[commit.receipt.key] = commit.receipt
        if commit.state is not None:
            kept.state = commit.state

    async def receipt(self, conversation: str, key: str) -> Receipt | None:
        """What is kept of a key."""
        kept = self._kept.get(conversation)
        return kept.receipts.get(key) if kept is not None else None

    async def entries(self, conversation: str, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """The entries after a position; positions have no gaps, so they are places too."""
        kept = self._kept.get(conversation)
        return tuple(kept.journal[after:until]) if kept is not None else ()

    async def at(self, conversation: str, positions: Sequence[int]) -> dict[int, Entry]:
        """The entries at some positions."""
        kept = self._kept.get(conversation)
        journal = kept.journal if kept is not None else []
        return {seq: journal[seq - 1] for seq in positions if 0 < seq <= len(journal)}

    async def window(self, conversation: str, after: int, limit: int) -> tuple[Entry, ...]:
        """The last entries that hold something said."""
        kept = self._kept.get(conversation)
        found: list[Entry] = []
        for entry in reversed(kept.journal if kept is not None else []):
            if entry.seq <= after or len(found) == limit:
                break
            if isinstance(entry.event, _SAID):
                found.append(entry)
        return tuple(reversed(found))

    async def conversations(self) -> tuple[str, ...]:
        """The ids of all conversations."""
        return tuple(self._kept)
