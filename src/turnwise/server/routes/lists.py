"""The list of conversations: filter it, search it, page through it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from turnwise.core.state import events as e
from turnwise.core.state.kinds import Wait
from turnwise.runner.search import (
    MOST_SEARCHED,
    WAITS_FOR_PERSON,
    ConversationQuery,
    ConversationRow,
    Standing,
    cursor,
    find_text,
    read_cursor,
)
from turnwise.runner.stored import with_pauses
from turnwise.server.operation import OperationCall, operation
from turnwise.server.problems import RequestFailed
from turnwise.server.views.event_rows import without_markdown
from turnwise.server.views.redaction import Redaction
from turnwise.server.views.summaries import for_users, summary_of_stored
from turnwise.server.wire.conversations import ConversationList, ConversationSummary, Status
from turnwise.server.wire.requests import Cursor, Fault

LONGEST_SNIPPET = 160
"""How many characters of a text are shown around a match."""
SUMMARIES_BETWEEN_PAUSES = 10
"""After how many summaries other requests have their turn."""
MOST_MATCHES_COUNTED = 1_000
"""How many conversations of flows with secrets a search counts, for each of them is read."""
_USER: tuple[Wait, ...] = ("user", "message", "button")
_MACHINE: tuple[Wait, ...] = ("continuation", "understanding", "model", "tool", "journal")
_STATUSES: dict[Status, tuple[Standing, tuple[str, ...]]] = {
    "waiting": ("waiting", _USER),
    "working": ("waiting", _MACHINE),
    "person": ("waiting", (WAITS_FOR_PERSON,)),
    "ended": ("ended", ()),
    "failed": ("failed", ()),
}


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The query parameters that select conversations: by flow, node, status, and a text in name, node or messages.
    A word or number there begins with the text.
    """

    flow: str = ""
    """The name of the flow; empty for all."""
    text: str = ""
    """Words to search for in name, node and messages; empty for all conversations."""
    node: str = ""
    """The node in charge; empty for all."""
    status: Status | None = None
    """The status of the conversations; `None` for every status."""
    after: Cursor = ""
    """The cursor `next` of the page before; empty for the first page."""
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    """How many conversations a page has at most."""


@operation("GET", "/conversations", "chat", answer=ConversationList, query=ListQuery, errors=(409,))
async def conversations(call: OperationCall) -> ConversationList:
    """List conversations, the one that changed last first: the caller's own, for operators those of all owners."""
    asked = call.query(ListQuery)
    standing, waits_for = _STATUSES[asked.status] if asked.status is not None else ("", ())
    prefix = "" if call.may("operator") else call.identity.prefix
    check_cursor(asked.after, "?after")
    query = ConversationQuery(
        asked.flow, asked.node, standing, waits_for, prefix, asked.text.strip()[:200], asked.after, asked.limit
    )
    if query.text:
        async with call.service.long_work:
            return await (_listed(call, query) if call.may("admin") else _search(call, query))
    return await _listed(call, query)


async def _listed(call: OperationCall, query: ConversationQuery) -> ConversationList:
    """Return a page as the store finds it."""
    page = await call.service.store.find(query)
    summaries = [
        await _summary(call, row, query.text) async for row in with_pauses(page.rows, every=SUMMARIES_BETWEEN_PAUSES)
    ]
    found = [one for one in summaries if one is not None]
    return ConversationList(tuple(found), page.total, page.next or None, page.is_complete)


async def _search(call: OperationCall, query: ConversationQuery) -> ConversationList:
    """Return a page without conversations that only a secret matches; neither `total` nor the cursor reveals these."""
    page = await call.service.store.find(replace(query, limit=MOST_SEARCHED))
    found, total, place, is_complete = list[ConversationSummary](), 0, "", page.is_complete
    async for row in with_pauses(page.rows, every=SUMMARIES_BETWEEN_PAUSES):
        is_full = len(found) == query.limit
        if is_full and not await _has_secrets(call, row):
            total += call.identity.sees(row.conversation, row.flow)
            continue
        if is_full and total >= MOST_MATCHES_COUNTED:
            is_complete = False
            break
        one = await _summary(call, row, query.text)
        if one is None or not (one.snippet or _is_named(one, query.text) or not await _has_secrets(call, row)):
            continue
        total += 1
        if not is_full:
            found.append(one)
            place = cursor(row.at_ms, row.number)
    return ConversationList(tuple(found), total, place if total > len(found) else page.next or None, is_complete)


def _is_named(found: ConversationSummary, text: str) -> bool:
    """Return whether the name of a conversation or its node contains a text."""
    return any(find_text(one.casefold(), text.casefold()) >= 0 for one in (found.id, found.node))


async def _has_secrets(call: OperationCall, row: ConversationRow) -> bool:
    """Return whether the flow of a conversation has secrets: then a text that stands in none of its redacted messages
    does not match, for a search would reveal the secrets letter by letter.
    """
    app = call.service.apps.get(row.flow) or next(iter(call.service.apps.values()))
    return (await app.runtime.machines.for_display(row.fingerprint)).has_secrets


def check_cursor(after: str, place: str) -> None:
    """Raise `RequestFailed` for an invalid cursor; `place` is where it stands in the request."""
    try:
        if after:
            read_cursor(after)
    except ValueError:
        fault = Fault(place, "this is no cursor", "send the `next` of the page before")
        raise RequestFailed("invalid", fault.message, errors=[fault]) from None


async def _summary(call: OperationCall, row: ConversationRow, text: str) -> ConversationSummary | None:
    """Return the summary of a conversation, `None` for one that was deleted meanwhile."""
    service = call.service
    state = await service.store.load(row.conversation)
    if state is None or not call.identity.sees(row.conversation, state.flow):
        return None
    app = service.apps.get(state.flow) or next(iter(service.apps.values()))
    machine = await app.runtime.machines.shown_of_state(state)
    said = await service.store.window(row.conversation, 0, 500 if text else 3)
    redaction = await service.redaction(app, machine, row.conversation, state, said)
    current = app.machine if app.machine.flow.name == state.flow else machine
    snippet = _snippet(said, redaction, text.casefold())
    summary = await summary_of_stored(service.store, row.conversation, state, machine, current, snippet=snippet)
    return summary if call.identity.sees_inside else for_users(summary)


def _snippet(said: tuple[e.Entry, ...], redaction: Redaction, text: str) -> str:
    """Return the last message that contains a text, from shortly before it; without a text the last message."""
    for entry in reversed(said):
        match entry.event:
            case e.UserSaid(text=words) | e.UserChose(value=words) | e.Said(text=words) | e.OperatorSaid(text=words):
                shown = without_markdown(redaction.message(entry.seq, words))
            case _:
                continue
        place = find_text(shown.casefold(), text)
        if place >= 0:
            begin = max(0, place - 40)
            return ("…" if begin else "") + shown[begin : begin + LONGEST_SNIPPET]
    return ""


OPERATIONS = (conversations,)
"""The operations of this module, which the server serves."""
