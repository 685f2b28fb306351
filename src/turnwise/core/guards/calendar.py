"""Date and time functions of the guard language.

A conversion between a moment and a day needs a time zone: the constant that it names, else the conversation's.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any

from turnwise.core.guards import Env, GuardFault
from turnwise.core.guards.logic import strict
from turnwise.core.guards.scope import TIME_ZONE, Reads, Term, evaluated_constant, time_zone
from turnwise.core.guards.types import (
    FAILURES,
    Type,
    checked_converter,
    time_text,
    to_date,
    to_time,
    to_timestamp,
    type_words,
)
from turnwise.core.zones import named_zone, zone_hint
from turnwise.flow.guard import GuardError

DayPart = Callable[[Any], int]
"""A function that returns a part of a date: the year, the weekday."""

_DAY_PARTS: dict[str, DayPart] = {
    "getFullYear": lambda day: day.year,
    "getMonth": lambda day: day.month - 1,
    "getDate": lambda day: day.day,
    "getDayOfMonth": lambda day: day.day - 1,
    "getDayOfWeek": lambda day: day.isoweekday() % 7,
    "getDayOfYear": lambda day: day.timetuple().tm_yday - 1,
}
_CLOCK_PARTS: dict[str, DayPart] = {
    "getHours": lambda clock: clock.hour,
    "getMinutes": lambda clock: clock.minute,
    "getSeconds": lambda clock: clock.second,
}
_PARTS = {**_DAY_PARTS, **_CLOCK_PARTS}
_SPANS: dict[str, DayPart] = {
    "getDays": lambda span: int(span.total_seconds() / 86_400),
    "getHours": lambda span: int(span.total_seconds() / 3600),
    "getMinutes": lambda span: int(span.total_seconds() / 60),
    "getSeconds": lambda span: int(span.total_seconds()),
}
_PARTS_OF: dict[Type, tuple[dict[str, DayPart], Callable[[Any], Any]]] = {
    "date": (_DAY_PARTS, date.fromisoformat),
    "time": (_CLOCK_PARTS, time.fromisoformat),
    "duration": (_SPANS, lambda span: span),
}
"""The parts of a type that has no time zone, and how its values are read first."""
_CONVERTED: dict[Type, tuple[Type, ...]] = {
    "date": ("string", "date", "timestamp"),
    "time": ("string", "time", "timestamp"),
    "timestamp": ("string", "timestamp", "date"),
}
"""The types of which each can be made."""
_SPELT = {"date": "date", "time": "time", "timestamp": "timestamp", "datetime": "timestamp"}

PART_FUNCTIONS = tuple(dict.fromkeys((*_PARTS, *_SPANS)))
"""The names of the functions that return a part of a date, time or duration."""
FUNCTION_NAMES = (*_SPELT, "yearsBetween", *PART_FUNCTIONS)
"""The names of the functions for dates and times."""


def call(reads: Reads, name: str, args: list[Term], at: int, *, quotes_value: bool) -> Term:
    """Compile a call of a date or time function; `at` is the offset of the call in the guard, for errors. With
    `quotes_value` false, errors do not quote a secret.
    """
    if name == "yearsBetween":
        return _years_between(args, at)
    if name in _SPELT:
        return _converted(reads, name, args, at, quotes_value=quotes_value)
    return _part(name, args, at)


def _converted(reads: Reads, name: str, args: list[Term], at: int, *, quotes_value: bool) -> Term:
    kind = _SPELT[name]
    if kind == "timestamp" and [arg.type for arg in args[:2]] == ["date", "time"]:
        return Term(kind, strict(_joined, args[0].run, args[1].run, _zone(reads, args[2:], at)))
    if not 1 <= len(args) <= 2:
        raise GuardError("TW032", f"{name}() takes 1 argument, this has {len(args)}", at)
    of = args[0]
    if of.type not in (*_CONVERTED[kind], "dyn"):
        raise GuardError("TW032", f"{name}() does not take {type_words(of.type)}", at)
    needs_zone = of.type == "dyn" or {of.type, kind} in ({"date", "timestamp"}, {"time", "timestamp"})
    if len(args) == 2 and not needs_zone:
        raise GuardError("TW032", f"{name}() of {type_words(of.type)} takes no time zone", at)
    if of.type == kind:
        return of
    if not needs_zone:
        read = {"date": to_date, "time": to_time, "timestamp": to_timestamp}[kind]
        term = Term(kind, strict(checked_converter(read, kind, quotes_value=quotes_value), of.run))
    else:
        convert = {"date": _date_in, "time": _time_in, "timestamp": _moment_in}[kind]
        term = Term(
            kind,
            strict(checked_converter(convert, kind, quotes_value=quotes_value), of.run, _zone(reads, args[1:], at)),
        )
    return evaluated_constant(term, at) if of.is_constant else term


def _date_in(value: Any, zone: tzinfo) -> str | None:
    return value.astimezone(zone).date().isoformat() if isinstance(value, datetime) else to_date(value)


def _time_in(value: Any, zone: tzinfo) -> str | None:
    return time_text(value.astimezone(zone).time()) if isinstance(value, datetime) else to_time(value)


def _moment_in(value: Any, zone: tzinfo) -> datetime:
    """Return a timestamp unchanged, and a date as its midnight in a zone."""
    if isinstance(value, datetime):
        return value
    return datetime.combine(date.fromisoformat(value), time(), zone).astimezone(UTC)


def _joined(day: str, clock: str, zone: tzinfo) -> datetime:
    """Compile `datetime(day, clock)`: the timestamp of a time on a day."""
    try:
        return datetime.combine(date.fromisoformat(day), time.fromisoformat(clock), zone).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise GuardFault(str(error)) from None


def _zone(reads: Reads, names: list[Term], at: int) -> Callable[[Env], tzinfo]:
    """Return the time zone of a constant, else the conversation's; UTC where neither is known."""
    if names:
        fixed = _fixed_zone(names[0], at)
        return lambda _env: fixed
    read = reads.root(TIME_ZONE, "string", time_zone).run
    return lambda env: named_zone(read(env) or "UTC")


