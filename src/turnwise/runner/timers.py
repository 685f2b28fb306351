"""Timers: looked for again and again, fired when they are due."""

from __future__ import annotations

import asyncio
import logging

from turnwise.errors import TurnwiseError
from turnwise.runner.engine import LocalEngine

LONGEST_WAIT_S = 1.0
"""How late a timer may be that another process has armed."""

_log = logging.getLogger("turnwise.runner")


async def run_timers(engine: LocalEngine) -> None:
    """Fire what is due, and wait for the next, until cancelled."""
    while True:
        wait_s = LONGEST_WAIT_S
        try:
            await engine.fire_due()
            next_ms = await engine.next_due()
            if next_ms is not None:
                wait_s = min(LONGEST_WAIT_S, max(0.01, (next_ms - engine.clock.now_ms()) / 1000))
        except TurnwiseError as error:
            _log.error("timers: %s", error)
        await asyncio.sleep(wait_s)
