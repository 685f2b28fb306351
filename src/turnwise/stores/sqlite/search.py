"""Lists conversations by query, from columns and indexes; a text is searched in their messages."""

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
    read_cursor,
)
from turnwise.stores import encoded
from turnwise.stores.sqlite.reader import Reader

_OLD = (
    "(SELECT conversation.*, turnwise_node(state) AS node, turnwise_status(state) AS status,"
    " turnwise_waits(state) AS waits FROM conversation)"
)
"""The conversations of a file of an older format that can only be read: their states are decoded for each query."""
_COLUMNS = (
    "id, flow, fingerprint, began_ms, at_ms, seq, coalesce(node, ''), coalesce(status, 'waiting'),"
    " coalesce(waits, ''), EXISTS (SELECT 1 FROM claim WHERE claim.conversation = n), at_ms, n"
)
_TEXT = (
    "(turnwise_has(id, ?) OR turnwise_has(node, ?) OR EXISTS (SELECT 1 FROM event"
    f" WHERE event.conversation = n AND kind = {encoded.SAID} AND turnwise_said(body, ?)))"
)


def find(reader: Reader, query: ConversationQuery) -> ConversationPage:
    """Return a page of the conversations that match a query, the one that changed last first."""
    source, (where, values) = _source(reader), _where(query)
    later, place = where, list(values)
    if query.after:
        at_ms, number = read_cursor(query.after)
        later += " AND (at_ms < ? OR (at_ms = ? AND n < ?))"
        place += [at_ms, at_ms, number]
    if query.text:
        return _search(reader, query, f"FROM {source} WHERE {later} ORDER BY at_ms DESC, n DESC", place)
    ((total,),) = reader.all(f"SELECT count(*) FROM {source} WHERE {where}", *values)
    sql = f"SELECT {_COLUMNS} FROM {source} WHERE {later} ORDER BY at_ms DESC, n DESC LIMIT ?"
    found = reader.all(sql, *place, query.limit + 1)
    last = found[query.limit - 1][-2:] if len(found) > query.limit else None
    return _page(found[: query.limit], total, last)


def _search(reader: Reader, query: ConversationQuery, listed: str, place: list[Any]) -> ConversationPage:
    """Return a page of those of the conversations from a place on that contain a text."""
    text = query.text.casefold()
    sql = f"SELECT {_COLUMNS} FROM (SELECT * {listed} LIMIT {MOST_SEARCHED}) WHERE {_TEXT} ORDER BY at_ms DESC, n DESC"
    found = reader.all(sql, *place, text, text, text)
    ends = reader.all(f"SELECT at_ms, n {listed} LIMIT 2 OFFSET {MOST_SEARCHED - 1}", *place)
    is_complete = len(ends) < 2
    last = found[query.limit - 1][-2:] if len(found) > query.limit else None if is_complete else ends[0]
    return _page(found[: query.limit], len(found), last, is_complete=is_complete)


def _page(found: list[Any], total: int, last: Any, *, is_complete: bool = True) -> ConversationPage:
    """Return a page of some rows; `last` is the place of the last conversation before the next page."""
    rows_of_page = tuple([ConversationRow(*row[:9], is_open=bool(row[9]), number=row[-1]) for row in found])
    return ConversationPage(rows_of_page, total, cursor(*last) if last is not None else "", is_complete)


def counts(reader: Reader, flow: str) -> tuple[NodeCount, ...]:
    """Return how many conversations are in each node with each status, of one flow or, if empty, of all."""
    where, values = ("WHERE flow = ?", (flow,)) if flow else ("", ())
    found = reader.all(
        f"SELECT flow, coalesce(node, '') AS place, coalesce(status, 'waiting') AS standing, count(*)"
        f" FROM {_source(reader)} {where} GROUP BY flow, place, standing ORDER BY flow, place, standing",
        *values,
    )
    return tuple([NodeCount(*row) for row in found])


def owned(reader: Reader, owner: str) -> int:
    """Return how many conversations have an id that begins with `owner` and a colon; old files are counted anew."""
    if reader.one("SELECT 1 FROM sqlite_master WHERE name = 'owner'") is not None:
        found = reader.one("SELECT conversations FROM owner WHERE name = ?", owner)
    else:
        found = reader.one("SELECT count(*) FROM conversation WHERE id >= ? AND id < ?", f"{owner}:", f"{owner};")
    return int(found[0]) if found is not None else 0


def queued(reader: Reader) -> tuple[Queued, ...]:
    """Return the conversations that wait for a person or have one in charge, in the order in which they began."""
    found = reader.all(f"SELECT id, state FROM {_source(reader)} WHERE waits = ? ORDER BY n", WAITS_FOR_PERSON)
    made = reader.decode(lambda page: [encoded.queued_of(name, state) for name, state in page], found)
    return tuple([one for one in made if one is not None])


def _source(reader: Reader) -> str:
    found = reader.one("SELECT count(*) FROM pragma_table_info('conversation') WHERE name = 'waits'")
    return "conversation" if found == (1,) else _OLD


def _where(query: ConversationQuery) -> tuple[str, list[Any]]:
    """Return the condition for everything but a text, and its values."""
    parts, values = ["1"], list[Any]()
    for column, value in (("flow", query.flow), ("node", query.node), ("status", query.status)):
        if value:
            parts.append(f"{column} = ?")
            values.append(value)
    if query.waits_for:
        parts.append(f"waits IN ({', '.join('?' * len(query.waits_for))})")
        values += query.waits_for
    if query.prefix:
        parts.append("substr(id, 1, ?) = ?")
        values += [len(query.prefix), query.prefix]
    return " AND ".join(parts), values
