"""Compiles the operators of guards: comparison, membership, arithmetic; each checks its operand types."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

from turnwise.core.guards import Env, Evaluate, GuardFault, Test, hints
from turnwise.core.guards.logic import strict
from turnwise.core.guards.scope import Term, constant
from turnwise.core.guards.types import (
    ANSWERS,
    LIST_PREFIX,
    NUMERIC,
    READERS,
    Type,
    comparable,
    time_text,
    type_words,
    value_text,
)
from turnwise.flow.guard import GuardError

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The functions that compare two values, by operator."""
_HASHABLE = (*NUMERIC, "string", "date", "time", "timestamp", "duration", "bool")


def compare(op: str, left: Term, right: Term, at: int) -> Term:
    """Compile a comparison at the offset `at`; a constant text compared with a date, time or duration is converted to
    that type.
    """
    left, right = _as_type(left, right.type, at), _as_type(right, left.type, at)
    if not comparable(left.type, right.type):
        hint = hints.of_types(left.type, right.type)
        raise GuardError("TW032", f"{type_words(left.type)} is never {type_words(right.type)}", at, hint)
    is_equality = op in ("==", "!=")
    if not is_equality and not {left.type, right.type} <= {*_HASHABLE, "dyn"}:
        raise GuardError("TW032", f"{type_words(left.type)} has no order", at)
    if "dyn" in (left.type, right.type):
        return Term("bool", strict(_checked(COMPARISONS[op], is_equality=is_equality), left.run, right.run))
    if right.is_constant:
        return Term("bool", _with_constant(COMPARISONS[op], left, right.constant))
    return Term("bool", strict(COMPARISONS[op], left.run, right.run))


def _as_type(term: Term, wanted: Type, at: int) -> Term:
    """Convert a constant text, or a list of them, to the date, time or time span type that it is compared with."""
    convert = READERS.get(wanted)
    is_list = wanted.startswith(LIST_PREFIX)
    if convert is None or not term.is_constant or term.type != (f"{LIST_PREFIX}string" if is_list else "string"):
        return term
    value = convert(term.constant)
    for one, text in zip(value, term.constant, strict=True) if is_list else [(value, term.constant)]:
        if one is None:
            raise GuardError("TW032", f"'{text}' is not {type_words(wanted.removeprefix(LIST_PREFIX))}", at)
    return constant(wanted, value)


def unified_branches(first: Term, second: Term, at: int) -> tuple[Term, Term, Type]:
    """Return both branches of a choice (`? :`) at the offset `at` converted to one type, and that type. Constant texts
    become dates, times or time spans if the other branch is one.
    """
    first, second = _as_type(first, second.type, at), _as_type(second, first.type, at)
    one, other = first.type, second.type
    if other in (one, "null"):
        return first, second, one
    if one == "null":
        return first, second, other
    if {one, other} == set(NUMERIC):
        return first, second, "double"
    if "dyn" in (one, other):
        return first, second, "dyn"
    if one.startswith(LIST_PREFIX) and other.startswith(LIST_PREFIX) and comparable(one, other):
        items = {one.removeprefix(LIST_PREFIX), other.removeprefix(LIST_PREFIX)}
        return first, second, LIST_PREFIX + ("double" if items == set(NUMERIC) else min(items - {"dyn"}))
    raise GuardError("TW032", f"this gives {type_words(one)} or {type_words(other)}", at)


def membership(item: Term, group: Term, at: int) -> Term:
    """Compile `item in group` at the offset `at`; for a field of answers, whether the question `item` is answered."""
    if group.type == ANSWERS and item.type in ("string", "dyn"):
        return Term("bool", strict(operator.contains, group.run, item.run))
    if not group.type.startswith(LIST_PREFIX) and group.type != "dyn":
        raise GuardError("TW032", f"'in' needs a list, this is {type_words(group.type)}", at, "use contains for texts")
    item, group = _as_type(item, group.type.removeprefix(LIST_PREFIX), at), _as_type(group, LIST_PREFIX + item.type, at)
    if not comparable(item.type, group.type.removeprefix(LIST_PREFIX)):
        raise GuardError("TW032", f"{type_words(item.type)} is never in {type_words(group.type)}", at)
    if group.is_constant and item.type in _HASHABLE:
        return Term("bool", strict(frozenset(group.constant).__contains__, item.run))

    def contains(values: Any, value: Any) -> bool:
        if not isinstance(values, list):
            raise GuardFault("'in' needs a list")
        return value in values

    return Term("bool", strict(contains, group.run, item.run))


def _with_constant(test: Callable[[Any, Any], bool], left: Term, right: Any) -> Test:
    """Return the fast closure of the most frequent comparison: a field or value with a constant."""
    run, address = left.run, left.address

    def compare_field(env: Env) -> bool | None:
        found = env.fields.get(address)
        return None if found is None else test(found.value, right)

    def compare_value(env: Env) -> bool | None:
        value = run(env)
        return None if value is None else test(value, right)

    if left.of_item is not None:
        slot, name = left.of_item

        def compare_part(env: Env) -> bool | None:
            found = env.bound[slot].get(name)
            return None if found is None else test(found, right)

        return compare_part
    return compare_field if left.is_stored else compare_value


