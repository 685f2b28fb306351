"""Whoever follows the events of a conversation can be cancelled at any moment."""

from __future__ import annotations

import asyncio

import pytest

from turnwise.core.state.events import Entry
from turnwise.runner.streams import _next


def test_a_cancellation_that_comes_together_with_an_entry_is_not_lost() -> None:
    async def play() -> None:
        queue: asyncio.Queue[Entry] = asyncio.Queue()
        following = asyncio.create_task(_next(queue))
        await asyncio.sleep(0)
        queue.put_nowait(None)  # type: ignore[arg-type]
        following.cancel()
        with pytest.raises(asyncio.CancelledError):
            await following

    asyncio.run(play())
