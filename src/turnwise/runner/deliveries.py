"""Sends the deliveries of an outbox: in order per conversation, at least once, with growing pauses after failures."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from inspect import iscoroutinefunction
from random import random
from typing import TYPE_CHECKING, Any, cast

from turnwise.errors import DeliveryFailed, TurnwiseError, describe
from turnwise.runner.delivered_turns import delivery_of
from turnwise.runner.outbox_port import (
    Deliver,
    Delivery,
    DeliveryRetries,
    HasOutbox,
    Settlement,
    StoredDelivery,
)
from turnwise.runner.spans import NO_SPAN

if TYPE_CHECKING:
    from turnwise.runner.ports import Clock, Store
    from turnwise.runner.spans import Span, Spans

LONGEST_WAIT_S = 1.0
"""How late a delivery may begin that another process has queued."""
LONGEST_ERROR = 300
"""How many characters of an error are stored."""
LEASE = 2
"""The lease of an attempt, in times of its longest duration."""

_log = logging.getLogger("turnwise.runner")


class Deliveries:
    """Sends what the outbox of a store holds for one flow. There is one per app that delivers."""

    def __init__(self, store: Store, clock: Clock, flow: str, deliver: Deliver, retries: DeliveryRetries) -> None:
        assert isinstance(store, HasOutbox), "an app delivers only with a store that has an outbox"
        self.store = store
        self.outbox = store.outbox
        self.clock = clock
        self.flow = flow
        self.retries = retries
        self.spans: Spans | None = None
        self._deliver = _async(deliver)
        self._sending: set[asyncio.Task[bool]] = set()
        self._woken = asyncio.Event()

    def reset(self) -> None:
        """Drop attempts in progress, after their event loop was closed."""
        self._sending.clear()
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Look for deliveries now."""
        self._woken.set()

    async def run(self) -> None:
        """Send deliveries until cancelled; the attempts in progress are ended before that."""
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
            await self._end()

    async def send_due(self) -> int:
        """Send what is due, with what is due after it in each conversation; return how many were delivered."""
        count = 0
        while tasks := await self._begin():
            count += sum(await asyncio.gather(*tasks))
        return count

    async def _begin(self) -> list[asyncio.Task[bool]]:
        """Begin as many attempts as may run at once."""
        free = self.retries.at_once - len(self._sending)
        if free <= 0:
            return []
        lease_ms = round(self.retries.timeout_s * LEASE * 1000)
        rows = await self.outbox.take(self.flow, self.clock.now_ms(), lease_ms, free)
        tasks = [asyncio.create_task(self._attempt(row)) for row in rows]
        self._sending.update(tasks)
        for task in tasks:
            task.add_done_callback(self._ended)
        return tasks

    def _ended(self, task: asyncio.Task[bool]) -> None:
        self._sending.discard(task)
        self._woken.set()

    async def _pause_s(self) -> float:
        """Return the seconds until the next delivery is due, or one that another process queued is looked for."""
        if len(self._sending) >= self.retries.at_once:
            return LONGEST_WAIT_S
        next_ms = await self.outbox.next_due(self.flow)
        if next_ms is None:
            return LONGEST_WAIT_S
        return min(LONGEST_WAIT_S, max(0.01, (next_ms - self.clock.now_ms()) / 1000))

    async def _end(self) -> None:
        """Stop the attempts in progress; each is begun again, by any process."""
        for task in self._sending:
            task.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)

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
                now_ms = self.clock.now_ms()
                with suppress(TurnwiseError):
                    stopped = Settlement(row.id, row.attempts, "waiting", now_ms, now_ms, "this process was stopped")
                    await self.outbox.settle(stopped)
                raise
        try:
            is_recorded = await self.outbox.settle(settlement)
        except TurnwiseError as error:
            _log.error("%s: the outcome of the delivery %s is not recorded: %s", row.conversation, row.id, error)
            return False
        if not is_recorded:
            _log.warning("%s: another process has taken over the delivery %s", row.conversation, row.id)
        return is_recorded and settlement.status == "delivered"

    async def _outcome(self, row: StoredDelivery, span: Span) -> Settlement:
        """Send a delivery; return what came of it."""
        try:
            delivery = delivery_of(row, await self.store.turn(row.conversation, row.turn))
            if delivery is None:
                raise DeliveryFailed("its words are erased", is_final=True)
            async with asyncio.timeout(self.retries.timeout_s):
                await _called(self._deliver, delivery)
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


async def _called(deliver: Callable[[Delivery], Any], delivery: Delivery) -> None:
    """Call a receiver. What it cancels itself is a failure, which is retried after a pause; only an attempt that is
    cancelled from outside belongs to a process that stops.
    """
    try:
        await deliver(delivery)
    except asyncio.CancelledError:
        attempt = asyncio.current_task()
        if attempt is not None and attempt.cancelling():
            raise
        raise DeliveryFailed("the receiver was cancelled") from None


def _async(deliver: Deliver) -> Callable[[Delivery], Any]:
    """Return a receiver as an async function. A plain function runs in a thread, so that turns go on meanwhile."""
    call = cast("Callable[[Delivery], Any]", getattr(deliver, "deliver", deliver))
    if iscoroutinefunction(call) or iscoroutinefunction(getattr(call, "__call__", None)):  # noqa: B004  not a test of it
        return call

    async def called(delivery: Delivery) -> None:
        result = await _in_background(call, delivery)
        if asyncio.iscoroutine(result) or asyncio.isfuture(result):
            await result

    return called


async def _in_background(call: Callable[[Delivery], Any], delivery: Delivery) -> Any:
    """Return the result of a call in a thread that does not keep the process from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def resolve(result: Any, error: BaseException | None) -> None:
        if done.done():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)

    def work() -> None:
        result, error = None, None
        try:
            result = call(delivery)
        except Exception as raised:  # noqa: BLE001  it is raised where the call is awaited
            error = raised
        with suppress(RuntimeError):  # the event loop may have ended meanwhile
            loop.call_soon_threadsafe(resolve, result, error)

    threading.Thread(target=work, name="turnwise-delivery", daemon=True).start()
    return await done
