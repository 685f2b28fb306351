"""A server in the process of the test, and a client for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import httpx

import turnwise as tw
from turnwise.server.access import Identity, Loopback
from turnwise.server.app import Server, create
from turnwise.server.limits import LOCAL_LIMITS, ServerLimits

ROOT = Path(__file__).parents[2]
ELIGIBILITY = ROOT / "examples/eligibility/eligibility.flow.yaml"
LONGEST_S = 60.0
"""How long a test may take."""


class Names:
    """The access of tests: the header is `Bearer ada chat,debug:read`."""

    def identify(self, scope: Mapping[str, Any]) -> Identity | None:
        header = dict(scope["headers"]).get(b"authorization", b"").decode()
        _, _, rest = header.partition(" ")
        owner, _, scopes = rest.partition(" ")
        return Identity(owner, frozenset(scopes.split(","))) if owner else None  # type: ignore[arg-type]


class Client(httpx.AsyncClient):
    """A client of one server in this process."""

    server: Server

    def as_(self, owner: str, *scopes: str) -> dict[str, str]:
        """Return the header of an owner with scopes, `chat` by default."""
        return {"authorization": f"Bearer {owner} {','.join(scopes or ('chat',))}"}


@asynccontextmanager
async def served(
    *apps: tw.App,
    keys: bool = False,
    access: Any = None,
    limits: ServerLimits = LOCAL_LIMITS,
    clock: Any = None,
    **more: Any,
) -> Any:
    """Serve apps, by default one of the example `eligibility`; yield a client."""
    clock = clock or tw.ManualClock(1_700_000_000_000)
    found = apps or (tw.open(ELIGIBILITY, clock=clock),)
    access = access or (Names() if keys else Loopback())
    server = create(found, access=access, limits=limits, clock=clock, **more)
    transport = httpx.ASGITransport(app=server)  # type: ignore[arg-type]
    async with Client(transport=transport, base_url="http://localhost") as client:
        client.server = server
        for app in found:
            await app.__aenter__()
        try:
            yield client
        finally:
            for app in found:
                await app.close()


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run a test that is a coroutine, with a time limit."""

    @wraps(test)
    def run(*args: Any, **more: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **more), LONGEST_S))  # type: ignore[arg-type]

    return run


def events_of(text: str) -> Iterator[dict[str, str]]:
    """Yield the events of an event stream as a client of the standard reads it: event, data, id."""
    for block in text.replace("\r\n", "\n").split("\n\n"):
        found: dict[str, str] = {}
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                found["data"] = f"{found['data']}\n{value}" if "data" in found else value
            elif name:
                found[name] = value
        if "data" in found:
            yield found
