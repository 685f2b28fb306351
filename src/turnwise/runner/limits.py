"""Bounds of time on work that somebody else's code does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Generator
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class Late(TimeoutError):
    """Work did not end in its time."""


def within(seconds: float | None) -> AbstractAsyncContextManager[Any]:
    """What is done in it raises `TimeoutError` after so many seconds; `None` gives it all the time it needs."""
    return nullcontext() if seconds is None else asyncio.timeout(seconds)


async def in_time(work: Awaitable[Result], seconds: float) -> Result:
    """What the work gives. Raises `Late` after so many seconds; work that never waits needs no alarm."""
    steps = work.__await__()
    try:
        first = next(steps)
    except StopIteration as done:
        return done.value
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await _Begun(first, steps)
    except TimeoutError:
        if limit.expired():
            raise Late from None
        raise


class _Begun(Generic[Result]):
    """Work that has come to where it waits: awaiting this goes on from there."""

    def __init__(self, first: Any, steps: Generator[Any, Any, Result]) -> None:
        self.first = first
        self.steps = steps

    def __await__(self) -> Generator[Any, Any, Result]:
        try:
            yield self.first
        except BaseException as error:  # noqa: BLE001  it is the work's to answer, also where it is cancelled
            try:
                again = self.steps.throw(error)
            except StopIteration as done:
                return done.value
            return (yield from _Begun(again, self.steps).__await__())
        return (yield from self.steps)
