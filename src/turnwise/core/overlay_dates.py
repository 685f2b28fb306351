"""The dates of an overlay: read from a document, and placed in a time zone.

A day alone is the whole local day; a moment is exact. A local time that does not exist is the moment at which clocks
jump; of one that exists twice, an overlay begins at the first and ends at the last.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Final

from msgspec import Struct

from turnwise.core.zones import zone_or_utc
from turnwise.flow.late_pattern import late_pattern

EXPECTED_DATE: Final = "a day or a moment of local time, such as 2026-11-20 or 2026-11-20T18:00"
"""How `from` and `to` are written."""
_WRITTEN = late_pattern(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?")
YEARS: Final = range(1900, 3001)
"""The years in which an overlay may begin and end."""


class Boundary(Struct, frozen=True):
    """The begin or end of an overlay: a local day, or a time on it."""

    day: date
    """The day, in local time."""
    time: time | None = None
    """The time of day; `None` for the whole day."""

    def in_year(self, year: int) -> Boundary:
        """Return this boundary in another year; 29 February becomes the 28th if that year has none."""
        try:
            return Boundary(self.day.replace(year=year), self.time)
        except ValueError:
            return Boundary(date(year, 2, 28), self.time)

    @property
    def earliest(self) -> datetime:
        """The first moment of the boundary, in local time without a zone."""
        return datetime.combine(self.day, self.time or time.min)

    @property
    def latest(self) -> datetime:
        """The last moment of the boundary, in local time without a zone: the end of its day, or its time of day."""
        return datetime.combine(self.day, self.time or time.max)

    @property
    def text(self) -> str:
        """The boundary as a flow document writes it."""
        return self.day.isoformat() if self.time is None else f"{self.day}T{self.time:%H:%M}"


class Dates(Struct, frozen=True):
    """The dates at which an overlay is active: begin, end, whether each year, and the time zone.
    Without a beginning and an end it never is.
    """

    begins: Boundary | None = None
    """The first day or moment; `None` if it has no begin."""
    ends: Boundary | None = None
    """The last day (inclusive), or the moment of the end; `None` if it has no end."""
    is_yearly: bool = False
    """True if the dates apply each year."""
    zone: str = ""
    """The time zone; empty for that of the conversation."""


class Span(Struct, frozen=True):
    """A time span, from `begin_ms` to before `end_ms`, in milliseconds since 1970."""

    begin_ms: int | None
    """The first moment of the span, in milliseconds since 1970; `None` if it has no begin."""
    end_ms: int | None
    """The first moment after the span, in milliseconds since 1970; `None` if it has no end."""

    def holds(self, at_ms: int) -> bool:
        """Return whether a moment (ms since 1970) is in the span."""
        return (self.begin_ms is None or self.begin_ms <= at_ms) and (self.end_ms is None or at_ms < self.end_ms)


def read_boundary(text: str) -> Boundary | None:
    """Return the boundary that a date, or date and time, in a flow document means; `None` if it cannot be read."""
    if not _WRITTEN.fullmatch(text):
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    if found.year not in YEARS:
        return None
    return Boundary(found.date(), found.time() if len(text) > len("2026-11-20") else None)


def current_span(dates: Dates, at_ms: int, zone: str) -> Span | None:
    """Return the span around a moment (ms since 1970) in which the dates hold; `None` if they do not hold then."""
    return next((span for span in _near(dates, at_ms, zone) if span.holds(at_ms)), None)


def next_span(dates: Dates, at_ms: int, zone: str) -> Span | None:
    """Return the next span of the dates that begins after a moment (ms since 1970); `None` if there is none."""
    later = [span for span in _near(dates, at_ms, zone) if span.begin_ms is not None and span.begin_ms > at_ms]
    return later[0] if later else None


def last_span(dates: Dates, at_ms: int, zone: str) -> Span | None:
    """Return the last span of the dates that ended before a moment (ms since 1970); `None` if there is none."""
    earlier = [span for span in _near(dates, at_ms, zone) if span.end_ms is not None and span.end_ms <= at_ms]
    return earlier[-1] if earlier else None


def _near(dates: Dates, at_ms: int, zone: str) -> tuple[Span, ...]:
    """Return the spans of an overlay around a moment, in order."""
    if dates.begins is None and dates.ends is None:
        return ()
    if not dates.is_yearly or dates.begins is None or dates.ends is None:
        return _spans(dates, dates.zone or zone, 0, 0)
    year = datetime.fromtimestamp(at_ms / 1000, UTC).year - dates.begins.day.year
    last = YEARS[-1] - dates.ends.day.year
    return _spans(dates, dates.zone or zone, max(0, min(year - 2, last)), max(0, min(year + 2, last)))


@lru_cache(maxsize=512)
def _spans(dates: Dates, zone_name: str, first: int, last: int) -> tuple[Span, ...]:
    """Return the spans that begin so many years after the first one."""
    zone, found = zone_or_utc(zone_name), list[Span]()
    for years in range(first, last + 1):
        begins, ends = [one and one.in_year(one.day.year + years) for one in (dates.begins, dates.ends)]
        begin_ms = _instant_ms(begins.day, begins.time or time(), zone, is_last=False) if begins is not None else None
        found.append(Span(begin_ms, _end_ms(ends, zone) if ends is not None else None))
    return tuple(found)


def _end_ms(ends: Boundary, zone: tzinfo) -> int:
    """Return the first moment behind an end: the next day, or the millisecond after a moment."""
    if ends.time is None:
        return _instant_ms(ends.day + timedelta(days=1), time(), zone, is_last=False)
    is_missing = _is_missing(datetime.combine(ends.day, ends.time), zone)
    return _instant_ms(ends.day, ends.time, zone, is_last=True) + (0 if is_missing else 1)


def _instant_ms(day: date, at: time, zone: tzinfo, *, is_last: bool) -> int:
    """Return a local time in milliseconds since 1970: of one that exists twice the first or the last, for one that does
    not exist the moment at which the clocks jump over it.
    """
    local = datetime.combine(day, at)
    if not _is_missing(local, zone):
        return _ms(local.replace(tzinfo=zone, fold=int(is_last)))
    before, after = sorted(_ms(local.replace(tzinfo=zone, fold=fold)) for fold in (0, 1))
    offset = _offset(before, zone)
    while after - before > 1:
        middle = (before + after) // 2
        before, after = (middle, after) if _offset(middle, zone) == offset else (before, middle)
    return after


def _is_missing(local: datetime, zone: tzinfo) -> bool:
    """True if the clocks jump over a local time."""
    back = local.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
    return back.replace(tzinfo=None) != local


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _offset(at_ms: int, zone: tzinfo) -> timedelta | None:
    return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone(zone).utcoffset()
