"""The values that a field or root can have, as far as some conditions can tell them apart.

A domain is never too small: what it leaves out behaves as one of its values does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from itertools import pairwise
from math import ceil, floor, isfinite
from typing import Any

from turnwise.core.guards.types import LIST, time_text, to_stored
from turnwise.core.link.unheard import ROOT_VALUES
from turnwise.core.values import bounds
from turnwise.flow.model import Field

MOST_OPTIONS = 64
"""The most options of a field of which each is tried."""
_ABSENT = ("message.", "form.", "error.", "scope.", "tools.last")
"""The roots that can be missing begin so; all others have a value always."""
_LONGEST = 10_000
_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
_UNHEARD = "\x00"
"""A text that nobody wrote into a guard."""


def closed(field: Field | None, key: str, *, is_free: bool) -> tuple[Any, ...] | None:
    """All values of a field or root that has only a few, `None` for others."""
    if field is None:
        return ROOT_VALUES.get(key)
    if field.type == "boolean":
        return (True, False)
    if field.type in ("choice", "string") and field.options and not is_free and len(field.options) <= MOST_OPTIONS:
        return tuple(option.value for option in field.options)
    return None


def can_be_missing(field: Field | None, key: str) -> bool:
    """True where a field or root may have no value: any field, even one with a default may not be filled."""
    return field is not None or key.startswith(_ABSENT)


def values(field: Field | None, kind: str, constants: Iterable[Any]) -> list[Any]:
    """Stored values, one for each way in which comparisons with these constants can come out."""
    found = list(constants)
    match kind:
        case "bool":
            return [True, False]
        case "int":
            return _within(field, _whole(found), least=None if field else 0)
        case "double":
            return _within(field, _between(_numbers(found)))
        case "duration":
            return _within(field, _between([c.total_seconds() for c in found if isinstance(c, timedelta)]))
        case "timestamp":
            return list(_moments(field, [c for c in found if isinstance(c, datetime)]))
        case "date":
            return _in_order(field, _days([c for c in found if isinstance(c, str)]))
        case "time":
            return _in_order(field, _clocks([c for c in found if isinstance(c, str)]))
        case _ if kind.startswith(LIST):
            return [["x"] * size for size in _within(field, _whole(found), least=0) if size <= _LONGEST]
        case _:
            return [*dict.fromkeys(c for c in found if isinstance(c, str)), _UNHEARD]


def _numbers(constants: list[Any]) -> list[float]:
    return [c for c in constants if isinstance(c, int | float) and not isinstance(c, bool) and isfinite(c)]


def _whole(constants: list[Any]) -> list[int]:
    """Each whole number at a constant and beside it."""
    at = {whole for c in _numbers(constants) for whole in (floor(c), ceil(c))} or {0}
    return sorted({whole + step for whole in at for step in (-1, 0, 1)})


def _between(constants: Iterable[float]) -> list[float]:
    """The constants, what lies between each two of them, and beyond all."""
    at = sorted(set(constants)) or [0.0]
    between = [(low + high) / 2 for low, high in pairwise(at)]
    return sorted({at[0] - 1, *at, *between, at[-1] + 1})


def _within(field: Field | None, found: list[Any], least: int | None = None) -> list[Any]:
    """What a field's bounds leave of some numbers, and the bounds themselves."""
    low, high = bounds(field) if field is not None else (None, None)
    low = least if low is None else low
    edges = [edge for edge in (low, high) if edge is not None]
    inside = (n for n in [*found, *edges] if (low is None or n >= low) and (high is None or n <= high))
    return list(dict.fromkeys(inside))


def _days(constants: list[str]) -> set[str]:
    """Each day at a constant and beside it."""
    at = {datetime.fromisoformat(day) for day in constants} or {datetime(2026, 1, 1)}  # noqa: DTZ001  a day has no zone
    return {_moved(day, timedelta(days=step)).date().isoformat() for day in at for step in (-1, 0, 1)}


def _clocks(constants: list[str]) -> set[str]:
    """Each time of day at a constant and a second beside it, on the same day."""
    at = {datetime.combine(_EPOCH, time.fromisoformat(clock)) for clock in constants or ["12:00"]}
    moved = {clock + timedelta(seconds=step) for clock in at for step in (-1, 0, 1)}
    return {time_text(clock.time()) for clock in moved if clock.date() == _EPOCH.date()}


def _in_order(field: Field | None, found: set[str]) -> list[str]:
    """What a field's bounds leave of some texts that sort as they compare, and the bounds themselves."""
    low, high = bounds(field) if field is not None else (None, None)
    edges = {edge for edge in (low, high) if isinstance(edge, str)}
    return sorted(text for text in found | edges if (not low or text >= low) and (not high or text <= high))


def _moments(field: Field | None, constants: list[datetime]) -> Iterator[Any]:
    """Moments at the constants, between and beyond them; of `now` milliseconds."""
    at = sorted(set(constants)) or [datetime.fromisoformat("2026-01-01T00:00:00+00:00")]
    between = [low + (high - low) / 2 for low, high in pairwise(at)]
    edge = timedelta(hours=1)
    for moment in sorted({_moved(at[0], -edge), *at, *between, _moved(at[-1], edge)}):
        yield to_stored(moment) if field is not None else (moment - _EPOCH) // timedelta(milliseconds=1)


def _moved(moment: datetime, by: timedelta) -> datetime:
    """A moment some time later or earlier; at the ends of the calendar itself."""
    try:
        return moment + by
    except OverflowError:
        return moment
