"""A server in the process of the test, and a client for it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from functools import cache, wraps
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx

import turnwise as tw
from turnwise.api.documents import link_checked
from turnwise.core.machine import Machine
from turnwise.server import openapi
from turnwise.server.access import Access, Identity, Loopback
from turnwise.server.app import PREFIX, ROUTES, Server, create
from turnwise.server.limits import LOCAL_LIMITS, ServerLimits

ROOT = Path(__file__).parents[2]
ELIGIBILITY = ROOT / "examples/eligibility/eligibility.flow.yaml"
LONGEST_S = 120.0
"""How long a test may take."""


class Names(Access):
    """The access of tests: the header is `Bearer ada chat,debug:read`."""

    def identify(self, scope: Mapping[str, Any]) -> Identity | None:
        header = dict(scope["headers"]).get(b"authorization", b"").decode()
        _, _, rest = header.partition(" ")
        owner, _, scopes = rest.partition(" ")
        return Identity(owner, frozenset(scopes.split(","))) if owner else None  # type: ignore[arg-type]


async def check_declared(answer: httpx.Response) -> None:
    """Check that an operation declares the status that it answers with."""
    path = answer.request.url.raw_path.decode().partition("?")[0]
    for pattern, method, declared in declared_statuses():
        if method == answer.request.method and pattern.fullmatch(path):
            assert answer.status_code in declared, f"{method} {path} does not declare {answer.status_code}"
            return


@cache
def declared_statuses() -> tuple[tuple[re.Pattern[str], str, frozenset[int]], ...]:
    """Return the statuses of each operation, by a pattern of its path and its method; literal paths come first."""
    operations = sorted((one for operations in ROUTES for one in operations), key=lambda one: one.path.count("{"))
    return tuple(
        (
            re.compile(re.sub(r"{\w+}", "[^/]+", PREFIX + one.path)),
            one.method,
            frozenset({one.status, *openapi.statuses(one)}),
        )
        for one in operations
    )


class Client(httpx.AsyncClient):
    """A client of one server in this process."""

    server: Server

    def as_(self, owner: str, *scopes: str) -> dict[str, str]:
        """Return the header of an owner with scopes, `chat` by default."""
        return {"authorization": f"Bearer {owner} {','.join(scopes or ('chat',))}"}


@cache
def eligibility() -> Machine:
    """Return the linked example; nothing changes a machine, so that tests share it."""
    return link_checked(ELIGIBILITY)


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
    found = apps or (tw.open(eligibility(), clock=clock),)
    access = access or (Names() if keys else Loopback())
    server = create(found, access=access, limits=limits, clock=clock, **more)
    transport = httpx.ASGITransport(app=server)  # type: ignore[arg-type]
    hooks = {"response": [check_declared]}
    async with Client(transport=transport, base_url="http://localhost", event_hooks=hooks) as client:
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


class Listening:
    """An event stream of a server in this process, read event by event. A `paused` one takes nothing, one with `most`
    events takes no more.
    """

    def __init__(
        self, server: Any, path: str, headers: Mapping[str, str] | None = None, body: bytes = b"", *, most: int = 0
    ) -> None:
        self.status = 0
        self.text = ""
        self.events: list[dict[str, str]] = []
        self.paused = False
        self._most = most
        self.is_complete = False
        self._body = body
        self._rest = ""
        self._has_left = asyncio.Event()
        self._come = asyncio.Event()
        self._asked = False
        path, _, query = path.partition("?")
        given = {"host": "localhost", "accept": "text/event-stream", **(headers or {})}
        scope = {
            "type": "http",
            "method": "POST" if body else "GET",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "scheme": "http",
            "http_version": "1.1",
            "headers": [(name.lower().encode(), value.encode()) for name, value in given.items()],
            "client": ("127.0.0.1", 1),
        }
        self.task = asyncio.ensure_future(server(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": self._body, "more_body": False}
        await self._has_left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Mapping[str, Any]) -> None:
        while self.paused or 0 < self._most <= len(self.named()):
            await asyncio.sleep(0.01)
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        self.text += message["body"].decode()
        blocks = (self._rest + message["body"].decode()).split("\n\n")
        self._rest = blocks.pop()
        self.events += [event for block in blocks for event in events_of(block)]
        self.is_complete = not message.get("more_body")
        self._come.set()

    async def until(self, is_enough: Callable[[list[dict[str, str]]], bool], within_s: float = 60.0) -> None:
        """Wait until the events are enough."""
        async with asyncio.timeout(within_s):
            while not is_enough(self.events):
                self._come.clear()
                if self.task.done():
                    self.task.result()
                    raise AssertionError(f"the stream ended early: {self.text[-500:]}")
                await asyncio.wait(
                    [asyncio.ensure_future(self._come.wait()), self.task], return_when=asyncio.FIRST_COMPLETED
                )

    async def count(self, number: int) -> list[dict[str, str]]:
        """Wait for so many events beside pings."""
        await self.until(lambda _: len(self.named()) >= number)
        return self.named()

    def named(self, *names: str) -> list[dict[str, str]]:
        """Return the events of some names, or all but pings."""
        return [one for one in self.events if (one["event"] in names if names else one["event"] != "ping")]

    async def ended(self) -> None:
        """Wait for the end of the response."""
        async with asyncio.timeout(60):
            await self.task

    async def leave(self) -> None:
        """Close the connection, as a client does."""
        self._has_left.set()
        self.paused, self._most = False, 0
        await self.ended()
