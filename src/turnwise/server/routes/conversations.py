"""Conversations: begin one, look at its summary, delete it for good."""

from __future__ import annotations

from secrets import token_urlsafe

from turnwise.errors import ConversationExists, UnknownConversation
from turnwise.server.operation import Call, operation
from turnwise.server.problems import refused
from turnwise.server.views.turn_results import result_of
from turnwise.server.wire.conversations import Begun, ConversationSummary
from turnwise.server.wire.requests import NewConversation, Problem


@operation(
    "POST",
    "/conversations",
    "chat",
    answer=Begun,
    body=NewConversation,
    status=201,
    errors=(404, 409),
    headers=("Idempotency-Key",),
    examples={"named": {"flow": "eligibility", "name": "ada"}, "unnamed": {"flow": "eligibility"}},
)
async def begin(call: Call) -> Begun | Problem:
    """Begin a conversation.

    Without a name the server makes one. The same `Idempotency-Key` begins one conversation only, if it has a name.
    """
    asked = await call.body(NewConversation)
    app, service = call.service.app(call.identity, asked.flow), call.service
    name = call.identity.prefix + (token_urlsafe(9) if asked.name is None else asked.name)
    await service.check_count(call.identity, name)
    chat = app.chat(name)
    turn = await chat.start(key=call.idempotency_key, time_zone=asked.time_zone)
    if turn.refused is not None:
        return refused(turn, asked)
    if turn.is_duplicate and not turn.entries:
        raise ConversationExists(name)
    service.remember(name, app.machine.flow.name)
    return Begun(await call.summary(chat), result_of(turn))


@operation("GET", "/conversations/{id}", "chat", answer=ConversationSummary, errors=(409,))
async def summary(call: Call) -> ConversationSummary:
    """Return the summary of a conversation."""
    return await call.summary(await call.chat())


@operation("DELETE", "/conversations/{id}", "chat", status=204, errors=(409,))
async def forget(call: Call) -> None:
    """Delete everything that is stored of a conversation, after the turn that is running."""
    chat = await call.chat()
    found = await chat.forget()
    call.service.forgotten(chat.name)
    if not found:
        raise UnknownConversation(chat.name)


OPERATIONS = (begin, summary, forget)
