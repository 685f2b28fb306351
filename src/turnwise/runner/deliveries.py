"""Sends the deliveries of an outbox: in order per conversation, at least once, with growing pauses after failures."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from random import random
from typing import TYPE_CHECKING

from turnwise.errors import DeliveryFailed, TurnwiseError, describe
from turnwise.runner.delivered_turns import delivery_of
from turnwise.runner.outbox_port import Deliver, DeliveryRetries, HasOutbox, Settlement, StoredDelivery
from turnwise.runner.receivers import as_async, call_receiver, deadline
from turnwise.runner.spans import NO_SPAN

if TYPE_CHECKING:
    from turnwise.runner.meter import Meter
    from turnwise.runner.ports import Clock, Store
    from turnwise.runner.spans import Span, Spans

LONGEST_WAIT_S = 1.0
"""How many seconds late a delivery may begin that another process has queued."""
LONGEST_ERROR = 300
"""How many characters of an error are stored."""

_log = logging.getLogger("turnwise.runner")


class Deliveries:
    """Sends the deliveries in the outbox of a store for one flow. There is one object per app that delivers."""

    def __init__(self, store: Store, clock: Clock, flow: str, deliver: Deliver, retries: DeliveryRetries) -> None:
        assert isinstance(store, HasOutbox), "an app delivers only with a store that has an outbox"
        self.store = store
        self.outbox = store.outbox
        self.clock = clock
        self.flow = flow
        self.retries = retries
        self.spans: Spans | None = None
        self.meter: Meter | None = None
        self._deliver = as_async(deliver)
        self._sending: dict[asyncio.Task[bool], StoredDelivery] = {}
        self._unmarked: list[Settlement] = []
        """Outcomes that are not recorded yet. Until then no process sends those deliveries."""
        self._woken = asyncio.Event()

    def reset(self) -> None:
        """Drop attempts in progress, after their event loop was closed; each is begun again."""
        self._unmarked += [self._stopped(row) for row in self._sending.values()]
        self._sending.clear()
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Look for due deliveries now."""
        self._woken.set()

    async def run(self) -> None:
        """Send due deliveries until cancelled. Then the attempts in progress go on to their end, within their time."""
        try:
            while True:
                self._woken.clear()
                wait_s = LONGEST_WAIT_S
                try:
                    await self._begin()
                    wait_s = await self._pause_s()
                except TurnwiseError as error:
                    _log.error("deliveries: %s", error)
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait_s):
                        await self._woken.wait()
        finally:
            await self.drain()

    async def send_due(self) -> int:
        """Send due deliveries, and those that become due after them; return how many were delivered.

        Attempts that have begun go on where this is cancelled.
        """
        count = 0
        while tasks := await self._begin():
            done, _ = await asyncio.wait(tasks)
            count += sum([not task.cancelled() and task.result() for task in done])
        return count

    async def _begin(self) -> list[asyncio.Task[bool]]:
        """Begin as many attempts as may run at once, after the outcomes of earlier ones are recorded."""
        await self._mark()
        free = self.retries.at_once - len(self._sending)
        if free <= 0:
            return []
        longest_ms = round(self.retries.longest_pause_s * 1000)
        taking = asyncio.ensure_future(self.outbox.take(self.flow, self.clock.now_ms(), longest_ms, free))
        try:
            rows = await asyncio.shield(taking)
        except asyncio.CancelledError:
            taking.add_done_callback(self._taken_in_vain)
            await asyncio.wait([taking])
            raise
        begun = {asyncio.create_task(self._attempt(row)): row for row in rows}
        self._sending.update(begun)
        for task in begun:
            task.add_done_callback(self._ended)
        return list(begun)

    def _taken_in_vain(self, taking: asyncio.Future[tuple[StoredDelivery, ...]]) -> None:
        """Give back what was taken for a loop that was cancelled meanwhile."""
        if not taking.cancelled() and taking.exception() is None:
            self._unmarked += [self._stopped(row) for row in taking.result()]

    async def _mark(self) -> None:
        """Record the outcomes that could not be recorded before, in order. Raises `TurnwiseError` where one cannot."""
        while self._unmarked:
            first = self._unmarked.pop(0)
            try:
                await self.outbox.settle(first)
            except BaseException:
                self._unmarked.insert(0, first)
                raise

    def _ended(self, task: asyncio.Task[bool]) -> None:
        self._sending.pop(task, None)
        self._woken.set()

    async def _pause_s(self) -> float:
        """Return the seconds until the next delivery is due, or one that another process queued is looked for."""
        if len(self._sending) >= self.retries.at_once:
            return LONGEST_WAIT_S
        next_ms = await self.outbox.next_due(self.flow)
        if next_ms is None:
            return LONGEST_WAIT_S
        return min(LONGEST_WAIT_S, max(0.01, (next_ms - self.clock.now_ms()) / 1000))

    async def drain(self) -> None:
        """Wait for the attempts in progress: one that is broken off may have been accepted, and would be repeated.
        A second cancellation stops them.
        """
        try:
            await asyncio.gather(*self._sending, return_exceptions=True)
        finally:
            try:
                await self._mark()
            except TurnwiseError as error:
                _log.error("deliveries: %d outcomes are not recorded: %s", len(self._unmarked), error)

    # one attempt -------------------------------------------------------------------------------

    async def _attempt(self, row: StoredDelivery) -> bool:
        """Make one attempt and record its outcome; return whether it was delivered."""
        spans = self.spans
        attributes = {
            "gen_ai.conversation.id": row.conversation,
            "turnwise.turn": row.turn,
            "turnwise.delivery": row.id,
            "turnwise.attempt": row.attempts,
        }
        with spans.span("deliver", attributes, is_call=True) if spans is not None else NO_SPAN as span:
            try:
                settlement = await self._outcome(row, span)
            except asyncio.CancelledError:
                with suppress(TurnwiseError):
                    await self.outbox.settle(self._stopped(row))
                raise
        if settlement is None:
            return False
        try:
            is_recorded = await self.outbox.settle(settlement)
        except TurnwiseError as error:
            _log.error("%s: the outcome of the delivery %s is not recorded yet: %s", row.conversation, row.id, error)
            self._unmarked.append(settlement)
            return False
        if is_recorded and self.meter is not None:
            self.meter.attempted(settlement.status)
        if not is_recorded:
            _log.warning("%s: another process has taken over the delivery %s", row.conversation, row.id)
        return is_recorded and settlement.status == "delivered"

    def _stopped(self, row: StoredDelivery) -> Settlement:
        """Return the settlement of an attempt that was stopped with its process: the next is due now."""
        now_ms = self.clock.now_ms()
        return Settlement(row.id, row.attempts, "waiting", now_ms, now_ms, "this process was stopped")

    async def _outcome(self, row: StoredDelivery, span: Span) -> Settlement | None:
        """Send a delivery; return what came of it, `None` where it is this process's no more."""
        try:
            known = await self.outbox.get(row.id)
            if known is None or (known.status, known.attempts) != ("sending", row.attempts):
                _log.warning("%s: the delivery %s was deleted or taken over", row.conversation, row.id)
                return None
            delivery = delivery_of(row, await self.store.turn(row.conversation, row.turn))
            if delivery is None:
                raise DeliveryFailed("its words are erased", is_final=True)
            async with deadline(self.retries.timeout_s):
                await call_receiver(self._deliver, delivery)
        except Exception as error:  # noqa: BLE001  whatever a receiver raises, the others are sent
            settlement = self._failed(row, error)
            span.fail(type(error).__name__, settlement.error)
            return settlement
        _log.info("%s: turn %d was delivered (%s)", row.conversation, row.turn, row.id)
        return Settlement(row.id, row.attempts, "delivered", self.clock.now_ms())

    def _failed(self, row: StoredDelivery, error: Exception) -> Settlement:
        """Return when a failed delivery is tried again, or that it is given up."""
        now_ms, retries = self.clock.now_ms(), self.retries
        reason = _reason(error, retries)
        known = error if isinstance(error, DeliveryFailed) else DeliveryFailed(reason)
        is_old = now_ms - row.since_ms >= retries.give_up_after_s * 1000
        if known.is_final or is_old or row.attempts >= retries.most_attempts:
            _log.error("%s: the delivery %s is given up: %s", row.conversation, row.id, reason)
            return Settlement(row.id, row.attempts, "failed", now_ms, None, reason)
        pause_s = min(retries.longest_pause_s, retries.first_pause_s * 2.0 ** min(row.attempts - 1, 60))
        pause_s *= 1 - random() / 2  # noqa: S311  no secret depends on it
        pause_s = max(pause_s, min(known.retry_after_s, retries.longest_pause_s))
        _log.warning("%s: attempt %d of the delivery %s failed: %s", row.conversation, row.attempts, row.id, reason)
        return Settlement(row.id, row.attempts, "waiting", now_ms, now_ms + round(pause_s * 1000), reason)


def _reason(error: Exception, retries: DeliveryRetries) -> str:
    if isinstance(error, TimeoutError) and not str(error):
        return f"no answer within {retries.timeout_s:g} s"
    text = describe(error)
    return text if len(text) <= LONGEST_ERROR else f"{text[: LONGEST_ERROR - 1]}…"
