"""A server in a process of its own, with two flows and a few conversations, one of which waits for a person.

It prints its address once it listens.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import turnwise as tw
from turnwise.flow.model import Flow
from turnwise.runner.clocks import ForwardClock
from turnwise.server.access import Loopback
from turnwise.server.app import create
from turnwise.server.limits import LOCAL_LIMITS
from turnwise.server.run import listen, run
from turnwise.server.streams.tab import Stream

ROOT = Path(__file__).parents[2]
OPEN_S = 0.05
"""How long a stream is open."""


AROUND = """
events:
  feedback: {amount: {type: number, optional: true}, currency: {type: string, optional: true}}
overlays:
  feedback: {addendum: Be kind.}
schedules:
  feedback: {cron: "0 18 1 1 *", call: check_in}
"""
CHECK_IN = """
  check_in:
    scope:
      input: {topic: {type: string, default: the day}}
      summary: asked
      start: ask
      nodes:
        ask:
          say: How was {{ input.topic }}?
          transitions: [{id: answered, return: true}]
"""


def timed(text: str) -> Flow:
    """Return a flow with an event, an overlay and a schedule, so that operations about these are not only refused."""
    return tw.loads(text.replace("\nnodes:\n", f"\nnodes:{CHECK_IN}", 1) + AROUND)


async def talked(app: tw.App) -> None:
    """Begin the conversations of the tests."""
    for name in ("x", "y"):
        await app.chat(name).say("I am Maria")
    await app.chat("y").take_over("Lena", reason="asked for a person")


def main() -> int:
    clock, store = ForwardClock(), tw.MemoryStore()
    flows = ("tests/flows/health_intake.flow.yaml", "examples/eligibility/eligibility.flow.yaml")
    apps = [tw.open(timed((ROOT / flow).read_text("utf-8")), store=store, clock=clock) for flow in flows]
    asyncio.run(talked(apps[0]))
    server = create(apps, access=Loopback(), limits=LOCAL_LIMITS, clock=clock)
    hub, opened = server.service.hub, server.service.hub.open

    def ending(*args: Any, **more: Any) -> Stream:
        """Open a stream that ends by itself, for clients that read all of it."""
        stream = opened(*args, **more)
        asyncio.get_running_loop().call_later(OPEN_S, stream.cut)
        return stream

    hub.open = ending  # type: ignore[method-assign]
    return run(server, listen("127.0.0.1", 0), lambda address: print(address, flush=True))


if __name__ == "__main__":
    sys.exit(main())
