"""Health, readiness, and who is asking."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from turnwise import __version__
from turnwise.runner.clocks import ForwardClock
from turnwise.runner.machines import KeptMachines
from turnwise.runner.ports import Store
from turnwise.server.operation import OperationCall, operation
from turnwise.server.problems import RequestFailed, draining_problem
from turnwise.server.readings import STORE_TIMEOUT_S
from turnwise.server.responses import Reply
from turnwise.server.wire.conversations import Me


class Health(Struct, frozen=True):
    """The answer that the process is alive."""

    status: Literal["ok"]
    """Always `ok`: a process that is not alive does not answer."""


class Readiness(Struct, frozen=True):
    """The answer that the server accepts new turns."""

    status: Literal["ready"]
    """Always `ready`: otherwise the answer is a problem with the status 503."""
    unavailable_versions: int
    """How many flow versions that conversations needed cannot run here.
    Their events are refused with `flow_unavailable`, and left to replicas that have their Python functions."""


@operation("GET", "/health", None, answer=Health)
async def health(call: OperationCall) -> Health:  # noqa: ARG001  it answers as long as the process does
    """Report that the process answers."""
    return Health("ok")


@operation("GET", "/ready", None, answer=Readiness)
async def ready(call: OperationCall) -> Readiness:
    """Report that the server accepts new turns; 503 while it stops, and where its store cannot be read."""
    if call.service.is_leaving:
        raise draining_problem()
    kept = [app.runtime.machines.kept for app in call.service.apps.values()]
    return Readiness("ready", await _unavailable(call.service.store, kept))


async def _unavailable(store: Store, kept: Sequence[KeptMachines]) -> int:
    """Return how many versions are unavailable. Raises `RequestFailed` or `StoreFailed` if the store cannot be read,
    before the caller gives up.
    """
    try:
        async with asyncio.timeout(STORE_TIMEOUT_S):
            await store.conversations(1)
            return sum([await one.unavailable() for one in kept])
    except TimeoutError:
        raise RequestFailed("store_unavailable", f"the store gave no answer within {STORE_TIMEOUT_S:g} s") from None


@operation("GET", "/me", "chat", answer=Me)
async def me(call: OperationCall) -> Me:
    """Return the caller's identity: owner, scopes and limits."""
    identity = call.identity
    return Me(
        identity.owner,
        identity.granted,
        call.service.limits.view(),
        __version__,
        is_local=identity.is_local,
        has_demo_clock=isinstance(call.service.clock, ForwardClock),
    )


@operation("GET", "/metrics", "metrics", also=("text/plain", "application/openmetrics-text"))
async def metrics(call: OperationCall) -> Reply:
    """Return the metrics of this process for Prometheus, also in the format OpenMetrics."""
    return Reply(*await call.service.metrics.exposition(call.header(b"accept")))


OPERATIONS = (health, ready, metrics, me)
"""The operations of this module, which the server serves."""
