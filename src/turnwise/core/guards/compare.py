"""Comparisons and membership. Where a field meets a constant, one closure does all of it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from turnwise.core.guards import hints
from turnwise.core.guards.env import Env, GuardFault
from turnwise.core.guards.scope import Term
from turnwise.core.guards.types import LIST, NUMERIC, READERS, Type, comparable, named
from turnwise.flow.guard import GuardError

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_HASHABLE = (*NUMERIC, "string", "date", "time", "timestamp", "duration", "bool")
_ORDERED = (*_HASHABLE, "dyn")


def compare(op: str, left: Term, right: Term, at: int) -> Term:
    """`left op right`; a constant text beside a date, a time, a moment or a time span is read as one."""
    left, right = as_type(left, right.type, at), as_type(right, left.type, at)
    if not comparable(left.type, right.type):
        hint = hints.of_types(left.type, right.type)
        raise GuardError("TW032", f"{named(left.type)} is never {named(right.type)}", at, hint)
    if op not in ("==", "!=") and not (left.type in _ORDERED and right.type in _ORDERED):
        raise GuardError("TW032", f"{named(left.type)} has no order", at)
    if "dyn" in (left.type, right.type):
        return Term("bool", _checked(OPERATORS[op], left.run, right.run, is_equality=op in ("==", "!=")))
    if right.is_constant and left.is_stored:
        return Term("bool", _stored_with_constant(OPERATORS[op], left.address, right.constant))
    if right.is_constant:
        return Term("bool", _with_constant(OPERATORS[op], left.run, right.constant))
    return Term("bool", _plain(OPERATORS[op], left.run, right.run))


def as_type(term: Term, wanted: str, at: int) -> Term:
    """A constant text, or a list of them, as the dates, times, moments or time spans that it is compared with."""
    convert = READERS.get(wanted)
    is_list = wanted.startswith(LIST)
    if convert is None or not term.is_constant or term.type != (f"{LIST}string" if is_list else "string"):
        return term
    value = convert(term.constant)
    found = zip(value, term.constant, strict=True) if is_list else [(value, term.constant)]
    for one, text in found:
        if one is None:
            raise GuardError("TW032", f"'{text}' is not {named(wanted.removeprefix(LIST))}", at)
    return Term(wanted, lambda _env: value, constant=value)


def unified(first: Term, second: Term, at: int) -> tuple[Term, Term, Type]:
    """Two terms of which one is the result, and the type that both have. A constant text beside a date, a time, a
    moment or a time span is read as one.
    """
    first, second = as_type(first, second.type, at), as_type(second, first.type, at)
    one, other = first.type, second.type
    if other in (one, "null"):
        return first, second, one
    if one == "null":
        return first, second, other
    if {one, other} == set(NUMERIC):
        return first, second, "double"
    if "dyn" in (one, other):
        return first, second, "dyn"
    if one.startswith(LIST) and other.startswith(LIST) and comparable(one, other):
        items = {one.removeprefix(LIST), other.removeprefix(LIST)}
        return first, second, LIST + ("double" if items == set(NUMERIC) else min(items - {"dyn"}))
    raise GuardError("TW032", f"this gives {named(one)} or {named(other)}", at)


def member(item: Term, group: Term, at: int) -> Term:
    """`item in group`."""
    if not group.type.startswith(LIST) and group.type != "dyn":
        raise GuardError("TW032", f"'in' needs a list, this is {named(group.type)}", at, "use contains for texts")
    item, group = as_type(item, group.type.removeprefix(LIST), at), as_type(group, LIST + item.type, at)
    if not comparable(item.type, group.type.removeprefix(LIST)):
        raise GuardError("TW032", f"{named(item.type)} is never in {named(group.type)}", at)
    if group.is_constant and item.type in _HASHABLE:
        return Term("bool", _in_constant(item.run, frozenset(group.constant)))
    left, right = item.run, group.run

    def run(env: Env) -> bool | None:
        values = right(env)
        value = left(env)
        if values is None or value is None:
            return None
        if not isinstance(values, list):
            raise GuardFault("'in' needs a list")
        return value in values

    return Term("bool", run)


def _in_constant(item: Callable[[Env], Any], values: frozenset[Any]) -> Callable[[Env], bool | None]:
    def run(env: Env) -> bool | None:
        value = item(env)
        return None if value is None else value in values

    return run


def _stored_with_constant(
    test: Callable[[Any, Any], bool], address: str, constant: Any
) -> Callable[[Env], bool | None]:
    def run(env: Env) -> bool | None:
        found = env.fields.get(address)
        return None if found is None else test(found.value, constant)

    return run


def _with_constant(
    test: Callable[[Any, Any], bool], left: Callable[[Env], Any], constant: Any
) -> Callable[[Env], bool | None]:
    def run(env: Env) -> bool | None:
        value = left(env)
        return None if value is None else test(value, constant)

    return run


def _plain(
    test: Callable[[Any, Any], bool], left: Callable[[Env], Any], right: Callable[[Env], Any]
) -> Callable[[Env], bool | None]:
    def run(env: Env) -> bool | None:
        first, second = left(env), right(env)
        return None if first is None or second is None else test(first, second)

    return run


def _checked(
    test: Callable[[Any, Any], bool], left: Callable[[Env], Any], right: Callable[[Env], Any], *, is_equality: bool
) -> Callable[[Env], bool | None]:
    """A comparison of values whose types are known only now: unlike types are an error, as in CEL."""

    def run(env: Env) -> bool | None:
        first, second = left(env), right(env)
        if first is None or second is None:
            return None
        if _kind(first) is not _kind(second):
            raise GuardFault(f"{first!r} and {second!r} cannot be compared")
        if not is_equality and isinstance(first, list):
            raise GuardFault("lists have no order")
        return test(first, second)

    return run


def _kind(value: Any) -> type:
    return float if type(value) is int else type(value)  # pyright: ignore[reportUnknownVariableType]
