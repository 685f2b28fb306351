"""Counts how often conversations used nodes, transitions and tools, and keeps the counts: for the store in memory,
and for files that are only read.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from turnwise.runner.uses import Uncounted, Use, UseCount, Uses


class _Counted(NamedTuple):
    """What is counted of one conversation, and up to which entry; there another version of its flow may apply."""

    flow: str
    until: int
    fingerprint: str
    version: int
    counts: Counter[Use]


class UsesInMemory:
    """Counts what each conversation uses, and the sums by flow, in memory."""

    def __init__(self) -> None:
        self._counted: dict[str, _Counted] = {}
        self._times: defaultdict[str, Counter[Use]] = defaultdict(Counter)
        self._conversations: defaultdict[str, Counter[Use]] = defaultdict(Counter)

    def uncounted(self, stored: Collection[tuple[str, str, int]], most: int) -> tuple[Uncounted, ...]:
        """Return up to `most` conversations with ended turns whose uses are uncounted. `stored` are all conversations.
        They come with flow and last position; conversations that are not among them were deleted and no longer count.
        """
        for conversation in self._counted.keys() - {name for name, _, _ in stored}:
            self.drop(conversation)
        found: list[Uncounted] = []
        for conversation, flow, seq in stored:
            known = self._counted.get(conversation) or _Counted(flow, 0, "", 0, Counter())
            if seq > known.until and len(found) < most:
                found.append(Uncounted(conversation, flow, known.until, seq, known.fingerprint, known.version))
        return tuple(found)

    def add(self, found: Iterable[Uses]) -> None:
        """Add the uses of entries to the counts, except those of entries that are counted already."""
        for one in found:
            at = one.uncounted
            known = self._counted.get(at.conversation) or _Counted(at.flow, 0, "", 0, Counter())
            if at.after != known.until:
                continue
            if one.replaces:
                self.drop(at.conversation)
                known.counts.clear()
            new = [key for key in one.counts if key not in known.counts]
            known.counts.update(one.counts)
            self._times[at.flow].update(one.counts)
            self._conversations[at.flow].update(new)
            self._counted[at.conversation] = _Counted(at.flow, at.until, one.fingerprint, one.version, known.counts)

    def counts(self, flow: str, kind: str = "") -> tuple[UseCount, ...]:
        """Return how often each thing of a flow was used, of one kind or, if empty, of all."""
        times = self._times[flow]
        found = self._conversations[flow].items()
        return tuple([UseCount(*key, times[key], count) for key, count in found if kind in ("", key.kind) and count])

    def drop(self, conversation: str) -> None:
        """Remove the counts of a conversation, which was deleted."""
        known = self._counted.pop(conversation, None)
        if known is not None:
            self._times[known.flow].subtract(known.counts)
            self._conversations[known.flow].subtract(dict.fromkeys(known.counts, 1))
