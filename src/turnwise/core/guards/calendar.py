"""Functions of the guard language that convert between dates, times of day and moments, and their parts.

A conversion between a moment and a day needs a time zone: the constant that is given, else the conversation's.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from turnwise.core.guards.env import Env, GuardFault
from turnwise.core.guards.scope import TIME_ZONE, Compiling, Term, time_zone
from turnwise.core.guards.types import named, time_text, to_date, to_time, to_timestamp
from turnwise.core.zones import zone_hint
from turnwise.flow.guard import GuardError

Zone = Callable[[Env], ZoneInfo]

_DAY_PARTS: dict[str, Callable[[date], int]] = {
    "getFullYear": lambda day: day.year,
    "getMonth": lambda day: day.month - 1,
    "getDate": lambda day: day.day,
    "getDayOfMonth": lambda day: day.day - 1,
    "getDayOfWeek": lambda day: day.isoweekday() % 7,
    "getDayOfYear": lambda day: day.timetuple().tm_yday - 1,
}
_CLOCK_PARTS: dict[str, Callable[[Any], int]] = {
    "getHours": lambda clock: clock.hour,
    "getMinutes": lambda clock: clock.minute,
    "getSeconds": lambda clock: clock.second,
}
_PARTS: dict[str, Callable[[Any], int]] = {**_DAY_PARTS, **_CLOCK_PARTS}
_SPANS: dict[str, Callable[[timedelta], int]] = {
    "getDays": lambda span: int(span.total_seconds() / 86_400),
    "getHours": lambda span: int(span.total_seconds() / 3600),
    "getMinutes": lambda span: int(span.total_seconds() / 60),
    "getSeconds": lambda span: int(span.total_seconds()),
}
_TAKEN = {
    "date": ("string", "date", "timestamp"),
    "time": ("string", "time", "timestamp"),
    "timestamp": ("string", "timestamp", "date"),
}
_SPELT = {"date": "date", "time": "time", "timestamp": "timestamp", "datetime": "timestamp"}

PARTS = tuple(dict.fromkeys((*_PARTS, *_SPANS)))
NAMES = (*_SPELT, "yearsBetween", *PARTS)
"""The functions that are compiled here."""


def call(compiler: Compiling, name: str, args: list[Term], at: int, *, shows_values: bool) -> Term:
    """The term of one of these functions. `shows_values` is false where an error must not quote a secret."""
    if name == "yearsBetween":
        return _years_between(args, at)
    if name in _SPELT:
        return _converted(compiler, name, args, at, shows_values=shows_values)
    return _part(name, args, at)


# conversions ------------------------------------------------------------------------------------


def _converted(compiler: Compiling, name: str, args: list[Term], at: int, *, shows_values: bool) -> Term:
    kind = _SPELT[name]
    if kind == "timestamp" and [arg.type for arg in args[:2]] == ["date", "time"]:
        return _joined(args[0], args[1], _zone(compiler, args[2:], at))
    if not 1 <= len(args) <= 2:
        raise GuardError("TW032", f"{name}() takes 1 argument, this has {len(args)}", at)
    of = args[0]
    if of.type not in (*_TAKEN[kind], "dyn"):
        raise GuardError("TW032", f"{name}() does not take {named(of.type)}", at)
    needs_zone = of.type == "dyn" or {of.type, kind} in ({"date", "timestamp"}, {"time", "timestamp"})
    if len(args) == 2 and not needs_zone:
        raise GuardError("TW032", f"{name}() of {named(of.type)} takes no time zone", at)
    if of.type == kind:
        return of
    zone = _zone(compiler, args[1:], at) if needs_zone else _utc
    term = Term(kind, _conversion(kind, of.run, zone, shows_values=shows_values))
    return _folded(term, at) if of.is_constant else term


def _conversion(kind: str, of: Callable[[Env], Any], zone: Zone, *, shows_values: bool) -> Callable[[Env], Any]:
    convert = _CONVERSIONS[kind]

    def run(env: Env) -> Any:
        value = of(env)
        if value is None:
            return None
        try:
            found = convert(value, zone, env)
        except (ValueError, TypeError, AttributeError, OverflowError):
            found = None
        if found is None:
            raise GuardFault(f"{value!r} cannot be read as {named(kind)}" if shows_values else UNTOLD)
        return found

    return run


UNTOLD = "a secret value cannot be read so"


def _to_date(value: Any, zone: Zone, env: Env) -> str | None:
    if isinstance(value, datetime):
        return value.astimezone(zone(env)).date().isoformat()
    return to_date(value)


def _to_time(value: Any, zone: Zone, env: Env) -> str | None:
    if isinstance(value, datetime):
        return time_text(value.astimezone(zone(env)).time())
    return to_time(value)


def _to_moment(value: Any, zone: Zone, env: Env) -> datetime | None:
    """A moment; a date is its midnight in the zone, and a text without a zone is in UTC."""
    if isinstance(value, datetime):
        return value
    if zone is _utc:
        return to_timestamp(value)
    return datetime.combine(date.fromisoformat(value), time(), zone(env)).astimezone(UTC)


_CONVERSIONS: dict[str, Callable[[Any, Zone, Env], Any]] = {
    "date": _to_date,
    "time": _to_time,
    "timestamp": _to_moment,
}


def _joined(day: Term, clock: Term, zone: Zone) -> Term:
    """`datetime(day, clock)`: the moment of a time on a day."""
    first, second = day.run, clock.run

    def run(env: Env) -> datetime | None:
        on, at = first(env), second(env)
        if on is None or at is None:
            return None
        try:
            moment = datetime.combine(date.fromisoformat(on), time.fromisoformat(at), zone(env))
            return moment.astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise GuardFault(str(error)) from None

    return Term("timestamp", run)


def _folded(term: Term, at: int) -> Term:
    """A conversion of a constant, done once."""
    try:
        value = term.run(Env({}, _NOTHING))
    except GuardFault as error:
        raise GuardError("TW032", str(error), at) from None
    return Term(term.type, lambda _env: value, constant=value)


class _Nothing:
    def get(self, key: str, read: Callable[..., Any]) -> Any:  # noqa: ARG002  constants read nothing
        return None


_NOTHING = _Nothing()


def _zone(compiler: Compiling, given: list[Term], at: int) -> Zone:
    """The constant time zone that is given, else the conversation's; UTC where neither is known."""
    if given:
        fixed = _fixed_zone(given[0], at)
        return lambda _env: fixed
    read = compiler.read(TIME_ZONE, "string", time_zone).run
    return lambda env: ZoneInfo(read(env) or "UTC")


