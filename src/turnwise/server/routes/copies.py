"""Copies of a conversation: fork, export, import, and as a scenario of a test."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from msgspec import Struct

from turnwise.archive.names import EXPECTED_NAME, is_id
from turnwise.archive.transfer import head_of
from turnwise.errors import ImportRefused
from turnwise.server.faults import pointer
from turnwise.server.operation import IDEMPOTENCY_HEADER, OperationCall, operation
from turnwise.server.problems import RequestFailed
from turnwise.server.responses import Reply
from turnwise.server.routes.conversations import new_name
from turnwise.server.wire.conversations import ConversationSummary
from turnwise.server.wire.records import ForkRequest
from turnwise.server.wire.requests import Fault
from turnwise.testing.recorded import checked_scenario, record_scenario

JSON_LINES_TYPE = "application/x-ndjson"
"""The media type of exported conversations."""
TEXT_TYPE = "text/plain"
"""The media type of scenarios."""


@operation(
    "POST",
    "/conversations/{id}/fork",
    "chat",
    answer=ConversationSummary,
    body=ForkRequest,
    status=201,
    errors=(409,),
    headers=IDEMPOTENCY_HEADER,
    examples={"from turn 5": {"turn": 5, "name": "what-then"}, "as it is": {}},
)
async def fork(call: OperationCall) -> ConversationSummary:
    """Begin a conversation as a copy of another up to the end of a turn; both continue independently.

    Tools that change the world are refused in the copy; only admins may allow them. The same `Idempotency-Key` makes
    one copy only: a repeated request has the same answer.
    """
    asked, chat = await call.body(ForkRequest), await call.chat()
    if asked.effects:
        call.need("admin", "a copy in which tools change the world")
    name = new_name(call, asked.name)
    async with call.service.counted(call.identity, name):
        copy = await chat.fork(name, turn=asked.turn, effects=asked.effects, key=call.idempotency_key)
        call.service.remember(name, chat.machine.flow.name)
    return await call.summary(copy)


@operation("GET", "/conversations/{id}/export", "debug:read", also=(JSON_LINES_TYPE,), errors=(409,), is_private=True)
async def export(call: OperationCall) -> Reply:
    """Return a conversation as one file with the flows that it needs, to be imported here or elsewhere.

    The file is complete, with the flow and every decision: where the flow has secret fields it holds their values, so
    that only admins may have it.
    """
    chat = await call.chat()
    state = await chat.state()
    if (await chat.runtime.machines.shown_of_state(state)).has_secrets:
        call.need("admin", "the file of a conversation with secret fields")
    return attachment(await chat.export(), JSON_LINES_TYPE, chat.name, "jsonl")


def attachment(body: bytes, content_type: str, name: str, suffix: str) -> Reply:
    """Return a response that browsers save as a file named `name` with a suffix; of the name only plain letters are
    kept.
    """
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "conversation"
    headers = ((b"content-disposition", f'attachment; filename="{safe}.{suffix}"'.encode()),)
    return Reply(body, content_type.encode(), headers=headers)


@operation("GET", "/conversations/{id}/scenario", "debug:read", also=(TEXT_TYPE,), errors=(409,), is_private=True)
async def scenario(call: OperationCall) -> Reply:
    """Return a conversation as a scenario, which can be run again offline.

    What models, tools and understanding gave is its script. It is played before; comments at its end say what comes out
    differently. It has the words and values of the conversation: where the flow has secret fields, only admins may have
    it.
    """
    chat = await call.chat()
    machine = await chat.runtime.machines.shown_of_state(await chat.state())
    if machine.has_secrets:
        call.need("admin", "the scenario of a conversation with secret fields")
    file = next((Path(guard.file) for guard in machine.code.values() if guard.file), None)
    text = await record_scenario(chat.runtime.archive, chat.name, python=file.name if file is not None else "")
    folder = file.parent if file is not None else Path.cwd()
    async with call.service.long_work:
        text, differences = await asyncio.to_thread(checked_scenario, text, folder / "recorded.scenario", file)
    notes = [f"# differs: {' '.join(line.split())}" for line in differences]
    text = "\n".join([text.rstrip("\n"), *notes]) + "\n"
    return attachment(text.encode(), f"{TEXT_TYPE}; charset=utf-8", chat.name, "scenario")


class ImportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The query parameters of an import."""

    name: str | None = None
    """The whole id of the new conversation; `None` for the one in the file. Under another id it is a copy.
    Where callers have keys, an id begins with its owner: `ada:x`."""


@operation(
    "POST",
    "/conversations/import",
    "admin",
    answer=ConversationSummary,
    query=ImportQuery,
    body_type=JSON_LINES_TYPE,
    status=201,
    errors=(409,),
    headers=IDEMPOTENCY_HEADER,
)
async def import_(call: OperationCall) -> ConversationSummary:
    """Import the file of a conversation, completely or not at all; once for the same `Idempotency-Key`."""
    asked = call.query(ImportQuery)
    data = await call.file()
    head = head_of(data)
    if asked.name is None:
        _check_id(call, head.conversation, at=pointer(0, "conversation"))
    else:
        _check_id(call, asked.name, at="?name")
    app = call.service.apps.get(head.flow)
    if app is None:
        raise ImportRefused("the file", f"its flow {head.flow!r} is not served here", 1)
    chat = await app.import_(data, asked.name, key=call.idempotency_key)
    call.service.remember(chat.name, head.flow)
    return await call.summary(chat)


def _check_id(call: OperationCall, name: str, *, at: str) -> None:
    """Check the whole id of an imported conversation: where callers have keys, it begins with its owner. Raises
    `RequestFailed`.
    """
    owner = call.identity.owner
    if is_id(name, has_owner=bool(owner)):
        return
    needed = f"an owner, ':' and {EXPECTED_NAME}" if owner else EXPECTED_NAME
    fault = Fault(at, f"the id of a conversation is {needed}", f"send ?name={owner}:x" if owner else "send ?name=x")
    raise RequestFailed("invalid", fault.message, errors=[fault])


OPERATIONS = (fork, export, scenario, import_)
"""The operations of this module, which the server serves."""
