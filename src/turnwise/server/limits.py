"""The limits of a server, each with a name that its error says; and counters of requests and visitors, which enforce
two of them.
"""

from __future__ import annotations

from msgspec import Struct

from turnwise.runner.ports import Clock
from turnwise.server.problems import RequestFailed
from turnwise.server.wire import conversations as wire


class ServerLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of a server's clients. A limit per owner is for all keys of the owner together; 0 means no limit.

    `conversations` holds over all servers of one store. Every other limit holds for each process by itself: where
    several serve one store, an owner may have as many requests and streams at each.
    """

    body_bytes: int = 1_048_576
    """The longest body of a request, in bytes."""
    import_bytes: int = 64 * 1_048_576
    """The longest file that is imported, in bytes."""
    message_chars: int = 20_000
    """The longest message, in characters; the flow may allow less."""
    requests_per_minute: int = 1_200
    """How many requests an owner may send per minute, or an address without a valid key; 0 for no limit."""
    open_streams: int = 50
    """How many streams an owner may have open at the same time; 0 for no limit."""
    conversations: int = 10_000
    """How many stored conversations an owner may have, over all servers of the store; 0 for no limit.
    Each server begins at once at most an eighth of what is left to the owner, and at least one; others wait. Several
    servers together exceed the limit by no more than that for each other server."""
    stream_conversations: int = 100
    """How many conversations one stream may watch at most."""
    streams_per_address: int = 200
    """How many streams and running turns the visitors of one network address may have; 0 for no limit.
    There are never more than a quarter of `connections`."""
    visitors_per_address: int = 500
    """How many visitors of one network address there may be in ten minutes: tokens are free, so they limit no one."""
    waiting_bytes: int = 262_144
    """How many bytes of events wait in memory for the client of one stream; more are read from the store later."""
    all_waiting_bytes: int = 33_554_432
    """How many bytes wait in memory for the clients of all streams; beyond it those that stall longest are cut."""
    connections: int = 2_000
    """How many connections the process has open; beyond it a new one takes the place of an unused one."""
    header_s: float = 10.0
    """After how many seconds a connection without a complete request is closed."""
    stalled_s: float = 20.0
    """After how many seconds a stream whose client reads nothing is closed; it can be resumed."""
    ping_s: float = 15.0
    """After how many seconds an idle stream sends an event `ping`."""
    leave_s: float = 0.0
    """For how many seconds a stopping server serves as before, while `/ready` answers 503 for load balancers."""
    drain_s: float = 25.0
    """For how many seconds running turns may continue when the server stops."""

    def view(self) -> wire.OwnerLimits:
        """Return the limits that clients are shown."""
        return wire.OwnerLimits(
            self.body_bytes, self.message_chars, self.requests_per_minute, self.open_streams, self.conversations
        )


_UNLIMITED = dict.fromkeys(("requests_per_minute", "open_streams", "conversations"), 0)
LOCAL_LIMITS = ServerLimits(**_UNLIMITED)
"""On loopback without keys no limit is per owner, since everybody is one owner."""


class VisitorLimit:
    """Limits the recent visitors of each network address."""

    LATELY_MS = 600_000
    """For how many milliseconds a visitor counts."""
    MOST = 10_000
    """How many addresses are kept with their visitors."""

    def __init__(self, per_address: int, clock: Clock) -> None:
        self.per_address = per_address
        self.clock = clock
        self._seen: dict[str, dict[str, int]] = {}

    def take(self, address: str, visitor: str) -> None:
        """Record a visitor of an address. Raises `RequestFailed` for a new one where there are too many."""
        if not self.per_address:
            return
        now_ms, seen = self.clock.now_ms(), self._seen.pop(address, {})
        if visitor not in seen and len(seen) >= self.per_address:
            seen = {one: at_ms for one, at_ms in seen.items() if now_ms - at_ms < self.LATELY_MS}
        self._seen[address] = seen
        if len(self._seen) > self.MOST:
            del self._seen[next(iter(self._seen))]
        if visitor not in seen and len(seen) >= self.per_address:
            why = f"visitors_per_address is {self.per_address}, and as many came from your address lately"
            retry = ((b"retry-after", b"60"),)
            raise RequestFailed("too_many_visitors", why, limit="visitors_per_address", headers=retry)
        seen[visitor] = now_ms


class RateLimit:
    """Limits requests per owner: a bucket that holds the requests of a minute and fills evenly."""

    MOST = 10_000
    """How many owners are kept with their buckets; an owner with a full bucket is not kept."""

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self.per_minute = per_minute
        self.clock = clock
        self._buckets: dict[str, tuple[float, int]] = {}

    def take(self, owner: str) -> None:
        """Count a request. Raises `RequestFailed` with `Retry-After` if there are too many."""
        if not self.per_minute:
            return
        now_ms, most = self.clock.now_ms(), float(self.per_minute)
        left, since_ms = self._buckets.pop(owner, (most, now_ms))
        left = min(most, left + max(0, now_ms - since_ms) * most / 60_000)
        self._buckets[owner] = (left - 1 if left >= 1 else left, now_ms)
        if len(self._buckets) > self.MOST:
            del self._buckets[next(iter(self._buckets))]
        if left < 1:
            wait_s = int((1 - left) * 60 / most) + 1
            raise RequestFailed(
                "rate_limited",
                f"requests_per_minute is {self.per_minute}; try again in {wait_s} s",
                limit="requests_per_minute",
                headers=((b"retry-after", str(wait_s).encode()),),
            )
