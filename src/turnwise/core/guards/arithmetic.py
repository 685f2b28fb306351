"""Arithmetic of guards: whole numbers and numbers mix; a text joins a text, time adds to time."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

from turnwise.core.guards.env import Env, GuardFault
from turnwise.core.guards.scope import Term
from turnwise.core.guards.types import LIST, NUMERIC, named, shown, time_text
from turnwise.flow.guard import GuardError

_RESULTS: dict[tuple[str, str, str], str] = {
    ("timestamp", "-", "timestamp"): "duration",
    ("timestamp", "-", "duration"): "timestamp",
    ("timestamp", "+", "duration"): "timestamp",
    ("duration", "+", "timestamp"): "timestamp",
    ("duration", "+", "duration"): "duration",
    ("duration", "-", "duration"): "duration",
    ("string", "+", "string"): "string",
}


def _moved_day(day: str, span: timedelta) -> str:
    """A date some days later or earlier."""
    if span % timedelta(days=1):
        raise GuardFault(f"a date moves by whole days, not by {shown(span)}")
    return (date.fromisoformat(day) + span).isoformat()


def _moved_clock(clock: str, span: timedelta) -> str:
    """A time of day some time later or earlier; after midnight comes the next day's morning."""
    moved = datetime.combine(date(2000, 1, 1), time.fromisoformat(clock)) + span % timedelta(days=1)
    return time_text(moved.time().replace(microsecond=0))


def _since_midnight(clock: str) -> timedelta:
    at = time.fromisoformat(clock)
    return timedelta(hours=at.hour, minutes=at.minute, seconds=at.second)


_CALENDAR: dict[tuple[str, str, str], tuple[str, Callable[[Any, Any], Any]]] = {
    ("date", "-", "date"): ("duration", lambda left, right: date.fromisoformat(left) - date.fromisoformat(right)),
    ("date", "+", "duration"): ("date", _moved_day),
    ("duration", "+", "date"): ("date", lambda span, day: _moved_day(day, span)),
    ("date", "-", "duration"): ("date", lambda day, span: _moved_day(day, -span)),
    ("time", "-", "time"): ("duration", lambda left, right: _since_midnight(left) - _since_midnight(right)),
    ("time", "+", "duration"): ("time", _moved_clock),
    ("duration", "+", "time"): ("time", lambda span, clock: _moved_clock(clock, span)),
    ("time", "-", "duration"): ("time", lambda clock, span: _moved_clock(clock, -span)),
    **{("duration", "*", kind): ("duration", operator.mul) for kind in NUMERIC},
    **{(kind, "*", "duration"): ("duration", operator.mul) for kind in NUMERIC},
}
"""Arithmetic of dates, times of day and time spans: what comes out, and how."""
_WIDEST = 2**63


def binary(op: str, left: Term, right: Term, at: int) -> Term:
    """`left op right`."""
    of_calendar = _CALENDAR.get((left.type, op, right.type))
    if of_calendar is not None:
        _check_days(left, right, at)
        return Term(of_calendar[0], _lifted(of_calendar[1], left.run, right.run))
    kind = _result(op, left.type, right.type)
    if kind is None:
        message = f"'{op}' does not work on {named(left.type)} and {named(right.type)}"
        raise GuardError("TW032", message, at)
    return Term(kind, _lifted(_operation(op, kind), left.run, right.run))


def _check_days(left: Term, right: Term, at: int) -> None:
    """A date does not move by hours that are known already now."""
    days, span = (left, right) if left.type == "date" else (right, left)
    if days.type == "date" and isinstance(span.constant, timedelta) and span.constant % timedelta(days=1):
        raise GuardError("TW032", f"a date moves by whole days, not by {shown(span.constant)}", at)


def minus(of: Term, at: int) -> Term:
    """`-of`."""
    if of.type not in (*NUMERIC, "duration", "dyn"):
        raise GuardError("TW032", f"'-' does not work on {named(of.type)}", at)
    run = of.run

    def negated(env: Env) -> Any:
        value = run(env)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float | timedelta):
            raise GuardFault(f"'-' does not work on {value!r}")
        return _bounded(-value)

    return Term(of.type, negated)


def _result(op: str, left: str, right: str) -> str | None:
    if left in NUMERIC and right in NUMERIC:
        if op == "%":
            return "int" if left == right == "int" else None
        return "int" if left == right else "double"
    if op == "+" and left.startswith(LIST) and left == right:
        return left
    if "dyn" in (left, right):
        return "dyn"
    return _RESULTS.get((left, op, right))


def _lifted(
    operation: Callable[[Any, Any], Any], left: Callable[[Env], Any], right: Callable[[Env], Any]
) -> Callable[[Env], Any]:
    def run(env: Env) -> Any:
        first, second = left(env), right(env)
        if first is None or second is None:
            return None
        try:
            value = operation(first, second)
        except ZeroDivisionError:
            raise GuardFault("a division by zero") from None
        except (TypeError, ValueError, OverflowError) as error:
            raise GuardFault(str(error)) from None
        return _bounded(value)

    return run


def _bounded(value: Any) -> Any:
    """A result that can be stored: a whole number of 64 bits, or a finite number."""
    if isinstance(value, float) and not math.isfinite(value):
        raise GuardFault("the result is too large")
    if isinstance(value, int) and not -_WIDEST <= value < _WIDEST:
        raise GuardFault("the result is too large: a whole number has 64 bits")
    return value


def _operation(op: str, kind: str) -> Callable[[Any, Any], Any]:
    match op:
        case "+":
            return _add
        case "-":
            return _subtract
        case "*":
            return _multiply
        case "/":
            return _divide if kind == "double" else _divide_as_they_are
        case _:
            return _remainder


def _numbers(left: Any, right: Any) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in (left, right))


def _add(left: Any, right: Any) -> Any:
    is_time = isinstance(left, datetime | timedelta)
    if _numbers(left, right) or is_time or (type(left) is type(right) and not isinstance(left, bool)):
        return left + right
    raise TypeError(f"{left!r} and {right!r} cannot be added")


def _subtract(left: Any, right: Any) -> Any:
    if bool in (type(left), type(right)):
        raise TypeError("only numbers and times are subtracted")
    return left - right


def _multiply(left: Any, right: Any) -> Any:
    if not _numbers(left, right):
        raise TypeError("only numbers are multiplied")
    return left * right


def _divide(left: Any, right: Any) -> Any:
    return left / right


def _divide_as_they_are(left: Any, right: Any) -> Any:
    """Whole numbers as whole ones; which they are is known only now where types are open."""
    if not _numbers(left, right):
        raise TypeError("only numbers are divided")
    return _divide_whole(left, right) if type(left) is type(right) is int else left / right


def _divide_whole(left: int, right: int) -> int:
    """Whole numbers are divided towards zero, as in CEL."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder(left: int, right: int) -> int:
    """The remainder has the sign of the dividend, as in CEL."""
    if not type(left) is type(right) is int:
        raise TypeError("only whole numbers have a remainder")
    return left - right * _divide_whole(left, right)
