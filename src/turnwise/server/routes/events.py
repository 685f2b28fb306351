"""Event streams: of one conversation's journal, and of everything that a tab shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from turnwise.api.app import App
from turnwise.core.state import State
from turnwise.core.state.events import Entry
from turnwise.runner.stored import StoredConversation, unknown_conversation, with_pauses
from turnwise.server.operation import OperationCall, operation
from turnwise.server.problems import RequestFailed
from turnwise.server.responses import EVENTS, Reply, Streamed
from turnwise.server.streams.items import AFTER_ENTRY, CURSOR_PATTERN, Position, read_cursor
from turnwise.server.views.event_rows import event_row
from turnwise.server.views.redaction import Redaction
from turnwise.server.wire import stream as wire
from turnwise.server.wire.requests import MOST_DIGITS, Fault, Seq
from turnwise.server.wire.trace import EventPage

MOST_EVENTS = 1_000
"""How many journal entries a page may have."""
ROWS_BETWEEN_PAUSES = 25
"""How many rows are made before other tasks may run."""


class EventsQuery(Struct, frozen=True):
    """The query parameters for a page of journal entries."""

    after: Seq = 0
    """The position of the last entry that the client has; 0 for none."""
    limit: Annotated[int, Meta(ge=1, le=MOST_EVENTS)] = 200
    """How many entries a page has at most."""


@operation(
    "GET",
    "/conversations/{id}/events",
    "debug:read",
    answer=EventPage,
    query=EventsQuery,
    also=("text/event-stream",),
    events=wire.JOURNAL_EVENTS,
    errors=(409,),
    headers={"Last-Event-ID": {"pattern": rf"^[0-9]{{0,{MOST_DIGITS}}}(?![\s\S])"}},
)
async def events(call: OperationCall) -> EventPage | Streamed:
    """Return the journal entries after a position, as a page or as an event stream.

    With `Accept: text/event-stream` the stored entries are sent, then those to come. The id of each event is the
    position of its entry; a client that sends `Last-Event-ID` receives each entry once.
    """
    query, last = call.query(EventsQuery), call.header(b"last-event-id").strip()
    after = _position(last) if last else query.after
    chat = await call.chat()
    if call.wants_events:
        service = call.service
        apps = {chat.name: service.apps[chat.machine.flow.name]}
        positions = {chat.name: Position(after, AFTER_ENTRY)}
        return service.hub.open(call.identity, apps, "entries", positions, is_plain=True)
    return await _page(call, chat.name, query)


async def _page(call: OperationCall, name: str, query: EventsQuery) -> EventPage:
    store = call.service.store
    state = await (await call.chat()).state()
    entries = await store.entries(name, query.after, query.after + query.limit)
    redaction = await _redaction(call, name, state, entries)
    last = entries[-1].seq if entries else query.after
    rows = [event_row(entry, redaction) async for entry in with_pauses(entries, every=ROWS_BETWEEN_PAUSES)]
    return EventPage(tuple(rows), state.seq, last if last < state.seq and entries else None)


async def _redaction(call: OperationCall, name: str, state: State, entries: Sequence[Entry]) -> Redaction:
    """Return the redaction of some entries: by the states before and after, and by all entries of their turns."""
    service = call.service
    machine = await service.apps[state.flow].runtime.machines.shown_of_state(state)
    if not machine.has_secrets or not entries:
        return Redaction(machine, (), ())
    turns = sorted({entry.turn for entry in entries})
    known = [entry for turn in turns for entry in await service.store.turn(name, turn)]
    if not known:
        raise await unknown_conversation(service.store, name)
    before = await StoredConversation(service.store, name).state_at(known[0].seq - 1)
    given = await service.apps[state.flow].runtime.turns.secrets.entries_before(machine, name, state.seq + 1)
    return Redaction(machine, (before, state), (*known, *given))


def _position(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS):
        fault = Fault("Last-Event-ID", f"Last-Event-ID is the position of an entry, not {text[:40]!r}")
        raise RequestFailed("invalid", fault.message, errors=[fault])
    return int(text)


class StreamQuery(Struct, frozen=True):
    """The query parameters of an event stream: what a browser tab watches."""

    conversation: tuple[str, ...] = ()
    """The ids of the conversations to watch."""
    after: tuple[Seq, ...] = ()
    """A position for each conversation, after which events are sent; empty to get everything."""
    debug: bool = False
    """Whether to send decisions and entries too, which needs `debug:read`."""
    list: bool = False
    """Whether to send changes of the list of conversations, too."""
    cursor: Annotated[str, Meta(extra_json_schema={"pattern": CURSOR_PATTERN})] = ""
    """The id of the last event that was received; empty for none."""


@operation(
    "GET",
    "/stream",
    "chat",
    query=StreamQuery,
    also=("text/event-stream",),
    events=wire.TAB_EVENTS,
    errors=(404, 409),
    headers={"Last-Event-ID": {"pattern": CURSOR_PATTERN}},
)
async def stream(call: OperationCall) -> Streamed:
    """Stream everything that a browser tab shows: messages, parts of replies, results of turns, changes of the list.

    With `debug=true` also entries, seams and evaluations. The id of each event is a cursor: a client that connects
    again with it, as `Last-Event-ID` or `cursor`, receives every event of its conversations once, in order.
    """
    query, service = call.query(StreamQuery), call.service
    names = tuple(dict.fromkeys(query.conversation))
    if query.debug:
        call.need("debug:read", "debug=true")
    _check(query, names, service.limits.stream_conversations)
    apps: dict[str, App] = {}
    for name in names:
        chat = await service.find(call.identity, name, reach="operator")
        apps[name] = service.apps[chat.machine.flow.name]
    mode = "debug" if query.debug else "chat"
    cursor = call.header(b"last-event-id").strip() or query.cursor
    positions = {name: Position(seq, AFTER_ENTRY) for name, seq in zip(names, query.after, strict=False)}
    if cursor:
        positions |= read_cursor(cursor, names, mode)
    if call.is_head:
        return Reply(b"", EVENTS)
    return service.hub.open(call.identity, apps, mode, positions, is_listing=query.list)


def _check(query: StreamQuery, names: tuple[str, ...], most: int) -> None:
    """Check a query. Raises `RequestFailed`."""
    if len(names) > most:
        why = f"stream_conversations is {most}; a stream takes no more"
        raise RequestFailed("invalid", why, limit="stream_conversations", errors=[Fault("?conversation", why)])
    if query.after and (len(query.after) != len(query.conversation) or len(names) != len(query.conversation)):
        fault = Fault("?after", "there must be one position for each conversation, or none at all")
        raise RequestFailed("invalid", fault.message, errors=[fault])


OPERATIONS = (events, stream)
"""The operations of this module, which the server serves."""
