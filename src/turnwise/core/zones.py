"""Time zones by name, from the system's database."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo

from turnwise.flow.diagnostic import nearest_name

_LONGEST = 60


def named_zone(name: str) -> tzinfo:
    """Return the time zone of a name. Raises `KeyError`, `ValueError` or `OSError` if the system has none. The default
    one needs no database.
    """
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)


def is_zone(name: str) -> bool:
    """Return whether a time zone has this name."""
    if len(name) > _LONGEST:
        return False
    try:
        named_zone(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def zone_or_utc(name: str) -> tzinfo:
    """Return the time zone of a name; UTC if the system does not know it."""
    try:
        return named_zone(name)
    except (KeyError, ValueError, OSError):
        return UTC


def local_time(at_ms: int, zone: str) -> datetime:
    """Return a time in milliseconds since 1970 as the local time of a zone, with that zone; an unknown one is UTC."""
    return datetime.fromtimestamp(at_ms / 1000, zone_or_utc(zone))


def time_text(at: datetime) -> str:
    """Return a local time as people in its zone read it: `2026-01-09 12:05:00 CET`."""
    return f"{at:%Y-%m-%d %H:%M:%S %Z}"


def in_zone(at_ms: int, zone: str) -> str:
    """Return a time in milliseconds since 1970 as people in a time zone read it."""
    return time_text(local_time(at_ms, zone))


def zone_hint(name: str) -> str:
    """Return a hint: the time zone with the most similar name, else how time zones are named."""
    from zoneinfo import available_timezones

    found = nearest_name(name, sorted(available_timezones())) if len(name) <= _LONGEST else ""
    return f"did you mean '{found}'?" if found else "zones are named like Europe/Berlin"
