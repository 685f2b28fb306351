"""The server that the benchmark measures: one process, and a model that answers at once. It is started with the address
of a store; with `tooled` as a second argument it serves the turn with a tool call instead of the flow of forms.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import turnwise as tw
from turnwise.runner.clocks import SystemClock
from turnwise.server.access import Loopback
from turnwise.server.app import create
from turnwise.server.limits import LOCAL_LIMITS
from turnwise.server.run import listen, run

FLOW = Path(__file__).with_name("coffee.flow.yaml")


class Instant:
    """A model that takes no time."""

    async def reply(self, request: Any) -> tw.ModelReply:  # noqa: ARG002  it always says the same
        """Return the same reply to each request."""
        return tw.ModelReply("The beans come from Ethiopia, and were roasted last week.")


if __name__ == "__main__":
    if sys.argv[2:] == ["tooled"]:
        from adapters.turnwise import FakeModel, order_flow

        app = tw.open(order_flow(), store=sys.argv[1], model=FakeModel())
    else:
        app = tw.open(FLOW, store=sys.argv[1], model=Instant())
    application = create([app], access=Loopback(), limits=LOCAL_LIMITS, clock=SystemClock())
    listening = listen("127.0.0.1", 0)
    run(application, listening, lambda _: print(listening.getsockname()[1], flush=True))
