"""Work within its time: what never waits needs no alarm, and what waits is cancelled where it waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest

from turnwise.runner.tool_execution import TimeLimitExceeded, with_time_limit

AT_ONCE, NEVER = 0.0, 1000.0


async def _waits_for(*steps: Awaitable[object]) -> str:
    for step in steps:
        await step
    return "done"


async def _fails_after(*steps: Awaitable[object]) -> str:
    await _waits_for(*steps)
    raise TimeoutError("its own")


class _Cleaning:
    """Work that has to wait before it can be cancelled."""

    def __init__(self) -> None:
        self.cleaned = False

    async def run(self) -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            self.cleaned = True
            raise
        return "never"


@pytest.mark.parametrize("waits", [0, 1, 3])
def test_work_gives_what_it_gives_however_often_it_waits(waits: int) -> None:
    async def run() -> str:
        return await with_time_limit(_waits_for(*(asyncio.sleep(0) for _ in range(waits))), NEVER)

    assert asyncio.run(run()) == "done"


def test_a_future_is_work_too() -> None:
    async def run() -> str:
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_soon(future.set_result, "done")
        return await with_time_limit(future, NEVER)

    assert asyncio.run(run()) == "done"


@pytest.mark.parametrize("waits", [0, 1])
def test_an_error_of_the_work_is_its_own(waits: int) -> None:
    async def run() -> None:
        with pytest.raises(TimeoutError, match="its own") as caught:
            await with_time_limit(_fails_after(*(asyncio.sleep(0) for _ in range(waits))), NEVER)
        assert not isinstance(caught.value, TimeLimitExceeded)

    asyncio.run(run())


def test_work_that_takes_too_long_is_cancelled_and_may_clean_up() -> None:
    work = _Cleaning()

    async def run() -> None:
        with pytest.raises(TimeLimitExceeded):
            await with_time_limit(work.run(), AT_ONCE)

    asyncio.run(run())
    assert work.cleaned


def test_who_waits_can_be_cancelled() -> None:
    work = _Cleaning()

    async def run() -> None:
        waiting = asyncio.ensure_future(with_time_limit(work.run(), NEVER))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(run())
    assert work.cleaned


def test_work_that_answers_its_cancelling_gives_what_it_has() -> None:
    async def stubborn() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "all the same"
        return "never"

    async def run() -> str:
        waiting = asyncio.ensure_future(with_time_limit(stubborn(), NEVER))
        await asyncio.sleep(0)
        waiting.cancel()
        return await waiting

    assert asyncio.run(run()) == "all the same"
