"""A server in a process of its own: echoes messages by a model that takes as long as the message says.

Its arguments are STORE [NAME=NUMBER …]: limits. It prints its address once it listens.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from msgspec.structs import asdict

import turnwise as tw
from turnwise.api.open import open_store
from turnwise.runner.clocks import SystemClock
from turnwise.server.access import Loopback
from turnwise.server.app import create
from turnwise.server.limits import LOCAL_LIMITS, ServerLimits
from turnwise.server.run import listen, run


class Waits:
    """A model that answers a message such as `wait 2` after so many seconds. At `hang FILE` it hangs unless there is
    such a file, which it makes; at `until FILE` it makes the file, and answers when the file is gone.
    """

    async def reply(self, request: tw.ModelRequest) -> tw.ModelReply:
        last = request.transcript[-1].text if request.transcript else ""
        word, _, rest = last.partition(" ")
        if word == "wait":
            await asyncio.sleep(float(rest))
        if word == "hang" and _is_first(Path(rest)):
            await asyncio.Event().wait()
        if word == "until" and _is_first(Path(rest)):
            while _exists(rest):
                await asyncio.sleep(0.01)
        return tw.ModelReply(f"done: {last}")


def _is_first(file: Path) -> bool:
    """Return whether there was no such file; make it."""
    found = file.exists()
    file.touch()
    return not found


def _exists(file: str) -> bool:
    return Path(file).exists()


def main() -> int:
    _, store, *given = sys.argv
    limits = asdict(LOCAL_LIMITS)
    for name, _, number in (one.partition("=") for one in given):
        limits[name] = type(limits[name])(number)
    flow = tw.Flow("echo", start="a", nodes=(tw.Node("a", prompt="Echo."),))
    app = tw.open(flow, model=Waits(), store=open_store(store))
    server = create([app], access=Loopback(), limits=ServerLimits(**limits), clock=SystemClock())
    return run(server, listen("127.0.0.1", 0), lambda address: print(address, flush=True))


if __name__ == "__main__":
    sys.exit(main())
