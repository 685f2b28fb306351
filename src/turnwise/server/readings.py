"""What metrics read from the store when they are asked for: whether the store answers, and what is late or waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Gauge

from turnwise.api.app import App
from turnwise.errors import TurnwiseError
from turnwise.runner.outbox_port import HasOutbox
from turnwise.runner.store_upkeep import ConnectionLoad, HasConnections, HasHints, HasTransactions

STORE_TIMEOUT_S = 2.0
"""For how many seconds the store is waited for; one that does not answer then counts as down."""
MOST_DELIVERIES_COUNTED = 1_000
"""Up to how many waiting deliveries are counted, so that a long outbox costs no more."""


class _FlowReading(NamedTuple):
    """How late the oldest timer and the oldest delivery of a flow are, in seconds, how many of its versions are
    unavailable, and how many deliveries wait.
    """

    timer_lag_s: float
    unavailable: int
    delivery_lag_s: float = 0.0
    waiting: int = 0


class Readings:
    """Metrics that are read anew for each answer, such as numbers of conversations.
    While the store does not answer those about flows are absent: an old value would hide it.
    """

    def __init__(self, apps: Mapping[str, App], registry: CollectorRegistry) -> None:
        self._apps = apps

        def gauge(name: str, about: str, *labels: str) -> Gauge:
            return Gauge(f"turnwise_{name}", about, labels, registry=registry)

        self._store_up = gauge("store_up", f"1 if the store answered within {STORE_TIMEOUT_S:g} s.")
        self._timer_lag = gauge("timer_lag_seconds", "By how much the oldest due timer is late.", "flow")
        self._delivery_lag = gauge("delivery_lag_seconds", "By how much the oldest due delivery is late.", "flow")
        self._waiting = gauge(
            "deliveries_waiting", f"Deliveries that are not over, up to {MOST_DELIVERIES_COUNTED}.", "flow"
        )
        self._connections = gauge("store_connections", "Connections with which the store may read.")
        self._in_use = gauge("store_connections_in_use", "Those that are used now.")
        self._reads_waiting = gauge("store_reads_waiting", "Queries that wait for a connection.")
        self._transaction = gauge(
            "store_oldest_transaction_seconds", "For how long the oldest transaction of the database is open."
        )
        self._hint_lag = gauge("hint_lag_seconds", "By how much hints of what other replicas write are late.")
        self._unavailable = gauge(
            "flow_versions_unavailable", "Versions that conversations need and that cannot run here.", "flow"
        )

    async def read(self) -> None:
        """Read all of the metrics of this class anew."""
        self._read_connections()
        try:
            async with asyncio.timeout(STORE_TIMEOUT_S):
                found = await asyncio.gather(*[_read(app) for app in self._apps.values()])
                self._transaction.set(await _oldest_transaction_s(self._apps.values()))
        except (TurnwiseError, TimeoutError):
            found = None
        self._store_up.set(found is not None)
        for gauge in (self._timer_lag, self._delivery_lag, self._waiting, self._unavailable):
            gauge.clear()
        for name, flow in zip(self._apps, found or (), strict=found is not None):
            self._timer_lag.labels(name).set(flow.timer_lag_s)
            self._unavailable.labels(name).set(flow.unavailable)
            self._delivery_lag.labels(name).set(flow.delivery_lag_s)
            self._waiting.labels(name).set(flow.waiting)

    def _read_connections(self) -> None:
        """Read how the connections are used, before these readings use some, and how late hints are."""
        stores = [app.runtime.store for app in self._apps.values()]
        load = next((store.connection_load for store in stores if isinstance(store, HasConnections)), ConnectionLoad())
        self._connections.set(load.most)
        self._in_use.set(load.in_use)
        self._reads_waiting.set(load.waiting)
        self._hint_lag.set(max([store.hint_lag_s for store in stores if isinstance(store, HasHints)], default=0.0))


async def _oldest_transaction_s(apps: Iterable[App]) -> float:
    """Return for how long the oldest transaction of their database is open."""
    store = next((app.runtime.store for app in apps if isinstance(app.runtime.store, HasTransactions)), None)
    found = await store.oldest_transaction() if store is not None else None
    return found.seconds if found is not None else 0.0


async def _read(app: App) -> _FlowReading:
    store, flow, now_ms = app.runtime.store, app.machine.flow.name, app.runtime.clock.now_ms()

    def late_s(due_ms: int | None) -> float:
        return max(0, now_ms - due_ms) / 1000 if due_ms is not None else 0.0

    timer_lag_s = late_s(await store.next_due(flow))
    unavailable = await app.runtime.machines.kept.unavailable()
    if not isinstance(store, HasOutbox):
        return _FlowReading(timer_lag_s, unavailable)
    waiting = await store.outbox.count_open(flow, MOST_DELIVERIES_COUNTED)
    return _FlowReading(timer_lag_s, unavailable, late_s(await store.outbox.next_due(flow)), waiting)
