"""Makes the server: an ASGI application with the HTTP API and the studio.

`create` takes opened apps and everything else as arguments; it chooses nothing itself. How a route is written is
described in `turnwise.server.operation`; a new module of routes is added to `ROUTES` below.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from msgspec.json import encode

from turnwise.api.app import App
from turnwise.runner.ports import Clock
from turnwise.server import openapi
from turnwise.server.access import Access
from turnwise.server.addresses import Proxies
from turnwise.server.dispatch import Dispatch
from turnwise.server.document_editing import Editing
from turnwise.server.gate import LOOPBACK_NAMES, Gate
from turnwise.server.limits import ServerLimits
from turnwise.server.operation import Operation
from turnwise.server.page import Page
from turnwise.server.problems import wrong_method
from turnwise.server.reload import FlowReloader
from turnwise.server.responses import Receive, Reply, Send
from turnwise.server.routes import (
    approvals,
    conversations,
    copies,
    deliveries,
    demo,
    editing,
    events,
    external_events,
    flows,
    health,
    lists,
    people,
    questions,
    records,
    schedules,
    timing,
    turns,
    what_if,
)
from turnwise.server.service import Service
from turnwise.server.sources import Source

ROUTES: tuple[Sequence[Operation], ...] = (
    health.OPERATIONS,
    conversations.OPERATIONS,
    demo.OPERATIONS,
    flows.OPERATIONS,
    editing.OPERATIONS,
    questions.OPERATIONS,
    what_if.OPERATIONS,
    lists.OPERATIONS,
    records.OPERATIONS,
    copies.OPERATIONS,
    people.OPERATIONS,
    approvals.OPERATIONS,
    timing.OPERATIONS,
    schedules.OPERATIONS,
    deliveries.OPERATIONS,
    turns.OPERATIONS,
    events.OPERATIONS,
    external_events.OPERATIONS,
)
"""The operations of the API, by module."""
OPERATIONS = tuple(one for operations in ROUTES for one in operations)
"""All operations of the API."""
PREFIX = "/api"
"""What stands before the paths of the API."""
_log = logging.getLogger("turnwise.server")
CLOSE_S = 5.0
"""How many seconds closing may take after the running turns had their time."""


class Server:
    """The ASGI application of turnwise's API and studio; `service` has the flows that it serves."""

    def __init__(
        self,
        service: Service,
        hosts: Iterable[str] | None,
        origins: Iterable[str],
        proxies: Proxies | None = None,
    ) -> None:
        self.service = service
        self.watch: FlowReloader | None = None
        self.gate = Gate(Dispatch(service, OPERATIONS, PREFIX, _Pages()), hosts, origins, proxies)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve a request, or the life of the server (ASGI)."""
        match scope["type"]:
            case "http":
                await self.gate(scope, receive, send)
            case "lifespan":
                await self._live(receive, send)
            case _:
                await send({"type": "websocket.close", "code": 1000})

    def reloads(self, sources: Mapping[str, Source], report: Callable[[str], object] = _log.info) -> FlowReloader:
        """Reload flows when their files change: `sources` are their files by flow; `report` receives each result as
        text. Call it before the server starts.
        """
        self.watch = FlowReloader(self.service, sources, report)
        self.service.sources = dict(sources)
        return self.watch

    def edits(self) -> None:
        """Allow callers with the scope `edit` to change the documents of the flows that are reloaded."""
        assert self.watch is not None, "only what is reloaded can be edited"
        self.service.editing = Editing(self.watch.reload_changed)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Open the apps when the server starts; when it stops, let running turns finish, and close the apps."""
        await receive()
        apps = list(self.service.apps.values())
        for app in apps:
            app.runtime.waits_for_recovery = False  # a slow model must not keep the server from listening
            await app.__aenter__()
        watching = asyncio.create_task(self.watch.run(), name="turnwise-reload") if self.watch is not None else None
        await send({"type": "lifespan.startup.complete"})
        await receive()
        if watching is not None:
            watching.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(0 if self.service.is_interrupted else CLOSE_S):
                await self.service.drain()
        for app in apps:  # what still runs goes on in another process, or at the next start
            await app.close(drain_s=0)
        await send({"type": "lifespan.shutdown.complete"})


class _Pages:
    """Serves what is no operation: the OpenAPI document and the studio. The document is made at the first request, for
    it takes longer than all else at start.
    """

    def __init__(self) -> None:
        self.studio = Page()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        if scope["path"].removeprefix(scope.get("root_path", "")) != "/openapi.json":
            return await self.studio(scope, receive, send)
        reply = _document() if scope["method"] in ("GET", "HEAD") else wrong_method(["GET"]).reply
        return await reply.respond(receive, send)


@cache
def _document() -> Reply:
    return Reply(encode(openapi.document(OPERATIONS, PREFIX)))


def create(
    apps: Iterable[App],
    *,
    access: Access,
    limits: ServerLimits,
    clock: Clock,
    hosts: Iterable[str] | None = LOOPBACK_NAMES,
    origins: Iterable[str] = (),
    proxies: Proxies | None = None,
) -> Server:
    """Return the server of some apps, which share one store.
    `access` identifies callers. `hosts` are the names of this server, without port; `None` allows every one. `origins`
    are the origins of other pages that may use the API. `proxies` are those in front that name the address of a client.
    """
    return Server(Service(apps, access, limits, clock), hosts, origins, proxies)
