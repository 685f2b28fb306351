"""Upkeep that goes on by itself: what is older than it is kept is erased."""

from __future__ import annotations

import asyncio
import logging

from turnwise.core.retain import Retention
from turnwise.errors import TurnwiseError
from turnwise.runner.ports import Clock, Store

EVERY_S = 3600.0
"""How often old events and decisions are looked for."""

_log = logging.getLogger("turnwise.runner")


async def run_retention(store: Store, clock: Clock, retention: Retention) -> None:
    """Erase and trim now and every hour, until cancelled."""
    while True:
        try:
            events, decisions = await store.retain(retention, clock.now_ms())
            if events or decisions:
                _log.info("retention: %d events erased, %d decisions trimmed", events, decisions)
        except TurnwiseError as error:
            _log.error("retention: %s", error)
        await asyncio.sleep(EVERY_S)
