"""The clock of a demonstration: time is moved forward, so that timers need not be waited for."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from turnwise.runner.clocks import ForwardClock
from turnwise.server.operation import OperationCall, operation
from turnwise.server.problems import RequestFailed

MOST_ADVANCE_S = 366 * 86_400
"""By how many seconds one request may move the clock of the demonstration forward: 366 days."""


class ClockMove(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to move the clock of a demonstration forward."""

    advance_s: Annotated[float, Meta(gt=0, le=MOST_ADVANCE_S)]
    """By how many seconds to move the clock forward."""


class ClockView(Struct, frozen=True):
    """The time of the server's clock, how far it is ahead of the real time, and how many timers fired."""

    now_ms: int
    """The time of the server now, in milliseconds since 1970."""
    ahead_ms: int
    """How many milliseconds the server's clock is ahead of the real time."""
    fired: int
    """How many timers and schedules fired because the clock was moved."""


@operation(
    "POST",
    "/demo/clock",
    "admin",
    answer=ClockView,
    body=ClockMove,
    errors=(404, 409),
    examples={"half an hour": {"advance_s": 1800}},
)
async def advance(call: OperationCall) -> ClockView:
    """Move the clock of a demonstration forward, and fire the timers that are due then.

    Only `turnwise demo` has such a clock (`has_demo_clock` of `/me`); other servers answer 404.
    """
    clock = call.service.clock
    if not isinstance(clock, ForwardClock):
        raise RequestFailed("unknown_path", "only a demonstration has a clock that can be moved forward")
    clock.move_s((await call.body(ClockMove)).advance_s)
    fired = sum([await app.tick() for app in call.service.apps.values()])
    return ClockView(clock.now_ms(), clock.ahead_ms, fired)


OPERATIONS = (advance,)
"""The operations of this module, which the server serves."""
