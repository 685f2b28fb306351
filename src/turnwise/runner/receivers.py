"""Calls receivers of deliveries: plain ones in a thread, and all within a time that a blocked loop does not use up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from inspect import iscoroutinefunction
from typing import Any, cast

from turnwise.errors import DeliveryFailed
from turnwise.runner.outbox_port import Deliver, Delivery

LOOP_BLOCKED_S = 0.1
"""How many seconds late a deadline may be noticed; if later, the event loop was blocked, and the receiver may have
answered."""
GRACE_S = 1.0
"""For how many seconds an answer that came while the event loop was blocked may be read."""


@asynccontextmanager
async def deadline(seconds: float) -> AsyncGenerator[None]:
    """Limit a block to so many seconds, like `asyncio.timeout`.
    Where the event loop was blocked at the deadline, or the process suspended, the answer may have come in time: then
    there is a second more to read it, so that it is not taken for a failure.
    """
    loop = asyncio.get_running_loop()
    due_s = loop.time() + seconds
    async with asyncio.timeout(None) as limit:

        def expire(planned_s: float) -> None:
            nonlocal handle
            now_s = loop.time()
            if now_s - planned_s < LOOP_BLOCKED_S or planned_s > due_s + seconds:
                limit.reschedule(now_s)
            else:
                handle = loop.call_later(GRACE_S, expire, now_s + GRACE_S)

        handle = loop.call_at(due_s, expire, due_s)
        try:
            yield
        finally:
            handle.cancel()


async def call_receiver(deliver: Callable[[Delivery], Any], delivery: Delivery) -> None:
    """Call a receiver with a delivery. An error that it raises means that the delivery failed.
    What it cancels itself is a failure, which is retried after a pause; only an attempt that is cancelled from outside
    belongs to a process that stops.
    """
    try:
        await deliver(delivery)
    except asyncio.CancelledError:
        attempt = asyncio.current_task()
        if attempt is not None and attempt.cancelling():
            raise
        raise DeliveryFailed("the receiver was cancelled") from None


def as_async(deliver: Deliver) -> Callable[[Delivery], Any]:
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
