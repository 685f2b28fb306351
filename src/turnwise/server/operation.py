"""Operations: what a route declares, what its function receives, and what it may answer with.

A route module has one function per operation, declared by `operation`, and lists them in `OPERATIONS`:

    class TraceQuery(Struct, frozen=True):
        turn: int | None = None

    @operation("GET", "/conversations/{id}/trace", "debug:read", answer=TurnTrace, query=TraceQuery)
    async def trace(call: OperationCall) -> TurnTrace:
        \"\"\"Return everything that the panel shows of one turn.\"\"\"
        chat = await call.chat()
        return ... call.query(TraceQuery).turn

    OPERATIONS = (trace,)

`app.py` has the list of route modules. The declaration serves the dispatch, the check of scopes and the OpenAPI
document, so these cannot differ. A function raises errors of the library or `RequestFailed`; both become problems. The
first line of the docstring is the summary in the OpenAPI document.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import unquote

from msgspec import Struct

from turnwise.api.chat import Chat
from turnwise.server.access import Identity
from turnwise.server.bodies import check_one_of, read_bytes, read_json, read_query
from turnwise.server.problems import (
    RequestFailed,
    draining_problem,
    interrupted_problem,
    problem_of_error,
    wrong_method,
)
from turnwise.server.responses import Receive, Reply, Send, Streamed, reply
from turnwise.server.views.summaries import for_users, summary_of_stored
from turnwise.server.wire.conversations import ConversationSummary, Scope

if TYPE_CHECKING:
    from turnwise.server.service import Service

Shape = TypeVar("Shape", bound=Struct)
"""The class of a request's body or query."""
LONGEST_KEY = 200
"""How many characters an idempotency key has at most."""
IDEMPOTENCY_HEADER: Mapping[str, Mapping[str, Any]] = {"Idempotency-Key": {"maxLength": LONGEST_KEY}}
"""The header of operations that count once for each key."""
Handler = Callable[["OperationCall"], Awaitable[Any]]
"""A function that answers a call of an operation."""


class Operation(Struct, frozen=True):
    """One operation of the HTTP API: its method and path, who may call it, and the shapes of its data."""

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
    """The HTTP method."""
    path: str
    """The path of the operation below the prefix of the API, with `{parameters}`."""
    scope: Scope | None
    """The scope that a caller needs for the operation; `None` if it needs no key at all."""
    handler: Handler
    """The function that answers a call with structs (sent as JSON with `status`), `None` (204), or a response."""
    answer: Any = None
    """The shape of the JSON answer; `None` for no content or a response of another kind."""
    query: type[Struct] | None = None
    """The shape of the query parameters; `None` if there are none."""
    body: type[Struct] | None = None
    """The shape of the JSON body; `None` if there is none."""
    body_type: str = "application/json"
    """The media type of the body, if it is not JSON."""
    status: int = 200
    """The HTTP status of a JSON answer."""
    also: tuple[str, ...] = ()
    """Media types with which the operation can answer, beside JSON."""
    errors: tuple[int, ...] = ()
    """The HTTP statuses of the operation's errors, beside those that every operation may answer with."""
    headers: Mapping[str, Mapping[str, Any]] = {}
    """The request headers that the operation reads, each with the JSON schema of its text."""
    is_private: bool = False
    """True for an operation that operators may use only on their own conversations."""
    examples: Mapping[str, Any] = {}
    """Examples of bodies by name."""
    one_of: Mapping[str, tuple[str, ...]] = {}
    """The keys of the body of which exactly one is sent, each with the keys that may stand beside it."""
    not_both: tuple[str, ...] = ()
    """Two keys of the body that exclude each other; empty for none."""
    events: Mapping[str, type[Struct]] = {}
    """The shapes of the data of the operation's stream events, by event name."""

    @property
    def name(self) -> str:
        """The name of the operation, which is that of its function."""
        return getattr(self.handler, "__name__", "operation")

    @property
    def scope_for_all(self) -> Scope:
        """The scope that allows the operation on conversations of all owners.
        It is `operator` to read and to act as a person, `events` for other systems that send events, else `admin`.
        """
        is_of_operators = self.scope == "operator" or (self.method == "GET" and not self.is_private)
        return "events" if self.scope == "events" else "operator" if is_of_operators else "admin"

    @property
    def about(self) -> str:
        """The description of the operation, which is the docstring of its function."""
        return (self.handler.__doc__ or "").strip()


def operation(
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"], path: str, scope: Scope | None, **more: Any
) -> Callable[[Handler], Operation]:
    """Return a decorator that declares a function as an operation, for callers with `scope` (`None`: for every caller);
    `more` are other attributes of `Operation`.
    """

    def declared(handler: Handler) -> Operation:
        return Operation(method, path, scope, handler, **more)

    return declared


