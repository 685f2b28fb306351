"""Timers in memory, in the order in which they are due, by the version of their flow."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Collection
from heapq import merge
from itertools import count, islice, takewhile

from turnwise.core.state import State
from turnwise.runner.ports import Due

_Row = tuple[int, int, Due]
"""When it is due, a number, and the timer; no two rows have the same number."""


class TimersInMemory:
    """The part of a store in memory that keeps the timers of all conversations."""

    def __init__(self) -> None:
        self._numbers = count()
        self._due: dict[str, dict[str, list[_Row]]] = {}
        """All of them, by flow and by its version."""
        self.armed: dict[str, tuple[list[_Row], list[_Row]]] = {}
        """The rows of each conversation, and the list that they stand in."""

    def set_timers(self, conversation: str, state: State | None) -> None:
        """Replace the timers of a conversation by those of the state after a turn; `None` removes them."""
        timers = state.due_timers if state is not None else ()
        if not timers and conversation not in self.armed:
            return
        mine, listed = self.armed.pop(conversation, ([], []))
        for row in mine:
            del listed[bisect_left(listed, row[:2], key=_place)]
        if state is not None and timers:
            listed = self._due.setdefault(state.flow, {}).setdefault(state.fingerprint, [])
            version = state.fingerprint
            mine = [(one.due_ms, next(self._numbers), Due(conversation, one, version)) for one in timers]
            for row in mine:
                insort(listed, row, key=_place)
            self.armed[conversation] = mine, listed

    async def due(self, flow: str, now_ms: int, limit: int, without: Collection[str] = ()) -> tuple[Due, ...]:
        """Return the due timers of a flow, the oldest first, but none of the versions with the fingerprints `without`.
        No other process can use the store.
        """
        found = takewhile(lambda row: row[0] <= now_ms, merge(*self._versions(flow, without), key=_place))
        return tuple([due for _, _, due in islice(found, limit)])

    async def next_due(self, flow: str, without: Collection[str] = ()) -> int | None:
        """Return when a flow's next timer is due, in milliseconds since 1970, else `None`; skips versions `without`."""
        return min([listed[0][0] for listed in self._versions(flow, without)], default=None)

    def _versions(self, flow: str, without: Collection[str]) -> list[list[_Row]]:
        return [listed for name, listed in self._due.get(flow, {}).items() if listed and name not in without]


def _place(row: _Row) -> tuple[int, int]:
    return row[:2]
