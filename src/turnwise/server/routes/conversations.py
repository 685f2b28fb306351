"""Conversations: begin one, look at its summary, delete it for good."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from secrets import token_urlsafe

from msgspec.structs import replace

from turnwise.errors import ConversationExists, UnknownConversation
from turnwise.server.operation import IDEMPOTENCY_HEADER, OperationCall, operation
from turnwise.server.problems import problem_of_refusal
from turnwise.server.views.turn_results import result_of
from turnwise.server.wire.conversations import ConversationSummary
from turnwise.server.wire.requests import NewConversation, Problem
from turnwise.server.wire.turns import BegunConversation


@operation(
    "POST",
    "/conversations",
    "chat",
    answer=BegunConversation,
    body=NewConversation,
    status=201,
    errors=(404, 409),
    headers=IDEMPOTENCY_HEADER,
    examples={"named": {"flow": "eligibility", "name": "ada"}, "unnamed": {"flow": "eligibility"}},
)
async def begin(call: OperationCall) -> BegunConversation | Problem:
    """Begin a conversation of a flow, and return it with its first turn.

    Without a name the server makes one. The same `Idempotency-Key` begins one conversation only: a repeated request has
    the same answer.
    """
    asked = await call.body(NewConversation)
    app, service = call.service.app(call.identity, asked.flow), call.service
    key = call.idempotency_key
    name = new_name(call, asked.name)
    chat = app.chat(name)
    async with service.counted(call.identity, name):
        turn = await chat.start(key=key, time_zone=asked.time_zone)
        if turn.refused == "other_flow" and key is not None and await service.store.receipt(name, key) is not None:
            turn = replace(turn, refused="key_reused", refusal=f"the key {key!r} came before with another flow")
        if turn.refused is not None:
            return problem_of_refusal(turn, asked)
        if turn.is_duplicate and not turn.entries:
            raise ConversationExists(name)
        service.remember(name, app.machine.flow.name)
    return BegunConversation(await call.summary(chat), result_of(turn))


def new_name(call: OperationCall, name: str | None) -> str:
    """Return the id of a new conversation. Without a name it is generated, the same for the same idempotency key."""
    if name is None:
        key = call.idempotency_key
        name = token_urlsafe(9) if key is None else urlsafe_b64encode(sha256(key.encode()).digest()[:9]).decode()
    return call.identity.prefix + name


@operation("GET", "/conversations/{id}", "chat", answer=ConversationSummary, errors=(409,))
async def summary(call: OperationCall) -> ConversationSummary:
    """Return the summary of a conversation."""
    return await call.summary(await call.chat())


@operation("DELETE", "/conversations/{id}", "chat", status=204, errors=(409,))
async def forget(call: OperationCall) -> None:
    """Delete everything that is stored of a conversation, after its running turn."""
    chat = await call.chat()
    found = await chat.forget()
    call.service.forgotten(chat.name)
    if not found:
        raise UnknownConversation(chat.name)


OPERATIONS = (begin, summary, forget)
"""The operations of this module, which the server serves."""
