"""Events that wait in memory for a client: bounded in number and in bytes, for each stream and for all together."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from turnwise.server.streams.items import Item

MOST_PENDING_EVENTS = 500
"""How many events wait for one client."""


class Budget:
    """Counts how many bytes wait for the clients of all streams, against the most that may."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.taken = 0


class EventQueue:
    """The events that wait for one client, each with its conversation."""

    def __init__(self, most: int, budget: Budget) -> None:
        self.most = most
        self.budget = budget
        self._items: deque[tuple[str, Item]] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._items)

    def has_room(self, items: Sequence[Item]) -> bool:
        """Return whether more events may wait. One large event alone always may: it is sent as a whole."""
        size = sum(len(one.payload) for one in items)
        is_within = self._bytes + size <= self.most and self.budget.taken + size <= self.budget.most
        return len(self._items) + len(items) <= MOST_PENDING_EVENTS and (is_within or not self._items)

    def add(self, conversation: str, items: Sequence[Item]) -> None:
        """Append events of a conversation to the queue."""
        self._items.extend([(conversation, one) for one in items])
        self._count(sum(len(one.payload) for one in items))

    def take(self, most: int) -> list[tuple[str, Item]]:
        """Remove and return the first events, up to `most` bytes; at least one if there is one."""
        found: list[tuple[str, Item]] = []
        size = 0
        while self._items and (not found or size + len(self._items[0][1].payload) <= most):
            found.append(self._items.popleft())
            size += len(found[-1][1].payload)
        self._count(-size)
        return found

    def keep_own(self) -> None:
        """Drop the events that can be read from the store again.
        It keeps those of the stream itself, such as changes of the list.
        """
        kept = [(name, one) for name, one in self._items if one.position is None and name == ""]
        self.clear()
        for name, one in kept:
            self.add(name, [one])

    def clear(self) -> None:
        """Drop all waiting events."""
        self._items.clear()
        self._count(-self._bytes)

    def _count(self, size: int) -> None:
        self._bytes += size
        self.budget.taken += size
