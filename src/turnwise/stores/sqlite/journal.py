"""Finding places in the journal of one conversation by halving: positions have no gaps, and times and
turns never go back.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

from turnwise.stores.sqlite.rows import ERASED

Read = Callable[..., tuple[Any, ...] | None]
"""Gives the first row of a query with its parameters."""


class Places:
    """The places of one conversation, up to the end of a turn at `last`."""

    def __init__(self, read: Read, n: int, last: int) -> None:
        self._read = read
        self.n = n
        self.last = last

    def _of(self, column: str, seq: int) -> int:
        found = self._read(f"SELECT {column} FROM event WHERE conversation = ? AND seq = ?", self.n, seq)
        assert found is not None, "positions have no gaps"
        return int(found[0])

    def turn(self, seq: int) -> int:
        """The turn of an entry."""
        return self._of("turn", seq)

    def turn_begins(self, turn: int) -> int:
        """The last position before a turn."""
        return bisect_left(range(1, self.last + 1), turn, key=self.turn)

    def turn_ends(self, turn: int) -> int:
        """The last position of a turn, or before it where there is none."""
        return bisect_right(range(1, self.last + 1), turn, key=self.turn)

    def erased(self) -> int:
        """How many entries are erased: they are the first ones."""
        return bisect_left(range(1, self.last + 1), 1, key=lambda seq: self._of("kind", seq) != ERASED)

    def before(self, ms: int) -> int:
        """The last position before a moment, in milliseconds since 1970."""
        return bisect_left(range(1, self.last + 1), ms, key=lambda seq: self._of("at_ms", seq))

    def whole_turns(self, until: int) -> int:
        """The last position, at most this one, at which a turn ends."""
        if until in (0, self.last) or self.turn(until + 1) != self.turn(until):
            return until
        return self.turn_begins(self.turn(until))