def _checked(test: Callable[[Any, Any], bool], *, is_equality: bool) -> Callable[[Any, Any], bool]:
    """Return a comparison that checks types at run time, as in CEL: unlike types are an error."""

    def run(left: Any, right: Any) -> bool:
        if _kind(left) is not _kind(right):
            raise GuardFault(f"{left!r} and {right!r} cannot be compared")
        if not is_equality and isinstance(left, list):
            raise GuardFault("lists have no order")
        return test(left, right)

    return run


def _kind(value: Any) -> type:
    return float if type(value) is int else type(value)  # pyright: ignore[reportUnknownVariableType]


# arithmetic --------------------------------------------------------------------------------------

_RESULTS: dict[tuple[Type, str, Type], Type] = {
    ("timestamp", "-", "timestamp"): "duration",
    ("timestamp", "-", "duration"): "timestamp",
    ("timestamp", "+", "duration"): "timestamp",
    ("duration", "+", "timestamp"): "timestamp",
    ("duration", "+", "duration"): "duration",
    ("duration", "-", "duration"): "duration",
    ("string", "+", "string"): "string",
}
_WIDEST = 2**63


def arithmetic(op: str, left: Term, right: Term, at: int) -> Term:
    """Compile arithmetic at the offset `at`: integers and floats mix, texts are joined, durations are added to
    timestamps or dates.
    """
    of_calendar = _CALENDAR.get((left.type, op, right.type))
    if of_calendar is not None:
        kind, operation = of_calendar
        days, span = (left, right) if left.type == "date" else (right, left)
        if days.type == "date" and isinstance(span.constant, timedelta) and span.constant % timedelta(days=1):
            raise GuardError("TW032", f"a date moves by whole days, not by {value_text(span.constant)}", at)
        return Term(kind, _calculation(operation, left.run, right.run))
    kind = _result(op, left.type, right.type)
    if kind is None:
        raise GuardError("TW032", f"'{op}' does not work on {type_words(left.type)} and {type_words(right.type)}", at)
    return Term(kind, _calculation(_divide if op == "/" and kind != "double" else _OPERATIONS[op], left.run, right.run))


def minus(of: Term, at: int) -> Term:
    """Compile a unary minus at the offset `at`: the negative of a number or duration."""
    if of.type not in (*NUMERIC, "duration", "dyn"):
        raise GuardError("TW032", f"'-' does not work on {type_words(of.type)}", at)

    def negated(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float | timedelta):
            raise GuardFault(f"'-' does not work on {value!r}")
        return _bounded(-value)

    return Term(of.type, strict(negated, of.run))


def _result(op: str, left: Type, right: Type) -> Type | None:
    """Return the result type of an operator, `None` if it does not accept these operands."""
    if left in NUMERIC and right in NUMERIC:
        if op == "%" and "double" in (left, right):
            return None
        return "int" if left == right == "int" else "double"
    if op == "+" and left.startswith(LIST_PREFIX) and left == right:
        return left
    if "dyn" in (left, right):
        return "dyn"
    return _RESULTS.get((left, op, right))


def _calculation(operation: Callable[[Any, Any], Any], left: Evaluate, right: Evaluate) -> Evaluate:
    def calculate(first: Any, second: Any) -> Any:
        try:
            return _bounded(operation(first, second))
        except ZeroDivisionError:
            raise GuardFault("a division by zero") from None
        except (TypeError, ValueError, OverflowError) as error:
            raise GuardFault(str(error)) from None

    return strict(calculate, left, right)


def _bounded(value: Any) -> Any:
    """Return a result if it can be stored: a 64-bit integer or finite number. Raises `GuardFault`."""
    if isinstance(value, float) and not math.isfinite(value):
        raise GuardFault("the result is too large")
    if isinstance(value, int) and not -_WIDEST <= value < _WIDEST:
        raise GuardFault("the result is too large: a whole number has 64 bits")
    return value


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
    """Divide whole numbers towards zero, as in CEL; where types are open, which they are is known only now."""
    if not _numbers(left, right):
        raise TypeError("only numbers are divided")
    if not type(left) is type(right) is int:
        return left / right
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder(left: Any, right: Any) -> int:
    """Return the remainder with the sign of the dividend, as in CEL."""
    if not type(left) is type(right) is int:
        raise TypeError("only whole numbers have a remainder")
    return left - right * _divide(left, right)


_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": lambda left, right: left / right,
    "%": _remainder,
}


def _moved_day(day: str, span: timedelta) -> str:
    """Return a date shifted by a time span."""
    if span % timedelta(days=1):
        raise GuardFault(f"a date moves by whole days, not by {value_text(span)}")
    return (date.fromisoformat(day) + span).isoformat()


def _moved_clock(clock: str, span: timedelta) -> str:
    """Return a time of day shifted by a time span; it wraps at midnight."""
    moved = datetime.combine(date(2000, 1, 1), time.fromisoformat(clock)) + span % timedelta(days=1)
    return time_text(moved.time().replace(microsecond=0))


def _since_midnight(clock: str) -> timedelta:
    at = time.fromisoformat(clock)
    return timedelta(hours=at.hour, minutes=at.minute, seconds=at.second)


_CALENDAR: dict[tuple[Type, str, Type], tuple[Type, Callable[[Any, Any], Any]]] = {
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
"""Arithmetic of dates, times of day and time spans: the type of the result, and the operation."""
