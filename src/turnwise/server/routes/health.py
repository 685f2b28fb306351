"""Health, readiness, and who is asking."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise import __version__
from turnwise.runner.clocks import ForwardClock
from turnwise.server.operation import OperationCall, operation
from turnwise.server.problems import draining_problem
from turnwise.server.responses import Reply
from turnwise.server.wire.conversations import Me


class Health(Struct, frozen=True):
    """The process answers; or it is ready for new turns."""

    status: Literal["ok", "ready"]
    """`ok` where the process answers, `ready` where it takes new turns."""


@operation("GET", "/health", None, answer=Health)
async def health(call: OperationCall) -> Health:  # noqa: ARG001  it answers as long as the process does
    """Report that the process answers."""
    return Health("ok")


@operation("GET", "/ready", None, answer=Health)
async def ready(call: OperationCall) -> Health:
    """Report that the server takes new turns; 503 while it stops, and where its store cannot be read."""
    if call.service.is_leaving:
        raise draining_problem()
    await call.service.store.conversations(1)
    return Health("ready")


@operation("GET", "/me", "chat", answer=Me)
async def me(call: OperationCall) -> Me:
    """Return who is asking: owner, scopes and limits."""
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