def _fixed_zone(name: Term, at: int) -> tzinfo:
    if not isinstance(name.constant, str):
        raise GuardError("TW032", "the time zone must be a constant text", at)
    try:
        return named_zone(name.constant)
    except (KeyError, ValueError, OSError):
        raise GuardError("TW028", f"'{name.constant}' is no time zone", at, zone_hint(name.constant)) from None


def _part(name: str, args: list[Term], at: int) -> Term:
    """Compile a call for a part of a timestamp (in UTC or a constant zone), a date, a time of day or a time span."""
    if not 1 <= len(args) <= 2:
        raise GuardError("TW032", f"{name}() takes 1 argument, this has {len(args)}", at)
    of = args[0]
    if of.type in _PARTS_OF:
        known, convert = _PARTS_OF[of.type]
        if len(args) == 1 and name in known:
            return Term("int", strict(_reader(known[name], convert), of.run))
        message = (
            f"{type_words(of.type)} has no time zone" if name in known else f"{type_words(of.type)} has no {name}()"
        )
        raise GuardError("TW032", message, at)
    if of.type not in ("timestamp", "dyn") or name not in _PARTS:
        raise GuardError("TW032", f"{name}() takes a moment in time, this is {type_words(of.type)}", at)
    zone = _fixed_zone(args[1], at) if len(args) == 2 else UTC
    return Term("int", strict(_reader(_PARTS[name], lambda moment: moment.astimezone(zone)), of.run))


def _reader(part: DayPart, convert: Callable[[Any], Any]) -> DayPart:
    def read(value: Any) -> int:
        try:
            return part(convert(value))
        except FAILURES:
            raise GuardFault("this is no date or time that can be read") from None

    return read


def _years_between(args: list[Term], at: int) -> Term:
    """Compile `yearsBetween(born, today)`: the whole years from one date to another."""
    if len(args) != 2 or any(arg.type not in ("date", "dyn") for arg in args):
        raise GuardError("TW032", "yearsBetween() takes two dates, as in yearsBetween(user.born, today)", at)

    def whole_years(begin: Any, end: Any) -> int:
        if any(to_date(str(day)) is None for day, arg in zip((begin, end), args, strict=True) if arg.type == "dyn"):
            raise GuardFault("yearsBetween() takes two dates")
        first, last = sorted((begin, end))
        years = int(last[:4]) - int(first[:4]) - (last[5:] < first[5:])
        return years if begin <= end else -years

    return Term("int", strict(whole_years, args[0].run, args[1].run))
