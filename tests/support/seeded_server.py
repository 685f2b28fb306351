"""A server in a process of its own, with two flows and a few conversations, one of which waits for a person.

It prints its address once it listens.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import turnwise as tw
from turnwise.runner.clocks import ForwardClock
from turnwise.server.access import Loopback
from turnwise.server.app import create
from turnwise.server.limits import LOCAL_LIMITS
from turnwise.server.run import listen, run

ROOT = Path(__file__).parents[2]


async def talked(app: tw.App) -> None:
    """Begin the conversations of the tests."""
    for name in ("x", "y", "z"):
        await app.chat(name).say("we have some")
    await app.chat("y").take_over("Lena", reason="asked for a person")


def main() -> int:
    clock, store = ForwardClock(), tw.MemoryStore()
    flows = ("examples/eligibility/eligibility.flow.yaml", "tests/flows/health_intake.flow.yaml")
    apps = [tw.open(ROOT / flow, store=store, clock=clock) for flow in flows]
    asyncio.run(talked(apps[0]))
    server = create(apps, access=Loopback(), limits=LOCAL_LIMITS, clock=clock)
    return run(server, listen("127.0.0.1", 0), lambda address: print(address, flush=True))


if __name__ == "__main__":
    sys.exit(main())
