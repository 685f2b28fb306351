"""Retention of entries: removes old texts, keeps positions, and continues folding from a snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import isfinite

from msgspec import Struct
from msgspec.structs import replace

from turnwise.core.state.events import Decided, Entry, Erased, Erasure, Snapshot
from turnwise.core.state.fold import fold_all
from turnwise.errors import WrongArgument

DAY_MS = 86_400_000
"""A day in milliseconds."""


class Retention(Struct, frozen=True):
    """How long events and the values that decisions read are kept, in days; `None` is for ever.

    Old events become empty, and no position is ever removed. An older decision keeps what came of it. For a
    conversation the smaller number of days holds. Raises `WrongArgument` for what is no number of days: what was erased
    cannot be had again.
    """

    events_days: float | None = None
    """For how many days events stay whole; `None` is for ever."""
    decisions_days: float | None = None
    """For how many days decisions keep the values that they read; `None` is for ever."""
    versions: Mapping[str, Retention] = {}
    """The retention of single flow versions, by fingerprint; an app adds them from the flows' `keep`."""

    def __post_init__(self) -> None:
        for name in ("events_days", "decisions_days"):
            _check_days(name, getattr(self, name))

    def of_version(self, fingerprint: str) -> Retention:
        """Return the retention for conversations on the version of a flow with this fingerprint: of both rules the
        shorter.
        """
        own = self.versions.get(fingerprint)
        if own is None:
            return self
        days = _smaller(self.events_days, own.events_days), _smaller(self.decisions_days, own.decisions_days)
        return Retention(*days)

    def events_before_ms(self, now_ms: int) -> int:
        """Return the moment before which events are erased, in milliseconds since 1970."""
        return _before(now_ms, self.events_days)

    def decisions_before_ms(self, now_ms: int) -> int:
        """Return the moment before which decisions are trimmed, in milliseconds since 1970."""
        return _before(now_ms, self.decisions_days)

    def erasure_of_events(self, now_ms: int) -> Erasure:
        """Return the record of an erasure of events that is made now."""
        return Erasure(now_ms, self.events_days or 0)

    def erasure_of_decisions(self, now_ms: int) -> Erasure:
        """Return the record of a trimming of decisions that is made now."""
        return Erasure(now_ms, self.decisions_days or 0)


def _before(now_ms: int, days: float | None) -> int:
    return 0 if days is None else max(0, now_ms - int(days * DAY_MS))


def _smaller(one: float | None, other: float | None) -> float | None:
    known = [days for days in (one, other) if days is not None]
    return min(known, default=None)


def _check_days(name: str, days: object) -> None:
    if days is None:
        return
    if isinstance(days, bool) or not isinstance(days, int | float) or not isfinite(days) or days < 0:
        raise WrongArgument(name, days, "a number of days, 0 or more, or None")


def erased(entries: Sequence[Entry], by: Erasure) -> tuple[Entry, ...]:
    """Return whole turns of entries without their events; the last entry becomes a snapshot of the state after them.
    `by` is the record of this erasure.

    The entries begin with the journal, or with the snapshot at which an earlier erasing ended.
    """
    *old, last = entries
    state = fold_all(entries)
    assert state is not None
    ends = [entry.turn != following.turn for entry, following in pairwise(entries)]
    found = [_erased(entry, by if is_end else None) for entry, is_end in zip(old, ends, strict=True)]
    if old and isinstance(entries[0].event, Snapshot):  # its turn was erased before, by an older version maybe
        found[0] = _erased(old[0], None)
    return (*found, replace(last, event=Snapshot(state, by)))


def _erased(entry: Entry, by: Erasure | None) -> Entry:
    event = entry.event
    if isinstance(event, Snapshot) and event.by is not None:
        by = event.by
    return entry if isinstance(event, Erased) else replace(entry, event=Erased(str(event.__struct_config__.tag), by))


def trimmed(entry: Entry, by: Erasure) -> Entry:
    """Return a decision without the values that it read and its code runs; any other entry unchanged. `by` is the
    record of this erasure.
    """
    event = entry.event
    if not isinstance(event, Decided) or not (event.reads or event.code):
        return entry
    return replace(entry, event=replace(event, reads=(), code=(), trimmed=by))


def erasure_text(by: Erasure | None, what: str = "events") -> str:
    """Return when and by which rule `what` was erased, as the end of a sentence; empty if it is not recorded."""
    return f" on {by.day}, which keeps {what} for {by.duration}" if by is not None else ""


def erasure_of(entries: Iterable[Entry]) -> Erasure | None:
    """Return when and by which rule a turn was erased; `None` if its entries do not record it."""
    found = (entry.event.by for entry in entries if isinstance(entry.event, Erased | Snapshot))
    return next((by for by in found if by is not None), None)
