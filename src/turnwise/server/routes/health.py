"""Health, readiness, and who is asking."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from turnwise import __version__
from turnwise.runner.clocks import ForwardClock
from turnwise.server.operation import Call, operation
from turnwise.server.problems import RequestFailed
from turnwise.server.wire.conversations import Me


class Health(Struct, frozen=True):
    """The process answers; or it is ready for new turns."""

    status: Literal["ok", "ready"]


@operation("GET", "/health", None, answer=Health)
async def health(call: Call) -> Health:  # noqa: ARG001  it answers as long as the process does
    """Report that the process answers."""
    return Health("ok")


@operation("GET", "/ready", None, answer=Health)
async def ready(call: Call) -> Health:
    """Report that the server takes new turns; 503 while it stops, and where its store cannot be read."""
    if call.service.is_draining:
        raise RequestFailed("draining", "the server is about to stop and takes no new turns")
    await call.service.store.conversations(1)
    return Health("ready")


@operation("GET", "/me", "chat", answer=Me)
async def me(call: Call) -> Me:
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


OPERATIONS = (health, ready, me)
