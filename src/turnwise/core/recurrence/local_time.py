"""Local times of a zone as moments, over both clock changes (laws 6.7, 9-25): a time that does not exist is the end of
the gap, and one that exists twice is the first of both.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_MS = timedelta(milliseconds=1)


def local_at(at_ms: int, zone: tzinfo) -> datetime:
    """Return the local time in a zone, without zone, at a moment in milliseconds since 1970."""
    return (_FIRST + at_ms * _MS).astimezone(zone).replace(tzinfo=None, fold=0)


def moment_of(local: datetime, zone: tzinfo) -> int:
    """Return the moment, in milliseconds since 1970, of a local time in a zone."""
    first = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if first.astimezone(zone).replace(tzinfo=None, fold=0) != local.replace(fold=0):
        first = _end_of_gap(local, zone)
    return (first - _FIRST) // _MS


def _end_of_gap(local: datetime, zone: tzinfo) -> datetime:
    """Return the moment at which the clock jumps over a local time that does not exist."""
    before = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    after = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    offset = after.astimezone(zone).utcoffset()
    while after - before > _SECOND:
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == offset:
            after = middle
        else:
            before = middle if middle > before else before + _SECOND
    return after
