"""Lists conversations by query, from columns and indexes; a text is searched in their messages, by this process."""

from __future__ import annotations

from typing import Any

from turnwise.runner.ports import Queued
from turnwise.runner.search import (
    MOST_SEARCHED,
    WAITS_FOR_PERSON,
    ConversationPage,
    ConversationQuery,
    ConversationRow,
    NodeCount,
    cursor,
    find_text,
    has_text,
    read_cursor,
)
from turnwise.stores.encoded import SAID, event_of, queued_of
from turnwise.stores.postgres.commit import escape_text, unescape_text
from turnwise.stores.postgres.connect import Connection, Row
from turnwise.stores.postgres.reader import Reader

SEARCHED_AT_ONCE = 200
"""Of how many conversations the messages are read at once."""

_COLUMNS = (
    "id, flow, fingerprint, began_ms, at_ms, seq, coalesce(node, ''), coalesce(status, 'waiting'),"
    " coalesce(waits, ''), EXISTS (SELECT 1 FROM claim WHERE claim.conversation = n), at_ms, n"
)
_COUNTS = (
    "SELECT flow, coalesce(node, '') AS place, coalesce(status, 'waiting') AS standing, count(*)"
    " FROM conversation {} GROUP BY flow, place, standing ORDER BY flow, place, standing"
)
_MESSAGES = f"SELECT conversation, body FROM event WHERE conversation = ANY(%s) AND kind = {SAID}"
_OWNED = "SELECT coalesce(sum(conversations), 0) FROM owner WHERE name = %s"


async def find(reader: Reader, query: ConversationQuery) -> ConversationPage:
    """Return a page of the conversations that match a query, the one that changed last first."""
    where, values = _where(query)
    later, place = where, list(values)
    if query.after:
        later, place = f"{where} AND (at_ms, n) < (%s, %s)", [*values, *read_cursor(query.after)]
    listed = f"SELECT {_COLUMNS} FROM conversation WHERE {later} ORDER BY at_ms DESC, n DESC LIMIT %s"
    if query.text:
        return await _search(reader, query, listed, place)
    ((total,),) = await reader.all(f"SELECT count(*) FROM conversation WHERE {where}", *values, is_long=True)
    found = await reader.all(listed, *place, query.limit + 1, is_long=True)
    last = found[query.limit - 1][-2:] if len(found) > query.limit else None
    return _page(found[: query.limit], total, last)


async def _search(reader: Reader, query: ConversationQuery, listed: str, place: list[Any]) -> ConversationPage:
    """Return a page of those of the conversations from a place on that contain a text."""
    text = query.text.casefold()
    rows = await reader.all(listed, *place, MOST_SEARCHED + 1, is_long=True)
    is_complete = len(rows) <= MOST_SEARCHED
    ends = rows[MOST_SEARCHED - 1][-2:] if not is_complete else None
    found: list[Row] = []
    searched = rows[:MOST_SEARCHED]
    for begin in range(0, len(searched), SEARCHED_AT_ONCE):
        some = searched[begin : begin + SEARCHED_AT_ONCE]
        named = {row[-1] for row in some if _has(unescape_text(row[0]), text) or _has(row[6], text)}
        rest = [row[-1] for row in some if row[-1] not in named]
        named |= await reader.run(lambda db, rest=rest: _that_say(db, rest, text), is_long=True)
        found += [row for row in some if row[-1] in named]
    last = found[query.limit - 1][-2:] if len(found) > query.limit else ends
    return _page(found[: query.limit], len(found), last, is_complete=is_complete)


def _has(words: str, text: str) -> bool:
    return find_text(words.casefold(), text) >= 0


def _that_say(db: Connection, conversations: list[int], text: str) -> set[int]:
    """Return which of some conversations contain a text in a message."""
    found = set[int]()
    for n, body in db.execute(_MESSAGES, (conversations,)):
        if n not in found and _says(body, text):
            found.add(n)
    return found


def _says(body: bytes, text: str) -> bool:
    try:
        return has_text(event_of(body), text)
    except Exception:  # noqa: BLE001  a damaged message contains nothing, and the others are searched
        return False


def _page(found: list[Row], total: int, last: Any, *, is_complete: bool = True) -> ConversationPage:
    """Return a page of some rows; `last` is the place of the last conversation before the next page."""
    rows = [ConversationRow(unescape_text(row[0]), *row[1:9], is_open=row[9], number=row[-1]) for row in found]
    return ConversationPage(tuple(rows), total, cursor(*last) if last is not None else "", is_complete)


async def counts(reader: Reader, flow: str) -> tuple[NodeCount, ...]:
    """Return how many conversations are in each node with each status, of one flow or, if empty, of all."""
    where, values = ("WHERE flow = %s", (flow,)) if flow else ("", ())
    return tuple([NodeCount(*row) for row in await reader.all(_COUNTS.format(where), *values, is_long=True)])


async def owned(reader: Reader, owner: str) -> int:
    """Return how many conversations have an id that begins with `owner` and a colon."""
    ((found,),) = await reader.all(_OWNED, escape_text(owner))
    return int(found)


async def queued(reader: Reader) -> tuple[Queued, ...]:
    """Return the conversations that wait for a person or have one in charge, in the order in which they began."""
    found = await reader.all(
        "SELECT id, state FROM conversation WHERE waits = %s ORDER BY n", WAITS_FOR_PERSON, is_long=True
    )
    made = reader.decode(lambda page: [queued_of(unescape_text(name), state) for name, state in page], found)
    return tuple([one for one in made if one is not None])


def _where(query: ConversationQuery) -> tuple[str, list[Any]]:
    """Return the condition for everything but a text, and its values."""
    parts, values = ["true"], list[Any]()
    for column, value in (("flow", query.flow), ("node", query.node), ("status", query.status)):
        if value:
            parts.append(f"{column} = %s")
            values.append(escape_text(value))
    if query.waits_for:
        parts.append("waits = ANY(%s)")
        values.append(list(query.waits_for))
    if query.prefix:
        parts.append("starts_with(id, %s)")
        values.append(escape_text(query.prefix))
    return " AND ".join(parts), values
