"""Finds the conversations that were written since the last look at a file, whichever process wrote them.

Rows of events are numbered as they are inserted. A number is used again where the last row was deleted, and all may
change when the file is vacuumed; then any conversation may have changed. So it may where one was deleted: the file
knows how many were, but not which.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

from turnwise.runner.ports import Change
from turnwise.stores.sqlite.reader import Reader

POLL_S = 0.5
"""The seconds between two looks for changes of other processes."""

_FROM = "FROM main.event AS event JOIN main.conversation AS conversation ON conversation.n = event.conversation"
_ROW = f"SELECT event.rowid, id, event.seq, event.at_ms {_FROM}"
_LAST = f"{_ROW} ORDER BY event.rowid DESC LIMIT 1"
_SAME = f"{_ROW} WHERE event.rowid = ?"
_DELETIONS = "SELECT count FROM deletion"
_BETWEEN = f"SELECT id, max(event.seq) {_FROM} WHERE event.rowid > ? AND event.rowid <= ? GROUP BY id"


async def changes(reader: Reader) -> AsyncIterator[Change]:
    """Yield each conversation that was written, soon after; one change for all if some were deleted."""
    deletions, last = reader.one(_DELETIONS), reader.one(_LAST)
    yield Change()
    while True:
        await asyncio.sleep(POLL_S)
        before, deletions = deletions, reader.one(_DELETIONS)
        newest = reader.one(_LAST)
        if deletions != before:
            yield Change()
        elif newest != last:
            for change in _between(reader, last, newest):
                yield change
        last = newest


def _between(reader: Reader, last: tuple[Any, ...] | None, newest: tuple[Any, ...] | None) -> Iterator[Change]:
    """Yield the conversations with rows between two, or one change for all if the first row is there no more."""
    if newest is None or (last is not None and reader.one(_SAME, last[0]) != last):
        yield Change()
        return
    for conversation, seq in reader.all(_BETWEEN, last[0] if last is not None else 0, newest[0]):
        yield Change(conversation, seq)
