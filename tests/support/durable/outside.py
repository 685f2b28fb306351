"""The world outside: what effect tools did, each in a line of a file that no store knows of, synced as it is done."""

from __future__ import annotations

import asyncio
import json
import os
import random
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import turnwise as tw

POLICIES = {"pay": "again", "send": "check", "ring": "unknown", "settle": "check", "book": "unknown"}
"""The policy of each tool for a call that began and has no result, as in the flow."""


STILL_S = 0.5
"""How long a process stands still at least between the confirmation of its claim and what the tool does, before another
one may have taken over the turn: half of the shortest lease with which processes are stopped.
"""


class Done(NamedTuple):
    """One run of a tool: under which key, in which process, with what as its result. `stood_still`: its process was
    stopped inside the call, where no store can keep it from being made again.
    """

    tool: str
    key: str
    life: int
    receipt: str
    stood_still: bool = False


class Outside:
    """Tools that change the world. `reach` is called when a tool has done its work and not returned yet."""

    def __init__(self, path: Path, chance: random.Random, reach: Callable[[str], None]) -> None:
        self.path = path
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self.chance = chance
        self.reach = reach
        self.confirmed: dict[str, float] = {}
        """By conversation when its claim was confirmed last."""

    def watch(self, store: Any) -> None:
        """Take note of when claims are confirmed."""
        holds = store.holds

        async def watched(conversation: str, fence: int) -> bool:
            found = await holds(conversation, fence)
            self.confirmed[conversation] = time.monotonic()
            return found

        store.holds = watched

    def tools(self) -> dict[str, Callable[..., object]]:
        """The functions, by the names that the flow gives them."""

        @tw.tool
        async def look() -> str:
            """Look something up."""
            await self._takes_a_while()
            return secrets.token_hex(4)

        @tw.tool(kind="effect")
        def pay(amount: int, call: tw.ToolCall) -> str:
            """Pay; in a thread."""
            return self._do(call, amount)

        def was_sent(call: tw.ToolCall) -> str:
            return self.receipt(call.key)

        def was_settled(call: tw.ToolCall) -> dict[str, str]:
            return {"receipt": self.receipt(call.key)}

        @tw.tool(kind="effect", on_crash="check", check=was_sent)
        async def send(call: tw.ToolCall) -> str:
            """Send something."""
            await self._takes_a_while()
            return self._do(call)

        @tw.tool(kind="effect", on_crash="unknown")
        async def ring(call: tw.ToolCall) -> str:
            """Ring."""
            await self._takes_a_while()
            return self._do(call)

        @tw.tool(kind="effect", on_crash="unknown", confirm=True)
        def book(call: tw.ToolCall) -> str:
            """Book, after a yes; in a thread."""
            return self._do(call)

        @tw.tool(kind="effect", on_crash="check", check=was_settled)
        async def settle(call: tw.ToolCall) -> dict[str, str]:
            """Settle; the work of a node."""
            return {"receipt": self._do(call)}

        return {"look": look, "pay": pay, "send": send, "ring": ring, "book": book, "settle": settle}

    def receipt(self, key: str) -> str:
        """What was done under a key. Raises `NotDone`."""
        found = [one.receipt for one in done_in(self.path) if one.key == key]
        if not found:
            raise tw.NotDone
        return found[-1]

    def _do(self, call: tw.ToolCall, amount: int = 1) -> str:
        """Do the work, durably, and then perhaps die before returning."""
        stood_still = time.monotonic() - self.confirmed[call.conversation] > STILL_S
        done = Done(call.tool, call.key, os.getpid(), f"{amount}-{secrets.token_hex(8)}", stood_still)
        os.write(self.file, json.dumps(done).encode() + b"\n")
        os.fsync(self.file)
        self.reach("in a tool")
        return done.receipt

    async def _takes_a_while(self) -> None:
        await asyncio.sleep(self.chance.uniform(0, 0.002))


def done_in(path: Path) -> list[Done]:
    """All that was done, in its order."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    return [Done(*json.loads(line)) for line in lines]
