"""Reads journals and states. What a turn reads takes one round trip each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.core.state import State
from turnwise.core.state.events import Entry
from turnwise.core.state.fold import fold_all
from turnwise.runner.ports import Receipt
from turnwise.stores.encoded import SAID, SNAPSHOT, UNDONE, entries_of, entry_of, state_of
from turnwise.stores.postgres.commit import escape_text
from turnwise.stores.postgres.connect import Connection
from turnwise.stores.postgres.reader import Reader

LAST = 2**31 - 1
"""The highest position that an entry can have."""
ENTRY = "event.seq, event.turn, event.at_ms, event.body, event.frame"
"""The columns that `entry_of` reads."""
NUMBER = "(SELECT n FROM conversation WHERE id = %s)"
"""The SQL of a conversation's number, by its name."""

_LOAD = (
    f"SELECT state, {ENTRY} FROM conversation"
    " LEFT JOIN event ON event.conversation = n AND event.seq > conversation.seq WHERE id = %s ORDER BY event.seq"
)
_BETWEEN = f"SELECT {ENTRY} FROM event WHERE conversation = {NUMBER} AND seq > %s AND seq <= %s ORDER BY seq"
_AT = f"SELECT {ENTRY} FROM event WHERE conversation = {NUMBER} AND seq = ANY(%s)"
_SNAPSHOT = (
    f"SELECT {ENTRY} FROM event WHERE conversation = {NUMBER} AND seq <= %s AND kind = {SNAPSHOT}"
    " ORDER BY seq DESC LIMIT 1"
)
_TURN = f"""
    WITH RECURSIVE one AS (SELECT n, (SELECT max(seq) FROM event WHERE conversation = n) AS last
        FROM conversation WHERE id = %(id)s),
    begin AS (
        SELECT 1 AS low, last + 1 AS high FROM one
        UNION ALL
        SELECT CASE WHEN turn < %(turn)s THEN middle + 1 ELSE low END,
            CASE WHEN turn < %(turn)s THEN high ELSE middle END
        FROM (SELECT low, high, (low + high) / 2 AS middle FROM begin WHERE low < high) AS half
        JOIN one ON true JOIN event ON event.conversation = one.n AND event.seq = middle),
    ending AS (
        SELECT 1 AS low, last + 1 AS high FROM one
        UNION ALL
        SELECT CASE WHEN turn <= %(turn)s THEN middle + 1 ELSE low END,
            CASE WHEN turn <= %(turn)s THEN high ELSE middle END
        FROM (SELECT low, high, (low + high) / 2 AS middle FROM ending WHERE low < high) AS half
        JOIN one ON true JOIN event ON event.conversation = one.n AND event.seq = middle)
    SELECT {ENTRY} FROM one JOIN event ON event.conversation = one.n
        AND event.seq >= (SELECT low FROM begin WHERE low >= high)
        AND event.seq < (SELECT low FROM ending WHERE low >= high)
    ORDER BY event.seq
"""
"""Finds a turn by a binary search: the numbers of turns never decrease."""
_SAID = (
    f"SELECT {ENTRY} FROM event WHERE conversation = {NUMBER} AND seq > %s AND seq < %s"
    f" AND kind = {SAID} ORDER BY seq DESC LIMIT %s"
)
_UNDONE = (
    f"SELECT seq FROM event WHERE conversation = {NUMBER} AND seq < %s AND kind = {UNDONE} ORDER BY seq DESC LIMIT 1"
)
_RECEIPT = f"SELECT key, body, turn FROM inbox WHERE conversation = {NUMBER} AND key = %s"


async def load(reader: Reader, conversation: str) -> State | None:
    """Return the latest state of a conversation, also within a turn; `None` if there is no such conversation."""
    found = await reader.all(_LOAD, escape_text(conversation))
    if not found:
        return None
    blob = found[0][0]
    state = reader.decode(state_of, blob) if blob is not None else None
    later = [row[1:] for row in found if row[1] is not None]
    return fold_all(reader.decode(entries_of, later), state)


async def receipt(reader: Reader, conversation: str, key: str) -> Receipt | None:
    """Return the receipt of an idempotency key; `None` if the conversation has not received it."""
    found = await reader.one(_RECEIPT, escape_text(conversation), escape_text(key))
    return Receipt(key, found[1], found[2]) if found is not None else None


async def entries(reader: Reader, conversation: str, after: int, until: int | None) -> tuple[Entry, ...]:
    """Return the entries after position `after` up to and including `until` (`None`: up to the last), in order."""
    last = until if until is not None else LAST
    return await _entries(reader, _BETWEEN, (escape_text(conversation), after, last))


async def turn(reader: Reader, conversation: str, number: int) -> tuple[Entry, ...]:
    """Return the entries of the turn with this number, in order."""
    values = {"id": escape_text(conversation), "turn": number}
    return await _entries(reader, _TURN, values)


async def _entries(reader: Reader, sql: str, values: Any) -> tuple[Entry, ...]:
    """Return the entries of a query; the thread that reads them decodes them, too, for they may be many."""
    return await reader.run(lambda db: reader.decode(entries_of, db.execute(sql, values).fetchall()))


async def at(reader: Reader, conversation: str, positions: Sequence[int]) -> dict[int, Entry]:
    """Return the entries at some positions, by position."""
    if not positions:
        return {}
    found = await reader.all(_AT, escape_text(conversation), list(positions))
    return {row[0]: reader.decode(entry_of, row) for row in found}


async def snapshot(reader: Reader, conversation: str, until: int) -> Entry | None:
    """Return the entry of the newest snapshot at or before position `until`; `None` if there is none."""
    found = await reader.one(_SNAPSHOT, escape_text(conversation), until)
    return reader.decode(entry_of, found) if found is not None else None


async def window(reader: Reader, conversation: str, after: int, limit: int, frame: int | None) -> tuple[Entry, ...]:
    """Return the last `limit` entries with a message or reply after position `after`, of one frame or of all.
    Entries of frames inside that one are skipped in whole ranges, each from where a frame was opened, or where an undo
    went back into it.
    """
    name = escape_text(conversation)

    def read(db: Connection) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        until = LAST
        while until:
            most = limit - len(found)
            some = db.execute(_SAID, (name, after, until, most)).fetchall()
            inner = next((row for row in some if frame is not None and row[-1] > frame), None)
            found += [row for row in some[: some.index(inner) if inner else None] if frame in (None, row[-1])]
            if inner is not None:
                undone = db.execute(_UNDONE, (name, inner[0])).fetchone()
                until = max(inner[-1], undone[0] if undone is not None else 0)
            else:
                until = some[-1][0] if len(some) == most > 0 and len(found) < limit else 0
        return found

    return reader.decode(entries_of, await reader.run(read))[::-1]
