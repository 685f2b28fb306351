"""The service: the flows that are served, their store, and who may see which conversation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from turnwise.api.app import App
from turnwise.api.chat import Chat
from turnwise.core.machine import Machine
from turnwise.core.state import State
from turnwise.core.state.events import Entry
from turnwise.errors import UnknownConversation
from turnwise.flow.diagnostic import LONGEST_SHOWN, nearest
from turnwise.runner.ports import Clock, Store
from turnwise.server.access import Access, Identity
from turnwise.server.addresses import counted_address
from turnwise.server.caches import Caches
from turnwise.server.conversation_limit import ConversationLimit
from turnwise.server.document_editing import Editing
from turnwise.server.documents import Document, Documents
from turnwise.server.limits import RateLimit, ServerLimits, VisitorLimit
from turnwise.server.metrics import Metrics
from turnwise.server.problems import RequestFailed
from turnwise.server.sources import Source
from turnwise.server.streams.hub import Hub
from turnwise.server.views.redaction import Redaction
from turnwise.server.wire.conversations import Scope
from turnwise.server.wire.flows import Demonstration

ANONYMOUS = Identity("", frozenset())
"""Who calls an operation that needs no key."""
_MOST_KNOWN = 10_000
MOST_LONG_WORK = 2
"""How many searches and played scenarios run at once; others wait."""


class Service:
    """The flows of one server over one store, with what all operations share."""

    def __init__(self, apps: Iterable[App], access: Access, limits: ServerLimits, clock: Clock) -> None:
        self.apps: dict[str, App] = {app.machine.flow.name: app for app in apps}
        self.access = access
        self.limits = limits
        self.clock = clock
        self.is_leaving = False
        """True once the server is to stop, also while it still takes turns."""
        self.is_draining = False
        self.shown: dict[str, Demonstration] = {}
        """What the demonstration prepares for a flow."""
        self.is_interrupted = False
        """True once the time of the running turns is over."""
        self.documents = Documents([app.machine for app in self.apps.values()])
        """The documents of the flows."""
        self.sources: dict[str, Source] = {}
        """The files of the flows that are reloaded when these change."""
        self.editing: Editing | None = None
        """What edits the documents; `None` where the server only shows them."""
        self.hub = Hub(self.apps, limits, clock)
        """All open streams."""
        self.metrics = Metrics(self.apps)
        """What turns and requests take and use."""
        self.metrics.open_streams.set_function(lambda: len(self.hub))
        self.metrics.draining.set_function(lambda: self.is_draining)
        self.caches = Caches(self.apps)
        """What is kept to answer questions quickly."""
        self.long_work = asyncio.Semaphore(MOST_LONG_WORK)
        """Held by a request that takes seconds of a thread, such as a search: the store reads in these threads, too."""
        self._rates = RateLimit(limits.requests_per_minute, clock)
        self._visitors = VisitorLimit(limits.visitors_per_address, clock)
        self._flows: dict[str, str] = {}
        """The flow of each conversation that was used lately."""
        self._conversations = ConversationLimit(limits.conversations)

    @property
    def store(self) -> Store:
        """The store of all conversations of the server."""
        return next(iter(self.apps.values())).runtime.store

    async def drain(self) -> None:
        """Accept no new turns, ask the clients of streams to reconnect, and wait for the running turns."""
        self.is_leaving = self.is_draining = True
        self.hub.drain()
        for app in self.apps.values():
            await app.drain()

    def document(self, app: App) -> Document | None:
        """Return the document of an app's flow with its problems; `None` where a program made the flow."""
        source = self.sources.get(app.machine.flow.name)
        watched = source.diagnostics if source is not None else ()
        return self.documents.of(app.machine, watched, is_followed=source is not None)

    # callers -----------------------------------------------------------------------------------

    async def identify(self, needed: Scope | None, scope: Mapping[str, Any]) -> Identity:
        """Return the identity of a request's caller, counted by the rate limit. Raises `RequestFailed` if unknown.
        It is raised too where the caller lacks the scope `needed`.
        """
        if needed is None:
            return ANONYMOUS
        found = self.access.identify(scope)
        identity = found if found is None or isinstance(found, Identity) else await found
        if identity is None:
            self._rates.take(f"address {counted_address(scope)}")
            raise self.access.refusal(scope)
        self._rates.take(identity.counted_as or identity.owner)
        if identity.counted_as:
            self._visitors.take(identity.counted_as, identity.owner)
        if not identity.may(needed):
            raise self.missing_scope(needed)
        return identity

    def missing_scope(self, needed: Scope, what: str = "this request") -> RequestFailed:
        """Return the problem of a caller who lacks the scope that `what` needs."""
        why = f"this {self.access.credential} lacks the scope '{needed}', which {what} needs"
        return RequestFailed("missing_scope", why)

    # conversations -----------------------------------------------------------------------------

    def app(self, identity: Identity, flow: str) -> App:
        """Return the app of a flow that the caller may use. Raises `RequestFailed`."""
        usable = [name for name in self.apps if identity.flows is None or name in identity.flows]
        if flow not in usable:
            raise RequestFailed(
                "unknown_flow", f"no flow is called {flow[:LONGEST_SHOWN]!r}", hint=nearest(flow, usable)
            )
        return self.apps[flow]

    async def find(self, identity: Identity, conversation: str, *, reach: Scope = "admin") -> Chat:
        """Return a stored conversation. Raises `UnknownConversation`, also if the caller may not reach it. A
        conversation of another owner needs the scope `reach`.
        """
        if not (identity.owns(conversation) or identity.may(reach)):
            raise UnknownConversation(conversation)
        flow = self._flows.get(conversation)
        if flow is None:
            flow = (await self._state(conversation)).flow
            self.remember(conversation, flow)
        if flow not in self.apps or (identity.flows is not None and flow not in identity.flows):
            raise RequestFailed("flow_not_served", f"the flow {flow!r} of this conversation is not served here")
        return self.apps[flow].chat(conversation, existing=True)

    def remember(self, conversation: str, flow: str) -> None:
        """Cache the name of a conversation's flow, which never changes."""
        self._flows[conversation] = flow
        if len(self._flows) > _MOST_KNOWN:
            del self._flows[next(iter(self._flows))]

    def forgotten(self, conversation: str) -> None:
        """Drop what is cached of a conversation that was deleted."""
        self._flows.pop(conversation, None)
        self.hub.forgotten(conversation)

    @asynccontextmanager
    async def counted(self, identity: Identity, conversation: str) -> AsyncGenerator[None]:
        """Return a context in which the caller begins a conversation. Raises `RequestFailed` if they have too many."""
        if not self.limits.conversations or not identity.owner:
            yield
            return
        async with self._conversations.counted(self.store, identity.owner, conversation):
            yield

    async def redaction(
        self, app: App, machine: Machine, conversation: str, state: State, entries: Iterable[Entry] = ()
    ) -> Redaction:
        """Return an object that redacts all values that secret fields of a conversation ever had, wherever they occur.
        `state` is the last state, `entries` are further entries in which secrets may occur.
        """
        given = ()
        if machine.has_secrets:
            given = await app.runtime.turns.secrets.entries_before(machine, conversation, state.seq + 1)
        return Redaction(machine, (state,), (*entries, *given))

    async def _state(self, conversation: str) -> State:
        state = await self.store.load(conversation)
        if state is None:
            raise UnknownConversation(conversation)
        return state
