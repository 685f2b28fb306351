"""Applies retention: what an app is opened with, and what each kept version of a flow says in `keep`."""

from __future__ import annotations

import asyncio
import logging

from msgspec.structs import replace

from turnwise.core.state.retention import Retention
from turnwise.errors import TurnwiseError
from turnwise.flow.model import Keep
from turnwise.runner.machines import flow_of_document
from turnwise.runner.ports import Clock, Progress, Retained, Store

INTERVAL_S = 3600.0
"""The time between two searches for old events and decisions, in seconds."""

_log = logging.getLogger("turnwise.runner")


class VersionRetention:
    """Reads the `keep` declarations of the flow versions in a store, each version once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, Retention | None] = {}

    async def with_kept_times(self, retention: Retention) -> Retention:
        """Return a retention extended by the `keep` declarations of all flow versions in a store.
        A version whose flow cannot be read adds nothing.
        """
        for fingerprint in await self._store.versions():
            if fingerprint not in self._known:
                self._known[fingerprint] = await self._read(fingerprint)
        found = {fingerprint: own for fingerprint, own in self._known.items() if own is not None}
        return replace(retention, versions={**found, **retention.versions})

    async def _read(self, fingerprint: str) -> Retention | None:
        document = await self._store.flow(fingerprint)
        try:
            keep = flow_of_document(fingerprint, document).keep if document is not None else Keep()
        except (TurnwiseError, ValueError) as error:
            _log.error("retention: what the version %s keeps is unknown: %s", fingerprint, error)
            return None
        return Retention(keep.events, keep.decisions) if keep != Keep() else None


async def retain(store: Store, retention: Retention, now_ms: int, progress: Progress | None = None) -> Retained:
    """Erase and trim what is older than a retention, or than the flow versions in the store keep; return the counts."""
    return await store.retain(await VersionRetention(store).with_kept_times(retention), now_ms, progress)


async def run_retention(store: Store, clock: Clock, retention: Retention) -> None:
    """Apply retention now and every hour, until cancelled."""
    versions = VersionRetention(store)
    while True:
        try:
            events, decisions = await store.retain(await versions.with_kept_times(retention), clock.now_ms())
            if events or decisions:
                _log.info("retention: %d events erased, %d decisions trimmed", events, decisions)
        except TurnwiseError as error:
            _log.error("retention: %s", error)
        await asyncio.sleep(INTERVAL_S)
