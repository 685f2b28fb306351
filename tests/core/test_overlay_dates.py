"""The dates of overlays: read from documents, and placed in time zones, also where clocks change (law 6.6)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.overlay_dates import Boundary, Dates, current_span, last_span, next_span, read_boundary

pytestmark = pytest.mark.law("6.6")

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia")


def ms(text: str) -> int:
    """A moment with its offset, in milliseconds."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def dates(begins: str = "", ends: str = "", *, yearly: bool = False, zone: str = "") -> Dates:
    return Dates(read_boundary(begins), read_boundary(ends), yearly, zone)


@pytest.mark.parametrize(
    ("begins", "ends", "zone", "inside", "outside"),
    [
        # a day alone is the whole local day
        ("2026-11-20", "2026-11-22", "Europe/Berlin", "2026-11-20T00:00+01:00", "2026-11-19T23:59:59.999+01:00"),
        ("2026-11-20", "2026-11-22", "Europe/Berlin", "2026-11-22T23:59:59.999+01:00", "2026-11-23T00:00+01:00"),
        ("2026-11-20", "2026-11-20", "America/New_York", "2026-11-21T04:59+00:00", "2026-11-21T05:00+00:00"),
        # a moment is exact
        ("2026-11-20T18:00", "", "Europe/Berlin", "2026-11-20T18:00+01:00", "2026-11-20T17:59:59.999+01:00"),
        ("", "2026-11-20T18:00", "Europe/Berlin", "2026-11-20T18:00+01:00", "2026-11-20T18:00:00.001+01:00"),
        ("", "2026-11-20 18:00:30", "UTC", "2026-11-20T18:00:30+00:00", "2026-11-20T18:00:31+00:00"),
        # the day on which clocks go forward has 23 hours, that on which they go back has 25
        ("2026-03-29", "2026-03-29", "Europe/Berlin", "2026-03-29T21:59+00:00", "2026-03-29T22:00+00:00"),
        ("2026-10-25", "2026-10-25", "Europe/Berlin", "2026-10-25T22:59+00:00", "2026-10-25T23:00+00:00"),
        # 02:30 does not exist: clocks jump over it at 01:00 UTC
        ("2026-03-29T02:30", "", "Europe/Berlin", "2026-03-29T01:00+00:00", "2026-03-29T00:59:59.999+00:00"),
        ("", "2026-03-29T02:30", "Europe/Berlin", "2026-03-29T00:59:59.999+00:00", "2026-03-29T01:00+00:00"),
        # 02:30 exists twice: it begins at the first, and ends at the last
        ("2026-10-25T02:30", "", "Europe/Berlin", "2026-10-25T00:30+00:00", "2026-10-25T00:29:59.999+00:00"),
        ("", "2026-10-25T02:30", "Europe/Berlin", "2026-10-25T01:30+00:00", "2026-10-25T01:30:00.001+00:00"),
        # a day that a zone leaves out is empty, and the days around it meet
        ("2011-12-29", "2011-12-30", "Pacific/Apia", "2011-12-30T09:59:59.999+00:00", "2011-12-30T10:00+00:00"),
    ],
)
def test_where_it_begins_and_ends(begins: str, ends: str, zone: str, inside: str, outside: str) -> None:
    found = dates(begins, ends)
    assert current_span(found, ms(inside), zone) is not None
    assert current_span(found, ms(outside), zone) is None


def test_without_dates_it_is_never_active() -> None:
    assert current_span(dates(), 0, "UTC") is next_span(dates(), 0, "UTC") is last_span(dates(), 0, "UTC") is None


def test_its_own_zone_goes_before_that_of_the_conversation() -> None:
    found = dates("2026-11-20", zone="Asia/Tokyo")
    assert current_span(found, ms("2026-11-20T00:00+09:00"), "America/New_York") is not None


def test_a_zone_that_the_system_does_not_know_any_more_is_utc() -> None:
    assert current_span(dates("2026-11-20"), ms("2026-11-20T00:00+00:00"), "Mars/Olympus") is not None


