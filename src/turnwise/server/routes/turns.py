"""Turns: send an event to a conversation, and read the result of an earlier turn."""

from __future__ import annotations

from collections.abc import Awaitable

from msgspec import Struct

from turnwise.api.chat import Chat
from turnwise.runner.result import Turn
from turnwise.server.live import CallerChat, StreamedResult, TurnStream, run_watched_turn
from turnwise.server.operation import IDEMPOTENCY_HEADER, OperationCall, operation
from turnwise.server.problems import RequestFailed, turn_response
from turnwise.server.responses import Reply, Streamed
from turnwise.server.views.turn_results import result_of
from turnwise.server.wire import stream
from turnwise.server.wire.requests import NewTurn
from turnwise.server.wire.turns import TurnResult

_KINDS = {"text": ("position",), "button": ("position",), "undo": (), "commands": (), "tool": (), "timer": ()}
_OF_ADMINS = frozenset({"commands", "tool", "timer"})


class TurnQuery(Struct, frozen=True):
    """The query parameter of a turn's event stream."""

    debug: bool = False
    """Whether the stream also has entries and evaluations, which needs the scope `debug:read`."""


@operation(
    "POST",
    "/conversations/{id}/turns",
    "chat",
    answer=TurnResult,
    query=TurnQuery,
    body=NewTurn,
    also=("text/event-stream",),
    errors=(404, 409, 413, 415),
    headers=IDEMPOTENCY_HEADER,
    one_of=_KINDS,
    events=stream.TURN_EVENTS,
    examples={
        "message": {"text": "I am 34", "position": 12},
        "button": {"button": "yes", "position": 12},
        "undo": {"undo": {}},
    },
)
async def take(call: OperationCall) -> Reply | Streamed:
    """Send a message, a button, or another event to a conversation; return the turn.

    With `Accept: text/event-stream` the turn comes as events: `delta`, `message`, with `debug=true` also `entry` and
    `debug_transition_eval`, and at the end `turn`, or `problem`. The turn goes on when the client leaves. An event with
    the same `Idempotency-Key` counts once. Commands, tools and timers need the scope `admin`.
    """
    event = await call.body(NewTurn)
    query = call.query(TurnQuery) if call.asgi.get("query_string") else _PLAIN
    kind = _kind(call, event)
    if query.debug:
        call.need("debug:read", "debug=true")
    found = await call.chat()
    hub, is_visitor = call.service.hub, bool(call.identity.counted_as)
    if call.wants_events or is_visitor:
        hub.check_room(call.identity)
    streamed = StreamedResult(found, hub.feeds) if not call.wants_events else None
    chat = CallerChat(found, streamed)
    turn = _submitted(call, chat, kind, event)
    if call.wants_events:
        app = call.service.apps[chat.machine.flow.name]
        return TurnStream(call.service, call.identity, app, chat, turn, is_debug=query.debug)
    if not is_visitor:
        done = await run_watched_turn(chat, turn, call.receive)
    else:  # a request whose turn waits holds its connection as a stream does
        hub.count(call.identity, 1)
        try:
            done = await run_watched_turn(chat, turn, call.receive)
        finally:
            hub.count(call.identity, -1)
    if streamed is not None and streamed.json is not None:
        return Reply(streamed.json)
    return turn_response(done, event)


_PLAIN = TurnQuery()


def _kind(call: OperationCall, event: NewTurn) -> str:
    """Return which event a body has. Raises `RequestFailed` unless the caller may send it."""
    kind = next(name for name in _KINDS if getattr(event, name) is not None)
    if kind in _OF_ADMINS:
        call.need("admin", f"'{kind}'")
    most = call.service.limits.message_chars
    if most and len(event.text or event.button or "") > most:
        raise RequestFailed("body_too_large", f"message_chars is {most}; the message is longer", limit="message_chars")
    return kind


def _submitted(call: OperationCall, chat: Chat, kind: str, event: NewTurn) -> Awaitable[Turn]:
    """Return the turn of an event, to be awaited."""
    key = call.idempotency_key
    match kind:
        case "text":
            return chat.say(event.text or "", position=event.position, key=key)
        case "button":
            return chat.choose(event.button or "", position=event.position, key=key)
        case "undo":
            return chat.undo(to=event.undo.to if event.undo is not None else None, key=key)
        case "commands":
            return chat.commands(event.commands or (), by=call.identity.sender, key=key)
        case "tool":
            assert event.tool is not None
            return chat.tool_used(event.tool.name, event.tool.arguments, event.tool.result, key=key)
        case _:
            assert event.timer is not None
            return chat.fire(event.timer.transition, visit=event.timer.visit, key=key)


@operation("GET", "/conversations/{id}/turns/{n}", "chat", answer=TurnResult, errors=(409,))
async def turn(call: OperationCall) -> TurnResult:
    """Return the result of an earlier turn."""
    number = call.number("n")
    return result_of(await (await call.chat()).turn(number))


OPERATIONS = (take, turn)
"""The operations of this module, which the server serves."""
