"""The outbox of a store in memory."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count, islice

from msgspec.structs import replace

from turnwise.core.state import State
from turnwise.runner.outbox_port import DeliveryQuery, Settlement, StoredDelivery

_OPEN = ("waiting", "sending")


class OutboxInMemory:
    """The deliveries of a store in memory."""

    def __init__(self) -> None:
        self._rows: dict[str, StoredDelivery] = {}
        self._open: dict[str, dict[int, str]] = {}
        """By conversation the ids of its open deliveries, by their numbers."""
        self._numbers = count(1)

    def add(self, conversation: str, id_: str, state: State) -> None:
        """Add the delivery of a turn that ends, with the id `id_`."""
        is_blocked = bool(self._open.get(conversation))
        at_ms = state.at_ms
        self._put(
            StoredDelivery(
                *(next(self._numbers), id_, conversation, state.flow, state.turn, state.seq, at_ms),
                due_ms=None if is_blocked else at_ms,
                since_ms=at_ms,
            )
        )

    def forget(self, conversation: str, until_turn: int | None = None, now_ms: int = 0) -> None:
        """Delete the deliveries of a conversation, all, or those up to and including turn `until_turn`, whose words are
        erased at `now_ms`.
        """
        gone = [
            one
            for one in self._rows.values()
            if one.conversation == conversation and (until_turn is None or one.turn <= until_turn)
        ]
        for row in gone:
            del self._rows[row.id]
            self._open.get(conversation, {}).pop(row.number, None)
        if gone:
            self._wake_next(conversation, now_ms)

    def _put(self, row: StoredDelivery) -> StoredDelivery:
        self._rows[row.id] = row
        is_open = self._open.setdefault(row.conversation, {})
        if row.status in _OPEN:
            is_open[row.number] = row.id
        else:
            is_open.pop(row.number, None)
        if not is_open:
            self._open.pop(row.conversation)
        return row

    def _wake_next(self, conversation: str, now_ms: int) -> None:
        """Make the oldest open delivery of a conversation due."""
        is_open = self._open.get(conversation)
        if is_open:
            row = self._rows[is_open[min(is_open)]]
            if row.status == "waiting" and row.due_ms is None:
                self._put(replace(row, due_ms=max(now_ms, row.at_ms)))

    def _due(self, flow: str) -> list[StoredDelivery]:
        rows = [self._rows[id_] for is_open in self._open.values() for id_ in is_open.values()]
        return sorted(
            [row for row in rows if row.flow == flow and row.due_ms is not None],
            key=lambda row: (row.due_ms or 0, row.number),
        )

    async def take(self, flow: str, now_ms: int, longest_pause_ms: int, most: int) -> tuple[StoredDelivery, ...]:
        """Take up to `most` due deliveries of a flow; each begins an attempt; see `Outbox.take`."""
        latest_ms = now_ms + longest_pause_ms
        due = [row for row in self._due(flow) if row.due_ms is not None and not now_ms < row.due_ms <= latest_ms]
        taken = [replace(row, status="sending", attempts=row.attempts + 1, due_ms=None) for row in due[:most]]
        return tuple([self._put(row) for row in taken])

    async def settle(self, settlement: Settlement) -> bool:
        """Record the outcome of an attempt; return false if another one has begun, or the delivery was deleted."""
        one = settlement
        row = self._rows.get(one.id)
        if row is None or row.status != "sending" or row.attempts != one.attempt:
            return False
        done_ms = None if one.status == "waiting" else one.at_ms
        self._put(replace(row, status=one.status, due_ms=one.due_ms, done_ms=done_ms, error=one.error))
        if one.status != "waiting":
            self._wake_next(row.conversation, one.at_ms)
        return True

    async def next_due(self, flow: str) -> int | None:
        """Return when the next delivery of a flow is due, in milliseconds since 1970; `None` if none waits."""
        return next((row.due_ms for row in self._due(flow)), None)

    async def find(self, query: DeliveryQuery) -> tuple[StoredDelivery, ...]:
        """Return the deliveries that match a query, the oldest first."""
        found = (
            row
            for row in self._rows.values()
            if row.number > query.after
            and query.conversation in ("", row.conversation)
            and query.flow in ("", row.flow)
            and query.status in ("", row.status)
            and query.turn in (0, row.turn)
        )
        return tuple(islice(found, query.limit))

    async def count_open(self, flow: str, most: int) -> int:
        """Return how many deliveries of a flow wait or are being sent, but no more than `most`."""
        ids = (id_ for ids in self._open.values() for id_ in ids.values())
        return sum(1 for _ in islice((id_ for id_ in ids if self._rows[id_].flow == flow), most))

    async def get(self, id: str) -> StoredDelivery | None:  # noqa: A002  as the port
        """Return the delivery with an id; `None` if there is none."""
        return self._rows.get(id)

    async def send_again(self, id: str, now_ms: int) -> StoredDelivery | None:  # noqa: A002  as the port
        """Queue a delivery again and return it; `None` if there is no such delivery."""
        row = self._rows.get(id)
        if row is None or row.status == "sending":
            return row
        if row.status == "waiting":
            return self._put(replace(row, due_ms=now_ms)) if row.due_ms is not None else row
        for id_ in tuple(self._open.get(row.conversation, {}).values()):
            one = self._rows[id_]
            if one.status == "waiting" and one.number > row.number:  # it comes after the older one
                self._put(replace(one, due_ms=None))
        heads = [self._rows[id_] for id_ in self._open.get(row.conversation, {}).values()]
        has_head = any(one.due_ms is not None or one.status == "sending" for one in heads)
        self._put(replace(row, status="waiting", attempts=0, due_ms=None, since_ms=now_ms, done_ms=None))
        if not has_head:
            self._wake_next(row.conversation, now_ms)
        return self._rows[id]

    async def queued(self, conversation: str, turns: Collection[int]) -> frozenset[int]:
        """Return the numbers of those of the `turns` that have a delivery which has not failed for good."""
        rows = self._rows.values()
        return frozenset(
            row.turn
            for row in rows
            if row.conversation == conversation and row.turn in turns and row.status != "failed"
        )