@pytest.mark.parametrize(
    ("day", "is_active"),
    [("2024-02-29", True), ("2025-02-28", True), ("2025-02-27", False), ("2025-03-01", False), ("2028-02-28", False),
     ("2028-02-29", True), ("2023-02-28", False)],
)  # fmt: skip
def test_29_february_falls_back_to_the_28th(day: str, is_active: bool) -> None:
    found = dates("2024-02-29", "2024-02-29", yearly=True)
    assert (current_span(found, ms(f"{day}T12:00+00:00"), "UTC") is not None) is is_active


def test_it_comes_back_every_year_also_over_new_year() -> None:
    found = dates("2025-12-30", "2026-01-02", yearly=True)
    inside = ("2025-12-30", "2026-01-02", "2026-12-31", "2040-01-01")
    outside = ("2024-12-31", "2025-01-01", "2026-01-03", "2040-12-29")
    assert all(current_span(found, ms(f"{day}T12:00+00:00"), "UTC") is not None for day in inside)
    assert not any(current_span(found, ms(f"{day}T12:00+00:00"), "UTC") for day in outside)
    later, before = (of(found, ms("2030-06-01T00:00+00:00"), "UTC") for of in (next_span, last_span))
    assert later is not None
    assert before is not None
    assert (later.begin_ms, before.end_ms) == (ms("2030-12-30T00:00+00:00"), ms("2030-01-03T00:00+00:00"))
    first = next_span(found, ms("2001-01-01T00:00+00:00"), "UTC")
    assert first is not None
    assert first.begin_ms == ms("2025-12-30T00:00+00:00")


@pytest.mark.parametrize(
    "text",
    ["tomorrow", "2026-13-01", "2026-02-30", "20.11.2026", "2026-11-20T25:00", "2026-11-20T18:00Z", "2026-11-20T18",
     "1899-12-31", "3001-01-01", "2026-11-20T18:00+01:00", "20261120", " 2026-11-20"],
)  # fmt: skip
def test_what_is_no_day_and_no_moment(text: str) -> None:
    assert read_boundary(text) is None


@given(
    st.dates(date(2020, 1, 1), date(2030, 12, 31)), st.integers(0, 400), st.sampled_from(ZONES), st.integers(-500, 500)
)
def test_whole_days_are_those_of_the_local_calendar(begin: date, length: int, zone: str, hours: int) -> None:
    end = begin + timedelta(days=length)
    found = Dates(Boundary(begin), Boundary(end))
    at = datetime.combine(begin if hours < 0 else end, datetime.min.time(), UTC) + timedelta(hours=hours)
    at_ms = round(at.timestamp() * 1000)
    is_inside = begin <= at.astimezone(ZoneInfo(zone)).date() <= end
    assert (current_span(found, at_ms, zone) is not None) is is_inside
    if not is_inside:
        later, before = next_span(found, at_ms, zone), last_span(found, at_ms, zone)
        assert (later is None) is not (before is None)


@given(
    st.dates(date(1996, 1, 1), date(2000, 12, 31)),
    st.integers(0, 300),
    st.sampled_from(ZONES),
    st.dates(date(1990, 1, 1), date(2060, 1, 1)),
)
def test_yearly_dates_are_the_same_days_of_each_year(begin: date, length: int, zone: str, day: date) -> None:
    end = begin + timedelta(days=length)
    found = Dates(Boundary(begin), Boundary(end), is_yearly=True)
    at = datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(zone))
    years = range(day.year - 2, day.year + 2)
    spans = [(_in(begin, year), _in(end, year + end.year - begin.year)) for year in years if year >= begin.year]
    is_inside = any(first <= day <= last for first, last in spans)
    assert (current_span(found, round(at.timestamp() * 1000), zone) is not None) is is_inside


def _in(day: date, year: int) -> date:
    try:
        return day.replace(year=year)
    except ValueError:
        return date(year, 2, 28)
