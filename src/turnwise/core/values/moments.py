"""Reads dates, times of day, and dates with times.

Several of them with slashes between are the readings of something ambiguous: none is stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time

from msgspec.structs import replace

from turnwise.core.values.refusal import Refused, Rules
from turnwise.core.zones import named_zone
from turnwise.flow.late_pattern import late_pattern
from turnwise.flow.model import FieldType

_DOTTED = late_pattern(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_SLASHED = late_pattern(r"(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})")
_HOUR = late_pattern(
    r"(?:(?:at|around|about|by|um|gegen|ab) +)?(0?[1-9]|1[0-2])(?: *o['’]?clock)?(?: *(?:please|bitte))?", re.IGNORECASE
)
_POINTED = late_pattern(r"(1[3-9]|2[0-3])\.([0-5]\d)")
_CLOCK = late_pattern(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")

MOST_READINGS = 4
"""How many readings a refusal of an ambiguous value names at most."""
_MOST_CHARS = 120

Reader = Callable[[object, Rules], str | Refused]
"""A function that returns a value in canonical form, or its refusal."""


def read_date(raw: object, rules: Rules) -> str | Refused:
    """Return a date in ISO form, or its refusal."""
    if not isinstance(raw, str):
        return rules.refused("date")
    text = raw.strip()
    dotted = _DOTTED.fullmatch(text)
    try:
        if dotted:
            return date(int(dotted[3]), int(dotted[2]), int(dotted[1])).isoformat()
        return date.fromisoformat(text if len(text) in (8, 10) else "").isoformat()
    except ValueError:
        return _either(text, "date", read_date, rules) or _slashed(text, rules)


def _slashed(text: str, rules: Rules) -> str | Refused:
    """Return the date of three numbers if only one order of day and month is a date; else a refusal, with both readings
    if there are two.
    """
    found = _SLASHED.fullmatch(text)
    if found is None:
        return rules.refused("date")
    left, right, year = int(found[1]), int(found[2]), int(found[3]) + (2000 if len(found[3]) < 4 else 0)
    days = sorted({one for one in (_day(year, left, right), _day(year, right, left)) if one})
    if not days:
        return rules.refused("date")
    return days[0] if len(days) == 1 else _ambiguous("date", days, rules)


def _day(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def read_time(raw: object, rules: Rules) -> str | Refused:
    """Return a time of day in ISO form, or its refusal; an hour alone is refused if it may be morning or evening."""
    text = raw.strip() if isinstance(raw, str) else ""
    if bare := _HOUR.fullmatch(text.rstrip(".!?")):
        hour = int(bare[1]) % 12
        return _ambiguous("time", [f"{hour:02}:00", f"{hour + 12}:00"], rules)
    found = _CLOCK.fullmatch(text) or _POINTED.fullmatch(text)
    if found:
        try:
            hour, minute, second = (int(part or 0) for part in (*found.groups(), 0)[:3])
            clock = time(hour, minute, second)
        except ValueError:
            return rules.refused("time")
        return clock.isoformat("seconds" if clock.second else "minutes")
    return _either(text, "time", read_time, rules) or rules.refused("time")


def read_datetime(raw: object, rules: Rules) -> str | Refused:
    """Return a date and time, in UTC as ISO text, or its refusal.
    A local time that the clock of the zone skips or repeats is refused.
    """
    if not isinstance(raw, str):
        return rules.refused("datetime")
    text = raw.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _either(text, "datetime", read_datetime, rules) or rules.refused("datetime")
    try:
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=named_zone(rules.zone))
            if moment.utcoffset() != moment.replace(fold=1).utcoffset():
                return _changed_clock(moment, rules)
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except OverflowError:
        return rules.refused("datetime")


def _changed_clock(moment: datetime, rules: Rules) -> Refused:
    """Return the refusal of a local time that the clock skips or repeats when it changes."""
    first, second = moment.replace(fold=0), moment.replace(fold=1)
    if first.astimezone(UTC).astimezone(moment.tzinfo).replace(tzinfo=None) != moment.replace(tzinfo=None):
        return rules.refused("skipped")
    whole, part = (one.isoformat(timespec="minutes") for one in (first, second))
    return rules.refused("repeated", whole=whole, part=part)


def _either(text: str, kind: FieldType, read: Reader, rules: Rules) -> Refused | None:
    """Return the refusal of values with slashes between; `None` if they are none, or more than can be named."""
    if not 0 < text.count("/") < MOST_READINGS or len(text) > _MOST_CHARS:
        return None
    found = [read(one, rules) for one in text.split("/")]
    values = [one for one in found if not isinstance(one, Refused)]
    return _ambiguous(kind, values, rules) if len(values) == len(found) else None


def _ambiguous(kind: FieldType, values: list[str], rules: Rules) -> Refused:
    *others, last = values
    whole = others[0] if len(others) == 1 else others
    words = {"whole": whole, "part": last}
    return replace(rules.refused("ambiguous", **words), kind=kind, words=words, readings=tuple(values))