class OperationCall:
    """One request to an operation: its caller, and the parts of the request."""

    __slots__ = ("asgi", "identity", "operation", "receive", "service")

    def __init__(
        self,
        operation: Operation,
        service: Service,
        identity: Identity,
        asgi: MutableMapping[str, Any],
        receive: Receive,
    ) -> None:
        self.operation = operation
        self.service = service
        self.identity = identity
        self.asgi = asgi
        self.receive = receive

    # the address -------------------------------------------------------------------------------

    def part(self, name: str) -> str:
        """Return a named part of the path, such as `id`."""
        try:
            return unquote(self.asgi["path_params"][name], errors="strict")
        except UnicodeDecodeError:
            raise RequestFailed("malformed", f"the part '{name}' of the path is not UTF-8") from None

    def number(self, name: str) -> int:
        """Return a named part of the path that is a number. Raises `RequestFailed` for any other text."""
        text = self.part(name)
        if not (text.isascii() and text.isdecimal() and len(text) < 16):
            raise RequestFailed("unknown_path", f"the part '{name}' of the path must be a number, not {text[:40]!r}")
        return int(text)

    def query(self, shape: type[Shape]) -> Shape:
        """Return the query parameters as the struct that the operation declares."""
        assert shape is self.operation.query, f"{self.operation.name} does not declare {shape.__name__}"
        return read_query(self.asgi.get("query_string", b""), shape)

    def header(self, name: bytes) -> str:
        """Return the text of a request header by its lower-case name; empty if it is missing."""
        for key, value in self.asgi["headers"]:
            if key == name:
                return value.decode("latin-1")
        return ""

    @property
    def idempotency_key(self) -> str | None:
        """The header `Idempotency-Key`, `None` if it is missing."""
        key = self.header(b"idempotency-key").strip()
        if len(key) > LONGEST_KEY:
            raise RequestFailed("malformed", f"the Idempotency-Key is longer than {LONGEST_KEY} characters")
        return key or None

    @property
    def wants_events(self) -> bool:
        """True where the client asks for an event stream."""
        return "text/event-stream" in self.header(b"accept").lower() and not self.is_head

    @property
    def is_head(self) -> bool:
        """True where the client asks only for the headers (HEAD)."""
        return self.asgi["method"] == "HEAD"

    # the body ----------------------------------------------------------------------------------

    async def body(self, shape: type[Shape]) -> Shape:
        """Return the body as the struct that the operation declares."""
        assert shape is self.operation.body, f"{self.operation.name} does not declare {shape.__name__}"
        kind = self.header(b"content-type").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise RequestFailed("unsupported_media_type", f"send application/json, not {kind or 'a body without type'}")
        data = await read_bytes(self.receive, self.service.limits.body_bytes, "body_bytes")
        found = read_json(data, shape)
        check_one_of(found, self.operation.one_of)
        return found

    async def file(self) -> bytes:
        """Return the body as bytes, up to the limit of imported files."""
        return await read_bytes(self.receive, self.service.limits.import_bytes, "import_bytes")

    # the conversation --------------------------------------------------------------------------

    async def summary(self, chat: Chat) -> ConversationSummary:
        """Return the summary of a conversation, as far as the caller may see it."""
        state, machines = await chat.state(), chat.runtime.machines
        machine = await machines.shown_of_state(state)
        found = await summary_of_stored(chat.runtime.store, chat.name, state, machine, chat.machine)
        return found if self.identity.sees_inside else for_users(found)

    def may(self, scope: Scope) -> bool:
        """Return whether the caller has a scope."""
        return self.identity.may(scope)

    def need(self, scope: Scope, what: str) -> None:
        """Raise `RequestFailed` unless the caller has a scope; `what` names what needs it."""
        if not self.identity.may(scope):
            raise self.service.missing_scope(scope, what)

    def need_inside(self, what: str) -> None:
        """Raise `RequestFailed` unless the caller may see inside of conversations; `what` names what needs it."""
        if not self.identity.sees_inside:
            raise self.service.missing_scope("debug:read", what)

    @property
    def conversation(self) -> str:
        """The id of the conversation in the path."""
        return self.part("id")

    async def chat(self) -> Chat:
        """Return the conversation in the path. Raises `UnknownConversation`, also if the caller may not reach it. A
        conversation of another owner needs the scope that allows the operation on those of all owners.
        """
        return await self.service.find(self.identity, self.conversation, reach=self.operation.scope_for_all)


class Endpoint:
    """The ASGI application of one path: identifies the caller, checks the scope, and calls the operation."""

    def __init__(self, service: Service, operations: Mapping[str, Operation]) -> None:
        self.service = service
        self.operations = operations

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        try:
            answer = await self._answer(scope, receive)
        except Exception as error:  # noqa: BLE001  every error becomes a problem; what is not ours is logged
            operation = self.operations.get(scope["method"])
            body, query = (operation.body, operation.query) if operation is not None else (None, None)
            answer = problem_of_error(error, body, query).reply
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not self.service.is_interrupted or task is None:
                raise
            task.uncancel()
            answer = interrupted_problem().reply
        self.service.metrics.answered(answer.status if isinstance(answer, Reply) else 200)
        await answer.respond(receive, send)

    async def _answer(self, scope: MutableMapping[str, Any], receive: Receive) -> Streamed:
        method = scope["method"]
        operation = self.operations.get("GET" if method == "HEAD" else method)
        if operation is None:
            raise wrong_method(self.operations)
        if self.service.is_draining and method not in ("GET", "HEAD"):
            raise draining_problem()
        identity = await self.service.identify(operation.scope, scope)
        answer = await operation.handler(OperationCall(operation, self.service, identity, scope, receive))
        return answer if hasattr(answer, "respond") else reply(answer, operation.status)
