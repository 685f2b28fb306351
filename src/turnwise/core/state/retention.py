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


class Retention(Struct, frozen=True):
    """How long events are kept, and what decisions have read, in days; `None` is for ever.

    Old events become empty, and no position is ever removed. An older decision keeps what came of it. For a
    conversation the smaller number of days holds. Raises `WrongArgument` for what is no number of days: what was erased
    cannot be had again.
    """

    events_days: float | None = None
    """For how many days events stay whole."""
    decisions_days: float | None = None
    """For how many days decisions keep what they have read."""
    versions: Mapping[str, Retention] = {}
    """Those of single versions of flows, by fingerprint; an app adds them from `keep` of the flows in the store."""

    def __post_init__(self) -> None:
        for name in ("events_days", "decisions_days"):
            _check_days(name, getattr(self, name))

    def of_version(self, fingerprint: str) -> Retention:
        """Return the retention of the conversations on a version of a flow: of each kind the smaller number of days."""
        own = self.versions.get(fingerprint)
        if own is None:
            return self
        days = _smaller(self.events_days, own.events_days), _smaller(self.decisions_days, own.decisions_days)
        return Retention(*days)

    def events_before_ms(self, now_ms: int) -> int:
        """Events from before this moment are erased, in milliseconds since 1970."""
        return _before(now_ms, self.events_days)

    def decisions_before_ms(self, now_ms: int) -> int:
        """Decisions from before this moment are trimmed, in milliseconds since 1970."""
        return _before(now_ms, self.decisions_days)

    def erasure_of_events(self, now_ms: int) -> Erasure:
        """Return what is recorded with events that are erased now."""
        return Erasure(now_ms, self.events_days or 0)

    def erasure_of_decisions(self, now_ms: int) -> Erasure:
        """Return what is recorded with decisions that are trimmed now."""
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
    """These entries without their events; the last becomes the state to which they lead. They begin with
    the journal, or with the snapshot at which an earlier erasing ended, and end with a turn.
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
    """Return a decision without what it read and the runs of its code; any other entry as it is."""
    event = entry.event
    if not isinstance(event, Decided) or not (event.reads or event.code):
        return entry
    return replace(entry, event=replace(event, reads=(), code=(), trimmed=by))


def erasure_text(by: Erasure | None, what: str = "events") -> str:
    """Return when retention erased something, and its rule, to stand after "erased by retention"; empty where the
    journal does not have it.
    """
    return f" on {by.day}, which keeps {what} for {by.duration}" if by is not None else ""


def erasure_of(entries: Iterable[Entry]) -> Erasure | None:
    """Return how a turn was erased; `None` where the journal does not have it."""
    found = (entry.event.by for entry in entries if isinstance(entry.event, Erased | Snapshot))
    return next((by for by in found if by is not None), None)