def _utc(_env: Env) -> ZoneInfo:
    """The zone of what needs none."""
    return ZoneInfo("UTC")


def _fixed_zone(name: Term, at: int) -> ZoneInfo:
    if not isinstance(name.constant, str):
        raise GuardError("TW032", "the time zone must be a constant text", at)
    try:
        return ZoneInfo(name.constant)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise GuardError("TW028", f"'{name.constant}' is no time zone", at, zone_hint(name.constant)) from None


# parts ------------------------------------------------------------------------------------------


def _part(name: str, args: list[Term], at: int) -> Term:
    """A part of a moment, in UTC or the zone that is given; of a date, a time of day or a time span."""
    if not 1 <= len(args) <= 2:
        raise GuardError("TW032", f"{name}() takes 1 argument, this has {len(args)}", at)
    of = args[0]
    if of.type in _PARTS_OF:
        known, convert = _PARTS_OF[of.type]
        if len(args) == 1 and name in known:
            return Term("int", _read_part(known[name], of.run, convert))
        message = f"{named(of.type)} has no time zone" if name in known else f"{named(of.type)} has no {name}()"
        raise GuardError("TW032", message, at)
    if of.type not in ("timestamp", "dyn") or name not in _PARTS:
        raise GuardError("TW032", f"{name}() takes a moment in time, this is {named(of.type)}", at)
    zone = _fixed_zone(args[1], at) if len(args) == 2 else UTC
    return Term("int", _read_part(_PARTS[name], of.run, lambda moment: moment.astimezone(zone)))


_PARTS_OF: dict[str, tuple[dict[str, Callable[[Any], int]], Callable[[Any], Any]]] = {
    "date": (_DAY_PARTS, date.fromisoformat),
    "time": (_CLOCK_PARTS, time.fromisoformat),
    "duration": (_SPANS, lambda span: span),
}


def _read_part(
    read: Callable[[Any], int], of: Callable[[Env], Any], convert: Callable[[Any], Any]
) -> Callable[[Env], Any]:
    def run(env: Env) -> int | None:
        value = of(env)
        if value is None:
            return None
        try:
            return read(convert(value))
        except (ValueError, TypeError, AttributeError, OverflowError):
            raise GuardFault("this is no date or time that can be read") from None

    return run


def _years_between(args: list[Term], at: int) -> Term:
    """`yearsBetween(born, today)`: the whole years from one date to another."""
    if len(args) != 2 or any(arg.type not in ("date", "dyn") for arg in args):
        raise GuardError("TW032", "yearsBetween() takes two dates, as in yearsBetween(user.born, today)", at)
    first, second = args[0].run, args[1].run
    is_sure = all(arg.type == "date" for arg in args)

    def run(env: Env) -> int | None:
        begin, end = first(env), second(env)
        if begin is None or end is None:
            return None
        if not is_sure and (to_date(str(begin)) is None or to_date(str(end)) is None):
            raise GuardFault("yearsBetween() takes two dates")
        return _whole_years(begin, end) if begin <= end else -_whole_years(end, begin)

    return Term("int", run)


def _whole_years(begin: str, end: str) -> int:
    return int(end[:4]) - int(begin[:4]) - (end[5:] < begin[5:])
