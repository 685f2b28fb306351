"""Retention of entries: removes old texts, keeps positions, and continues folding from a snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.state.events import Decided, Entry, Erased, Snapshot
from turnwise.core.state.fold import fold_all
from turnwise.errors import WrongArgument

DAY_MS = 86_400_000


class Retention(Struct, frozen=True):
    """How long events are kept, and what decisions have read, in days; `None` is for ever.

    Old events become empty, and no position is ever removed. An older decision keeps what came of it.
    Raises `WrongArgument` for what is no number of days: what was erased cannot be had again.
    """

    events_days: float | None = None
    decisions_days: float | None = None

    def __post_init__(self) -> None:
        for name in ("events_days", "decisions_days"):
            _check_days(name, getattr(self, name))

    def events_before_ms(self, now_ms: int) -> int:
        """Events from before this moment are erased, in milliseconds since 1970."""
        return _before(now_ms, self.events_days)

    def decisions_before_ms(self, now_ms: int) -> int:
        """Decisions from before this moment are trimmed, in milliseconds since 1970."""
        return _before(now_ms, self.decisions_days)


def _before(now_ms: int, days: float | None) -> int:
    return 0 if days is None else max(0, now_ms - int(days * DAY_MS))


def _check_days(name: str, days: object) -> None:
    if days is None:
        return
    if isinstance(days, bool) or not isinstance(days, int | float) or not isfinite(days) or days < 0:
        raise WrongArgument(name, days, "a number of days, 0 or more, or None")


def erased(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """These entries without their events; the last becomes the state to which they lead. They begin with
    the journal, or with the snapshot at which an earlier erasing ended, and end with a turn.
    """
    *old, last = entries
    state = fold_all(entries)
    assert state is not None
    return (*(_erased(entry) for entry in old), replace(last, event=Snapshot(state)))


def _erased(entry: Entry) -> Entry:
    event = entry.event
    return entry if isinstance(event, Erased) else replace(entry, event=Erased(str(event.__struct_config__.tag)))


def trimmed(entry: Entry) -> Entry:
    """A decision without what it read and the runs of its code; any other entry as it is."""
    event = entry.event
    if not isinstance(event, Decided):
        return entry
    return replace(entry, event=replace(event, reads=(), code=()))
