"""Bounds of dates and times that move with the clock: `today`, `today + 30d`, `now - 2h`.

A field of type `date` is bounded by `today`, one of type `datetime` or `time` by `now`. A bound is read by the clock
of the turn, in the time zone of the conversation (law 1.8).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

from msgspec import Struct

from turnwise.core.zones import named_zone
from turnwise.flow.diagnostic import nearest_name
from turnwise.flow.durations import read_duration_s
from turnwise.flow.late_pattern import late_pattern

ANCHORS = {"date": "today", "datetime": "now", "time": "now"}
"""The word from which a moving bound counts, by the type of the field."""

_WRITTEN = late_pattern(r"\s*([^\W\d]\w*)\s*(?:([+-])\s*(?:duration\(\s*[\"']([^\"']+)[\"']\s*\)|(.+?)))?\s*")
_UNITS = late_pattern(r"(\d)\s*(day|week|hour|minute)s?\b")
_FARTHEST_S = 1000 * 366 * 86_400.0
_EXAMPLES = {"date": "today, or today + 30d", "datetime": "now, or now + 2h", "time": "now, or now + 30m"}


class MovingBound(Struct, frozen=True):
    """A bound relative to the present: `today` or `now`, plus a number of seconds."""

    word: str
    """What the bound counts from: `today` or `now`."""
    seconds: float = 0.0
    """The seconds that are added to `word`; negative for an earlier time."""


@lru_cache(maxsize=1024)
def moving_bound(written: object) -> MovingBound | None:
    """Return the moving bound that a text such as `today + 30d` means; `None` if it means none."""
    found = _WRITTEN.fullmatch(written) if isinstance(written, str) else None
    if found is None:
        return None
    word, sign, called, plain = found.groups()
    seconds = 0.0 if sign is None else read_duration_s(_UNITS.sub(_short, called or plain))
    return None if seconds is None else MovingBound(word, -seconds if sign == "-" else seconds)


def _short(unit: object) -> str:
    count, name = unit.groups()  # type: ignore[attr-defined]  a match of `_UNITS`
    return f"{count}{name[0]}"


def moving_fault(kind: str, written: str) -> tuple[str, str] | None:
    """Return the error in the text `written` of a moving bound of a field of type `kind`, and what to write; `None` if
    it is right.
    """
    word, bound = ANCHORS[kind], moving_bound(written)
    example = f"write {_EXAMPLES[kind]}"
    if bound is None:
        return f"'{written}' is no bound for a field of type {kind}", example
    if bound.word != word:
        known = tuple(dict.fromkeys(ANCHORS.values()))
        near = nearest_name(bound.word, known)
        hint = f"did you mean '{word}'?" if near == word and bound.word not in known else example
        return f"a field of type {kind} is not bounded by '{bound.word}'", hint
    if kind == "date" and bound.seconds % 86_400:
        return "a date moves by whole days only", example
    if abs(bound.seconds) > _FARTHEST_S:
        return f"'{written}' is more than 1000 years away", example
    return None


def is_moving(kind: str, written: object) -> bool:
    """Return whether the text of a field's bound is meant as a moving bound: it begins with a letter."""
    return kind in ANCHORS and isinstance(written, str) and written.lstrip()[:1].isalpha()


def bound_at(kind: str, bound: MovingBound, at_ms: int, zone: str, *, is_least: bool) -> str:
    """Return the value of a moving bound at a moment (ms since 1970) in a zone, in stored form. `is_least`: it is a
    lowest value, for which the present minute counts as not yet over, since people write times without seconds. A time
    of day does not wrap around at midnight: the bound stops at the end of the day.
    """
    now = datetime.fromtimestamp(at_ms / 1000, UTC)
    span = timedelta(seconds=bound.seconds)
    if kind == "datetime":
        moment = (now + span).replace(microsecond=0)
        moment = moment.replace(second=0) if is_least else moment
        return moment.isoformat().replace("+00:00", "Z")
    local = now.astimezone(named_zone(zone)).replace(tzinfo=None)
    if kind == "date":
        return (local.date() + span).isoformat()
    moved = local + span
    if moved.date() != local.date():
        return "00:00" if moved < local else "23:59:59"
    return moved.time().isoformat("minutes")


def is_empty_range(kind: str, low: object, high: object) -> bool:
    """Return whether two moving bounds leave no value between them."""
    first, last = moving_bound(low), moving_bound(high)
    return is_moving(kind, low) and is_moving(kind, high) and bool(first and last and first.seconds > last.seconds)
