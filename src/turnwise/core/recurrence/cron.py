"""Reads cron lines, and yields their local times. The library `cronsim` decides what a line means."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

_FIELDS = ("minute", "hour", "day of the month", "month", "weekday")


def fault_of(line: str) -> str:
    """Return what is wrong with a cron line, in words; empty if nothing is."""
    if len(line.split()) != len(_FIELDS):
        return f"a cron line has five fields, {', '.join(_FIELDS)}; this one has {len(line.split())}"
    try:
        _parsed(line)
    except ValueError as error:
        return str(error)
    return ""


def names_both_days(line: str) -> bool:
    """Return whether a cron line limits both day of month and weekday; then a day that matches either counts."""
    fields = line.split()
    return len(fields) == len(_FIELDS) and not (fields[2].startswith("*") or fields[4].startswith("*"))


def local_times(line: str, after: datetime) -> Iterator[datetime]:
    """Yield the times of a cron line after a local time, in order; stop after fifty years without one."""
    _parsed(line)
    from cronsim import CronSim

    yield from CronSim(line, after)


@lru_cache(256)
def _parsed(line: str) -> Any:
    """Raise `ValueError` for a line that is none, with the field that is wrong."""
    from cronsim import CronSim, CronSimError

    try:
        return CronSim(line, datetime(2000, 1, 1))  # noqa: DTZ001  local times have no zone here
    except CronSimError as error:
        field = str(error).removeprefix("Bad ").replace("day-of-month", "day of the month")
        field = field.replace("day-of-week", "weekday")
        parts = line.split()
        found = next((parts[at] for at, name in enumerate(_FIELDS) if name == field), line)
        raise ValueError(f"{found!r} is no {field} of a cron line") from error
