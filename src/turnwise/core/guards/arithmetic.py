"""Arithmetic of guards: whole numbers and numbers mix; a text joins a text, time adds to time."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from turnwise.core.guards.env import Env, GuardFault
from turnwise.core.guards.scope import Term
from turnwise.core.guards.types import LIST, NUMERIC, named
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
_WIDEST = 10**18


def binary(op: str, left: Term, right: Term, at: int) -> Term:
    """`left op right`."""
    kind = _result(op, left.type, right.type)
    if kind is None:
        message = f"'{op}' does not work on {named(left.type)} and {named(right.type)}"
        raise GuardError("TW032", message, at)
    return Term(kind, _lifted(_operation(op, kind), left.run, right.run))


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
        return -value

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
        except (TypeError, OverflowError) as error:
            raise GuardFault(str(error)) from None
        if isinstance(value, int | float) and (not math.isfinite(value) or abs(value) > _WIDEST):
            raise GuardFault("the result is too large")
        return value

    return run


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
