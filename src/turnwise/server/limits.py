"""The limits of a server. Each has a name, which the error says when it is exceeded."""

from __future__ import annotations

from msgspec import Struct

from turnwise.runner.ports import Clock
from turnwise.server.problems import RequestFailed
from turnwise.server.wire import conversations as wire


class ServerLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """What clients may do. Each limit per owner is for all keys of the owner together; 0 means no limit."""

    body_bytes: int = 1_048_576
    """The longest body of a request."""
    import_bytes: int = 64 * 1_048_576
    """The longest file that is imported."""
    message_chars: int = 20_000
    """The longest message; the flow may allow less."""
    requests_per_minute: int = 1_200
    """Requests per owner, and per address without a valid key."""
    open_streams: int = 50
    """Open streams per owner."""
    conversations: int = 10_000
    """Stored conversations per owner."""
    stream_conversations: int = 100
    """Conversations of one stream."""
    connections: int = 2_000
    """Open connections of the process."""
    header_s: float = 10.0
    """A connection that sends no complete request for so long is closed."""
    stalled_s: float = 20.0
    """A stream whose client takes nothing for so long is closed; it can be resumed."""
    ping_s: float = 15.0
    """An idle stream sends an event `ping` this often."""
    leave_s: float = 0.0
    """How long a server that is to stop serves as before, while `/ready` answers 503 and a load balancer notices."""
    drain_s: float = 25.0
    """How long running turns may take when the server stops."""

    def view(self) -> wire.Limits:
        """Return what clients are shown."""
        return wire.Limits(
            self.body_bytes, self.message_chars, self.requests_per_minute, self.open_streams, self.conversations
        )


_UNLIMITED = dict.fromkeys(("requests_per_minute", "open_streams", "conversations"), 0)
LOCAL_LIMITS = ServerLimits(**_UNLIMITED)
"""On loopback without keys no limit is per owner, since everybody is one owner."""


class RateLimit:
    """Counts requests per owner: a bucket that holds the requests of a minute and fills evenly."""

    MOST = 10_000
    """Of how many owners the buckets are kept; a full bucket needs none."""

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
