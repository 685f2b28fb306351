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


@operation("GET", "/metrics", "admin", also=("text/plain",))
async def metrics(call: OperationCall) -> Reply:
    """Return counts for Prometheus: requests by status, turns, open streams, whether the server drains."""
    service = call.service
    lines = ["# TYPE turnwise_requests_total counter"]
    lines += [f'turnwise_requests_total{{status="{status}"}} {n}' for status, n in sorted(service.answered.items())]
    for name, kind, value in (
        ("turnwise_turns_total", "counter", service.hub.feeds.turns),
        ("turnwise_open_streams", "gauge", len(service.hub)),
        ("turnwise_draining", "gauge", int(service.is_draining)),
    ):
        lines += [f"# TYPE {name} {kind}", f"{name} {value}"]
    return Reply("\n".join([*lines, ""]).encode(), b"text/plain; version=0.0.4; charset=utf-8")


OPERATIONS = (health, ready, metrics, me)
