"""What retention erases next in a journal, found by binary searches for positions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Awaitable, Callable
from logging import Logger
from typing import Any

from turnwise.core.state.retention import Retention
from turnwise.errors import StoreFailed, StoreUnavailable
from turnwise.runner.ports import Retained
from turnwise.stores.encoded import ERASED, NOTED

MOST_PER_TRANSACTION = 400
"""How many entries one transaction changes; more if one turn has more."""

Read = Callable[..., tuple[Any, ...] | None]
"""A function that returns the first row of a query with its parameters; `None` if there is no row."""


class Places:
    """Finds positions in the stored journal of one conversation, up to the end of a turn at position `last`."""

    def __init__(self, read: Read, n: int, last: int) -> None:
        self._read = read
        self.n = n
        self.last = last

    def _of(self, column: str, seq: int) -> int:
        found = self._read(f"SELECT {column} FROM event WHERE conversation = ? AND seq = ?", self.n, seq)
        assert found is not None, "positions have no gaps"
        return int(found[0])

    def turn(self, seq: int) -> int:
        """Return the turn number of the entry at position `seq`."""
        return self._of("turn", seq)

    def turn_begins(self, turn: int) -> int:
        """Return the last position before a turn, 0 for the first one."""
        return bisect_left(range(1, self.last + 1), turn, key=self.turn)

    def turn_ends(self, turn: int) -> int:
        """Return the last position of a turn; if there is no such turn, the last position before it."""
        return bisect_right(range(1, self.last + 1), turn, key=self.turn)

    def erased(self) -> int:
        """Return how many entries are erased, which are always the first ones."""
        return bisect_left(range(1, self.last + 1), 1, key=lambda seq: self._of("kind", seq) != ERASED)

    def before(self, ms: int) -> int:
        """Return the last position before the time `ms` (since 1970); 0 if there is none."""
        return bisect_left(range(1, self.last + 1), ms, key=lambda seq: self._of("at_ms", seq))

    def whole_turns(self, until: int) -> int:
        """Return the last position, not after `until`, at which no turn is in progress."""
        if until in (0, self.last) or self.turn(until + 1) != self.turn(until):
            return until
        if self._of("kind", until + 1) == NOTED:  # it was recorded after the turn, maybe long after it
            return until
        return self.turn_begins(self.turn(until))


class ErasureTimes:
    """The times before which events are erased and decisions are trimmed, in milliseconds since 1970."""

    def __init__(self, retention: Retention, now_ms: int) -> None:
        self.now_ms = now_ms
        self._versions = {one: ErasureTimes(retention.of_version(one), now_ms) for one in retention.versions}
        self.events_ms = retention.events_before_ms(now_ms)
        self.decisions_ms = retention.decisions_before_ms(now_ms)
        self.of_events = retention.erasure_of_events(now_ms)
        self.of_decisions = retention.erasure_of_decisions(now_ms)

    @property
    def of_versions(self) -> tuple[ErasureTimes, ...]:
        """The times of the flow versions that have their own."""
        return tuple(self._versions.values())

    def of_version(self, fingerprint: str) -> ErasureTimes:
        """Return the times for the conversations on the version of a flow with a fingerprint."""
        return self._versions.get(fingerprint, self)


def to_erase(places: Places, times: ErasureTimes) -> tuple[int, int] | None:
    """Return the first and last position of the next entries to erase, up to the end of a turn; `None` if all are
    erased that are older than `times`.
    """
    begin = places.erased() + 1
    end = places.whole_turns(places.before(times.events_ms))
    if end <= begin:
        return None
    if end - begin > MOST_PER_TRANSACTION:
        some = places.whole_turns(begin + MOST_PER_TRANSACTION)
        end = some if some > begin else min(end, places.turn_ends(places.turn(begin + 1)))
    return begin, end


def to_trim(places: Places, was_trimmed: int, times: ErasureTimes) -> tuple[int, int] | None:
    """Return the first and last position of the next entries whose decisions are to be trimmed; `None` if all are.
    Those up to position `was_trimmed` are trimmed already.
    """
    begin = max(was_trimmed, places.erased()) + 1
    end = min(places.before(times.decisions_ms), begin + MOST_PER_TRANSACTION)
    return (begin, end) if end >= begin else None


async def retain_in_steps(n: int, step: Callable[[], Awaitable[Retained | None]], log: Logger) -> Retained:
    """Erase and trim what is old in conversation number `n`, until a step returns `None`; return the sums.
    A damaged conversation is left as it is and logged to `log`. Raises `StoreUnavailable`.
    """
    events = decisions = 0
    try:
        while done := await step():
            events += done.events
            decisions += done.decisions
    except StoreUnavailable:
        raise
    except StoreFailed as failed:
        log.error("retention passes over conversation number %d: %s", n, failed)  # noqa: TRY400  the reason says it
    return Retained(events, decisions)
